// Type rules of activations, of bounds and of tensors made from nothing.
#include <cmath>
#include <utility>

#include "builder/infer_common.h"
#include "ir/tir_build.h"

namespace fx2wasm::infer {
namespace {

constexpr double kMostElements = 9007199254740992;  // 2^53: what a double counts exactly

Result<relax::Type> same_as_data(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  return relax::make_type(x);
}

Result<relax::Type> float_activation(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  if (!is_float(*x.dtype)) {
    return dtype_error(call, "takes floats, not " + std::string(dtype_name(*x.dtype)));
  }
  return relax::make_type(x);
}

Result<relax::Type> prelu(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  FX_TRY(slope, tensor_argument(call, 1));
  if (*x.dtype != *slope.dtype) {
    return dtype_error(call, "a slope of dtype " + std::string(dtype_name(*slope.dtype)) +
                                 " for elements of " + std::string(dtype_name(*x.dtype)));
  }
  FX_TRY(axis, normalize_axis(call, int_attr(call, "axis"), x.ndim));
  if (x.shape && slope.shape) {
    const bool vector = slope.shape->size() == 1;
    const tir::PrimExpr& channels = (*x.shape)[static_cast<size_t>(axis)];
    if (!vector ||
        (!tir::is_one((*slope.shape)[0]) && !provably_equal((*slope.shape)[0], channels))) {
      return shape_error(call, "slopes of shape " + shape_text(slope) + " for a tensor of shape " +
                                   shape_text(x) + ": one for each position on axis " +
                                   std::to_string(axis) + ", or a single one");
    }
  }
  return relax::make_type(x);
}

// The sizes that stand as the first argument.
const Shape* sizes_of(const relax::OpCall& call) {
  const auto* shape = std::get_if<relax::ShapeExpr>(&call.args[0]->kind);
  return shape == nullptr ? nullptr : &shape->values;
}

Result<relax::Type> of_sizes(const relax::OpCall& call, DType dtype) {
  const Shape* sizes = sizes_of(call);
  if (sizes == nullptr) return shape_error(call, "the shape is not known");
  for (const tir::PrimExpr& extent : *sizes) {
    const std::optional<int64_t> known = tir::as_int(extent);
    if (known && *known < 0) {
      return shape_error(call, "the shape " + shape_text(*sizes) + " has a negative size");
    }
  }
  return make_tensor(*sizes, static_cast<int>(sizes->size()), dtype);
}

Result<relax::Type> filled(const relax::OpCall& call) {
  FX_TRY(value, tensor_argument(call, 1));
  if (value.ndim != 0) {
    return shape_error(call, "the value to fill with has no axes, but this one has the shape " +
                                 shape_text(value));
  }
  return of_sizes(call, dtype_attr(call, "dtype").value_or(*value.dtype));
}

Result<relax::Type> ones_or_zeros(const relax::OpCall& call) {
  return of_sizes(call, dtype_attr(call, "dtype").value_or(DType::Float32));
}

Result<relax::Type> filled_like(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  if (const std::optional<DType> dtype = dtype_attr(call, "dtype")) x.dtype = dtype;
  return relax::make_type(x);
}

tir::PrimExpr prim_argument(const relax::OpCall& call, size_t index) {
  const auto* prim = std::get_if<relax::PrimValue>(&call.args[index]->kind);
  return prim == nullptr ? nullptr : prim->value;
}

std::optional<double> number_of(const tir::PrimExpr& value) {
  if (const auto* integer = std::get_if<tir::IntImm>(&value->kind)) {
    return static_cast<double>(integer->value);
  }
  if (const auto* real = std::get_if<tir::FloatImm>(&value->kind)) return real->value;
  return std::nullopt;
}

// How many steps lead from the start up to, but not to, the end.
Result<relax::Type> arange(const relax::OpCall& call) {
  const tir::PrimExpr start = prim_argument(call, 0), end = prim_argument(call, 1),
                      step = prim_argument(call, 2);
  if (start == nullptr || end == nullptr || step == nullptr) {
    return shape_error(call, "start, end and step are numbers");
  }
  const DType dtype = dtype_attr(call, "dtype").value_or(DType::Int64);
  const std::optional<double> first = number_of(start), last = number_of(end),
                              stride = number_of(step);
  if (first && last && stride) {
    if (*stride == 0) return shape_error(call, "the step is 0");
    const double count = std::ceil((*last - *first) / *stride);
    if (!(count >= 0) || count > kMostElements) {
      return shape_error(call, "the end can't be reached from the start by steps of this sign");
    }
    return make_tensor(Shape{extent_of(static_cast<int64_t>(count))}, 1, dtype);
  }
  const std::optional<int64_t> whole = tir::as_int(step);
  if (is_float(start->dtype) || is_float(end->dtype) || !whole || *whole <= 0) {
    return shape_error(call, "with symbolic bounds the step is a positive integer");
  }
  const tir::PrimExpr room = tir::add(tir::sub(end, start), extent_of(*whole - 1));
  return make_tensor(Shape{simplify(tir::floordiv(room, extent_of(*whole)))}, 1, dtype);
}

Result<relax::Type> eye(const relax::OpCall& call) {
  const tir::PrimExpr rows = prim_argument(call, 0), columns = prim_argument(call, 1);
  if (rows == nullptr || columns == nullptr) return shape_error(call, "the sizes are integers");
  return make_tensor(Shape{rows, columns}, 2, dtype_attr(call, "dtype").value_or(DType::Float32));
}

struct CreationEntry {
  std::string_view op;
  Rule rule;
};
constexpr CreationEntry kCreationRules[] = {
    {"arange", arange},
    {"clip", same_as_data},
    {"eye", eye},
    {"full", filled},
    {"full_like", filled_like},
    {"nn.gelu", float_activation},
    {"nn.gelu_tanh", float_activation},
    {"nn.leakyrelu", float_activation},
    {"nn.prelu", prelu},
    {"nn.selu", float_activation},
    {"nn.silu", float_activation},
    {"nn.softplus", float_activation},
    {"ones", ones_or_zeros},
    {"ones_like", filled_like},
    {"zeros", ones_or_zeros},
    {"zeros_like", filled_like},
};

}  // namespace

Rule creation_rule(std::string_view op) {
  for (const CreationEntry& entry : kCreationRules) {
    if (entry.op == op) return entry.rule;
  }
  return nullptr;
}

}  // namespace fx2wasm::infer
