#include "interp/prim_func.h"

#include <set>

#include "interp/interp.h"
#include "interp/tir_machine.h"
#include "ir/tir_visit.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm::interp {
namespace {

struct Params {
  std::vector<tir::Buffer> inputs, outputs;
  std::vector<tir::Var> scalars;
};

std::string shape_text(const std::vector<int64_t>& shape) {
  std::string out = "(";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) out += ", ";
    out += std::to_string(shape[i]);
  }
  return out + (shape.size() == 1 ? ",)" : ")");
}

// Symbolic extents take their value from the first tensor that shows them.
void bind_symbols(Machine& machine, const tir::Buffer& buffer, const std::vector<int64_t>& shape) {
  if (shape.size() != buffer->shape.size()) return;  // reported by check_shape
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const auto* var = std::get_if<tir::Var>(&buffer->shape[axis]->kind);
    if (var != nullptr && !machine.is_bound(*var)) {
      machine.bind(*var, integer_scalar((*var)->dtype, shape[axis]));
    }
  }
}

void check_shape(Machine& machine, const tir::Buffer& buffer, const Storage& storage, DType dtype,
                 const std::vector<int64_t>& shape) {
  if (dtype == buffer->dtype && shape == storage.shape) return;
  machine.fail(codes::kRunInputs, "parameter '" + buffer->name + "' takes " +
                                      shape_text(storage.shape) + " of " +
                                      std::string(dtype_name(buffer->dtype)) + "; here is " +
                                      shape_text(shape) + " of " + std::string(dtype_name(dtype)));
}

Result<std::vector<TensorDataRef>> execute(const std::string& name, const tir::PrimFunc& func,
                                           const Params& params, const PrimFuncCall& call) {
  Machine machine(name);
  if (params.inputs.size() != call.inputs.size() || params.scalars.size() != call.scalars.size() ||
      (!call.output_shapes.empty() && params.outputs.size() != call.output_shapes.size())) {
    machine.fail(codes::kRunInputs, "it takes " + std::to_string(params.inputs.size()) +
                                        " tensors and " + std::to_string(params.scalars.size()) +
                                        " scalars; here are " + std::to_string(call.inputs.size()) +
                                        " and " + std::to_string(call.scalars.size()));
    return *machine.failure();
  }
  for (size_t i = 0; i < params.scalars.size(); ++i) {
    machine.bind(params.scalars[i], call.scalars[i]);
  }
  for (size_t i = 0; i < params.inputs.size(); ++i) {
    bind_symbols(machine, params.inputs[i], call.inputs[i]->shape);
  }
  for (size_t i = 0; i < call.output_shapes.size(); ++i) {
    bind_symbols(machine, params.outputs[i], call.output_shapes[i]);
  }
  for (size_t i = 0; i < params.inputs.size(); ++i) {
    const TensorData& input = *call.inputs[i];
    Storage& storage = machine.allocate(params.inputs[i]);
    check_shape(machine, params.inputs[i], storage, input.dtype, input.shape);
    storage.bytes = input.bytes;
  }
  for (size_t i = 0; i < params.outputs.size(); ++i) {
    const Storage& storage = machine.allocate(params.outputs[i]);
    if (call.output_shapes.empty()) continue;
    check_shape(machine, params.outputs[i], storage, params.outputs[i]->dtype,
                call.output_shapes[i]);
  }
  machine.run(func->body);
  if (machine.failure()) return *machine.failure();
  std::vector<TensorDataRef> outputs;
  for (const tir::Buffer& buffer : params.outputs) {
    Storage& storage = *machine.storage(buffer);
    outputs.push_back(
        make_tensor_data(buffer->dtype, std::move(storage.shape), std::move(storage.bytes)));
  }
  return Result<std::vector<TensorDataRef>>(std::move(outputs));
}

}  // namespace

Result<std::vector<TensorDataRef>> call_prim_func(const std::string& name,
                                                  const tir::PrimFunc& func,
                                                  const PrimFuncCall& call) {
  Params params;
  for (const tir::Param& param : func->params) {
    if (const auto* var = std::get_if<tir::Var>(&param)) {
      params.scalars.push_back(*var);
      continue;
    }
    const bool input = params.inputs.size() < call.inputs.size();
    (input ? params.inputs : params.outputs).push_back(*std::get_if<tir::Buffer>(&param));
  }
  return execute(name, func, params, call);
}

Result<std::vector<TensorDataRef>> run_prim_func(const tir::PrimFunc& func,
                                                 const std::vector<TensorDataRef>& inputs) {
  std::set<const tir::BufferNode*> written;
  tir::walk(
      func->body,
      [&](const tir::Stmt& stmt) {
        if (const auto* store = std::get_if<tir::BufferStore>(&stmt->kind)) {
          written.insert(store->buffer.get());
        }
      },
      nullptr);
  Params params;
  for (const tir::Param& param : func->params) {
    if (const auto* var = std::get_if<tir::Var>(&param)) {
      params.scalars.push_back(*var);
      continue;
    }
    const tir::Buffer& buffer = *std::get_if<tir::Buffer>(&param);
    (written.count(buffer.get()) > 0 ? params.outputs : params.inputs).push_back(buffer);
  }
  return execute("main", func, params, PrimFuncCall{inputs, {}, {}});
}

}  // namespace fx2wasm::interp
