#include "builder/infer_common.h"

#include <algorithm>
#include <utility>

#include "arith/analyzer.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "print/tvmscript.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm::infer {
namespace {

const AttrValue::Value& attr(const relax::OpCall& call, std::string_view name) {
  const AttrValue* value = find_attr(call.attrs, name);
  FX_CHECK(value != nullptr, "an operator call has all of its attributes");
  return value->value;
}

std::vector<int64_t> ints_of(const AttrValue::Value& value) {
  if (const auto* single = std::get_if<int64_t>(&value)) return {*single};
  const auto* list = std::get_if<AttrList>(&value);
  FX_CHECK(list != nullptr, "the attribute is a list of integers");
  std::vector<int64_t> ints;
  for (const AttrValue& item : *list) {
    const auto* number = std::get_if<int64_t>(&item.value);
    FX_CHECK(number != nullptr, "the attribute is a list of integers");
    ints.push_back(*number);
  }
  return ints;
}

void assume_sizes(arith::Analyzer& analyzer, const tir::PrimExpr& expr) {
  for (const tir::Var& var : tir::free_vars(expr)) analyzer.assume_at_least(var, 0);
}

}  // namespace

Diagnostic shape_error(const relax::OpCall& call, const std::string& what) {
  return error_at({}, codes::kShapeMismatch, std::string(call.op->name) + ": " + what);
}

Diagnostic dtype_error(const relax::OpCall& call, const std::string& what) {
  return error_at({}, codes::kDtypeMismatch, std::string(call.op->name) + ": " + what);
}

std::string shape_text(const Shape& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    const std::optional<int64_t> number = tir::as_int(shape[i]);
    text += number ? std::to_string(*number) : print_expr(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string shape_text(const relax::TensorType& type) {
  if (type.shape) return shape_text(*type.shape);
  std::string text = "(";
  for (int i = 0; i < type.ndim; ++i) text += i == 0 ? "?" : ", ?";
  return text + ")";
}

Result<relax::TensorType> tensor_argument(const relax::OpCall& call, size_t index) {
  const std::string name =
      index < call.op->args.size() ? std::string(call.op->args[index]) : std::to_string(index);
  if (index >= call.args.size()) return shape_error(call, "the argument '" + name + "' is missing");
  const relax::TensorType* type = relax::as_tensor(call.args[index]);
  if (type == nullptr) return dtype_error(call, "the argument '" + name + "' is no tensor");
  if (!type->dtype) return dtype_error(call, "the dtype of '" + name + "' is unknown");
  return *type;
}

relax::Type make_tensor(std::optional<Shape> shape, int ndim, DType dtype) {
  if (shape) return relax::tensor_type(std::move(*shape), dtype);
  relax::TensorType type;
  type.ndim = ndim;
  type.dtype = dtype;
  return relax::make_type(std::move(type));
}

int64_t int_attr(const relax::OpCall& call, std::string_view name) {
  const auto* value = std::get_if<int64_t>(&attr(call, name));
  FX_CHECK(value != nullptr, "the attribute is an integer");
  return *value;
}

bool bool_attr(const relax::OpCall& call, std::string_view name) {
  const AttrValue::Value& value = attr(call, name);
  if (const auto* number = std::get_if<int64_t>(&value)) return *number != 0;
  const auto* flag = std::get_if<bool>(&value);
  FX_CHECK(flag != nullptr, "the attribute is a bool");
  return *flag;
}

std::string string_attr(const relax::OpCall& call, std::string_view name) {
  const auto* value = std::get_if<std::string>(&attr(call, name));
  FX_CHECK(value != nullptr, "the attribute is a string");
  return *value;
}

std::vector<int64_t> ints_attr(const relax::OpCall& call, std::string_view name) {
  return ints_of(attr(call, name));
}

std::optional<std::vector<int64_t>> optional_ints_attr(const relax::OpCall& call,
                                                       std::string_view name) {
  const AttrValue::Value& value = attr(call, name);
  if (std::holds_alternative<AttrNone>(value)) return std::nullopt;
  return ints_of(value);
}

std::optional<DType> dtype_attr(const relax::OpCall& call, std::string_view name) {
  const auto* dtype = std::get_if<DType>(&attr(call, name));
  return dtype == nullptr ? std::nullopt : std::optional(*dtype);
}

Result<int> normalize_axis(const relax::OpCall& call, int64_t axis, int rank) {
  if (axis >= -rank && axis < rank) return static_cast<int>(axis < 0 ? axis + rank : axis);
  return shape_error(
      call, "axis " + std::to_string(axis) + " of a tensor with " + std::to_string(rank) + " axes");
}

Broadcast broadcast(const Shape& a, const Shape& b) {
  const size_t rank = std::max(a.size(), b.size());
  Shape shape(rank);
  for (size_t i = 1; i <= rank; ++i) {
    const tir::PrimExpr one = i > a.size() ? nullptr : a[a.size() - i];
    const tir::PrimExpr other = i > b.size() ? nullptr : b[b.size() - i];
    tir::PrimExpr& joined = shape[rank - i];
    if (other == nullptr || (one != nullptr && tir::is_one(other))) {
      joined = one;
    } else if (one == nullptr || tir::is_one(one)) {
      joined = other;
    } else if (tir::as_int(one) && tir::as_int(other)) {
      if (*tir::as_int(one) != *tir::as_int(other)) return {false, std::nullopt};
      joined = one;
    } else if (provably_equal(one, other)) {
      joined = one;
    } else {
      return {true, std::nullopt};
    }
  }
  return {true, std::move(shape)};
}

tir::PrimExpr simplify(const tir::PrimExpr& extent) {
  if (tir::as_int(extent)) return extent;
  arith::Analyzer analyzer;
  assume_sizes(analyzer, extent);
  return analyzer.simplify(extent);
}

bool provably_equal(const tir::PrimExpr& a, const tir::PrimExpr& b) {
  if (a == b) return true;
  if (tir::as_int(a) && tir::as_int(b)) return *tir::as_int(a) == *tir::as_int(b);
  arith::Analyzer analyzer;
  assume_sizes(analyzer, a);
  assume_sizes(analyzer, b);
  return analyzer.can_prove_equal(a, b);
}

tir::PrimExpr extent_of(int64_t value) { return tir::int_imm(DType::Int64, value); }

tir::PrimExpr product(const Shape& shape) {
  tir::PrimExpr result = extent_of(1);
  for (const tir::PrimExpr& extent : shape) result = tir::mul(result, extent);
  return result;
}

}  // namespace fx2wasm::infer
