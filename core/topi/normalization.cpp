#include "topi/normalization.h"

#include <functional>
#include <utility>

#include "ir/tir_build.h"
#include "topi/common.h"

namespace fx2wasm::topi {
namespace {

PrimExpr quotient(const PrimExpr& a, const PrimExpr& b) {
  return tir::binary(tir::BinaryOp::Div, a, b);
}

PrimExpr inverse_root(const PrimExpr& value, double epsilon) {
  const PrimExpr moved = tir::add(value, tir::float_imm(value->dtype, epsilon));
  return tir::call(value->dtype, tir::Intrinsic::Rsqrt, {moved});
}

// The dtype in which a normalisation computes.
DType working_dtype(DType dtype) { return dtype_bits(dtype) < 32 ? DType::Float32 : dtype; }

Tensor cast_block(const Tensor& x, DType dtype) {
  const Indices shape = te::shape_of(x);
  return te::compute(shape, cpp_style("T_cast", shape.size()),
                     [&](const Indices& i) { return tir::cast(dtype, te::read(x, i)); });
}

// A tensor's axes as those that are folded and the rest.
struct FoldedAxes {
  FoldedAxes(const Indices& shape, const std::vector<int>& axes) : named(shape.size(), false) {
    for (const int axis : axes) named[positive_axis(axis, shape.size())] = true;
    for (size_t i = 0; i < shape.size(); ++i) (named[i] ? extents : rest).push_back(shape[i]);
  }

  std::vector<te::IterVar> loops() const {
    std::vector<te::IterVar> result;
    for (size_t i = 0, next = 0; i < named.size(); ++i) {
      if (named[i]) result.push_back(reduce_over(extents[next++], "k" + std::to_string(i)));
    }
    return result;
  }
  // The indices of an element: from the loops on the folded axes, else from `outer`.
  Indices element(const Indices& outer, const std::vector<te::IterVar>& loops) const {
    Indices indices;
    for (size_t i = 0, next = 0, loop = 0; i < named.size(); ++i) {
      indices.push_back(named[i] ? te::var_of(loops[loop++]) : outer[next++]);
    }
    return indices;
  }
  // The first of the elements that are folded into one.
  Indices first(const Indices& outer) const {
    Indices indices;
    for (size_t i = 0, next = 0, folded = 0; i < named.size(); ++i) {
      indices.push_back(named[i] ? imm_like(extents[folded++], 0) : outer[next++]);
    }
    return indices;
  }
  Indices part(const Indices& indices, bool of_folded) const {
    Indices result;
    for (size_t i = 0; i < named.size(); ++i) {
      if (named[i] == of_folded) result.push_back(indices[i]);
    }
    return result;
  }
  // How many elements are folded into one.
  PrimExpr count(DType dtype) const {
    PrimExpr result = tir::float_imm(dtype, 1);
    for (const PrimExpr& extent : extents) result = tir::mul(result, tir::cast(dtype, extent));
    return result;
  }

  std::vector<bool> named;
  Indices rest, extents;
};

// The sum of `value` over the folded axes.
template <class Element>
Tensor fold_sum(const std::string& name, const FoldedAxes& over, const Element& value) {
  const std::vector<te::IterVar> loops = over.loops();
  return te::compute(over.rest, cpp_style(name, over.rest.size()), [&](const Indices& i) {
    return te::sum(value(i, over.element(i, loops)), loops);
  });
}

Tensor sum_over(const Tensor& x, const FoldedAxes& over) {
  return fold_sum(x.op->name + "_red", over,
                  [&](const Indices&, const Indices& element) { return te::read(x, element); });
}

// The sums of the elements and of their squares, in one pass.
std::vector<Tensor> sums_and_squares(const Tensor& x, const std::string& name,
                                     const FoldedAxes& over) {
  const te::Combine add = [](const std::vector<tir::Var>& a, const std::vector<tir::Var>& b) {
    return std::vector<PrimExpr>{tir::add(tir::var_expr(a[0]), tir::var_expr(b[0])),
                                 tir::add(tir::var_expr(a[1]), tir::var_expr(b[1]))};
  };
  const DType dtype = working_dtype(te::dtype_of(x));
  const std::vector<te::IterVar> loops = over.loops();
  return te::compute_many(
      over.rest, cpp_style(name + "_red_temp", over.rest.size()), [&](const Indices& i) {
        const PrimExpr value = tir::cast(dtype, te::read(x, over.element(i, loops)));
        const PrimExpr zero = tir::float_imm(dtype, 0);
        return te::reduce(add, {zero, zero}, {value, tir::mul(value, value)}, loops);
      });
}

// (value - mean) * rsqrt(variance + epsilon) of a tensor's elements.
using Standardized = std::function<PrimExpr(const Indices&)>;

Standardized by_squares(const Tensor& x, const std::string& name, const FoldedAxes& over,
                        double epsilon) {
  const DType dtype = te::dtype_of(x);
  const PrimExpr count = tir::cast(working_dtype(dtype), over.count(dtype));
  const std::vector<Tensor> sums = sums_and_squares(x, name, over);
  return [=](const Indices& i) {
    const Indices rest = over.part(i, false);
    const PrimExpr mean = quotient(te::read(sums[0], rest), count);
    const PrimExpr variance =
        tir::sub(quotient(te::read(sums[1], rest), count), tir::mul(mean, mean));
    const PrimExpr value = tir::cast(count->dtype, te::read(x, i));
    return tir::mul(tir::sub(value, mean), inverse_root(variance, epsilon));
  };
}

Standardized by_shift(const Tensor& x, const std::string& name, const FoldedAxes& over,
                      double epsilon) {
  const PrimExpr count = over.count(working_dtype(te::dtype_of(x)));
  const auto value = [=](const Indices& at) { return tir::cast(count->dtype, te::read(x, at)); };
  const auto shifted = [=](const Indices& rest, const Indices& at) {
    return tir::sub(value(at), value(over.first(rest)));
  };
  const Tensor sum = fold_sum(name + "_sum", over, shifted);
  const auto mean = [=](const Indices& rest) { return quotient(te::read(sum, rest), count); };
  const Tensor spread =
      fold_sum(name + "_var_sum", over, [&](const Indices& rest, const Indices& at) {
        const PrimExpr distance = tir::sub(shifted(rest, at), mean(rest));
        return tir::mul(distance, distance);
      });
  return [=](const Indices& i) {
    const Indices rest = over.part(i, false);
    const PrimExpr root = inverse_root(quotient(te::read(spread, rest), count), epsilon);
    return tir::mul(tir::sub(shifted(rest, i), mean(rest)), root);
  };
}

Standardized standardized(const Tensor& x, const std::string& name, const FoldedAxes& over,
                          double epsilon, NormForm form) {
  return form == NormForm::Tvm ? by_squares(x, name, over, epsilon)
                               : by_shift(x, name, over, epsilon);
}

// A normalised value scaled and shifted, in the dtype of these.
PrimExpr finished(const PrimExpr& normal, const PrimExpr& scale, const PrimExpr& shift,
                  NormForm form) {
  const DType dtype = scale->dtype;
  const DType works = form == NormForm::Tvm ? dtype : normal->dtype;
  const PrimExpr scaled = tir::mul(tir::cast(works, normal), tir::cast(works, scale));
  return tir::cast(dtype, tir::add(scaled, tir::cast(works, shift)));
}

// In the dtype of the tensors, which is one.
std::vector<Tensor> batch_norm_stages(const Tensor& x, const Affine& affine, const Tensor& mean,
                                      const Tensor& variance, const BatchNorm& settings) {
  const Indices shape = te::shape_of(x);
  const size_t axis = positive_axis(settings.axis, shape.size());
  Indices channels;
  std::vector<int> others;
  for (size_t i = 0; i < shape.size(); ++i) {
    channels.push_back(i == axis ? shape[i] : imm_like(shape[i], 1));
    if (i != axis) others.push_back(static_cast<int>(i));
  }
  const FoldedAxes over(shape, others);
  const DType dtype = te::dtype_of(x);
  const auto number = [&](double value) { return tir::float_imm(dtype, value); };
  const auto along_axis = [&](const Tensor& tensor) { return reshape(tensor, channels); };
  const auto mean_of = [&](const Tensor& tensor) {
    return broadcast(BroadcastOp::Divide, sum_over(tensor, over), over.count(dtype));
  };
  Tensor used_mean = mean, used_variance = variance;
  if (settings.training) used_mean = mean_of(x);
  const Tensor mean_rows = along_axis(used_mean);
  const auto distance = [&] { return broadcast(BroadcastOp::Subtract, x, mean_rows); };
  if (settings.training) {
    const Tensor left = distance(), right = distance();
    used_variance = mean_of(broadcast(BroadcastOp::Multiply, left, right));
  }
  const Tensor variance_rows = along_axis(used_variance);
  const Tensor numerator = distance();
  const Tensor root = unary(tir::Intrinsic::Sqrt,
                            broadcast(BroadcastOp::Add, variance_rows, number(settings.epsilon)));
  Tensor result = broadcast(BroadcastOp::Divide, numerator, root);
  result = broadcast(BroadcastOp::Multiply, result, along_axis(affine.scale));
  result = broadcast(BroadcastOp::Add, result, along_axis(affine.shift));
  // A result can't be an argument itself.
  if (!settings.training) {
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

}  // namespace

Tensor layer_norm(const Tensor& x, const Affine& affine, const std::vector<int>& axes,
                  double epsilon, NormForm form) {
  const Indices shape = te::shape_of(x);
  const FoldedAxes over(shape, axes);
  const DType dtype = working_dtype(te::dtype_of(x));
  const PrimExpr count = over.count(dtype);
  const std::string name = x.op->name;
  const auto value = [&](const Indices& i) { return tir::cast(dtype, te::read(x, i)); };
  const Tensor sum = fold_sum(
      name + "_sum", over, [&](const Indices&, const Indices& element) { return value(element); });
  const Tensor mean =
      te::compute(over.rest, cpp_style(name + "_mean", over.rest.size()),
                  [&](const Indices& i) { return quotient(te::read(sum, i), count); });
  const Tensor spread =
      fold_sum(name + "_var_sum", over, [&](const Indices& i, const Indices& element) {
        const PrimExpr distance = tir::sub(value(element), te::read(mean, i));
        return tir::mul(distance, distance);
      });
  return te::compute(shape, cpp_style("T_layer_norm", shape.size()), [&](const Indices& i) {
    const Indices rest = over.part(i, false), inner = over.part(i, true);
    const PrimExpr variance = quotient(te::read(spread, rest), count);
    const PrimExpr distance = tir::sub(value(i), te::read(mean, rest));
    return finished(tir::mul(distance, inverse_root(variance, epsilon)),
                    te::read(affine.scale, inner), te::read(affine.shift, inner), form);
  });
}

Tensor rms_norm(const Tensor& x, const Tensor& weight, const std::vector<int>& axes,
                double epsilon) {
  const Indices shape = te::shape_of(x);
  const FoldedAxes over(shape, axes);
  const DType dtype = working_dtype(te::dtype_of(x));
  const Tensor values = cast_block(x, dtype), scales = cast_block(weight, dtype);
  const Tensor squares = broadcast(BroadcastOp::Multiply, values, values);
  const Tensor sum = sum_over(squares, over);
  const Tensor roots =
      te::compute(over.rest, cpp_style("rsqrt", over.rest.size()), [&](const Indices& i) {
        return inverse_root(quotient(te::read(sum, i), over.count(dtype)), epsilon);
      });
  const Tensor result =
      te::compute(shape, cpp_style("T_rms_norm", shape.size()), [&](const Indices& i) {
        const PrimExpr root = te::read(roots, over.part(i, false));
        return tir::mul(tir::mul(root, te::read(values, i)), te::read(scales, over.part(i, true)));
      });
  return cast_block(result, te::dtype_of(x));
}

Tensor instance_norm(const Tensor& x, const Affine& affine, int channel_axis,
                     const std::vector<int>& axes, double epsilon, NormForm form) {
  const Indices shape = te::shape_of(x);
  const FoldedAxes over(shape, axes);
  const Standardized normal = standardized(x, x.op->name, over, epsilon, form);
  const size_t channel = positive_axis(channel_axis, shape.size());
  return te::compute(shape, cpp_style("T_instance_norm", shape.size()), [&](const Indices& i) {
    return finished(normal(i), te::read(affine.scale, {i[channel]}),
                    te::read(affine.shift, {i[channel]}), form);
  });
}

Tensor group_norm(const Tensor& x, const Affine& affine, int64_t groups, int channel_axis,
                  const std::vector<int>& axes, double epsilon, NormForm form) {
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
    split_axes.push_back(static_cast<int>(at > channel ? at + 1 : at));
  }
  Tensor grouped = reshape(x, split);
  const DType works = working_dtype(te::dtype_of(x));
  if (works != te::dtype_of(x)) grouped = cast_block(grouped, works);
  const FoldedAxes over(split, split_axes);
  const Tensor scale = reshape(affine.scale, {group_count, group_size});
  const Tensor shift = reshape(affine.shift, {group_count, group_size});
  const Standardized normal = standardized(grouped, x.op->name, over, epsilon, form);
  const Tensor result =
      te::compute(split, cpp_style("T_group_norm", split.size()), [&](const Indices& i) {
        const Indices at = {i[channel], i[channel + 1]};
        return finished(normal(i), te::read(scale, at), te::read(shift, at), form);
      });
  return reshape(result, shape);
}

std::vector<Tensor> batch_norm(const Tensor& x, const Affine& affine, const Tensor& mean,
                               const Tensor& variance, const BatchNorm& settings) {
  const DType dtype = te::dtype_of(x), works = working_dtype(dtype);
  if (settings.form == NormForm::Tvm || works == dtype) {
    return batch_norm_stages(x, affine, mean, variance, settings);
  }
  const Affine wide = {cast_block(affine.scale, works), cast_block(affine.shift, works)};
  std::vector<Tensor> results = batch_norm_stages(
      cast_block(x, works), wide, cast_block(mean, works), cast_block(variance, works), settings);
  for (Tensor& result : results) result = cast_block(result, dtype);
  return results;
}

Tensor nll_loss(const Tensor& predictions, const Tensor& targets, const Tensor& weights,
                LossReduction reduction, int64_t ignored, NormForm form) {
  const Indices shape = te::shape_of(targets);
  const PrimExpr zero = tir::const_of(te::dtype_of(predictions), 0);
  const bool batched = te::shape_of(predictions).size() > 1;
  // `value` of each target, 0 where it is ignored.
  const auto of_targets = [&](const auto& value) {
    return te::compute(shape, cpp_style("nll_loss", shape.size()), [&](const Indices& i) {
      const PrimExpr target = te::read(targets, i);
      const PrimExpr counts =
          tir::binary(tir::BinaryOp::NE, target, tir::int_imm(target->dtype, ignored));
      const PrimExpr counted = value(i, target);
      return form == NormForm::Tvm ? tir::select(counts, counted, zero)
                                   : tir::if_then_else(counts, counted, zero);
    });
  };
  std::vector<int> all;
  for (size_t i = 0; i < shape.size(); ++i) all.push_back(static_cast<int>(i));
  const FoldedAxes over(shape, all);
  const auto total = [&](const Tensor& x) { return shape.empty() ? x : sum_over(x, over); };
  const Tensor losses = of_targets([&](const Indices& i, const PrimExpr& target) {
    Indices at = i;
    at.insert(at.begin() + (batched ? 1 : 0), target);
    return tir::mul(tir::sub(zero, te::read(predictions, at)), te::read(weights, {target}));
  });
  if (reduction == LossReduction::None) return losses;
  if (reduction == LossReduction::Sum) return total(losses);
  const Tensor used = of_targets(
      [&](const Indices&, const PrimExpr& target) { return te::read(weights, {target}); });
  return broadcast(BroadcastOp::Divide, total(losses), total(used));
}

}  // namespace fx2wasm::topi
