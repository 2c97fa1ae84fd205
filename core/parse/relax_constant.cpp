// Constants: R.const(2.0, "float32") and metadata["ir.GenericConst"][k].
#include "parse/relax_constant.h"

#include <limits>
#include <string>
#include <utility>

#include "ir/relax_build.h"
#include "support/rounding.h"
#include "support/text.h"

namespace fx2wasm::parse {
namespace {

// The printer numbers constants from 0; a text holds far fewer.
constexpr int64_t kMaxConstants = 1'000'000;

std::optional<double> special_float(const std::string& text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "inf") return kInfinity;
  if (text == "-inf") return -kInfinity;
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

void set_known(MetadataConstant& constant, DType dtype, std::vector<int64_t> shape) {
  constant.node->dtype = dtype;
  constant.node->shape = std::move(shape);
  constant.expr->type = relax::tensor_type(constant.node->shape, dtype);
  constant.known = true;
}

MetadataConstant& metadata_constant(Reader& r, int64_t index) {
  const auto found = r.constants.find(index);
  if (found != r.constants.end()) return found->second;
  MetadataConstant constant;
  constant.node = std::make_shared<relax::ConstantNode>();
  constant.expr = std::make_shared<relax::ExprNode>();
  constant.expr->kind = relax::Constant(constant.node);
  constant.expr->type = relax::make_type(relax::TensorType{});
  const auto position = static_cast<size_t>(index);
  if (position < r.options.constants.size() && r.options.constants[position]) {
    constant.node->data = r.options.constants[position];
    set_known(constant, constant.node->data->dtype, constant.node->data->shape);
  }
  return r.constants.emplace(index, std::move(constant)).first->second;
}

}  // namespace

bool is_metadata(const ExprRef& e) {
  const auto* outer = std::get_if<script::Subscript>(&e->kind);
  const auto* inner = outer ? std::get_if<script::Subscript>(&outer->object->kind) : nullptr;
  return inner && dotted(inner->object) == "metadata";
}

relax::Expr metadata(Reader& r, const ExprRef& e) {
  const auto& outer = std::get<script::Subscript>(e->kind);
  const auto& inner = std::get<script::Subscript>(outer.object->kind);
  const auto* key = std::get_if<std::string>(&inner.index->kind);
  const auto* index = std::get_if<int64_t>(&outer.index->kind);
  if (!key || *key != "ir.GenericConst" || !index || *index < 0 || *index > kMaxConstants) {
    return fail(r, e->at, codes::kTextConstant,
                "a constant is metadata[\"ir.GenericConst\"][k] with a number k from 0 on");
  }
  return metadata_constant(r, *index).expr;
}

relax::Expr scalar_constant(Reader& r, const NamedCall& call) {
  const std::vector<ExprRef> args = bind(r, call, {"value", "dtype"}, 1);
  if (failed(r)) return nullptr;
  auto number = literal(args[0]);
  if (const auto* text = std::get_if<std::string>(&args[0]->kind)) {
    if (const std::optional<double> special = special_float(*text)) number = *special;
  }
  if (!number) {
    return fail(r, args[0]->at, codes::kTextConstant,
                "R.const takes one number; a tensor's elements are no part of the text");
  }
  const bool real = std::holds_alternative<double>(*number);
  const bool flag = std::holds_alternative<bool>(*number);
  DType dtype = real ? DType::Float32 : flag ? DType::Bool : DType::Int32;
  if (args[1]) {
    const std::optional<DType> given = dtype_of(r, args[1]);
    if (!given) return nullptr;
    dtype = *given;
  }
  std::vector<std::byte> bytes(static_cast<size_t>(dtype_bytes(dtype)));
  const int64_t integer = flag   ? (std::get<bool>(*number) ? 1 : 0)
                          : real ? 0
                                 : std::get<int64_t>(*number);
  if (is_float(dtype)) {
    const double value = real ? std::get<double>(*number) : static_cast<double>(integer);
    store_float(dtype, value, bytes.data());
  } else if (real || wrap_integer(dtype, integer) != integer) {
    return fail(r, args[0]->at, codes::kTextConstant,
                "this number does not fit " + std::string(dtype_name(dtype)));
  } else {
    store_integer(dtype, integer, bytes.data());
  }
  auto node = std::make_shared<relax::ConstantNode>();
  node->dtype = dtype;
  node->data = make_tensor_data(dtype, {}, std::move(bytes));
  return relax::constant_expr(std::move(node));
}

void learn_type(Reader& r, Position at, const relax::Expr& expr, const relax::TensorType& type) {
  const auto* used = std::get_if<relax::Constant>(&expr->kind);
  const std::optional<std::vector<int64_t>> shape = relax::static_shape(type);
  if (!used || !shape || !type.dtype) return;
  for (auto& [index, constant] : r.constants) {
    if (constant.node != *used) continue;
    if (!constant.known) {
      set_known(constant, *type.dtype, *shape);
    } else if (constant.node->dtype != *type.dtype || constant.node->shape != *shape) {
      fail(r, at, codes::kTextConstant,
           "the constant " + std::to_string(index) + " is used with two shapes or dtypes");
    }
    return;
  }
}

}  // namespace fx2wasm::parse
