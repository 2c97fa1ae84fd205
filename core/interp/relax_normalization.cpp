// Softmax and its logarithm, the normalisations, and the loss that follows a softmax.
#include <algorithm>
#include <cmath>

#include "interp/relax_op.h"
#include "support/check.h"

namespace fx2wasm::interp {
namespace {

Result<Value> softmax(const OpRun& run) {
  const bool logarithm = run.name() == "nn.log_softmax";
  const Tensor& x = run.tensor(0);
  Tensor out = run.result();
  if (x.rank() == 0) {
    out.set_number(0, logarithm ? 0 : 1);
    return value_of(std::move(out));
  }
  const auto axis = static_cast<size_t>(run.axes("axis", x.rank()).front());
  const int64_t inner = strides_of(x.shape)[axis];
  const int64_t extent = x.shape[axis];
  const int64_t lines = extent == 0 ? 0 : x.count() / extent;
  for (int64_t line = 0; line < lines; ++line) {
    const int64_t base = line / inner * extent * inner + line % inner;
    double largest = -HUGE_VAL;
    for (int64_t i = 0; i < extent; ++i) {
      const double value = x.number(base + i * inner);
      if (std::isnan(value) || value > largest) largest = value;
    }
    double total = 0;
    for (int64_t i = 0; i < extent; ++i) total += std::exp(x.number(base + i * inner) - largest);
    for (int64_t i = 0; i < extent; ++i) {
      const double value = x.number(base + i * inner) - largest;
      out.set_number(base + i * inner,
                     logarithm ? value - std::log(total) : std::exp(value) / total);
    }
  }
  return value_of(std::move(out));
}

// Mean and variance of the elements that share a group.
struct Moments {
  std::vector<double> mean, variance;
};

template <class GroupOf>
Moments moments_of(const Tensor& x, int64_t groups, GroupOf group_of) {
  Moments moments{std::vector<double>(static_cast<size_t>(groups), 0),
                  std::vector<double>(static_cast<size_t>(groups), 0)};
  const double size = static_cast<double>(x.count()) / static_cast<double>(groups);
  for (int64_t at = 0; at < x.count(); ++at) {
    moments.mean[static_cast<size_t>(group_of(at))] += x.number(at) / size;
  }
  for (int64_t at = 0; at < x.count(); ++at) {
    const auto group = static_cast<size_t>(group_of(at));
    const double distance = x.number(at) - moments.mean[group];
    moments.variance[group] += distance * distance / size;
  }
  return moments;
}

// Scale and shift of the arguments at `first`, where the operator has them.
struct Affine {
  const Tensor* scale = nullptr;
  const Tensor* shift = nullptr;
  Affine(const OpRun& run, size_t first) {
    if (run.flag("scale") && run.has_argument(first)) scale = &run.tensor(first);
    if (run.flag("center") && run.has_argument(first + 1)) shift = &run.tensor(first + 1);
  }
  double apply(double value, int64_t at) const {
    const double scaled = scale != nullptr ? value * scale->number(at) : value;
    return shift != nullptr ? scaled + shift->number(at) : scaled;
  }
};

// Splits a position into what the axes name and what is left, both in row-major order.
struct AxisSplit {
  Shape shape;
  std::vector<int64_t> strides;
  std::vector<bool> named;
  int64_t named_count = 1, left_count = 1;

  AxisSplit(const Tensor& x, const std::vector<int64_t>& axes)
      : shape(x.shape), strides(strides_of(x.shape)), named(x.shape.size(), false) {
    for (int64_t axis : axes) named[static_cast<size_t>(axis)] = true;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      (named[axis] ? named_count : left_count) *= shape[axis];
    }
  }
  int64_t part(int64_t at, bool of_named) const {
    int64_t position = 0;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      if (named[axis] == of_named)
        position = position * shape[axis] + at / strides[axis] % shape[axis];
    }
    return position;
  }
};

Result<Value> layer_norm(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const double epsilon = run.real("epsilon");
  const Affine affine(run, 1);
  const AxisSplit split(x, run.axes("axes", x.rank()));
  const auto group_of = [&](int64_t at) { return split.part(at, false); };
  const Moments moments = moments_of(x, split.left_count, group_of);
  Tensor out = run.result();
  for (int64_t at = 0; at < x.count(); ++at) {
    const auto group = static_cast<size_t>(group_of(at));
    const double value =
        (x.number(at) - moments.mean[group]) / std::sqrt(moments.variance[group] + epsilon);
    out.set_number(at, affine.apply(value, split.part(at, true)));
  }
  return value_of(std::move(out));
}

Result<Value> rms_norm(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const double epsilon = run.real("epsilon");
  const AxisSplit split(x, run.axes("axes", x.rank()));
  std::vector<double> squares(static_cast<size_t>(split.left_count), 0);
  for (int64_t at = 0; at < x.count(); ++at) {
    squares[static_cast<size_t>(split.part(at, false))] +=
        x.number(at) * x.number(at) / static_cast<double>(split.named_count);
  }
  Tensor out = run.result();
  for (int64_t at = 0; at < x.count(); ++at) {
    const double size = squares[static_cast<size_t>(split.part(at, false))];
    const double scale = run.has_argument(1) ? run.tensor(1).number(split.part(at, true)) : 1;
    out.set_number(at, x.number(at) / std::sqrt(size + epsilon) * scale);
  }
  return value_of(std::move(out));
}

// group_norm, and instance_norm as the case of one channel a group.
Result<Value> channel_group_norm(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const auto axis = static_cast<size_t>(run.axes("channel_axis", x.rank()).front());
  const int64_t channels = x.shape[axis];
  const int64_t groups = run.has("num_groups") ? run.integer("num_groups") : channels;
  const int64_t inner = strides_of(x.shape)[axis];
  const double epsilon = run.real("epsilon");
  const Affine affine(run, 1);
  if (axis != 1) return run.unsupported("channels that are not the second axis");
  const auto channel_of = [&](int64_t at) { return at / inner % channels; };
  const auto group_of = [&](int64_t at) {
    return at / inner / channels * groups + channel_of(at) / (channels / groups);
  };
  const Moments moments = moments_of(x, x.extent(0) * groups, group_of);
  Tensor out = run.result();
  for (int64_t at = 0; at < x.count(); ++at) {
    const auto group = static_cast<size_t>(group_of(at));
    const double value =
        (x.number(at) - moments.mean[group]) / std::sqrt(moments.variance[group] + epsilon);
    out.set_number(at, affine.apply(value, channel_of(at)));
  }
  return value_of(std::move(out));
}

Result<Value> batch_norm(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const auto axis = static_cast<size_t>(run.axes("axis", x.rank()).front());
  const int64_t channels = x.shape[axis];
  const int64_t inner = strides_of(x.shape)[axis];
  const double epsilon = run.real("epsilon");
  const bool training = run.flag("training");
  const Affine affine(run, 1);
  const auto channel_of = [&](int64_t at) { return at / inner % channels; };
  const Moments batch = moments_of(x, channels, channel_of);
  const double momentum = training ? run.real("momentum") : 0;
  Tensor out = run.result(0);
  Tensor new_mean = run.result(1);
  Tensor new_variance = run.result(2);
  std::vector<double> mean, variance;
  for (int64_t c = 0; c < channels; ++c) {
    const double old_mean = run.tensor(3).number(c);
    const double old_variance = run.tensor(4).number(c);
    mean.push_back(training ? batch.mean[static_cast<size_t>(c)] : old_mean);
    variance.push_back(training ? batch.variance[static_cast<size_t>(c)] : old_variance);
    new_mean.set_number(c, (1 - momentum) * old_mean + momentum * mean.back());
    new_variance.set_number(c, (1 - momentum) * old_variance + momentum * variance.back());
  }
  for (int64_t at = 0; at < x.count(); ++at) {
    const auto channel = static_cast<size_t>(channel_of(at));
    const double value = (x.number(at) - mean[channel]) / std::sqrt(variance[channel] + epsilon);
    out.set_number(at, affine.apply(value, channel_of(at)));
  }
  return tuple_of({std::move(out), std::move(new_mean), std::move(new_variance)});
}

// predictions (N, C, d1, …) or (C), targets (N, d1, …) or (): minus the weighted prediction of each
// target's class.
Result<Value> nll_loss(const OpRun& run) {
  const Tensor& predictions = run.tensor(0);
  const Tensor& targets = run.tensor(1);
  const std::string reduction = run.text("reduction");
  const int64_t ignored = run.integer("ignore_index");
  Tensor out = run.result();
  const size_t class_axis = predictions.rank() > 1 ? 1 : 0;
  const int64_t classes = predictions.shape[class_axis];
  const int64_t inner = strides_of(predictions.shape)[class_axis];
  double sum = 0;
  double weights = 0;
  for (int64_t at = 0; at < targets.count(); ++at) {
    const int64_t target = targets.at(at).i;
    if (target != ignored && (target < 0 || target >= classes)) {
      return run.wrong_input("target " + std::to_string(target) + " is no class");
    }
    const int64_t from = (at / inner * classes + target) * inner + at % inner;
    const double weight = target == ignored     ? 0
                          : run.has_argument(2) ? run.tensor(2).number(target)
                                                : 1;
    const double loss = target == ignored ? 0 : -weight * predictions.number(from);
    if (reduction == "none") out.set_number(at, loss);
    sum += loss;
    weights += weight;
  }
  if (reduction == "sum") out.set_number(0, sum);
  if (reduction == "mean") out.set_number(0, sum / weights);
  return value_of(std::move(out));
}

const EvaluatorEntry kNormalizationTable[] = {
    {"nn.softmax", softmax},
    {"nn.log_softmax", softmax},
    {"nn.layer_norm", layer_norm},
    {"nn.rms_norm", rms_norm},
    {"nn.group_norm", channel_group_norm},
    {"nn.instance_norm", channel_group_norm},
    {"nn.batch_norm", batch_norm},
    {"nn.nll_loss", nll_loss},
};

}  // namespace

Evaluator find_normalization(std::string_view name) {
  return find_entry(kNormalizationTable, name);
}

}  // namespace fx2wasm::interp
