// Values of attributes: of operators, functions, blocks and loops.
#include <limits>
#include <string>
#include <utility>

#include "parse/reader.h"
#include "support/text.h"

namespace fx2wasm::parse {
namespace {

constexpr std::string_view kDtypeSuffix = "dtype";

bool names_dtype(std::string_view name) {
  return name.size() >= kDtypeSuffix.size() &&
         name.substr(name.size() - kDtypeSuffix.size()) == kDtypeSuffix;
}

// Infinities and NaN print in quotes.
AttrValue from_text(const std::string& text, std::string_view name) {
  if (names_dtype(name)) {
    if (const std::optional<DType> dtype = parse_dtype(text)) return {*dtype};
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "inf") return {kInfinity};
  if (text == "-inf") return {-kInfinity};
  if (text == "nan") return {std::numeric_limits<double>::quiet_NaN()};
  return {text};
}

}  // namespace

std::optional<AttrValue> attribute(Reader& r, const ExprRef& e, std::string_view name) {
  if (failed(r)) return std::nullopt;
  if (std::holds_alternative<script::NoneLiteral>(e->kind)) return AttrValue{AttrNone{}};
  if (const auto n = literal(e)) {
    if (const auto* v = std::get_if<bool>(&*n)) return AttrValue{*v};
    if (const auto* v = std::get_if<int64_t>(&*n)) return AttrValue{*v};
    return AttrValue{std::get<double>(*n)};
  }
  if (const auto* text = std::get_if<std::string>(&e->kind)) return from_text(*text, name);
  if (const std::vector<ExprRef>* items = items_of(e)) {
    AttrList list;
    for (const ExprRef& item : *items) {
      std::optional<AttrValue> value = attribute(r, item, name);
      if (!value) return std::nullopt;
      list.push_back(std::move(*value));
    }
    return AttrValue{std::move(list)};
  }
  if (std::holds_alternative<script::DictDisplay>(e->kind)) {
    Attrs attrs = attribute_dict(r, e);
    if (failed(r)) return std::nullopt;
    return AttrValue{std::move(attrs)};
  }
  if (const std::optional<NamedCall> call = named_call(e)) {
    if (call->name == "T.float32" && call->call->args.size() == 1) {
      const tir::PrimExpr number = scalar(r, e);
      const auto* imm = number ? std::get_if<tir::FloatImm>(&number->kind) : nullptr;
      if (imm) return AttrValue{AttrFloat32{imm->value}};
    }
  }
  fail(r, e->at, codes::kTextArgument,
       "an attribute is a number, a string, None, or a list or dict of these");
  return std::nullopt;
}

Attrs attribute_dict(Reader& r, const ExprRef& e) {
  Attrs attrs;
  const auto* dict = std::get_if<script::DictDisplay>(&e->kind);
  if (!dict) {
    fail(r, e->at, codes::kTextArgument, "attributes stand in a dict: {\"name\": value}");
    return attrs;
  }
  for (const auto& item : dict->items) {
    std::string key = string_of(r, item.first, "the name of an attribute");
    if (!failed(r) && find_attr(attrs, key)) {
      fail(r, item.first->at, codes::kTextArgument,
           "the attribute " + quote(key) + " is given twice");
    }
    std::optional<AttrValue> value = attribute(r, item.second, key);
    if (!value) return attrs;
    attrs.emplace_back(std::move(key), std::move(*value));
  }
  return attrs;
}

}  // namespace fx2wasm::parse
