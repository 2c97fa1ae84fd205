#include "ir/tir_build.h"
#include "support/check.h"
#include "topi/common.h"
#include "topi/reduction.h"

namespace fx2wasm::topi {
namespace {

PrimExpr divide(const PrimExpr& a, const PrimExpr& b) {
  return tir::binary(tir::BinaryOp::Div, a, b);
}

PrimExpr inverse_root(const PrimExpr& value) {
  return tir::call(value->dtype, tir::Intrinsic::Rsqrt, {value});
}

// The loops over the normalised axes of a tensor, and the parts of an index.
struct Normalized {
  Normalized(const Indices& shape, const std::vector<int>& axes) : named(shape.size(), false) {
    for (const int axis : axes) named[positive_axis(axis, shape.size())] = true;
    count = tir::int_imm(DType::Int64, 1);
    for (size_t i = 0; i < shape.size(); ++i) {
      if (!named[i]) {
        rest.push_back(shape[i]);
        continue;
      }
      extents.push_back(shape[i]);
      count = tir::mul(count, shape[i]);
    }
  }

  std::vector<te::IterVar> loops() const {
    std::vector<te::IterVar> result;
    for (size_t i = 0, next = 0; i < named.size(); ++i) {
      if (named[i]) result.push_back(reduce_over(extents[next++], "k" + std::to_string(i)));
    }
    return result;
  }
  Indices element(const Indices& outer, const std::vector<te::IterVar>& loops) const {
    Indices indices;
    for (size_t i = 0, next = 0, loop = 0; i < named.size(); ++i) {
      indices.push_back(named[i] ? te::var_of(loops[loop++]) : outer[next++]);
    }
    return indices;
  }
  Indices part(const Indices& indices, bool of_named) const {
    Indices result;
    for (size_t i = 0; i < named.size(); ++i) {
      if (named[i] == of_named) result.push_back(indices[i]);
    }
    return result;
  }

  std::vector<bool> named;
  Indices rest, extents;
  PrimExpr count;
};

// The sums of the elements and of their squares, in one pass.
std::vector<Tensor> sums_and_squares(const Tensor& x, const std::string& name,
                                     const Normalized& over) {
  const te::Combine add = [](const std::vector<tir::Var>& a, const std::vector<tir::Var>& b) {
    return std::vector<PrimExpr>{tir::add(tir::var_expr(a[0]), tir::var_expr(b[0])),
                                 tir::add(tir::var_expr(a[1]), tir::var_expr(b[1]))};
  };
  const std::vector<te::IterVar> loops = over.loops();
  return te::compute_many(
      over.rest, cpp_style(name + "_red_temp", over.rest.size()), [&](const Indices& i) {
        const PrimExpr value = tir::cast(DType::Float32, te::read(x, over.element(i, loops)));
        const PrimExpr zero = tir::float_imm(DType::Float32, 0);
        return te::reduce(add, {zero, zero}, {value, tir::mul(value, value)}, loops);
      });
}

// From the two sums: (value - mean) * rsqrt(variance + epsilon), at the indices of the rest.
PrimExpr standardized(const PrimExpr& value, const std::vector<Tensor>& sums, const Indices& rest,
                      const PrimExpr& count, double epsilon) {
  const PrimExpr size = tir::cast(DType::Float32, count);
  const PrimExpr mean = divide(te::read(sums[0], rest), size);
  const PrimExpr variance = tir::sub(divide(te::read(sums[1], rest), size), tir::mul(mean, mean));
  const PrimExpr root = inverse_root(tir::add(variance, tir::float_imm(DType::Float32, epsilon)));
  return tir::mul(tir::sub(tir::cast(DType::Float32, value), mean), root);
}

// Scales and shifts in float32, whatever the dtypes are.
PrimExpr scaled(const PrimExpr& value, const PrimExpr& scale, const PrimExpr& shift) {
  return tir::add(tir::mul(value, tir::cast(DType::Float32, scale)),
                  tir::cast(DType::Float32, shift));
}

}  // namespace

Tensor layer_norm(const Tensor& x, const Affine& affine, const std::vector<int>& axes,
                  double epsilon) {
  const Indices shape = te::shape_of(x);
  const Normalized over(shape, axes);
  const PrimExpr size = tir::cast(DType::Float32, over.count);
  const std::string name = x.op->name;
  const auto value = [&](const Indices& i) { return tir::cast(DType::Float32, te::read(x, i)); };
  const std::vector<te::IterVar> loops = over.loops(), more_loops = over.loops();
  const Tensor sum =
      te::compute(over.rest, cpp_style(name + "_sum", over.rest.size()),
                  [&](const Indices& i) { return te::sum(value(over.element(i, loops)), loops); });
  const Tensor mean = te::compute(over.rest, cpp_style(name + "_mean", over.rest.size()),
                                  [&](const Indices& i) { return divide(te::read(sum, i), size); });
  const Tensor spread =
      te::compute(over.rest, cpp_style(name + "_var_sum", over.rest.size()), [&](const Indices& i) {
        const PrimExpr distance = tir::sub(value(over.element(i, more_loops)), te::read(mean, i));
        return te::sum(tir::mul(distance, distance), more_loops);
      });
  return te::compute(shape, cpp_style("T_layer_norm", shape.size()), [&](const Indices& i) {
    const Indices rest = over.part(i, false), inner = over.part(i, true);
    const PrimExpr variance = divide(te::read(spread, rest), size);
    const PrimExpr root = inverse_root(tir::add(variance, tir::float_imm(DType::Float32, epsilon)));
    const PrimExpr normal = tir::mul(tir::sub(value(i), te::read(mean, rest)), root);
    return tir::cast(te::dtype_of(x),
                     scaled(normal, te::read(affine.scale, inner), te::read(affine.shift, inner)));
  });
}

Tensor instance_norm(const Tensor& x, const Affine& affine, int channel_axis,
                     const std::vector<int>& axes, double epsilon) {
  const Indices shape = te::shape_of(x);
  const Normalized over(shape, axes);
  const std::vector<Tensor> sums = sums_and_squares(x, x.op->name, over);
  const size_t channel = positive_axis(channel_axis, shape.size());
  return te::compute(shape, cpp_style("T_instance_norm", shape.size()), [&](const Indices& i) {
    const PrimExpr normal =
        standardized(te::read(x, i), sums, over.part(i, false), over.count, epsilon);
    return tir::cast(te::dtype_of(x), scaled(normal, te::read(affine.scale, {i[channel]}),
                                             te::read(affine.shift, {i[channel]})));
  });
}

Tensor group_norm(const Tensor& x, const Affine& affine, int64_t groups, int channel_axis,
                  const std::vector<int>& axes, double epsilon) {
  const Indices shape = te::shape_of(x);
  const size_t channel = positive_axis(channel_axis, shape.size());
  const PrimExpr group_count = imm_like(shape[channel], groups);
  const PrimExpr group_size = tir::floordiv(shape[channel], group_count);
  Indices split = shape;
  split[channel] = group_count;
  split.insert(split.begin() + static_cast<std::ptrdiff_t>(channel) + 1, group_size);
  std::vector<int> split_axes = {static_cast<int>(channel) + 1};
  for (const int axis : axes) {
    const size_t at = positive_axis(axis, shape.size());
    if (at != channel) split_axes.push_back(static_cast<int>(at > channel ? at + 1 : at));
  }
  const Tensor grouped = reshape(x, split);
  const Normalized over(split, split_axes);
  const std::vector<Tensor> sums = sums_and_squares(grouped, x.op->name, over);
  const Tensor scale = reshape(affine.scale, {group_count, group_size});
  const Tensor shift = reshape(affine.shift, {group_count, group_size});
  const Tensor result =
      te::compute(split, cpp_style("T_group_norm", split.size()), [&](const Indices& i) {
        const PrimExpr normal =
            standardized(te::read(grouped, i), sums, over.part(i, false), over.count, epsilon);
        const Indices at = {i[channel], i[channel + 1]};
        return tir::cast(te::dtype_of(x), scaled(normal, te::read(scale, at), te::read(shift, at)));
      });
  return reshape(result, shape);
}

std::vector<Tensor> batch_norm(const Tensor& x, const Affine& affine, const Tensor& mean,
                               const Tensor& variance, const BatchNorm& settings) {
  const Indices shape = te::shape_of(x);
  const size_t axis = positive_axis(settings.axis, shape.size());
  Indices channels;
  ReduceAxes others;
  for (size_t i = 0; i < shape.size(); ++i) {
    channels.push_back(i == axis ? shape[i] : imm_like(shape[i], 1));
    if (i != axis) others.axes.push_back(static_cast<int>(i));
  }
  const DType dtype = te::dtype_of(x);
  const auto number = [&](double value) { return tir::float_imm(dtype, value); };
  const auto along_axis = [&](const Tensor& tensor) { return reshape(tensor, channels); };
  Tensor used_mean = mean, used_variance = variance;
  Tensor mean_rows;
  if (settings.training) {
    used_mean = topi::mean(x, others);
    mean_rows = along_axis(used_mean);
    const Tensor left = broadcast(BroadcastOp::Subtract, x, mean_rows);
    const Tensor right = broadcast(BroadcastOp::Subtract, x, mean_rows);
    used_variance = topi::mean(broadcast(BroadcastOp::Multiply, left, right), others);
  } else {
    mean_rows = along_axis(mean);
  }
  const Tensor distance = broadcast(BroadcastOp::Subtract, x, mean_rows);
  const Tensor root =
      unary(tir::Intrinsic::Sqrt,
            broadcast(BroadcastOp::Add, along_axis(used_variance), number(settings.epsilon)));
  Tensor result = broadcast(BroadcastOp::Divide, distance, root);
  result = broadcast(BroadcastOp::Multiply, result, along_axis(affine.scale));
  result = broadcast(BroadcastOp::Add, result, along_axis(affine.shift));
  if (!settings.training) {
    // A result can't be an argument itself.
    return {result, broadcast(BroadcastOp::Multiply, mean, number(1)),
            broadcast(BroadcastOp::Multiply, variance, number(1))};
  }
  const auto moved = [&](const Tensor& old_value, const Tensor& batch) {
    return broadcast(BroadcastOp::Add,
                     broadcast(BroadcastOp::Multiply, number(1 - settings.momentum), old_value),
                     broadcast(BroadcastOp::Multiply, number(settings.momentum), batch));
  };
  return {result, moved(mean, used_mean), moved(variance, used_variance)};
}

Tensor nll_loss(const Tensor& predictions, const Tensor& targets,
                const std::optional<Tensor>& weights, const std::string& reduction,
                int64_t ignored) {
  const Indices shape = te::shape_of(targets);
  const Indices own = te::shape_of(predictions);
  const DType dtype = te::dtype_of(predictions);
  const PrimExpr zero = tir::const_of(dtype, 0);
  const Indices classes = {own.size() == 1 ? own[0] : own[1]};
  const Tensor weight =
      weights ? *weights : te::compute(classes, cpp_style("T_full", 1), [&](const Indices&) {
        return tir::const_of(dtype, 1);
      });
  const auto counts = [&](const PrimExpr& target) {
    return tir::binary(tir::BinaryOp::NE, target, tir::int_imm(target->dtype, ignored));
  };
  const auto style = [&] { return cpp_style("nll_loss", shape.size()); };
  const Tensor losses = te::compute(shape, style(), [&](const Indices& i) {
    const PrimExpr target = te::read(targets, i);
    Indices at = i;
    at.insert(at.begin() + (i.empty() ? 0 : 1), target);
    const PrimExpr loss =
        tir::mul(tir::sub(zero, te::read(predictions, at)), te::read(weight, {target}));
    return tir::select(counts(target), loss, zero);
  });
  if (reduction == "none") return losses;
  const Tensor total = reduce(Reduction::Sum, losses, {});
  if (reduction == "sum") return total;
  FX_CHECK(reduction == "mean", "a loss is reduced by none, sum or mean");
  const Tensor weighed = te::compute(shape, style(), [&](const Indices& i) {
    const PrimExpr target = te::read(targets, i);
    return tir::select(counts(target), te::read(weight, {target}), zero);
  });
  return broadcast(BroadcastOp::Divide, total, reduce(Reduction::Sum, weighed, {}));
}

}  // namespace fx2wasm::topi
