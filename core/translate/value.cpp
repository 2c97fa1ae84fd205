#include "translate/value.h"

#include "ir/match.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "print/tvmscript.h"
#include "support/text.h"

namespace fx2wasm::translate {
namespace {

std::string join(const ValueList& values) {
  std::string text;
  for (const Value& value : values) {
    if (!text.empty()) text += ", ";
    text += describe(value);
  }
  return text;
}

std::string describe_dict(const DictValue& dict) {
  std::string text;
  for (const auto& [key, value] : dict.items) {
    if (!text.empty()) text += ", ";
    text += "'" + key + "': " + describe(value);
  }
  return "{" + text + "}";
}

std::string in_tuple(std::vector<std::string> parts) {
  std::string text = "(";
  for (size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : ", ") + parts[i];
  return text + (parts.size() == 1 ? ",)" : ")");
}

}  // namespace

const relax::Expr* as_expr(const Value& value) { return std::get_if<relax::Expr>(&value.value); }

const relax::TensorType* as_tensor(const Value& value) {
  const relax::Expr* expr = as_expr(value);
  return expr == nullptr ? nullptr : relax::as_tensor(*expr);
}

bool is_none(const Value& value) { return std::holds_alternative<std::nullptr_t>(value.value); }

Value size_value(const tir::PrimExpr& size) {
  if (const std::optional<int64_t> number = tir::as_int(size)) return {*number};
  return {size};
}

tir::PrimExpr as_size(const Value& value) {
  if (const auto* number = std::get_if<int64_t>(&value.value)) {
    return tir::int_imm(DType::Int64, *number);
  }
  const auto* expr = std::get_if<tir::PrimExpr>(&value.value);
  return expr == nullptr ? nullptr : *expr;
}

std::optional<double> as_number(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value.value)) return *flag ? 1.0 : 0.0;
  if (const auto* number = std::get_if<int64_t>(&value.value)) {
    return static_cast<double>(*number);
  }
  const auto* number = std::get_if<double>(&value.value);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

std::string describe(const Value& value) {
  return match(
      value.value, [](std::nullptr_t) { return std::string("None"); },
      [](bool flag) { return std::string(flag ? "True" : "False"); },
      [](int64_t number) { return std::to_string(number); },
      [](double number) { return python_float(number); },
      [](const std::string& text) { return quote(text); },
      [](const tir::PrimExpr& size) { return print_expr(size); },
      [](DType dtype) { return "torch." + std::string(dtype_name(dtype)); },
      [](const relax::Expr& expr) { return print_relax_expr(expr); },
      [](const ValueList& list) { return "(" + join(list) + (list.size() == 1 ? ",)" : ")"); },
      [](const SliceValue& slice) {
        return "slice(" + describe(*slice.start) + ", " + describe(*slice.stop) + ", " +
               describe(*slice.step) + ")";
      },
      [](const DictValue& dict) { return describe_dict(dict); },
      [](const fx::Ellipsis&) { return std::string("..."); },
      [](const fx::Device& device) { return "device('" + device.name + "')"; },
      [](const fx::MemoryFormat& format) { return "torch." + format.name; },
      [](const fx::Layout& layout) { return "torch." + layout.name; });
}

std::string describe_type(const Value& value) {
  return match(
      value.value, [](std::nullptr_t) { return std::string("None"); },
      [](bool) { return std::string("bool"); }, [](int64_t) { return std::string("int"); },
      [](double) { return std::string("float"); },
      [](const std::string&) { return std::string("str"); },
      [](const tir::PrimExpr&) { return std::string("int"); },
      [](DType) { return std::string("torch.dtype"); },
      [](const relax::Expr& expr) {
        return expr->type == nullptr ? std::string() : print_type(expr->type);
      },
      [](const ValueList&) { return std::string("tuple"); },
      [](const SliceValue&) { return std::string("slice"); },
      [](const DictValue&) { return std::string("dict"); },
      [](const fx::Ellipsis&) { return std::string("ellipsis"); },
      [](const fx::Device&) { return std::string("torch.device"); },
      [](const fx::MemoryFormat&) { return std::string("torch.memory_format"); },
      [](const fx::Layout&) { return std::string("torch.layout"); });
}

std::string shape_text(const relax::TensorType& type) {
  std::vector<std::string> parts;
  if (!type.shape) {
    for (int i = 0; i < type.ndim; ++i) parts.push_back("?");
    return in_tuple(std::move(parts));
  }
  for (const tir::PrimExpr& extent : *type.shape) parts.push_back(describe(size_value(extent)));
  return in_tuple(std::move(parts));
}

std::string shape_text(const std::vector<int64_t>& shape) {
  std::vector<std::string> parts;
  for (int64_t extent : shape) parts.push_back(std::to_string(extent));
  return in_tuple(std::move(parts));
}

}  // namespace fx2wasm::translate
