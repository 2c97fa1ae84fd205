// Writes TensorIR expressions as WebAssembly instructions into one function.
//
// How values are represented: bool and integers up to 32 bits are an i32 (kept sign- or
// zero-extended), float16 and bfloat16 are computed as f32 and rounded when stored or cast, int64
// is an i32 where Bounds prove that it fits, else an i64.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "encode/code.h"
#include "ir/tir.h"
#include "lower/affine.h"
#include "lower/bounds.h"
#include "lower/math.h"
#include "lower/options.h"
#include "lower/pointers.h"

namespace fx2wasm::wasm {

class Emitter {
 public:
  Emitter(Code& code, MathFunctions& math, LowerOptions options)
      : code(code), math(math), options(options) {}

  Code& code;
  MathFunctions& math;
  LowerOptions options;
  Bounds bounds;
  std::unordered_map<const tir::VarNode*, uint32_t> vars;        // local that holds the value
  std::unordered_map<const tir::BufferNode*, uint32_t> buffers;  // local that holds the address
  Pointers* pointers = nullptr;  // addresses that the innermost loop keeps, if in one
  tir::Var lane;                 // the variable that runs over the four lanes, or null

  // ---- scalars ----
  ValType representation(const tir::PrimExpr& expr) const;
  void emit(const tir::PrimExpr& expr);  // pushes representation(expr)
  void emit_as(const tir::PrimExpr& expr, ValType type);
  void emit_index(const tir::PrimExpr& expr) { emit_as(expr, ValType::I32); }
  // Pushes the address of an element without the constant that the answer gives: to be used as the
  // memory instruction's offset.
  uint32_t push_address(const tir::Buffer& buffer, const std::vector<tir::PrimExpr>& indices);
  void load(DType dtype, uint32_t offset);   // [address] → [value]
  void store(DType dtype, uint32_t offset);  // [address, value] → []
  // Σ terms · bytes added to the address on the stack.
  void add_terms(const Affine& affine, int32_t bytes);
  bool terms_not_negative(const Affine& affine) const;
  // Declares a variable with what it can be, and gives its local.
  uint32_t define(const tir::Var& var, Interval interval);

  // ---- vectors of four lanes: `lane` runs over them ----
  bool vectorizable(const tir::PrimExpr& expr) const;
  void emit_vector(const tir::PrimExpr& expr);  // pushes v128: float32, int32, or a mask for bool
  void store_vector(const tir::Buffer& buffer, const std::vector<tir::PrimExpr>& indices,
                    uint32_t value_local);

 private:
  void emit_var(const tir::Var& var);
  void emit_binary(const tir::PrimExpr& expr, const tir::Binary& e);
  void emit_arithmetic(const tir::PrimExpr& expr, const tir::Binary& e, ValType type);
  void emit_division(const tir::PrimExpr& expr, const tir::Binary& e, ValType type);
  void emit_comparison(const tir::Binary& e);
  void emit_logic(const tir::Binary& e);
  void emit_min_max(const tir::PrimExpr& expr, const tir::Binary& e, ValType type);
  void emit_cast(const tir::PrimExpr& expr, const tir::Cast& e);
  void emit_float_to_int(DType to, ValType from);
  void emit_call(const tir::PrimExpr& expr, const tir::Call& e);
  void emit_integer_call(const tir::PrimExpr& expr, const tir::Call& e);
  void emit_float_call(const tir::PrimExpr& expr, const tir::Call& e);
  void emit_classification(const tir::Call& e);
  void emit_load(const tir::PrimExpr& expr, const tir::BufferLoad& e);
  void normalize(DType dtype);  // wraps the i32 on the stack to a small integer's range

  bool depends_on_lane(const tir::PrimExpr& expr) const;
  bool vectorizable_load(const tir::BufferLoad& e) const;
  bool vectorizable_call(const tir::Call& e) const;
  void emit_splat(const tir::PrimExpr& expr);
  void emit_vector_binary(const tir::Binary& e);
  void emit_vector_compare(const tir::Binary& e);
  void emit_vector_cast(const tir::PrimExpr& expr, const tir::Cast& e);
  void emit_vector_call(const tir::PrimExpr& expr, const tir::Call& e);
  void emit_vector_load(const tir::BufferLoad& e);
  void emit_lane_by_lane(const tir::Call& e);

  int conditional_ = 0;  // > 0: what is emitted may not run, so no loaded value is remembered
};

// The load instruction's alignment for a dtype: log2 of its bytes.
uint32_t align_of(DType dtype);

}  // namespace fx2wasm::wasm
