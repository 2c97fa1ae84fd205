// Which tensor expressions stand for the operators of single elements and for creation.
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "builder/constant_value.h"
#include "builder/infer_common.h"
#include "builder/legalize_family.h"
#include "ir/tir_build.h"
#include "support/check.h"
#include "topi/elementwise.h"

namespace fx2wasm::legalize {
namespace {

using topi::BroadcastOp;

struct BroadcastRow {
  std::string_view op;  // the PrimFunc is named as the operator
  BroadcastOp te;
};
constexpr BroadcastRow kBroadcastRows[] = {
    {"atan2", BroadcastOp::Atan2},
    {"bitwise_and", BroadcastOp::BitwiseAnd},
    {"bitwise_or", BroadcastOp::BitwiseOr},
    {"bitwise_xor", BroadcastOp::BitwiseXor},
    {"equal", BroadcastOp::Equal},
    {"floor_divide", BroadcastOp::FloorDivide},
    {"floor_mod", BroadcastOp::FloorMod},
    {"greater", BroadcastOp::Greater},
    {"greater_equal", BroadcastOp::GreaterEqual},
    {"left_shift", BroadcastOp::LeftShift},
    {"less", BroadcastOp::Less},
    {"less_equal", BroadcastOp::LessEqual},
    {"logical_and", BroadcastOp::LogicalAnd},
    {"logical_or", BroadcastOp::LogicalOr},
    {"logical_xor", BroadcastOp::LogicalXor},
    {"mod", BroadcastOp::Mod},
    {"not_equal", BroadcastOp::NotEqual},
    {"right_shift", BroadcastOp::RightShift},
};

struct UnaryRow {
  std::string_view op;
  std::string_view name;  // of the PrimFunc
  te::Tensor (*te)(const te::Tensor&);
};
template <tir::Intrinsic intrinsic>
te::Tensor call_intrinsic(const te::Tensor& x) {
  return topi::unary(intrinsic, x);
}
constexpr UnaryRow kUnaryRows[] = {
    {"acos", "tir_acos", call_intrinsic<tir::Intrinsic::Acos>},
    {"acosh", "tir_acosh", call_intrinsic<tir::Intrinsic::Acosh>},
    {"asin", "tir_asin", call_intrinsic<tir::Intrinsic::Asin>},
    {"asinh", "tir_asinh", call_intrinsic<tir::Intrinsic::Asinh>},
    {"atan", "tir_atan", call_intrinsic<tir::Intrinsic::Atan>},
    {"atanh", "tir_atanh", call_intrinsic<tir::Intrinsic::Atanh>},
    {"bitwise_not", "tir_bitwise_not", topi::bitwise_not},
    {"cosh", "tir_cosh", call_intrinsic<tir::Intrinsic::Cosh>},
    {"erf", "erf", topi::erf},
    {"isfinite", "tir_isfinite", topi::isfinite},
    {"isinf", "tir_isinf", topi::isinf},
    {"isnan", "tir_isnan", topi::isnan},
    {"logical_not", "tir_logical_not", topi::logical_not},
    {"nn.gelu", "gelu", topi::gelu},
    {"nn.gelu_tanh", "gelu_tanh", topi::gelu_tanh},
    {"nn.selu", "selu", topi::selu},
    {"nn.silu", "silu", topi::silu},
    {"round", "tir_round", call_intrinsic<tir::Intrinsic::Nearbyint>},
    {"sign", "tir_sign", topi::sign},
    {"sinh", "tir_sinh", call_intrinsic<tir::Intrinsic::Sinh>},
    {"square", "tir_square", topi::square},
    {"tan", "tir_tan", call_intrinsic<tir::Intrinsic::Tan>},
};

Answer clip_te(const Legalization& l) {
  return l.builder.call_te(
      [](const TeValueList& args) {
        return Result<Tensors>(
            Tensors{topi::clip(tensor(args, 0), std::get<tir::PrimExpr>(args[1].value),
                               std::get<tir::PrimExpr>(args[2].value))});
      },
      "tir_clip", arguments(l.call));
}

double double_attr(const relax::OpCall& call, std::string_view name) {
  const AttrValue* value = find_attr(call.attrs, name);
  FX_CHECK(value != nullptr, "the operator declares this attribute");
  if (const auto* integer = std::get_if<int64_t>(&value->value)) {
    return static_cast<double>(*integer);
  }
  return std::get<double>(value->value);
}

Answer leaky_relu_te(const Legalization& l) {
  const double alpha = double_attr(l.call, "alpha");
  return unary_te(l, "leaky_relu", [&](const te::Tensor& x) { return topi::leaky_relu(x, alpha); });
}

Answer softplus_te(const Legalization& l) {
  const double beta = double_attr(l.call, "beta"), threshold = double_attr(l.call, "threshold");
  return unary_te(l, "softplus",
                  [&](const te::Tensor& x) { return topi::softplus(x, beta, threshold); });
}

Answer prelu_te(const Legalization& l) {
  const auto axis = static_cast<int>(infer::int_attr(l.call, "axis"));
  return l.builder.call_te(
      [&](const TeValueList& args) {
        return Result<Tensors>(Tensors{topi::prelu(tensor(args, 0), tensor(args, 1), axis)});
      },
      "prelu", arguments(l.call));
}

// The sizes of the result: an argument of its own where they have symbols to copy.
Answer filled_te(const Legalization& l, const std::string& name, const tir::PrimExpr& value) {
  const DType dtype = *l.out->dtype;
  return l.builder.call_te(
      [&](const TeValueList& args) {
        std::vector<tir::PrimExpr> shape;
        for (const TeValue& extent : std::get<TeValueList>(args[0].value)) {
          shape.push_back(std::get<tir::PrimExpr>(extent.value));
        }
        return Result<Tensors>(Tensors{topi::full(std::move(shape), dtype, value)});
      },
      name, {{relax::shape_expr(*l.out->shape)}});
}

Answer ones_te(const Legalization& l) {
  return filled_te(l, "ones", tir::const_of(*l.out->dtype, 1));
}
Answer zeros_te(const Legalization& l) {
  return filled_te(l, "zeros", tir::const_of(*l.out->dtype, 0));
}

Answer full_te(const Legalization& l) {
  if (const auto* constant = std::get_if<relax::Constant>(&l.call.args[1]->kind)) {
    if (const tir::PrimExpr value = scalar_immediate(**constant)) {
      return filled_te(l, "full", value);
    }
  }
  const DType dtype = *l.out->dtype;
  return l.builder.call_te(
      [&](const TeValueList& args) {
        std::vector<tir::PrimExpr> shape;
        for (const TeValue& extent : std::get<TeValueList>(args[0].value)) {
          shape.push_back(std::get<tir::PrimExpr>(extent.value));
        }
        const tir::PrimExpr value = te::read(tensor(args, 1), {});
        return Result<Tensors>(Tensors{topi::full(std::move(shape), dtype, value)});
      },
      "full", {{relax::shape_expr(*l.out->shape)}, {l.call.args[1]}});
}

tir::PrimExpr prim_argument(const relax::OpCall& call, size_t index) {
  const auto* prim = std::get_if<relax::PrimValue>(&call.args[index]->kind);
  return prim == nullptr ? nullptr : prim->value;
}

Answer eye_te(const Legalization& l) {
  const std::optional<int64_t> diagonal = tir::as_int(prim_argument(l.call, 2));
  if (!diagonal) return relax::Expr();
  const DType dtype = *l.out->dtype;
  return l.builder.call_te(
      [&](const TeValueList& args) {
        return Result<Tensors>(
            Tensors{topi::eye(std::get<tir::PrimExpr>(args[0].value),
                              std::get<tir::PrimExpr>(args[1].value), *diagonal, dtype)});
      },
      "eye", {{l.call.args[0]}, {l.call.args[1]}});
}

std::optional<double> number_of(const tir::PrimExpr& value) {
  if (value == nullptr) return std::nullopt;
  if (const auto* integer = std::get_if<tir::IntImm>(&value->kind)) {
    return static_cast<double>(integer->value);
  }
  if (const auto* real = std::get_if<tir::FloatImm>(&value->kind)) return real->value;
  return std::nullopt;
}

// Bounds with symbols: as many numbers as the result's type says.
Answer arange_te(const Legalization& l) {
  const tir::PrimExpr step = prim_argument(l.call, 2);
  if (!tir::as_int(step)) return relax::Expr();
  const DType dtype = *l.out->dtype;
  return l.builder.call_te(
      [&](const TeValueList& args) {
        const auto& sizes = std::get<TeValueList>(args[1].value);
        return Result<Tensors>(
            Tensors{topi::arange(std::get<tir::PrimExpr>(args[0].value), step,
                                 std::get<tir::PrimExpr>(sizes[0].value), dtype)});
      },
      "arange", {{l.call.args[0]}, {relax::shape_expr(*l.out->shape)}});
}

// Known bounds give a constant.
Answer arange_constant(const Legalization& l) {
  const tir::PrimExpr start = prim_argument(l.call, 0), step = prim_argument(l.call, 2);
  const std::optional<double> first = number_of(start), stride = number_of(step);
  const std::optional<int64_t> count = tir::as_int((*l.out->shape)[0]);
  if (!first || !stride || !count) return arange_te(l);
  const DType dtype = *l.out->dtype;
  const std::optional<int64_t> whole_first = tir::as_int(start), whole_stride = tir::as_int(step);
  std::vector<std::byte> bytes;
  for (int64_t i = 0; i < *count; ++i) {
    const relax::Constant element =
        whole_first && whole_stride
            ? scalar_constant(dtype, *whole_first + i * *whole_stride)
            : scalar_constant(dtype, *first + static_cast<double>(i) * *stride);
    bytes.insert(bytes.end(), element->data->bytes.begin(), element->data->bytes.end());
  }
  auto constant = std::make_shared<relax::ConstantNode>();
  constant->dtype = dtype;
  constant->shape = {*count};
  constant->data = make_tensor_data(dtype, {*count}, std::move(bytes));
  return relax::constant_expr(constant);
}

Answer where_te(const Legalization& l) {
  return l.builder.call_te(
      [](const TeValueList& args) {
        return Result<Tensors>(
            Tensors{topi::where(tensor(args, 0), tensor(args, 1), tensor(args, 2))});
      },
      "where", arguments(l.call));
}

// TVM's power is one of floats.
Answer power_te(const Legalization& l) {
  if (is_float(*l.out->dtype)) return broadcast_te(l, BroadcastOp::Power, "power");
  return l.builder.call_te(
      [](const TeValueList& args) {
        return Result<Tensors>(Tensors{topi::integer_power(tensor(args, 0), tensor(args, 1))});
      },
      "power", arguments(l.call));
}

constexpr Entry kElementwiseRules[] = {
    {"arange", arange_constant},
    {"clip", clip_te},
    {"eye", eye_te},
    {"full", full_te},
    {"full_like", full_te},
    {"nn.leakyrelu", leaky_relu_te},
    {"nn.prelu", prelu_te},
    {"nn.softplus", softplus_te},
    {"ones", ones_te},
    {"ones_like", ones_te},
    {"power", power_te},
    {"where", where_te},
    {"zeros", zeros_te},
    {"zeros_like", zeros_te},
};

}  // namespace

std::optional<Answer> own_broadcast(const Legalization& l) {
  constexpr BroadcastRow kMore[] = {
      {"add", BroadcastOp::Add},           {"divide", BroadcastOp::Divide},
      {"maximum", BroadcastOp::Maximum},   {"minimum", BroadcastOp::Minimum},
      {"multiply", BroadcastOp::Multiply}, {"power", BroadcastOp::Power},
      {"subtract", BroadcastOp::Subtract},
  };
  const BroadcastRow* found = nullptr;
  for (const BroadcastRow& row : kBroadcastRows) {
    if (row.op == l.call.op->name) found = &row;
  }
  for (const BroadcastRow& row : kMore) {
    if (row.op == l.call.op->name) found = &row;
  }
  if (found == nullptr) return std::nullopt;
  return l.builder.call_te(
      [&](const TeValueList& args) {
        return Result<Tensors>(
            Tensors{topi::broadcast_when_run(found->te, tensor(args, 0), tensor(args, 1))});
      },
      std::string(found->op), arguments(l.call));
}

std::optional<Answer> elementwise(const Legalization& l) {
  const std::string name(l.call.op->name);
  for (const BroadcastRow& row : kBroadcastRows) {
    if (row.op == name) return broadcast_te(l, row.te, name);
  }
  for (const UnaryRow& row : kUnaryRows) {
    if (row.op == name) {
      return unary_te(l, std::string(row.name), [&](const te::Tensor& x) { return row.te(x); });
    }
  }
  for (const Entry& entry : kElementwiseRules) {
    if (entry.op == name) return entry.rule(l);
  }
  return std::nullopt;
}

}  // namespace fx2wasm::legalize
