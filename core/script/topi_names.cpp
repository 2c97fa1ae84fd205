// topi: TVM's ready tensor expressions, with the shapes checked.
#include <algorithm>

#include "ir/intrinsic.h"
#include "ir/tir_build.h"
#include "script/convert.h"
#include "script/names.h"
#include "script/tensor_operations.h"
#include "topi/topi.h"

namespace fx2wasm::script {
namespace {

using te::Tensor;

Diagnostic misfit(std::string message) {
  return script_error(codes::kTensorExpression, std::move(message));
}

std::string extents(const Tensor& tensor) { return shape_text(te::shape_of(tensor)); }

// False when both are known and differ.
bool may_equal(const tir::PrimExpr& a, const tir::PrimExpr& b) {
  const auto x = tir::as_int(a);
  const auto y = tir::as_int(b);
  return !x || !y || *x == *y;
}

// An axis of a tensor as 0 … rank-1, or with `extra` one more place behind the last.
Result<int> axis_of(const Value& value, const Tensor& tensor, std::string_view what,
                    int extra = 0) {
  FX_TRY(axis, to_int(value, what));
  const auto rank = static_cast<int64_t>(te::shape_of(tensor).size()) + extra;
  const int64_t place = axis < 0 ? axis + rank : axis;
  if (place < 0 || place >= rank) {
    return misfit(std::string(what) + " is " + std::to_string(axis) + ", but the shape is " +
                  extents(tensor));
  }
  return static_cast<int>(place);
}

Result<Value> dense(Interpreter& in, const BoundArgs& args) {
  FX_TRY(x, to_tensor(args[0], "the data of topi.nn.dense"));
  FX_TRY(weight, to_tensor(args[1], "the weight of topi.nn.dense"));
  const auto x_shape = te::shape_of(x);
  const auto w_shape = te::shape_of(weight);
  if (x_shape.size() != 2 || w_shape.size() != 2 || !may_equal(x_shape[1], w_shape[1])) {
    return misfit("topi.nn.dense takes (n, k) and (m, k), not " + extents(x) + " and " +
                  extents(weight));
  }
  if (te::dtype_of(x) != te::dtype_of(weight)) {
    return misfit("topi.nn.dense takes two tensors of one dtype");
  }
  FX_TRY(product, in.tensor(topi::dense(x, weight)));
  if (args[2].is_none()) return product;
  return broadcast(in, "topi.nn.dense", topi::BroadcastOp::Add, product, args[2]);
}

Result<Value> matmul(Interpreter& in, const BoundArgs& args) {
  FX_TRY(a, to_tensor(args[0], "an argument of topi.matmul"));
  FX_TRY(b, to_tensor(args[1], "an argument of topi.matmul"));
  const auto a_shape = te::shape_of(a);
  const auto b_shape = te::shape_of(b);
  if (a_shape.size() < 2 || b_shape.size() < 2 ||
      !may_equal(a_shape.back(), b_shape[b_shape.size() - 2])) {
    return misfit("topi.matmul takes (…, n, k) and (…, k, m), not " + extents(a) + " and " +
                  extents(b));
  }
  for (size_t i = 3; i <= std::min(a_shape.size(), b_shape.size()); ++i) {
    const auto x = tir::as_int(a_shape[a_shape.size() - i]);
    const auto y = tir::as_int(b_shape[b_shape.size() - i]);
    if (x && y && *x != *y && *x != 1 && *y != 1) {
      return misfit("topi.matmul: the shapes " + extents(a) + " and " + extents(b) +
                    " cannot be broadcast together");
    }
  }
  if (te::dtype_of(a) != te::dtype_of(b)) {
    return misfit("topi.matmul takes two tensors of one dtype");
  }
  return in.tensor(topi::matmul(a, b, std::nullopt));
}

Result<Value> transpose(Interpreter& in, const BoundArgs& args) {
  FX_TRY(x, to_tensor(args[0], "the tensor of topi.transpose"));
  const size_t rank = te::shape_of(x).size();
  std::vector<int> axes;
  if (!args[1].is_none()) {
    const std::vector<Value>* items = items_of(args[1]);
    if (items == nullptr) return type_error("the axes of topi.transpose are a list");
    for (const Value& item : *items) {
      FX_TRY(axis, axis_of(item, x, "an axis of topi.transpose"));
      if (std::find(axes.begin(), axes.end(), axis) != axes.end()) {
        return misfit("an axis of topi.transpose stands twice");
      }
      axes.push_back(axis);
    }
    if (axes.size() != rank) {
      return misfit("topi.transpose names " + std::to_string(axes.size()) + " axes for the shape " +
                    extents(x));
    }
  }
  return in.tensor(topi::transpose(x, axes));
}

std::optional<int64_t> count_of(const std::vector<tir::PrimExpr>& shape) {
  int64_t count = 1;
  for (const tir::PrimExpr& extent : shape) {
    const auto known = tir::as_int(extent);
    if (!known || __builtin_mul_overflow(count, *known, &count)) return std::nullopt;
  }
  return count;
}

Result<Value> reshape(Interpreter& in, const BoundArgs& args) {
  FX_TRY(x, to_tensor(args[0], "the tensor of topi.reshape"));
  FX_TRY(shape, to_shape(args[1], "the shape of topi.reshape"));
  const auto have = count_of(te::shape_of(x));
  const auto want = count_of(shape);
  if (have && want && *have != *want) {
    return misfit("topi.reshape: " + extents(x) + " and " + shape_text(shape) +
                  " hold different numbers of elements");
  }
  return in.tensor(topi::reshape(x, shape));
}

Result<Value> expand_dims(Interpreter& in, const BoundArgs& args) {
  FX_TRY(x, to_tensor(args[0], "the tensor of topi.expand_dims"));
  FX_TRY(axis, axis_of(args[1], x, "the axis of topi.expand_dims", 1));
  int64_t count = 1;
  if (!args[2].is_none()) {
    FX_TRY(given, to_int(args[2], "num_newaxis of topi.expand_dims"));
    count = given;
  }
  if (count < 0 || count > 16) return value_error("num_newaxis of topi.expand_dims is 0 to 16");
  return in.tensor(topi::expand_dims(x, axis, static_cast<int>(count)));
}

Result<Value> squeeze(Interpreter& in, const BoundArgs& args) {
  FX_TRY(x, to_tensor(args[0], "the tensor of topi.squeeze"));
  const auto shape = te::shape_of(x);
  std::vector<int> axes;
  if (!args[1].is_none()) {
    const std::vector<Value> single = {args[1]};
    for (const Value& item : items_of(args[1]) ? *items_of(args[1]) : single) {
      FX_TRY(axis, axis_of(item, x, "the axis of topi.squeeze"));
      axes.push_back(axis);
    }
  } else {
    for (size_t i = 0; i < shape.size(); ++i) {
      if (tir::is_one(shape[i])) axes.push_back(static_cast<int>(i));
    }
  }
  for (int axis : axes) {
    if (!tir::is_one(shape[static_cast<size_t>(axis)])) {
      return misfit("topi.squeeze takes away axes of one element, and axis " +
                    std::to_string(axis) + " of " + extents(x) + " has more");
    }
  }
  return in.tensor(topi::squeeze(x, axes));
}

Result<Value> broadcast_to(Interpreter& in, const BoundArgs& args) {
  FX_TRY(x, to_tensor(args[0], "the tensor of topi.broadcast_to"));
  FX_TRY(shape, to_shape(args[1], "the shape of topi.broadcast_to"));
  const auto from = te::shape_of(x);
  bool fits = from.size() <= shape.size();
  for (size_t i = 1; fits && i <= from.size(); ++i) {
    fits = tir::is_one(from[from.size() - i]) ||
           may_equal(from[from.size() - i], shape[shape.size() - i]);
  }
  if (!fits) {
    return misfit("topi.broadcast_to: " + extents(x) + " does not stretch to " + shape_text(shape));
  }
  return in.tensor(topi::broadcast_to(x, shape));
}

Result<Value> cast(Interpreter& in, const BoundArgs& args) {
  FX_TRY(x, to_tensor(args[0], "the tensor of topi.cast"));
  FX_TRY(dtype, to_dtype(args[1], "the dtype of topi.cast"));
  return in.tensor(topi::cast(x, dtype));
}

Result<Value> relu(Interpreter& in, const BoundArgs& args) {
  FX_TRY(x, to_tensor(args[0], "the tensor of topi.nn.relu"));
  return in.tensor(topi::relu(x));
}

Builtin::Body over_axis(Tensor (*make)(const Tensor&, int), std::string name) {
  return [make, name](Interpreter& in, const BoundArgs& args) -> Result<Value> {
    FX_TRY(x, to_tensor(args[0], "the tensor of " + name));
    const Value last(int64_t{-1});
    FX_TRY(axis, axis_of(args[1].is_none() ? last : args[1], x, "the axis of " + name));
    if (!is_float(te::dtype_of(x))) return misfit(name + " takes floats");
    return in.tensor(make(x, axis));
  };
}

Builtin::Body unary(tir::Intrinsic intrinsic, std::string name) {
  return [intrinsic, name](Interpreter& in, const BoundArgs& args) -> Result<Value> {
    FX_TRY(x, to_tensor(args[0], "the tensor of " + name));
    if (!is_float(te::dtype_of(x))) return misfit(name + " takes floats");
    return in.tensor(topi::unary(intrinsic, x));
  };
}

}  // namespace

Namespace* make_topi(Interpreter& interpreter) {
  Namespace* space = interpreter.heap().space("topi");
  Namespace* nn = interpreter.heap().space("topi.nn");
  space->names["nn"] = Value(static_cast<const Namespace*>(nn));
  const auto add = [&](std::string_view signature, Builtin::Body body) {
    define(interpreter, *space, signature, std::move(body));
  };
  const auto add_broadcast = [&](const std::string& name, topi::BroadcastOp op) {
    add("topi." + name + "(lhs, rhs)", [name, op](Interpreter& in, const BoundArgs& args) {
      return broadcast(in, "topi." + name, op, args[0], args[1]);
    });
  };
  add_broadcast("add", topi::BroadcastOp::Add);
  add_broadcast("subtract", topi::BroadcastOp::Subtract);
  add_broadcast("multiply", topi::BroadcastOp::Multiply);
  add_broadcast("divide", topi::BroadcastOp::Divide);
  add_broadcast("maximum", topi::BroadcastOp::Maximum);
  add_broadcast("minimum", topi::BroadcastOp::Minimum);
  add_broadcast("power", topi::BroadcastOp::Power);
  for (tir::Intrinsic intrinsic :
       {tir::Intrinsic::Exp, tir::Intrinsic::Log, tir::Intrinsic::Sqrt, tir::Intrinsic::Rsqrt,
        tir::Intrinsic::Sigmoid, tir::Intrinsic::Tanh, tir::Intrinsic::Sin, tir::Intrinsic::Cos,
        tir::Intrinsic::Erf, tir::Intrinsic::Floor, tir::Intrinsic::Ceil}) {
    const std::string name = "topi." + std::string(tir::intrinsic_name(intrinsic));
    add(name + "(x)", unary(intrinsic, name));
  }
  add("topi.matmul(a, b)", matmul);
  add("topi.transpose(a, axes?)", transpose);
  add("topi.reshape(a, newshape)", reshape);
  add("topi.expand_dims(a, axis, num_newaxis?)", expand_dims);
  add("topi.squeeze(a, axis?)", squeeze);
  add("topi.broadcast_to(data, shape)", broadcast_to);
  add("topi.cast(x, dtype)", cast);
  const auto add_nn = [&](std::string_view signature, Builtin::Body body) {
    define(interpreter, *nn, signature, std::move(body));
  };
  add_nn("topi.nn.relu(x)", relu);
  add_nn("topi.nn.dense(data, weight, bias?)", dense);
  add_nn("topi.nn.softmax(x, axis?)", over_axis(topi::softmax, "topi.nn.softmax"));
  add_nn("topi.nn.log_softmax(x, axis?)", over_axis(topi::log_softmax, "topi.nn.log_softmax"));
  space->hints["relu"] = "it is topi.nn.relu";
  space->hints["dense"] = "it is topi.nn.dense";
  space->hints["softmax"] = "it is topi.nn.softmax";
  return space;
}

}  // namespace fx2wasm::script
