#include "interp/tir_machine.h"

#include <algorithm>

#include "ir/match.h"
#include "ir/reduction.h"
#include "ir/tir_visit.h"
#include "support/check.h"
#include "support/diagnostic_codes.h"
#include "support/rounding.h"

namespace fx2wasm::interp {
namespace {

// What freshly allocated memory holds: large odd numbers and, as floats, -1.2e-16 or so, which a
// comparison with PyTorch's numbers notices when a program reads what it never wrote.
constexpr std::byte kUnwritten{0xA5};

// Bytes that one buffer may take; a PrimFunc over symbolic sizes could ask for anything.
constexpr int64_t kMaxBufferBytes = int64_t{4} << 30;

bool reads_memory(const tir::PrimExpr& expr) {
  bool found = false;
  tir::walk(expr, [&](const tir::PrimExpr& e) {
    found = found || std::holds_alternative<tir::BufferLoad>(e->kind);
    return !found;
  });
  return found;
}

// Where a load goes whose index was itself read from memory: a negative one counts from the end, as
// PyTorch's do, and what is outside then reads the nearest element. A store there is not made. (An
// index that only arithmetic gives is a program's own fault when it is outside.)
int64_t moved_inside(int64_t index, int64_t extent) {
  if (index < 0) index += extent;
  return std::min(std::max<int64_t>(index, 0), extent - 1);
}

}  // namespace

void Machine::fail(std::string_view code, const std::string& message) {
  if (failure_) return;
  failure_ = error_at({}, code, "PrimFunc '" + func_name_ + "': " + message);
}

Scalar Machine::evaluate(const tir::PrimExpr& expr) {
  if (failure_) return Scalar{expr->dtype, 0, 0};
  return match(
      expr->kind,
      [&](const tir::Var& var) -> Scalar {
        const auto found = variables_.find(var.get());
        if (found != variables_.end()) return found->second;
        fail(codes::kRunInputs, "the size '" + var->name + "' is not known from any input");
        return Scalar{expr->dtype, 0, 0};
      },
      [&](const tir::IntImm& imm) -> Scalar { return integer_scalar(expr->dtype, imm.value); },
      [&](const tir::FloatImm& imm) -> Scalar { return float_scalar(expr->dtype, imm.value); },
      [&](const tir::StringImm&) -> Scalar {
        fail(codes::kRunUnsupported, "a string has no value here");
        return Scalar{};
      },
      [&](const tir::Binary& binary) -> Scalar { return evaluate_binary(binary); },
      [&](const tir::Not& node) -> Scalar { return bool_scalar(!evaluate(node.a).truth()); },
      [&](const tir::Cast& cast) -> Scalar {
        return cast_scalar(expr->dtype, evaluate(cast.value));
      },
      [&](const tir::Select& select) -> Scalar {
        const bool chosen = evaluate(select.condition).truth();
        const Scalar a = evaluate(select.true_value);
        const Scalar b = evaluate(select.false_value);
        return chosen ? a : b;
      },
      [&](const tir::Call& call) -> Scalar { return evaluate_call(call, expr->dtype); },
      [&](const tir::BufferLoad& node) -> Scalar { return load(node); },
      [&](const tir::Let& let) -> Scalar { return evaluate_let(let); },
      [&](const tir::ProducerLoad&) -> Scalar {
        FX_CHECK(false, "a tensor expression's load inside a PrimFunc");
        return Scalar{};
      },
      [&](const tir::Reduce&) -> Scalar {
        FX_CHECK(false, "a tensor expression's reduction inside a PrimFunc");
        return Scalar{};
      });
}

Scalar Machine::evaluate_binary(const tir::Binary& binary) {
  const Scalar a = evaluate(binary.a);
  if (binary.op == tir::BinaryOp::And && !a.truth()) return bool_scalar(false);
  if (binary.op == tir::BinaryOp::Or && a.truth()) return bool_scalar(true);
  const Scalar b = evaluate(binary.b);
  if (failure_) return a;
  const std::optional<Scalar> result = apply_binary(binary.op, a, b);
  if (!result) fail(codes::kRunInputs, "an integer is divided by zero");
  return result.value_or(a);
}

Scalar Machine::evaluate_call(const tir::Call& call, DType dtype) {
  if (call.op == tir::Intrinsic::IfThenElse) {
    return evaluate(evaluate(call.args[0]).truth() ? call.args[1] : call.args[2]);
  }
  std::vector<Scalar> args;
  for (const tir::PrimExpr& arg : call.args) args.push_back(evaluate(arg));
  const std::optional<Scalar> result = apply_intrinsic(call.op, dtype, args);
  if (!result) {
    fail(codes::kRunUnsupported,
         "the interpreter cannot call " + std::string(tir::intrinsic_name(call.op)));
  }
  return result.value_or(Scalar{dtype, 0, 0});
}

Scalar Machine::evaluate_let(const tir::Let& let) {
  bind(let.var, evaluate(let.value));
  return evaluate(let.body);
}

Storage& Machine::allocate(const tir::Buffer& buffer) {
  Storage storage;
  int64_t bytes = dtype_bytes(buffer->dtype);
  for (const tir::PrimExpr& extent : buffer->shape) {
    const int64_t size = evaluate(extent).i;
    if (size < 0 || (size > 0 && bytes > kMaxBufferBytes / size)) {
      fail(codes::kRunInputs, "buffer '" + buffer->name + "' would have a size of " +
                                  std::to_string(size) + " and does not fit into memory");
      bytes = 0;
    }
    storage.shape.push_back(size);
    bytes *= size;
  }
  if (failure_) bytes = 0;
  storage.strides.assign(storage.shape.size(), 1);
  for (size_t axis = storage.shape.size(); axis-- > 1;) {
    storage.strides[axis - 1] = storage.strides[axis] * storage.shape[axis];
  }
  for (size_t axis = 0; axis < buffer->strides.size(); ++axis) {
    storage.strides[axis] = evaluate(buffer->strides[axis]).i;
  }
  // A symbol there is the caller's to choose: ours passes memory that begins with the tensor.
  const bool chosen = buffer->elem_offset != nullptr &&
                      std::get_if<tir::Var>(&buffer->elem_offset->kind) != nullptr;
  if (buffer->elem_offset != nullptr && !chosen) {
    storage.elem_offset = evaluate(buffer->elem_offset).i;
  }
  storage.bytes.assign(static_cast<size_t>(bytes), kUnwritten);
  Storage& slot = buffers_[buffer.get()];
  slot = std::move(storage);
  return slot;
}

Storage* Machine::storage(const tir::Buffer& buffer) {
  const auto found = buffers_.find(buffer.get());
  return found == buffers_.end() ? nullptr : &found->second;
}

std::optional<size_t> Machine::address(const tir::Buffer& buffer, Storage*& memory,
                                       const std::vector<tir::PrimExpr>& indices, bool is_load) {
  memory = storage(buffer);
  FX_CHECK(memory != nullptr, "a buffer that nobody allocated: " + buffer->name);
  FX_CHECK(indices.size() == memory->shape.size(), "an access with a wrong number of indices");
  int64_t element = memory->elem_offset;
  for (size_t axis = 0; axis < indices.size(); ++axis) {
    int64_t index = evaluate(indices[axis]).i;
    if (failure_) return std::nullopt;
    const bool from_memory = reads_memory(indices[axis]);
    if (is_load && from_memory) index = moved_inside(index, memory->shape[axis]);
    if (index < 0 || index >= memory->shape[axis]) {
      if (!is_load && from_memory) return std::nullopt;
      fail(codes::kRunInputs, "index " + std::to_string(index) + " is outside axis " +
                                  std::to_string(axis) + " of buffer '" + buffer->name +
                                  "', which has " + std::to_string(memory->shape[axis]) +
                                  " elements there");
      return std::nullopt;
    }
    element += index * memory->strides[axis];
  }
  const auto width = static_cast<size_t>(dtype_bytes(buffer->dtype));
  const size_t at = static_cast<size_t>(element) * width;
  if (element < 0 || at + width > memory->bytes.size()) {
    fail(codes::kRunUnsupported, "the strides of buffer '" + buffer->name + "' leave its memory");
    return std::nullopt;
  }
  return at;
}

Scalar Machine::load(const tir::BufferLoad& node) {
  const DType dtype = node.buffer->dtype;
  Storage* memory = nullptr;
  const std::optional<size_t> at = address(node.buffer, memory, node.indices, true);
  if (!at) return Scalar{dtype, 0, 0};
  const std::byte* from = memory->bytes.data() + *at;
  return is_float(dtype) ? Scalar{dtype, load_float(dtype, from), 0}
                         : Scalar{dtype, 0, load_integer(dtype, from)};
}

void Machine::store(const tir::BufferStore& node) {
  const Scalar value = evaluate(node.value);
  Storage* memory = nullptr;
  const std::optional<size_t> at = address(node.buffer, memory, node.indices, false);
  if (!at) return;
  FX_CHECK(value.dtype == node.buffer->dtype, "a store of another dtype than the buffer's");
  std::byte* to = memory->bytes.data() + *at;
  if (is_float(value.dtype)) {
    store_float(value.dtype, value.f, to);
  } else {
    store_integer(value.dtype, value.i, to);
  }
}

void Machine::run(const tir::Stmt& stmt) {
  if (failure_) return;
  match(
      stmt->kind, [&](const tir::BufferStore& node) { store(node); },
      [&](const tir::For& loop) { run_for(loop); },
      [&](const tir::While& loop) {
        while (evaluate(loop.condition).truth() && !failure_) run(loop.body);
      },
      [&](const tir::IfThenElse& branch) {
        if (evaluate(branch.condition).truth()) {
          run(branch.then_case);
        } else if (branch.else_case != nullptr) {
          run(branch.else_case);
        }
      },
      [&](const tir::LetStmt& let) {
        bind(let.var, evaluate(let.value));
        run(let.body);
      },
      [&](const tir::AttrStmt& attr) { run(attr.body); },
      [&](const tir::AllocStmt& alloc) {
        allocate(alloc.buffer);
        run(alloc.body);
      },
      [&](const tir::SeqStmt& sequence) {
        for (const tir::Stmt& part : sequence.seq) run(part);
      },
      [&](const tir::Evaluate& node) { evaluate(node.value); },
      [&](const tir::SBlockRealize& realize) { run_block(realize); });
}

// Parallel, vectorised and unrolled loops mean what serial ones do.
void Machine::run_for(const tir::For& loop) {
  const int64_t begin = evaluate(loop.min).i;
  const int64_t extent = evaluate(loop.extent).i;
  if (extent <= 0 && !failure_ && tir::reduced_block(loop) != nullptr) {
    const bool before = init_only_;
    init_only_ = true;
    bind(loop.loop_var, integer_scalar(loop.loop_var->dtype, begin));
    run(loop.body);
    init_only_ = before;
    return;
  }
  for (int64_t i = 0; i < extent && !failure_; ++i) {
    bind(loop.loop_var, integer_scalar(loop.loop_var->dtype, begin + i));
    run(loop.body);
  }
}

void Machine::run_block(const tir::SBlockRealize& realize) {
  const tir::SBlock& block = *realize.block;
  FX_CHECK(realize.iter_values.size() == block.iter_vars.size(),
           "a block is realised with a wrong number of values");
  std::vector<Scalar> values;
  for (const tir::PrimExpr& value : realize.iter_values) values.push_back(evaluate(value));
  if (realize.predicate != nullptr && !evaluate(realize.predicate).truth()) return;
  bool first = true;  // all reduce axes stand at their beginning
  for (size_t axis = 0; axis < values.size(); ++axis) {
    const tir::IterVar& iter = block.iter_vars[axis];
    bind(iter.var, values[axis]);
    if (iter.kind == tir::IterKind::Reduce) {
      first = first && values[axis].i == evaluate(iter.dom.min).i;
    }
  }
  for (const tir::Buffer& buffer : block.alloc_buffers) allocate(buffer);
  if (block.init != nullptr && first) run(block.init);
  if (!init_only_) run(block.body);
}

}  // namespace fx2wasm::interp
