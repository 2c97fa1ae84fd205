// The state of a running PrimFunc: variables, buffers, and the first thing that went wrong.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interp/scalar.h"
#include "ir/tir.h"
#include "support/diagnostic.h"
#include "support/tensor_data.h"

namespace fx2wasm::interp {

// The memory behind a buffer, with the extents it has in this run.
struct Storage {
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  int64_t elem_offset = 0;
  std::vector<std::byte> bytes;
};

// Evaluates expressions and runs statements one after another, as they are written. After a failure
// nothing more is executed and every value is 0.
class Machine {
 public:
  explicit Machine(std::string func_name) : func_name_(std::move(func_name)) {}

  Scalar evaluate(const tir::PrimExpr& expr);
  void run(const tir::Stmt& stmt);

  void bind(const tir::Var& var, Scalar value) { variables_[var.get()] = value; }
  bool is_bound(const tir::Var& var) const { return variables_.count(var.get()) > 0; }

  // Gives a buffer memory: the extents are evaluated now, the bytes filled with a pattern that no
  // program should see.
  Storage& allocate(const tir::Buffer& buffer);
  Storage* storage(const tir::Buffer& buffer);

  // `code` is FX7001 (the inputs' fault) or FX7002 (something that has no evaluator).
  void fail(std::string_view code, const std::string& message);
  const std::optional<Diagnostic>& failure() const { return failure_; }

 private:
  Scalar evaluate_binary(const tir::Binary& binary);
  Scalar evaluate_call(const tir::Call& call, DType dtype);
  Scalar evaluate_let(const tir::Let& let);
  Scalar load(const tir::BufferLoad& load);
  void store(const tir::BufferStore& store);
  void run_for(const tir::For& loop);
  void run_block(const tir::SBlockRealize& realize);
  // The byte that an access begins at; nothing when it is outside the buffer: a failure, but for a
  // store whose position was read from memory, which is not made.
  std::optional<size_t> address(const tir::Buffer& buffer, Storage*& storage,
                                const std::vector<tir::PrimExpr>& indices, bool is_load);

  std::string func_name_;
  std::map<const tir::VarNode*, Scalar> variables_;
  bool init_only_ = false;  // a reduce loop around the next block has no iterations
  std::map<const tir::BufferNode*, Storage> buffers_;
  std::optional<Diagnostic> failure_;
};

}  // namespace fx2wasm::interp
