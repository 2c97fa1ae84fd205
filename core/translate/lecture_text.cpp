// The built-in rules of the lecture set, as text: conformance/lecture_programs/rules_te.py and
// rules_ops.py (a test holds them equal).
#include "translate/from_fx.h"

namespace fx2wasm {
namespace {

constexpr std::string_view kRulesTe =
    R"py(# Translation rules: every operator becomes a TensorIR function.
def matmul(lhs, rhs):
    rows, depth = lhs.shape
    columns = rhs.shape[1]
    k = te.reduce_axis((0, depth), name="k")
    return te.compute((rows, columns), lambda i, j: )py"
    R"py(te.sum(lhs[i, k] * rhs[k, j], axis=k), name="matmul")


def relu(x):
    return te.compute(x.shape, lambda *i: te.max(x(*i), 0), name="relu")


def map_matmul(bb, node_map, node):
    return bb.emit_te(matmul, node_map[node.args[0]], node_map[node.args[1]])


def map_relu(bb, node_map, node):
    return bb.emit_te(relu, node_map[node.args[0]])


def map_linear(bb, node_map, node, module):
    y = bb.emit_te(topi.nn.dense, node_map[node.args[0]], map_param(module.weight))
    if module.bias is None:
        return y
    return bb.emit_te(topi.add, y, map_param(module.bias))


def map_relu_module(bb, node_map, node, module):
    return bb.emit_te(relu, node_map[node.args[0]])


call_function_map = {torch.matmul: map_matmul, torch.relu: map_relu}
call_module_map = {nn.Linear: map_linear, nn.ReLU: map_relu_module}
)py";

constexpr std::string_view kRulesOps =
    R"py(# Translation rules: every operator stays a Relax operator, to be decided later.
def map_matmul(bb, node_map, node):
    return bb.emit(relax.op.matmul(node_map[node.args[0]], node_map[node.args[1]]))


def map_relu(bb, node_map, node):
    return bb.emit(relax.op.nn.relu(node_map[node.args[0]]))


def map_linear(bb, node_map, node, module):
    x = node_map[node.args[0]]
    if module.bias is None:
        return bb.emit(relax.op.linear(x, map_param(module.weight)))
    return bb.emit(relax.op.linear(x, map_param(module.weight), map_param(module.bias)))


def map_relu_module(bb, node_map, node, module):
    return bb.emit(relax.op.nn.relu(node_map[node.args[0]]))


call_function_map = {torch.matmul: map_matmul, torch.relu: map_relu}
call_module_map = {nn.Linear: map_linear, nn.ReLU: map_relu_module}
)py";

}  // namespace

std::string_view lecture_rules(Emission emission) {
  return emission == Emission::EmitTe ? kRulesTe : kRulesOps;
}

}  // namespace fx2wasm
