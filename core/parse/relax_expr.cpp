// Relax expressions: what stands right of `=`, and arguments.
#include <algorithm>
#include <string>
#include <utility>

#include "ir/op.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "parse/reader.h"
#include "parse/relax_constant.h"
#include "support/text.h"

namespace fx2wasm::parse {

using relax::Expr;

namespace {

Expr tuple(Reader& r, const std::vector<ExprRef>& items) {
  std::vector<Expr> fields;
  for (const ExprRef& item : items) {
    Expr field = argument(r, item);
    if (!field) return nullptr;
    fields.push_back(std::move(field));
  }
  return relax::tuple_expr(std::move(fields));
}

// lv[0]
Expr tuple_item(Reader& r, const ExprRef& e, const script::Subscript& subscript) {
  Expr object = argument(r, subscript.object);
  if (!object) return nullptr;
  const auto* index = std::get_if<int64_t>(&subscript.index->kind);
  const relax::TupleType* type = relax::as_tuple(object->type);
  if (!type || !index) {
    return fail(r, e->at, codes::kTextType, "only a tuple has items, by their number");
  }
  if (*index < 0 || static_cast<size_t>(*index) >= type->fields.size()) {
    return fail(r, e->at, codes::kTextType,
                "the tuple has " + std::to_string(type->fields.size()) + " items, none is " +
                    std::to_string(*index));
  }
  return relax::tuple_get_item(std::move(object), static_cast<int>(*index));
}

Expr shape(Reader& r, const NamedCall& call) {
  const std::vector<ExprRef> args = bind(r, call, {"values"}, 1);
  if (failed(r)) return nullptr;
  const std::vector<ExprRef>* items = items_of(args[0]);
  if (!items) return fail(r, args[0]->at, codes::kTextArgument, "R.shape takes a list: [4, n]");
  std::vector<tir::PrimExpr> values;
  for (const ExprRef& item : *items) {
    tir::PrimExpr extent = scalar(r, item);  // -1 may stand in a reshape
    if (!extent) return nullptr;
    if (!is_integer(extent->dtype)) {
      return fail(r, item->at, codes::kTextType, "a dimension must be an integer");
    }
    values.push_back(tir::cast(DType::Int64, std::move(extent)));
  }
  return relax::shape_expr(std::move(values));
}

// The calls that are arguments too; nothing for all others.
std::optional<Expr> leaf_call(Reader& r, const NamedCall& call) {
  if (call.name == "R.const") return scalar_constant(r, call);
  if (call.name == "R.shape") return shape(r, call);
  if (call.name == "R.tuple") {
    const std::optional<std::vector<ExprRef>> items = positional(r, call);
    return items ? tuple(r, *items) : nullptr;
  }
  const bool text = call.name == "R.str";
  if (!text && call.name != "R.dtype" && call.name != "R.prim_value") return std::nullopt;
  const std::vector<ExprRef> args = bind(r, call, {"value"}, 1);
  if (failed(r)) return Expr(nullptr);
  if (call.name == "R.prim_value") {
    tir::PrimExpr number = scalar(r, args[0]);
    return number ? relax::prim_value(std::move(number)) : nullptr;
  }
  const relax::Type any = relax::make_type(relax::AnyType{});
  if (text) {
    std::string value = string_of(r, args[0], "R.str's value");
    return failed(r) ? nullptr : relax::make_expr(any, relax::StringImm{std::move(value)});
  }
  const std::optional<DType> dtype = dtype_of(r, args[0]);
  return dtype ? relax::make_expr(any, relax::DataTypeImm{*dtype}) : nullptr;
}

std::string missing_names(const std::vector<std::string_view>& names) {
  return "it needs " + join_words(names) + " too, as the printed text gives them all";
}

Expr op_call(Reader& r, const NamedCall& call, const relax::Type& expected) {
  const std::string name = call.name.substr(2);
  const relax::OpInfo* op = relax::find_op(name);
  if (!op) {
    std::vector<std::string_view> known;
    for (const relax::OpInfo& info : relax::all_ops()) known.push_back(info.name);
    return fail(r, call.at, codes::kTextName,
                "there is no operator " + quote(call.name) + did_you_mean(name, known));
  }
  relax::OpCall result;
  result.op = op;
  std::vector<Expr> args(op->args.size());
  std::vector<std::optional<AttrValue>> attrs(op->attrs.size());
  size_t next = 0;
  for (const script::CallArgument& given : call.call->args) {
    const Position at = given.value->at;
    const auto attr = std::find(op->attrs.begin(), op->attrs.end(), given.name);
    if (!given.name.empty() && attr != op->attrs.end()) {
      attrs[static_cast<size_t>(attr - op->attrs.begin())] = attribute(r, given.value, given.name);
      if (failed(r)) return nullptr;
      continue;
    }
    const auto arg = std::find(op->args.begin(), op->args.end(), given.name);
    if (given.star || (!given.name.empty() && arg == op->args.end())) {
      std::vector<std::string_view> known(op->args.begin(), op->args.end());
      known.insert(known.end(), op->attrs.begin(), op->attrs.end());
      return fail(r, at, codes::kTextArgument,
                  call.name + ": no argument is named " + quote(given.name) +
                      did_you_mean(given.name, known));
    }
    const size_t index = given.name.empty() ? next++ : static_cast<size_t>(arg - op->args.begin());
    if (index >= args.size()) {
      return fail(r, at, codes::kTextArgument,
                  call.name + " takes " + std::to_string(args.size()) + " arguments");
    }
    args[index] = argument(r, given.value);
    if (!args[index]) return nullptr;
  }
  std::vector<std::string_view> missing;
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i]) {
      result.args.push_back(std::move(args[i]));
    } else if (i < op->min_args || (i + 1 < args.size() && args[i + 1])) {
      missing.push_back(op->args[i]);
    }
  }
  for (size_t i = 0; i < attrs.size(); ++i) {
    if (attrs[i]) {
      result.attrs.emplace_back(op->attrs[i], std::move(*attrs[i]));
    } else {
      missing.push_back(op->attrs[i]);
    }
  }
  if (!missing.empty()) {
    return fail(r, call.at, codes::kTextArgument, call.name + ": " + missing_names(missing));
  }
  if (expected) return relax::make_expr(expected, std::move(result));
  if (!r.options.infer_type) {
    return fail(r, call.at, codes::kTextType,
                "the type of this result is missing: lv: R.Tensor(…) = " + call.name + "(…)");
  }
  Result<relax::Type> inferred = r.options.infer_type(result);
  if (inferred.ok()) return relax::make_expr(inferred.value(), std::move(result));
  return fail(r, call.at, codes::kTextType, inferred.diagnostics().front().message);
}

std::vector<relax::Type> out_types(Reader& r, const ExprRef& e) {
  std::vector<relax::Type> types;
  for (const ExprRef& item : listed(e)) {
    relax::Type out = type(r, item);
    if (!out) return types;
    if (!relax::as_tensor(out)) {
      fail(r, item->at, codes::kTextType, "out_ty holds tensors: R.Tensor((4, 8), dtype=…)");
    }
    types.push_back(std::move(out));
  }
  return types;
}

relax::Type result_type(const std::vector<relax::Type>& types) {
  return types.size() == 1 ? types[0] : relax::make_type(relax::TupleType{types});
}

// The tensors of call_tir's second argument; numbers in it are symbols and go to `symbols`.
std::vector<Expr> call_arguments(Reader& r, const ExprRef& e, std::vector<tir::PrimExpr>* symbols) {
  std::vector<Expr> args;
  const std::optional<NamedCall> call = named_call(e);
  std::vector<ExprRef> items = listed(e);
  if (call && call->name == "R.tuple") items = positional(r, *call).value_or(items);
  for (const ExprRef& item : items) {
    Expr arg = argument(r, item);
    if (!arg) return args;
    const auto* number = std::get_if<relax::PrimValue>(&arg->kind);
    if (number && symbols) {
      symbols->push_back(number->value);
    } else if (symbols && !symbols->empty()) {
      fail(r, item->at, codes::kTextArgument, "the symbols of R.call_tir follow the tensors");
    } else {
      args.push_back(std::move(arg));
    }
  }
  return args;
}

std::string callee(Reader& r, const ExprRef& e) {
  const auto* attribute = std::get_if<script::Attribute>(&e->kind);
  const std::string object = attribute ? dotted(attribute->object) : "";
  if (object.empty() || (object != r.module_alias && object != r.module_name)) {
    fail(r, e->at, codes::kTextName, "expected a function of the module: cls.name");
    return "";
  }
  if (r.functions.count(attribute->name) == 0) {
    const std::vector<std::string_view> known(r.functions.begin(), r.functions.end());
    fail(r, attribute->name_at, codes::kTextName,
         "the module has no function " + quote(attribute->name) +
             did_you_mean(attribute->name, known));
  }
  return attribute->name;
}

Expr call_tir(Reader& r, const NamedCall& call) {
  const std::vector<ExprRef> args =
      bind(r, call, {"func", "args", "out_ty", "tir_vars", "out_sinfo"}, 2);
  if (failed(r)) return nullptr;
  const ExprRef& out = args[2] ? args[2] : args[4];
  if (!out) return fail(r, call.at, codes::kTextArgument, "R.call_tir: out_ty is missing");
  relax::CallTIR result;
  result.func.name = callee(r, args[0]);
  if (failed(r)) return nullptr;
  result.args = call_arguments(r, args[1], &result.tir_vars);
  result.out_types = out_types(r, out);
  if (args[3] && !failed(r)) {
    const Expr symbols = argument(r, args[3]);
    const auto* values = symbols ? std::get_if<relax::ShapeExpr>(&symbols->kind) : nullptr;
    if (!values) return fail(r, args[3]->at, codes::kTextArgument, "tir_vars is R.shape([…])");
    result.tir_vars = values->values;
  }
  if (failed(r)) return nullptr;
  const auto func = r.prim_funcs.find(result.func.name);
  for (size_t i = 0; func != r.prim_funcs.end() && i < result.args.size(); ++i) {
    const std::vector<tir::Param>& params = func->second->params;
    const auto* buffer = i < params.size() ? std::get_if<tir::Buffer>(&params[i]) : nullptr;
    if (!buffer) continue;
    relax::TensorType wanted;
    wanted.shape = (*buffer)->shape;
    wanted.dtype = (*buffer)->dtype;
    learn_type(r, args[1]->at, result.args[i], wanted);
  }
  relax::Type type = result_type(result.out_types);
  return relax::make_expr(std::move(type), std::move(result));
}

Expr call_dps_packed(Reader& r, const NamedCall& call) {
  const std::vector<ExprRef> args = bind(r, call, {"func", "args", "out_ty", "out_sinfo"}, 2);
  if (failed(r)) return nullptr;
  const ExprRef& out = args[2] ? args[2] : args[3];
  if (!out) return fail(r, call.at, codes::kTextArgument, "R.call_dps_packed: out_ty is missing");
  relax::CallDPSPacked result;
  result.func.global_symbol = string_of(r, args[0], "the library function's name");
  if (failed(r)) return nullptr;
  result.args = call_arguments(r, args[1], nullptr);
  result.out_types = out_types(r, out);
  if (failed(r)) return nullptr;
  relax::Type type = result_type(result.out_types);
  return relax::make_expr(std::move(type), std::move(result));
}

// Is `e` a part of Relax, and no scalar expression?
bool is_relax_name(const Reader& r, const ExprRef& e) {
  const auto* name = std::get_if<script::Name>(&e->kind);
  const Named* named = name ? find_name(r, name->name) : nullptr;
  return named && named->value;
}

}  // namespace

Expr argument(Reader& r, const ExprRef& e) {
  if (failed(r) || !e) return nullptr;
  if (is_relax_name(r, e)) {
    return relax::var_expr(find_name(r, std::get<script::Name>(e->kind).name)->value);
  }
  if (is_metadata(e)) return metadata(r, e);
  if (const std::vector<ExprRef>* items = items_of(e)) return tuple(r, *items);
  if (const auto* subscript = std::get_if<script::Subscript>(&e->kind)) {
    return tuple_item(r, e, *subscript);
  }
  if (const std::optional<NamedCall> call = named_call(e)) {
    if (const std::optional<Expr> leaf = leaf_call(r, *call)) return *leaf;
    if (call->name.substr(0, 2) == "R.") {
      return fail(r, e->at, codes::kTextStructure, "a call inside a call needs a name of its own",
                  "bind it to a variable on the line before");
    }
  }
  tir::PrimExpr number = scalar(r, e);
  return number ? relax::prim_value(std::move(number)) : nullptr;
}

Expr value(Reader& r, const ExprRef& e, const relax::Type& expected) {
  if (failed(r) || !e) return nullptr;
  const std::optional<NamedCall> call = named_call(e);
  if (call && call->name == "R.call_tir") return call_tir(r, *call);
  if (call && call->name == "R.call_dps_packed") return call_dps_packed(r, *call);
  const bool leaf = !call || call->name.substr(0, 2) != "R." || call->name == "R.const" ||
                    call->name == "R.shape" || call->name == "R.tuple" || call->name == "R.str" ||
                    call->name == "R.dtype" || call->name == "R.prim_value";
  if (!leaf) return op_call(r, *call, expected);
  Expr result = argument(r, e);
  if (!result || !expected) return result;
  // An annotation tells what opaque constants are.
  if (const relax::TensorType* tensor = relax::as_tensor(expected)) {
    learn_type(r, e->at, result, *tensor);
  }
  const auto* fields = std::get_if<relax::Tuple>(&result->kind);
  const relax::TupleType* types = relax::as_tuple(expected);
  for (size_t i = 0; fields && types && i < fields->fields.size() && i < types->fields.size();
       ++i) {
    const relax::TensorType* tensor = relax::as_tensor(types->fields[i]);
    if (tensor) learn_type(r, e->at, fields->fields[i], *tensor);
  }
  return result;
}

}  // namespace fx2wasm::parse
