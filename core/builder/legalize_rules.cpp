#include "builder/legalize_rules.h"

#include <string>
#include <utility>

#include "builder/constant_value.h"
#include "builder/infer_common.h"
#include "builder/legalize_family.h"
#include "ir/tir_build.h"
#include "support/check.h"
#include "topi/topi.h"

namespace fx2wasm {
namespace legalize {
namespace {

using relax::OpCall;

topi::Operand operand(const TeValueList& args, size_t index) {
  if (const auto* value = std::get_if<tir::PrimExpr>(&args[index].value)) return *value;
  return tensor(args, index);
}

bool is_scalar_constant(const relax::Expr& expr) {
  const auto* constant = std::get_if<relax::Constant>(&expr->kind);
  return constant != nullptr && scalar_immediate(**constant) != nullptr;
}

}  // namespace

const te::Tensor& tensor(const TeValueList& args, size_t index) {
  const auto* value = std::get_if<te::Tensor>(&args[index].value);
  FX_CHECK(value != nullptr, "the argument of a legalised operator is a tensor");
  return *value;
}

TeArgumentList arguments(const OpCall& call) {
  TeArgumentList args;
  for (const relax::Expr& arg : call.args) args.push_back({arg});
  return args;
}

Answer broadcast_te(const Legalization& l, topi::BroadcastOp op, const std::string& name) {
  // A tensor expression needs a tensor: of two constants the first stays an argument.
  const bool both = is_scalar_constant(l.call.args[0]) && is_scalar_constant(l.call.args[1]);
  TeArgumentList args = arguments(l.call);
  if (both) {
    args[1].value = l.call.args[1];
    const tir::PrimExpr second =
        scalar_immediate(**std::get_if<relax::Constant>(&l.call.args[1]->kind));
    return l.builder.call_te(
        [&](const TeValueList& values) {
          return Result<Tensors>(Tensors{topi::broadcast(op, operand(values, 0), second)});
        },
        name, {args[0]});
  }
  EmitTeOptions options;
  options.scalar_constants_as_immediates = true;
  return l.builder.call_te(
      [op](const TeValueList& values) {
        return Result<Tensors>(
            Tensors{topi::broadcast(op, operand(values, 0), operand(values, 1))});
      },
      name, args, options);
}

namespace {

Answer add(const Legalization& l) { return broadcast_te(l, topi::BroadcastOp::Add, "add"); }
Answer subtract(const Legalization& l) {
  return broadcast_te(l, topi::BroadcastOp::Subtract, "subtract");
}
Answer multiply(const Legalization& l) {
  return broadcast_te(l, topi::BroadcastOp::Multiply, "multiply");
}
Answer divide(const Legalization& l) {
  return broadcast_te(l, topi::BroadcastOp::Divide, "divide");
}
Answer maximum(const Legalization& l) {
  return broadcast_te(l, topi::BroadcastOp::Maximum, "maximum");
}
Answer minimum(const Legalization& l) {
  return broadcast_te(l, topi::BroadcastOp::Minimum, "minimum");
}

Answer relu(const Legalization& l) {
  return unary_te(l, "relu", [](const te::Tensor& x) { return topi::relu(x); });
}

Answer astype(const Legalization& l) {
  const std::optional<DType> dtype = infer::dtype_attr(l.call, "dtype");
  if (const auto* constant = std::get_if<relax::Constant>(&l.call.args[0]->kind)) {
    if (const relax::Constant cast = cast_scalar(**constant, *dtype)) {
      return relax::constant_expr(cast);
    }
  }
  return unary_te(l, "cast", [&](const te::Tensor& x) { return topi::cast(x, *dtype); });
}

std::vector<int> axes_of(const std::vector<int64_t>& given, int rank) {
  std::vector<int> axes;
  for (int64_t axis : given) axes.push_back(static_cast<int>(axis < 0 ? axis + rank : axis));
  return axes;
}

Answer permute_dims(const Legalization& l) {
  const auto given = infer::optional_ints_attr(l.call, "axes");
  const std::vector<int> axes = axes_of(given.value_or(std::vector<int64_t>{}), l.out->ndim);
  return unary_te(l, "transpose", [&](const te::Tensor& x) { return topi::transpose(x, axes); });
}

// `compute` over every element, as TVM writes functions that are no intrinsic.
template <class Body>
te::Tensor each_element(const te::Tensor& x, const Body& body) {
  return te::compute(te::shape_of(x), {}, [&](const std::vector<tir::PrimExpr>& indices) {
    return body(te::read(x, indices));
  });
}

tir::PrimExpr negated(const tir::PrimExpr& value) {
  if (is_float(value->dtype) || is_int(value->dtype)) {
    return tir::mul(value, tir::const_of(value->dtype, -1));
  }
  return tir::sub(tir::const_of(value->dtype, 0), value);
}

Answer negative(const Legalization& l) {
  return unary_te(l, "tir_negative", [](const te::Tensor& x) { return each_element(x, negated); });
}

Answer abs(const Legalization& l) {
  if (is_float(*l.out->dtype)) {
    return unary_te(l, "tir_abs",
                    [](const te::Tensor& x) { return topi::unary(tir::Intrinsic::Fabs, x); });
  }
  return unary_te(l, "tir_abs", [](const te::Tensor& x) {
    return each_element(x, [](const tir::PrimExpr& value) {
      if (!is_int(value->dtype)) return value;
      const tir::PrimExpr zero = tir::const_of(value->dtype, 0);
      return tir::select(tir::binary(tir::BinaryOp::GE, value, zero), value, tir::sub(zero, value));
    });
  });
}

Answer expand_dims(const Legalization& l) {
  const std::vector<int> axes = axes_of(infer::ints_attr(l.call, "axis"), l.out->ndim);
  return unary_te(l, "expand_dims",
                  [&](const te::Tensor& x) { return topi::insert_axes(x, axes); });
}

Answer squeeze(const Legalization& l) {
  const int rank = relax::as_tensor(l.call.args[0])->ndim;
  const auto given = infer::optional_ints_attr(l.call, "axis");
  const std::vector<int> axes = axes_of(given.value_or(std::vector<int64_t>{}), rank);
  return unary_te(l, "squeeze", [&](const te::Tensor& x) { return topi::squeeze(x, axes); });
}

// The second argument is the new shape: its symbols are copied with the tensor's.
template <class Function>
Answer to_shape_te(const Legalization& l, const std::string& name, const Function& function) {
  return l.builder.call_te(
      [&](const TeValueList& args) {
        std::vector<tir::PrimExpr> shape;
        for (const TeValue& value : std::get<TeValueList>(args[1].value)) {
          shape.push_back(std::get<tir::PrimExpr>(value.value));
        }
        return Result<Tensors>(Tensors{function(tensor(args, 0), std::move(shape))});
      },
      name, arguments(l.call));
}

Answer reshape(const Legalization& l) { return to_shape_te(l, "reshape", topi::reshape); }
Answer broadcast_to(const Legalization& l) {
  return to_shape_te(l, "broadcast_to", topi::broadcast_to);
}

Answer matmul(const Legalization& l) {
  const std::optional<DType> out_dtype = infer::dtype_attr(l.call, "out_dtype");
  return l.builder.call_te(
      [&](const TeValueList& args) {
        return Result<Tensors>(Tensors{topi::matmul(tensor(args, 0), tensor(args, 1), out_dtype)});
      },
      "matmul", arguments(l.call));
}

int axis_of(const Legalization& l) {
  const int64_t axis = infer::int_attr(l.call, "axis");
  return static_cast<int>(axis < 0 ? axis + l.out->ndim : axis);
}

Answer softmax(const Legalization& l) {
  return unary_te(l, "softmax", [&](const te::Tensor& x) { return topi::softmax(x, axis_of(l)); });
}

Answer log_softmax(const Legalization& l) {
  return unary_te(l, "log_softmax",
                  [&](const te::Tensor& x) { return topi::log_softmax(x, axis_of(l)); });
}

constexpr Entry kRules[] = {
    {"abs", abs},
    {"add", add},
    {"astype", astype},
    {"broadcast_to", broadcast_to},
    {"divide", divide},
    {"expand_dims", expand_dims},
    {"matmul", matmul},
    {"maximum", maximum},
    {"minimum", minimum},
    {"multiply", multiply},
    {"negative", negative},
    {"nn.log_softmax", log_softmax},
    {"nn.relu", relu},
    {"nn.softmax", softmax},
    {"permute_dims", permute_dims},
    {"reshape", reshape},
    {"squeeze", squeeze},
    {"subtract", subtract},
};

// Operators that are one intrinsic on each element, named `tir_` and the intrinsic's name.
struct UnaryEntry {
  std::string_view op;
  tir::Intrinsic intrinsic;
};
constexpr UnaryEntry kUnaryRules[] = {
    {"ceil", tir::Intrinsic::Ceil},       {"cos", tir::Intrinsic::Cos},
    {"exp", tir::Intrinsic::Exp},         {"floor", tir::Intrinsic::Floor},
    {"log", tir::Intrinsic::Log},         {"rsqrt", tir::Intrinsic::Rsqrt},
    {"sigmoid", tir::Intrinsic::Sigmoid}, {"sin", tir::Intrinsic::Sin},
    {"sqrt", tir::Intrinsic::Sqrt},       {"tanh", tir::Intrinsic::Tanh},
    {"trunc", tir::Intrinsic::Trunc},
};

bool has_known_shape(const relax::Type& type) {
  if (type == nullptr) return false;
  if (const relax::TensorType* tensor_type = relax::as_tensor(type)) {
    return tensor_type->shape.has_value() && tensor_type->dtype.has_value();
  }
  if (const relax::TupleType* tuple = relax::as_tuple(type)) {
    for (const relax::Type& field : tuple->fields) {
      if (!has_known_shape(field)) return false;
    }
  }
  return true;
}

}  // namespace
}  // namespace legalize

Result<relax::Expr> legalize_call(BlockBuilder& builder, const relax::OpCall& call,
                                  const relax::Type& type, LegalizeMode mode) {
  using namespace legalize;
  const Answer stays = relax::Expr();
  for (const relax::Expr& arg : call.args) {
    if (!has_known_shape(arg->type)) return stays;
  }
  const Legalization legalization{builder, call, relax::as_tensor(type)};
  if (!has_known_shape(type)) {
    if (mode != LegalizeMode::Complete) return stays;
    return own_broadcast(legalization).value_or(stays);
  }
  using Family = std::optional<Answer> (*)(const Legalization&);
  if (mode == LegalizeMode::Complete) {
    for (Family family : {own_reduction, own_ordering}) {
      if (std::optional<Answer> answer = family(legalization)) return *answer;
    }
  }
  for (const Entry& entry : kRules) {
    if (entry.op == call.op->name) return entry.rule(legalization);
  }
  for (const UnaryEntry& entry : kUnaryRules) {
    if (entry.op != call.op->name) continue;
    return unary_te(legalization, "tir_" + std::string(entry.op),
                    [&](const te::Tensor& x) { return topi::unary(entry.intrinsic, x); });
  }
  constexpr Family kFamilies[] = {elementwise, reduction, normalization, indexing,
                                  rearrange,   window,    resize};
  for (Family family : kFamilies) {
    if (std::optional<Answer> answer = family(legalization)) return *answer;
  }
  return stays;
}

}  // namespace fx2wasm
