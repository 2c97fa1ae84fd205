#include "lower/lower.h"

#include <algorithm>

#include "ir/params.h"
#include "ir/structural.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "lower/data_positions.h"
#include "lower/emitter.h"
#include "lower/statement.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm::wasm {
namespace {

constexpr uint64_t kAlignment = 16;
constexpr uint64_t kLargestBuffer = uint64_t{1} << 31;

std::vector<tir::Buffer> allocated_buffers(const tir::PrimFunc& func) {
  std::vector<tir::Buffer> buffers;
  tir::walk(
      func->body,
      [&](const tir::Stmt& stmt) {
        if (const auto* alloc = std::get_if<tir::AllocStmt>(&stmt->kind)) {
          buffers.push_back(alloc->buffer);
        }
        const auto* realize = std::get_if<tir::SBlockRealize>(&stmt->kind);
        if (realize == nullptr) return;
        buffers.insert(buffers.end(), realize->block->alloc_buffers.begin(),
                       realize->block->alloc_buffers.end());
      },
      nullptr);
  return buffers;
}

std::optional<uint64_t> static_bytes(const tir::Buffer& buffer) {
  uint64_t bytes = static_cast<uint64_t>(dtype_bytes(buffer->dtype));
  for (const tir::PrimExpr& extent : buffer->shape) {
    const auto value = tir::as_int(extent);
    if (!value || *value < 0) return std::nullopt;
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(*value), &bytes)) return std::nullopt;
  }
  return bytes;
}

Interval scalar_interval(const tir::Var& var, bool is_extent) {
  // An extent counts elements in a memory of less than 2^31 of them.
  if (is_extent) return {0, INT32_MAX};
  return Bounds().of(tir::var_expr(var));
}

class FunctionWriter {
 public:
  FunctionWriter(MathFunctions& math, const std::string& name, const tir::PrimFunc& func,
                 const LowerOptions& options)
      : func_(with_data_positions_inside(func)),
        symbols_(tir::shape_symbols(func)),
        allocated_(allocated_buffers(func)) {
    FuncType type;
    for (const tir::Param& param : func->params) {
      const auto* var = std::get_if<tir::Var>(&param);
      type.params.push_back(var == nullptr ? ValType::I32 : scalar_type(*var));
    }
    type.params.insert(type.params.end(), symbols_.size(), ValType::I32);
    if (!allocated_.empty()) type.params.push_back(ValType::I32);
    code_.emplace(name, std::move(type));
    emitter_.emplace(*code_, math, options);
  }

  Result<LoweredFunction> write(Module& module) {
    LoweredFunction lowered;
    lowered.symbols = symbols_;
    bind_params();
    for (const tir::Buffer& buffer : allocated_) {
      if (is_symbolic(buffer)) continue;
      const auto bytes = static_bytes(buffer);
      if (!bytes || *bytes >= kLargestBuffer) return cannot_allocate(buffer);
      bind_workspace(buffer, lowered.workspace_bytes);
      // Even an empty buffer has a place, so that the function is called with a workspace.
      const uint64_t taken = std::max<uint64_t>(*bytes, 1);
      lowered.workspace_bytes += (taken + kAlignment - 1) / kAlignment * kAlignment;
      if (lowered.workspace_bytes >= kLargestBuffer) return cannot_allocate(buffer);
    }
    // Behind those whose place is known.
    std::vector<SymbolicTerm> terms;
    for (const tir::Buffer& buffer : allocated_) {
      if (!is_symbolic(buffer)) continue;
      const auto term = symbolic_term(buffer);
      if (!term || !knows_all(term->product)) return cannot_allocate(buffer);
      bind_symbolic_workspace(buffer, lowered);
      lowered.symbolic_bytes = sum_of(terms, *term);
    }
    // A caller passes the workspace when it has a size, which buffers without elements have too.
    if (!allocated_.empty() && !lowered.symbolic_bytes) {
      lowered.workspace_bytes = std::max<uint64_t>(lowered.workspace_bytes, kAlignment);
    }
    StatementWriter(*emitter_).write(func_->body);
    lowered.index = add_function(module, code_->finish());
    return lowered;
  }

 private:
  static ValType scalar_type(const tir::Var& var) {
    switch (var->dtype) {
      case DType::Int64:
      case DType::UInt64:
        return ValType::I64;
      case DType::Float64:
        return ValType::F64;
      case DType::Float16:
      case DType::BFloat16:
      case DType::Float32:
        return ValType::F32;
      case DType::Bool:
      case DType::Int8:
      case DType::Int16:
      case DType::Int32:
      case DType::UInt8:
      case DType::UInt16:
      case DType::UInt32:
        return ValType::I32;
    }
    return ValType::I32;
  }

  void bind_params() {
    uint32_t local = 0;
    for (const tir::Param& param : func_->params) {
      if (const auto* var = std::get_if<tir::Var>(&param)) {
        bind_scalar(*var, local);
      } else {
        emitter_->buffers[std::get<tir::Buffer>(param).get()] = local;
      }
      ++local;
    }
    for (const tir::Var& symbol : symbols_) {
      emitter_->vars[symbol.get()] = local++;
      emitter_->bounds.bind(symbol, scalar_interval(symbol, true));
    }
    workspace_ = local;
  }

  // A size comes as the i64 that it is declared, and is an i32 from here on.
  void bind_scalar(const tir::Var& var, uint32_t local) {
    const bool extent = is_integer(var->dtype) && stands_in_shape(var);
    if (extent && var->dtype == DType::Int64) {
      code_->get(local);
      code_->op(Op::I32WrapI64);
      code_->set(emitter_->define(var, scalar_interval(var, true)));
      return;
    }
    emitter_->vars[var.get()] = local;
    emitter_->bounds.bind(var, scalar_interval(var, extent));
  }

  bool stands_in_shape(const tir::Var& var) const {
    const auto has_it = [&](const tir::Buffer& buffer) {
      return std::any_of(buffer->shape.begin(), buffer->shape.end(),
                         [&](const tir::PrimExpr& extent) { return uses_var(extent, var); });
    };
    return std::any_of(allocated_.begin(), allocated_.end(), has_it) ||
           std::any_of(func_->params.begin(), func_->params.end(), [&](const tir::Param& param) {
             const auto* buffer = std::get_if<tir::Buffer>(&param);
             return buffer != nullptr && has_it(*buffer);
           });
  }

  void bind_workspace(const tir::Buffer& buffer, uint64_t offset) {
    if (offset == 0) {
      emitter_->buffers[buffer.get()] = workspace_;
      return;
    }
    const uint32_t local = code_->add_local(ValType::I32);
    code_->get(workspace_);
    code_->i32(static_cast<int32_t>(offset));
    code_->op(Op::I32Add);
    code_->set(local);
    emitter_->buffers[buffer.get()] = local;
  }

  static bool is_symbolic(const tir::Buffer& buffer) {
    return std::any_of(buffer->shape.begin(), buffer->shape.end(),
                       [](const tir::PrimExpr& extent) { return !tir::as_int(extent); });
  }

  // The bytes of symbolic buffers of one product of sizes: bytes · product, or, of less than the
  // alignment each, that rounded up.
  struct SymbolicTerm {
    tir::PrimExpr product;
    int64_t bytes = 0;
  };

  // Nothing when it is too large for any product.
  static std::optional<SymbolicTerm> symbolic_term(const tir::Buffer& buffer) {
    SymbolicTerm term{tir::int_imm(DType::Int64, 1), dtype_bytes(buffer->dtype)};
    for (const tir::PrimExpr& extent : buffer->shape) {
      const auto value = tir::as_int(extent);
      if (!value) {
        term.product = tir::mul(term.product, tir::cast(DType::Int64, extent));
      } else if (__builtin_mul_overflow(term.bytes, *value, &term.bytes) || term.bytes < 0 ||
                 term.bytes >= static_cast<int64_t>(kLargestBuffer)) {
        return std::nullopt;
      }
    }
    const auto alignment = static_cast<int64_t>(kAlignment);
    if (term.bytes < alignment) {
      const tir::PrimExpr bytes = tir::mul(term.product, tir::int_imm(DType::Int64, term.bytes));
      term.product = tir::floordiv(tir::add(bytes, tir::int_imm(DType::Int64, alignment - 1)),
                                   tir::int_imm(DType::Int64, alignment));
    }
    term.bytes = (std::max<int64_t>(term.bytes, 1) + alignment - 1) / alignment * alignment;
    return term;
  }

  // One term for equal products: the plan lays such workspaces out with tensors of that size.
  static tir::PrimExpr sum_of(std::vector<SymbolicTerm>& terms, const SymbolicTerm& added) {
    const auto same = std::find_if(terms.begin(), terms.end(), [&](const SymbolicTerm& term) {
      return structural_equal(term.product, added.product);
    });
    if (same != terms.end()) {
      same->bytes += added.bytes;
    } else {
      terms.push_back(added);
    }
    tir::PrimExpr sum;
    for (const SymbolicTerm& term : terms) {
      const tir::PrimExpr bytes = tir::mul(term.product, tir::int_imm(DType::Int64, term.bytes));
      sum = sum ? tir::add(sum, bytes) : bytes;
    }
    return sum;
  }

  // A size of the arguments, or an integer argument.
  bool is_known(const tir::Var& var) const {
    if (std::find(symbols_.begin(), symbols_.end(), var) != symbols_.end()) return true;
    return std::any_of(func_->params.begin(), func_->params.end(), [&](const tir::Param& param) {
      const auto* scalar = std::get_if<tir::Var>(&param);
      return scalar != nullptr && *scalar == var && is_integer(var->dtype);
    });
  }

  // So that a caller can compute it, too.
  bool knows_all(const tir::PrimExpr& expr) const {
    bool known = true;
    tir::walk(expr, [&](const tir::PrimExpr& e) {
      const auto* var = std::get_if<tir::Var>(&e->kind);
      if (var != nullptr && !is_known(*var)) known = false;
      if (std::holds_alternative<tir::BufferLoad>(e->kind)) known = false;
      return known;
    });
    return known;
  }

  void bind_symbolic_workspace(const tir::Buffer& buffer, const LoweredFunction& lowered) {
    const uint32_t local = code_->add_local(ValType::I32);
    code_->get(workspace_);
    code_->i32(static_cast<int32_t>(lowered.workspace_bytes));
    code_->op(Op::I32Add);
    if (lowered.symbolic_bytes) {
      emitter_->emit_index(lowered.symbolic_bytes);
      code_->op(Op::I32Add);
    }
    code_->set(local);
    emitter_->buffers[buffer.get()] = local;
  }

  static Diagnostic cannot_allocate(const tir::Buffer& buffer) {
    return error_at({}, codes::kCompileUnsupported,
                    "the buffer '" + buffer->name +
                        "' cannot be allocated: it is too large for a 32-bit memory, or its "
                        "shape depends on more than the arguments' sizes and integers");
  }

  tir::PrimFunc func_;
  std::vector<tir::Var> symbols_;
  std::vector<tir::Buffer> allocated_;
  std::optional<Code> code_;
  std::optional<Emitter> emitter_;
  uint32_t workspace_ = 0;
};

}  // namespace

Result<LoweredFunction> lower_prim_func(Module& module, MathFunctions& math,
                                        const std::string& name, const tir::PrimFunc& func,
                                        const LowerOptions& options) {
  return FunctionWriter(math, name, func, options).write(module);
}

}  // namespace fx2wasm::wasm
