// RNN, GRU and LSTM and their cells: the steps of a sequence one after the other.
//
// A sequence is (length, batch, width) here and a state (1, batch, width), so that the states of
// all steps joined along the first axis are the output.
#include <algorithm>
#include <string>
#include <utility>

#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/element.h"
#include "translate/norm_parts.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

namespace op = relax::op;

enum class CellKind { Tanh, Relu, Gru, Lstm };

// A layer in one direction, or a cell.
struct Recurrence {
  CellKind kind = CellKind::Tanh;
  int64_t width = 0;      // of the state (LSTM: of what is remembered)
  int64_t projected = 0;  // LSTM: the width of what is handed on, where it is another; else 0
  bool bias = true;
};

struct CellWeights {
  relax::Expr from_input, from_state;  // the latter (state, gates)
  std::optional<relax::Expr> input_bias, state_bias;
  relax::Expr projection;  // (width, projected), or null
};

struct CellState {
  relax::Expr hidden;
  relax::Expr memory;  // of an LSTM, else null
};

using Exprs = std::vector<relax::Expr>;

int64_t gates_of(CellKind kind) {
  switch (kind) {
    case CellKind::Tanh:
    case CellKind::Relu:
      return 1;
    case CellKind::Gru:
      return 3;
    case CellKind::Lstm:
      return 4;
  }
  return 1;
}

int64_t hidden_width(const Recurrence& r) { return r.projected > 0 ? r.projected : r.width; }

relax::Expr sigmoid_of(const relax::Expr& x) { return op::call("sigmoid", {x}); }
relax::Expr tanh_of(const relax::Expr& x) { return op::call("tanh", {x}); }

relax::Expr split_at(const relax::Expr& x, AttrValue where, int64_t axis) {
  return op::call("split", {x}, {{"indices_or_sections", std::move(where)}, {"axis", {axis}}});
}

// ---- many tensors at a time ----

// More parts than these are cut and joined in several rounds: one function for all of them would
// have as many parameters, and test for each element which part it comes from.
constexpr int64_t kPartsAtOnce = 16;

// The largest power of kPartsAtOnce below `count`.
int64_t block_of(int64_t count) {
  int64_t block = 1;
  while (block * kPartsAtOnce < count) block *= kPartsAtOnce;
  return block;
}

// x cut along its first axis, of `count`, into parts of one.
Result<Exprs> steps_of(Call& call, const relax::Expr& x, int64_t count) {
  if (count == 1) return Exprs{x};
  const int64_t block = block_of(count);
  std::vector<int64_t> places;
  for (int64_t place = block; place < count; place += block) places.push_back(place);
  const AttrValue where = block == 1 ? AttrValue{count} : op::int_list(places);
  FX_TRY(parts, call.builder.emit(split_at(x, where, 0)));
  Exprs steps;
  for (int64_t i = 0; i * block < count; ++i) {
    FX_TRY(part, call.builder.emit(relax::tuple_get_item(parts, static_cast<int>(i))));
    FX_TRY(inner, steps_of(call, part, std::min(block, count - i * block)));
    steps.insert(steps.end(), inner.begin(), inner.end());
  }
  return steps;
}

// Tensors joined along an axis.
Result<relax::Expr> joined_along(Call& call, const Exprs& parts, int64_t axis) {
  if (parts.size() == 1) return parts[0];
  const auto block = static_cast<size_t>(block_of(static_cast<int64_t>(parts.size())));
  Exprs blocks;
  for (size_t from = 0; from < parts.size(); from += block) {
    const size_t to = std::min(from + block, parts.size());
    const Exprs inner(parts.begin() + static_cast<std::ptrdiff_t>(from),
                      parts.begin() + static_cast<std::ptrdiff_t>(to));
    FX_TRY(whole, joined_along(call, inner, axis));
    blocks.push_back(whole);
  }
  return call.builder.emit(op::call("concat", {relax::tuple_expr(blocks)}, {{"axis", {axis}}}));
}

// The gates, which lie beside each other.
Result<Exprs> gates_apart(Call& call, const relax::Expr& gates, int64_t count) {
  FX_TRY(parts, call.builder.emit(split_at(gates, {count}, -1)));
  Exprs apart;
  for (int64_t i = 0; i < count; ++i) {
    FX_TRY(gate, call.builder.emit(relax::tuple_get_item(parts, static_cast<int>(i))));
    apart.push_back(gate);
  }
  return apart;
}

// ---- settings and weights ----

Diagnostic wrong_module(const Call& call, const std::string& message) {
  return call.error(codes::kModuleAttribute, message);
}

// No tensor has an axis as long as this.
constexpr int64_t kLargestSetting = int64_t{1} << 31;

Result<int64_t> positive_setting(const Call& call, std::string_view name) {
  FX_TRY(value, call.integer_setting(name));
  if (value > 0 && value <= kLargestSetting) return value;
  return wrong_module(call, "the module's setting '" + std::string(name) +
                                "' is a size greater than zero, not " + std::to_string(value));
}

Result<CellKind> plain_kind(const Call& call) {
  FX_TRY(value, call.setting("nonlinearity"));
  const auto* name = std::get_if<std::string>(&value.value);
  if (name != nullptr && *name == "tanh") return CellKind::Tanh;
  if (name != nullptr && *name == "relu") return CellKind::Relu;
  return wrong_module(call, "nonlinearity is 'tanh' or 'relu', not " + describe(value));
}

Result<Recurrence> read_recurrence(const Call& call, CellKind kind) {
  Recurrence r;
  FX_TRY(width, positive_setting(call, "hidden_size"));
  FX_TRY(bias, call.boolean_setting("bias", true));
  r.kind = kind, r.width = width, r.bias = bias;
  if (call.find_setting("proj_size") == nullptr) return r;
  FX_TRY(projected, call.integer_setting("proj_size"));
  if (projected < 0 || projected >= width || (projected > 0 && kind != CellKind::Lstm)) {
    return wrong_module(call,
                        "proj_size=" + std::to_string(projected) +
                            " is not supported: only an LSTM has one, from 0 to hidden_size - 1");
  }
  r.projected = projected;
  return r;
}

// A parameter of the module, of the shape that its settings make it.
Result<relax::Expr> weight_of(Call& call, const std::string& name,
                              const std::vector<int64_t>& shape, DType dtype) {
  FX_TRY(fits, call.check_module_tensor(name, shape));
  FX_TRY(weight, call.module_tensor(name));
  static_cast<void>(fits);
  if (dtype_of(weight) == dtype) return weight;
  return call.error(codes::kDtypeMismatch, "the input and '" + name +
                                               "' have one dtype in PyTorch, not torch." +
                                               std::string(dtype_name(dtype)) + " and torch." +
                                               std::string(dtype_name(dtype_of(weight))));
}

// `suffix`: what the names end in (`_l0_reverse`).
Result<CellWeights> read_weights(Call& call, const Recurrence& r, const std::string& suffix,
                                 int64_t inputs, DType dtype) {
  const int64_t gates = gates_of(r.kind) * r.width;
  CellWeights w;
  FX_TRY(from_input, weight_of(call, "weight_ih" + suffix, {gates, inputs}, dtype));
  FX_TRY(from_state, weight_of(call, "weight_hh" + suffix, {gates, hidden_width(r)}, dtype));
  FX_TRY(turned, call.builder.emit(op::permute_dims(from_state)));
  w.from_input = from_input, w.from_state = turned;
  if (r.bias) {
    FX_TRY(input_bias, weight_of(call, "bias_ih" + suffix, {gates}, dtype));
    FX_TRY(state_bias, weight_of(call, "bias_hh" + suffix, {gates}, dtype));
    w.input_bias = input_bias, w.state_bias = state_bias;
  }
  if (r.projected > 0) {
    FX_TRY(projection, weight_of(call, "weight_hr" + suffix, {r.projected, r.width}, dtype));
    FX_TRY(turned_projection, call.builder.emit(op::permute_dims(projection)));
    w.projection = turned_projection;
  }
  return w;
}

// ---- a step ----

// What the input gives to the gates, of all steps at once. The bias of the state is added here,
// too; a GRU multiplies it by a gate first.
Result<relax::Expr> gates_from_input(Call& call, const Recurrence& r, const CellWeights& w,
                                     const relax::Expr& x) {
  FX_TRY(gates,
         call.builder.emit(op::linear(x, w.from_input, w.input_bias, *relax::as_tensor(x)->dtype)));
  if (!w.state_bias || r.kind == CellKind::Gru) return gates;
  return call.builder.emit(op::add(gates, *w.state_bias));
}

Result<CellState> gru_step(Call& call, const relax::Expr& from_input, const relax::Expr& from_state,
                           const relax::Expr& before) {
  FX_TRY(x, gates_apart(call, from_input, 3));
  FX_TRY(h, gates_apart(call, from_state, 3));
  FX_TRY(reset, call.builder.emit(sigmoid_of(op::add(x[0], h[0]))));
  FX_TRY(update, call.builder.emit(sigmoid_of(op::add(x[1], h[1]))));
  FX_TRY(fresh, call.builder.emit(tanh_of(op::add(x[2], op::multiply(reset, h[2])))));
  FX_TRY(after,
         call.builder.emit(op::add(op::multiply(update, op::subtract(before, fresh)), fresh)));
  return CellState{after, nullptr};
}

Result<CellState> lstm_step(Call& call, const CellWeights& w, const relax::Expr& gates,
                            const relax::Expr& memory) {
  FX_TRY(sum, call.builder.emit(gates));
  FX_TRY(gate, gates_apart(call, sum, 4));  // input, forget, cell, output
  const relax::Expr kept = op::multiply(sigmoid_of(gate[1]), memory);
  const relax::Expr taken = op::multiply(sigmoid_of(gate[0]), tanh_of(gate[2]));
  FX_TRY(after, call.builder.emit(op::add(kept, taken)));
  FX_TRY(hidden, call.builder.emit(op::multiply(sigmoid_of(gate[3]), tanh_of(after))));
  if (w.projection == nullptr) return CellState{hidden, after};
  FX_TRY(projected,
         call.builder.emit(op::matmul(hidden, w.projection, *relax::as_tensor(hidden)->dtype)));
  return CellState{projected, after};
}

Result<CellState> step_of(Call& call, const Recurrence& r, const CellWeights& w,
                          const relax::Expr& from_input, const CellState& before) {
  FX_TRY(from_state, call.builder.emit(op::matmul(before.hidden, w.from_state,
                                                  *relax::as_tensor(from_input)->dtype)));
  if (r.kind == CellKind::Gru) {
    if (!w.state_bias) return gru_step(call, from_input, from_state, before.hidden);
    FX_TRY(biased, call.builder.emit(op::add(from_state, *w.state_bias)));
    return gru_step(call, from_input, biased, before.hidden);
  }
  const relax::Expr gates = op::add(from_input, from_state);
  if (r.kind == CellKind::Lstm) return lstm_step(call, w, gates, before.memory);
  FX_TRY(hidden, call.builder.emit(r.kind == CellKind::Tanh ? tanh_of(gates) : op::relu(gates)));
  return CellState{hidden, nullptr};
}

// ---- inputs and states ----

// The tensor, with an axis of one where it has no batch.
Result<relax::Expr> with_batch(Call& call, const relax::Expr& x, bool batched, int64_t axis) {
  if (batched) return x;
  return call.builder.emit(op::call("expand_dims", {x}, {{"axis", op::int_list({axis})}}));
}
Result<relax::Expr> without_batch(Call& call, const relax::Expr& x, bool batched, int64_t axis) {
  if (batched) return x;
  return call.builder.emit(op::call("squeeze", {x}, {{"axis", op::int_list({axis})}}));
}

// The input, of `rank` axes with a batch, whose last is of the setting's size.
Result<relax::Expr> recurrent_input(const Call& call, int rank) {
  FX_TRY(x, float_input(call));
  FX_TRY(inputs, positive_setting(call, "input_size"));
  FX_TRY(extents, extents_of(call, x));
  const auto axes = static_cast<int>(extents.size());
  if (axes == rank || axes == rank - 1) {
    if (tir::as_int(extents.back()) == inputs) return x;
  }
  return call.error(codes::kShapeMismatch,
                    "the input has " + std::to_string(rank) + " axes, or " +
                        std::to_string(rank - 1) +
                        " without a batch, the last of input_size=" + std::to_string(inputs) +
                        ", not the shape " + shape_text(*relax::as_tensor(x)));
}

// A state that was given, with its batch.
Result<relax::Expr> given_state(Call& call, const Value& value, const std::string& what,
                                std::vector<tir::PrimExpr> wanted, DType dtype, bool batched) {
  const size_t batch_axis = wanted.size() - 2;
  if (!batched) wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(batch_axis));
  const relax::TensorType* type = as_tensor(value);
  bool fits = type != nullptr && type->shape && type->shape->size() == wanted.size();
  for (size_t i = 0; fits && i < wanted.size(); ++i) {
    fits = infer::provably_equal((*type->shape)[i], wanted[i]);
  }
  if (!fits) {
    return call.argument_error("hx", what + " has the shape " + infer::shape_text(wanted) +
                                         " here, not " + describe_type(value));
  }
  if (type->dtype != dtype) {
    return call.error(codes::kDtypeMismatch, what +
                                                 " and the input have one dtype in PyTorch, "
                                                 "not " +
                                                 describe_type(value) + " and torch." +
                                                 std::string(dtype_name(dtype)));
  }
  return with_batch(call, *as_expr(value), batched, static_cast<int64_t>(batch_axis));
}

// The two tensors of an LSTM's state.
Result<ValueList> lstm_states(Call& call) {
  const Value& hx = call.argument("hx");
  const auto* list = std::get_if<ValueList>(&hx.value);
  if (list != nullptr && list->size() == 2) return *list;
  const relax::Expr* tuple = as_expr(hx);
  const relax::TupleType* type = tuple == nullptr ? nullptr : relax::as_tuple((*tuple)->type);
  if (type != nullptr && type->fields.size() == 2) {
    FX_TRY(hidden, call.emit(relax::tuple_get_item(*tuple, 0)));
    FX_TRY(memory, call.emit(relax::tuple_get_item(*tuple, 1)));
    return ValueList{hidden, memory};
  }
  return call.argument_error(
      "hx", "an LSTM's state is two tensors, (h_0, c_0), not " + describe_type(hx));
}

// The states before the first step, (…, batch, width); `lead`: the sizes before the last.
Result<CellState> given_states(Call& call, const Recurrence& r,
                               const std::vector<tir::PrimExpr>& lead, DType dtype, bool batched) {
  const bool lstm = r.kind == CellKind::Lstm;
  ValueList given = {call.argument("hx")};
  if (lstm) {
    FX_TRY(both, lstm_states(call));
    given = std::move(both);
  }
  Exprs states(2);
  for (size_t i = 0; i < given.size(); ++i) {
    std::vector<tir::PrimExpr> shape = lead;
    shape.push_back(infer::extent_of(i == 0 ? hidden_width(r) : r.width));
    const std::string what = i == 0 ? "the state h_0" : "the state c_0";
    FX_TRY(state, given_state(call, given[i], what, std::move(shape), dtype, batched));
    states[i] = state;
  }
  return CellState{states[0], states[1]};
}

Result<relax::Expr> zero_state(Call& call, std::vector<tir::PrimExpr> lead, int64_t width,
                               DType dtype) {
  lead.push_back(infer::extent_of(width));
  return call.builder.emit(
      op::call("zeros", {relax::shape_expr(std::move(lead))}, {{"dtype", {dtype}}}));
}

Result<CellState> zero_states(Call& call, const Recurrence& r,
                              const std::vector<tir::PrimExpr>& lead, DType dtype) {
  FX_TRY(hidden, zero_state(call, lead, hidden_width(r), dtype));
  if (r.kind != CellKind::Lstm) return CellState{hidden, nullptr};
  if (r.projected == 0) return CellState{hidden, hidden};
  FX_TRY(memory, zero_state(call, lead, r.width, dtype));
  return CellState{hidden, memory};
}

// ---- layers ----

struct Layers {
  Recurrence recurrence;
  int64_t layers = 1, directions = 1, length = 0;
  bool batch_first = false, batched = true;
};

// The states before the first step of each layer and direction.
Result<std::vector<CellState>> initial_states(Call& call, const Layers& m,
                                              const tir::PrimExpr& batch, DType dtype) {
  const int64_t count = m.layers * m.directions;
  if (!call.has("hx")) {
    FX_TRY(zero, zero_states(call, m.recurrence, {infer::extent_of(1), batch}, dtype));
    return std::vector<CellState>(static_cast<size_t>(count), zero);
  }
  FX_TRY(initial,
         given_states(call, m.recurrence, {infer::extent_of(count), batch}, dtype, m.batched));
  FX_TRY(hidden, steps_of(call, initial.hidden, count));
  Exprs memories(hidden.size());
  if (initial.memory != nullptr) {
    FX_TRY(apart, steps_of(call, initial.memory, count));
    memories = std::move(apart);
  }
  std::vector<CellState> states;
  for (size_t i = 0; i < hidden.size(); ++i) states.push_back({hidden[i], memories[i]});
  return states;
}

// All steps in one direction: the output (length, batch, width) and, in `state`, the last state.
Result<relax::Expr> run_direction(Call& call, const Layers& m, const CellWeights& w,
                                  const relax::Expr& x, bool reversed, CellState& state) {
  FX_TRY(gates, gates_from_input(call, m.recurrence, w, x));
  FX_TRY(steps, steps_of(call, gates, m.length));
  if (reversed) std::reverse(steps.begin(), steps.end());
  Exprs outputs;
  for (const relax::Expr& step : steps) {
    FX_TRY(next, step_of(call, m.recurrence, w, step, state));
    state = next;
    outputs.push_back(state.hidden);
  }
  if (reversed) std::reverse(outputs.begin(), outputs.end());
  return joined_along(call, outputs, 0);
}

Result<Layers> read_layers(Call& call, CellKind kind) {
  Layers m;
  FX_TRY(recurrence, read_recurrence(call, kind));
  FX_TRY(layers, positive_setting(call, "num_layers"));
  FX_TRY(batch_first, call.boolean_setting("batch_first", false));
  FX_TRY(both, call.boolean_setting("bidirectional", false));
  m.recurrence = recurrence, m.layers = layers, m.batch_first = batch_first;
  m.directions = both ? 2 : 1;
  return m;
}

// As many steps are translated and compiled in seconds.
constexpr int64_t kMostSteps = 2048;

// The input as (length, batch, width).
Result<relax::Expr> time_first(Call& call, Layers& m) {
  FX_TRY(x, recurrent_input(call, 3));
  m.batched = relax::as_tensor(x)->ndim == 3;
  relax::Expr ordered = x;
  if (m.batched && m.batch_first) {
    FX_TRY(turned, call.builder.emit(op::permute_dims(x, std::vector<int64_t>{1, 0, 2})));
    ordered = turned;
  }
  FX_TRY(sequence, with_batch(call, ordered, m.batched, 1));
  const std::optional<int64_t> length = tir::as_int((*relax::as_tensor(sequence)->shape)[0]);
  if (!length) {
    return call.error(codes::kShapeMismatch,
                      "the length of the sequence is not known while translating, in the shape " +
                          shape_text(*relax::as_tensor(x)) +
                          "; its steps stand one after the other in the function, so give it a "
                          "number (the batch may have a name)");
  }
  if (*length == 0) {
    return call.error(codes::kShapeMismatch, "a sequence has a step at least");
  }
  if (*length > kMostSteps || m.layers > kMostSteps ||
      *length * m.layers * m.directions > kMostSteps) {
    return call.error(codes::kShapeMismatch,
                      "its layers take more than " + std::to_string(kMostSteps) +
                          " steps, which stand one after the other in the function: run it on "
                          "shorter parts of the sequence, and pass the state on");
  }
  m.length = *length;
  return sequence;
}

// Those of each layer, and in it of each direction.
Result<std::vector<CellWeights>> all_weights(Call& call, const Layers& m, DType dtype) {
  FX_TRY(input_size, call.integer_setting("input_size"));
  std::vector<CellWeights> weights;
  int64_t inputs = input_size;
  for (int64_t layer = 0; layer < m.layers; ++layer) {
    for (const char* direction : {"", "_reverse"}) {
      if (*direction != '\0' && m.directions == 1) continue;
      const std::string suffix = "_l" + std::to_string(layer) + direction;
      FX_TRY(own, read_weights(call, m.recurrence, suffix, inputs, dtype));
      weights.push_back(own);
    }
    inputs = hidden_width(m.recurrence) * m.directions;
  }
  return weights;
}

Result<Mapped> run_layers(Call& call, CellKind kind) {
  FX_TRY(m, read_layers(call, kind));
  FX_TRY(sequence, time_first(call, m));
  const DType dtype = dtype_of(sequence);
  const tir::PrimExpr batch = (*relax::as_tensor(sequence)->shape)[1];
  FX_TRY(weights, all_weights(call, m, dtype));
  FX_TRY(states, initial_states(call, m, batch, dtype));
  relax::Expr x = sequence;
  for (int64_t layer = 0; layer < m.layers; ++layer) {
    Exprs outputs;
    for (int64_t direction = 0; direction < m.directions; ++direction) {
      const auto at = static_cast<size_t>(layer * m.directions + direction);
      FX_TRY(output, run_direction(call, m, weights[at], x, direction == 1, states[at]));
      outputs.push_back(output);
    }
    FX_TRY(beside, joined_along(call, outputs, 2));
    x = beside;
  }
  FX_TRY(output, without_batch(call, x, m.batched, 1));
  Value result{output};
  if (m.batched && m.batch_first) {
    FX_TRY(turned, call.emit(op::permute_dims(x, std::vector<int64_t>{1, 0, 2})));
    result = turned;
  }
  ValueList last_states;
  for (const bool memory : {false, true}) {
    if (memory && kind != CellKind::Lstm) break;
    Exprs parts;
    for (const CellState& state : states) parts.push_back(memory ? state.memory : state.hidden);
    FX_TRY(all, joined_along(call, parts, 0));
    FX_TRY(state, without_batch(call, all, m.batched, 1));
    last_states.push_back({state});
  }
  const Value state = kind == CellKind::Lstm ? Value{last_states} : last_states[0];
  return Mapped{Value{ValueList{result, state}}};
}

Result<Mapped> map_rnn(Call& call) {
  FX_TRY(kind, plain_kind(call));
  return run_layers(call, kind);
}
Result<Mapped> map_gru(Call& call) { return run_layers(call, CellKind::Gru); }
Result<Mapped> map_lstm(Call& call) { return run_layers(call, CellKind::Lstm); }

// ---- cells ----

Result<Mapped> run_cell(Call& call, CellKind kind) {
  FX_TRY(r, read_recurrence(call, kind));
  FX_TRY(given, recurrent_input(call, 2));
  FX_TRY(inputs, call.integer_setting("input_size"));
  const bool batched = relax::as_tensor(given)->ndim == 2;
  const DType dtype = dtype_of(given);
  FX_TRY(x, with_batch(call, given, batched, 0));
  FX_TRY(weights, read_weights(call, r, "", inputs, dtype));
  const std::vector<tir::PrimExpr> lead = {(*relax::as_tensor(x)->shape)[0]};
  FX_TRY(before, call.has("hx") ? given_states(call, r, lead, dtype, batched)
                                : zero_states(call, r, lead, dtype));
  FX_TRY(gates, gates_from_input(call, r, weights, x));
  FX_TRY(after, step_of(call, r, weights, gates, before));
  FX_TRY(hidden, without_batch(call, after.hidden, batched, 0));
  if (kind != CellKind::Lstm) return Mapped{{hidden}};
  FX_TRY(memory, without_batch(call, after.memory, batched, 0));
  return Mapped{Value{ValueList{Value{hidden}, Value{memory}}}};
}

Result<Mapped> map_rnn_cell(Call& call) {
  FX_TRY(kind, plain_kind(call));
  return run_cell(call, kind);
}
Result<Mapped> map_gru_cell(Call& call) { return run_cell(call, CellKind::Gru); }
Result<Mapped> map_lstm_cell(Call& call) { return run_cell(call, CellKind::Lstm); }

constexpr std::string_view kRecurrentArguments = "input, hx?";

constexpr RuleEntry kRecurrentModuleRules[] = {
    {"torch.nn.GRU", "map_gru", kRecurrentArguments, map_gru},
    {"torch.nn.GRUCell", "map_gru_cell", kRecurrentArguments, map_gru_cell},
    {"torch.nn.LSTM", "map_lstm", kRecurrentArguments, map_lstm},
    {"torch.nn.LSTMCell", "map_lstm_cell", kRecurrentArguments, map_lstm_cell},
    {"torch.nn.RNN", "map_rnn", kRecurrentArguments, map_rnn},
    {"torch.nn.RNNCell", "map_rnn_cell", kRecurrentArguments, map_rnn_cell},
};

}  // namespace

RuleTable recurrent_module_rules() { return kRecurrentModuleRules; }

}  // namespace fx2wasm::translate
