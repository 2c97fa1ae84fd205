// relax.op: one builtin per operator, with TVM's argument order and defaults.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "builder/relax_ops.h"
#include "ir/op.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "script/convert.h"
#include "script/names.h"
#include "support/check.h"
#include "support/text.h"

namespace fx2wasm::script {
namespace {

// The operators whose signature is more than tensors. `name:kind=default`; kinds of arguments:
// shape, tensors (a list), numbers (a list of prim values), number; of attributes: int, ints,
// bool, float, str, dtype, each with ? where None is allowed; `axesN` N integers, `sidesN` 2·N
// (one, N or 2·N are given).
constexpr std::array<std::string_view, 58> kSignatures = {
    "matmul(x1, x2, out_dtype:dtype?=None)",
    "astype(x, dtype:dtype)",
    "permute_dims(x, axes:ints?=None)",
    "reshape(x, shape:shape)",
    "broadcast_to(x, shape:shape)",
    "expand_dims(x, axis:ints)",
    "squeeze(x, axis:ints?=None)",
    "concat(tensors:tensors, axis:int?=0)",
    "stack(tensors:tensors, axis:int=0)",
    "split(x, indices_or_sections:split, axis:int=0)",
    "flip(data, axis:int)",
    "take(x, indices, axis:int?=None, mode:str='fast')",
    "tile(data, repeats:ints)",
    "strided_slice(x, axes:numbers, begin:numbers, end:numbers, strides:numbers=None, "
    "assume_inbound:bool=False)",
    "tril(x, k:number=0)",
    "triu(x, k:number=0)",
    "clip(x, min:number, max:number)",
    "cumsum(data, axis:int?=None, dtype:dtype?=None, exclusive:bool=False)",
    "cumprod(data, axis:int?=None, dtype:dtype?=None, exclusive:bool=False)",
    "sum(x, axis:ints?=None, keepdims:bool=False)",
    "mean(x, axis:ints?=None, keepdims:bool=False)",
    "max(x, axis:ints?=None, keepdims:bool=False)",
    "min(x, axis:ints?=None, keepdims:bool=False)",
    "prod(x, axis:ints?=None, keepdims:bool=False)",
    "std(x, axis:ints?=None, keepdims:bool=False)",
    "variance(x, axis:ints?=None, keepdims:bool=False)",
    "argmax(x, axis:int?=None, keepdims:bool=False)",
    "argmin(x, axis:int?=None, keepdims:bool=False)",
    "zeros(shape:shape, dtype:dtype)",
    "ones(shape:shape, dtype:dtype)",
    "zeros_like(x, dtype:dtype?=None)",
    "ones_like(x, dtype:dtype?=None)",
    "full(shape:shape, fill_value, dtype:dtype?=None)",
    "full_like(x, fill_value, dtype:dtype?=None)",
    "nn.softmax(data, axis:int=-1)",
    "nn.log_softmax(data, axis:int=-1)",
    "nn.leakyrelu(data, alpha:float=0.01)",
    "nn.prelu(data, alpha, axis:int=1)",
    "nn.softplus(data, beta:float=1.0, threshold:float=20.0)",
    "nn.layer_norm(data, gamma, beta, axes:ints, epsilon:float=1e-05, center:bool=True, "
    "scale:bool=True)",
    "nn.group_norm(data, gamma, beta, num_groups:int, channel_axis:int, axes:ints, "
    "epsilon:float=1e-05, center:bool=True, scale:bool=True)",
    "nn.batch_norm(data, gamma, beta, moving_mean, moving_var, axis:int, epsilon:float=1e-05, "
    "center:bool=True, scale:bool=True, momentum:float=0.1, training:bool=True)",
    "nn.conv1d(data, weight, strides:axes1=1, padding:sides1=0, dilation:axes1=1, groups:int=1, "
    "data_layout:str='NCW', kernel_layout:str='OIW', out_layout:str?=None, out_dtype:dtype?=None)",
    "nn.conv2d(data, weight, strides:axes2=1, padding:sides2=0, dilation:axes2=1, groups:int=1, "
    "data_layout:str='NCHW', kernel_layout:str='OIHW', out_layout:str?=None, "
    "out_dtype:dtype?=None)",
    "nn.conv3d(data, weight, strides:axes3=1, padding:sides3=0, dilation:axes3=1, groups:int=1, "
    "data_layout:str='NCDHW', kernel_layout:str='OIDHW', out_layout:str?=None, "
    "out_dtype:dtype?=None)",
    "nn.conv1d_transpose(data, weight, strides:axes1=1, padding:sides1=0, output_padding:axes1=0, "
    "dilation:axes1=1, groups:int=1, data_layout:str='NCW', kernel_layout:str='IOW', "
    "out_layout:str?=None, out_dtype:dtype?=None)",
    "nn.conv2d_transpose(data, weight, strides:axes2=1, padding:sides2=0, output_padding:axes2=0, "
    "dilation:axes2=1, groups:int=1, data_layout:str='NCHW', kernel_layout:str='IOHW', "
    "out_layout:str?=None, out_dtype:dtype?=None)",
    "nn.conv3d_transpose(data, weight, strides:axes3=1, padding:sides3=0, output_padding:axes3=0, "
    "dilation:axes3=1, groups:int=1, data_layout:str='NCDHW', kernel_layout:str='IODHW', "
    "out_layout:str?=None, out_dtype:dtype?=None)",
    "nn.max_pool1d(data, pool_size:axes1=1, strides:axes1=1, padding:sides1=0, dilation:axes1=1, "
    "ceil_mode:bool=False, count_include_pad:bool=False, layout:str='NCW', out_layout:str?=None)",
    "nn.max_pool2d(data, pool_size:axes2=1, strides:axes2=1, padding:sides2=0, dilation:axes2=1, "
    "ceil_mode:bool=False, count_include_pad:bool=False, layout:str='NCHW', out_layout:str?=None)",
    "nn.max_pool3d(data, pool_size:axes3=1, strides:axes3=1, padding:sides3=0, dilation:axes3=1, "
    "ceil_mode:bool=False, count_include_pad:bool=False, layout:str='NCDHW', out_layout:str?=None)",
    "nn.avg_pool1d(data, pool_size:axes1=1, strides:axes1=1, padding:sides1=0, dilation:axes1=1, "
    "ceil_mode:bool=False, count_include_pad:bool=True, layout:str='NCW', out_layout:str?=None)",
    "nn.avg_pool2d(data, pool_size:axes2=1, strides:axes2=1, padding:sides2=0, dilation:axes2=1, "
    "ceil_mode:bool=False, count_include_pad:bool=False, layout:str='NCHW', out_layout:str?=None)",
    "nn.avg_pool3d(data, pool_size:axes3=1, strides:axes3=1, padding:sides3=0, dilation:axes3=1, "
    "ceil_mode:bool=False, count_include_pad:bool=True, layout:str='NCDHW', out_layout:str?=None)",
    "nn.adaptive_avg_pool1d(data, output_size:axes1?=None, layout:str='NCW', "
    "out_layout:str?=None)",
    "nn.adaptive_avg_pool2d(data, output_size:axes2?=None, layout:str='NCHW', "
    "out_layout:str?=None)",
    "nn.adaptive_avg_pool3d(data, output_size:axes3?=None, layout:str='NCDHW', "
    "out_layout:str?=None)",
    "nn.pixel_shuffle(data, upscale_factor:int)",
};

struct Slot {
  std::string name, kind;
  std::string default_value;
  bool has_default = false;
  bool is_attr = false;
};
struct Signature {
  const relax::OpInfo* op = nullptr;
  std::vector<Slot> slots;
};

bool ends_with(std::string_view text, char c) { return !text.empty() && text.back() == c; }

Slot parse_slot(std::string_view text, const relax::OpInfo& op) {
  Slot slot;
  const size_t equals = text.find('=');
  if (equals != std::string_view::npos) {
    slot.default_value = std::string(text.substr(equals + 1));
    slot.has_default = true;
    text = text.substr(0, equals);
  }
  const size_t colon = text.find(':');
  slot.name = std::string(text.substr(0, colon));
  slot.kind = colon == std::string_view::npos ? "" : std::string(text.substr(colon + 1));
  slot.is_attr =
      std::find(op.attrs.begin(), op.attrs.end(), std::string_view(slot.name)) != op.attrs.end();
  return slot;
}

Signature parse_signature(std::string_view text) {
  Signature signature;
  const size_t open = text.find('(');
  signature.op = relax::find_op(text.substr(0, open));
  FX_CHECK(signature.op != nullptr, "a signature names no operator");
  std::string word;
  for (char c : text.substr(open + 1)) {
    if (c == ',' || c == ')') {
      signature.slots.push_back(parse_slot(word, *signature.op));
      word.clear();
    } else if (c != ' ') {
      word += c;
    }
  }
  return signature;
}

Value default_of(const Slot& slot) {
  const std::string& text_form = slot.default_value;
  if (text_form == "None") return Value(None{});
  if (text_form == "True" || text_form == "False") return Value(text_form == "True");
  if (text_form[0] == '\'') return text(text_form.substr(1, text_form.size() - 2));
  if (slot.kind == "float") return Value(std::strtod(text_form.c_str(), nullptr));
  return Value(static_cast<int64_t>(std::strtoll(text_form.c_str(), nullptr, 10)));
}

Result<relax::Expr> number_argument(const Value& value, const std::string& what) {
  if (const auto* expr = value.as<relax::Expr>()) return *expr;
  if (const auto known = known_int(value)) {
    return relax::prim_value(tir::int_imm(DType::Int64, *known));
  }
  FX_TRY(expr, to_prim(value, what));
  return relax::prim_value(expr);
}

Result<relax::Expr> argument(const Slot& slot, const Value& value, const std::string& what) {
  if (slot.kind == "shape") {
    if (const auto* expr = value.as<relax::Expr>()) return *expr;
    const std::vector<Value> single = {value};
    const std::vector<Value>* items = items_of(value);
    if (items == nullptr) items = &single;
    std::vector<tir::PrimExpr> shape;
    for (const Value& item : *items) {
      FX_TRY(extent, to_prim(item, what));
      if (!is_integer(extent->dtype)) return type_error(what + " has integers");
      shape.push_back(tir::cast(DType::Int64, extent));
    }
    return relax::shape_expr(std::move(shape));
  }
  if (slot.kind == "number") return number_argument(value, what);
  if (slot.kind == "numbers") {
    std::vector<relax::Expr> fields;
    const std::vector<Value>* items = items_of(value);
    if (items == nullptr) return type_error(what + " is a list of integers");
    for (const Value& item : *items) {
      FX_TRY(field, number_argument(item, what));
      fields.push_back(field);
    }
    return relax::tuple_expr(std::move(fields));
  }
  if (slot.kind == "tensors" && items_of(value) == nullptr && value.as<relax::Expr>() == nullptr) {
    return type_error(what + " is a list of relax expressions");
  }
  if (is_scalar(value)) {
    return type_error(what + " is a relax expression; write relax.const(" + repr(value) +
                      ", \"float32\")");
  }
  return to_graph(value, what);
}

// One number for all, or one each; `sides` may also give one per dimension, for both its ends.
Result<AttrValue> per_axis(const Value& value, const std::string& what, size_t count, bool sides) {
  FX_TRY(given, to_ints(value, what));
  const size_t full = sides ? 2 * count : count;
  std::vector<int64_t> out;
  if (given.size() == 1) {
    out.assign(full, given[0]);
  } else if (given.size() == full) {
    out = given;
  } else if (sides && given.size() == count) {
    out = given;
    out.insert(out.end(), given.begin(), given.end());
  } else {
    return value_error(what + " has " + std::to_string(given.size()) + " numbers, not " +
                       std::to_string(count));
  }
  return relax::op::int_list(out);
}

Result<AttrValue> attribute(const Slot& slot, const Value& value, const std::string& what) {
  std::string kind = slot.kind;
  if (ends_with(kind, '?')) {
    if (value.is_none()) return AttrValue{AttrNone{}};
    kind.pop_back();
  }
  if (kind == "int") {
    FX_TRY(number, to_int(value, what));
    return AttrValue{number};
  }
  if (kind == "float") {
    FX_TRY(number, to_double(value, what));
    return AttrValue{number};
  }
  if (kind == "bool") {
    FX_TRY(flag, to_bool(value, what));
    return AttrValue{flag};
  }
  if (kind == "str") {
    FX_TRY(word, to_text(value, what));
    return AttrValue{word};
  }
  if (kind == "dtype") {
    FX_TRY(dtype, to_dtype(value, what));
    return AttrValue{dtype};
  }
  if (kind == "split" && items_of(value) == nullptr) {
    FX_TRY(number, to_int(value, what));
    return AttrValue{number};
  }
  if (kind.rfind("axes", 0) == 0 || kind.rfind("sides", 0) == 0) {
    const bool sides = kind[0] == 's';
    return per_axis(value, what, static_cast<size_t>(kind.back() - '0'), sides);
  }
  FX_TRY(numbers, to_ints(value, what));
  return relax::op::int_list(numbers);
}

Result<Value> emit_call(Interpreter& in, const Signature& signature, const std::string& name,
                        const BoundArgs& args) {
  std::vector<relax::Expr> exprs;
  Attrs attrs;
  for (size_t i = 0; i < signature.slots.size(); ++i) {
    const Slot& slot = signature.slots[i];
    const Value value = args.given[i] || !slot.has_default ? args[i] : default_of(slot);
    const std::string what = "the argument " + quote(slot.name) + " of " + name;
    if (slot.is_attr) {
      FX_TRY(attr, attribute(slot, value, what));
      attrs.emplace_back(slot.name, attr);
    } else if (!value.is_none() || !slot.has_default) {
      FX_TRY(expr, argument(slot, value, what));
      exprs.push_back(expr);
    } else if (slot.name == "strides") {
      // As many ones as there are axes, as TVM fills them in.
      const auto* axes = std::get_if<relax::Tuple>(&exprs[1]->kind);
      const size_t count = axes != nullptr ? axes->fields.size() : 1;
      exprs.push_back(relax::tuple_expr(
          std::vector<relax::Expr>(count, relax::prim_value(tir::int_imm(DType::Int64, 1)))));
    }
  }
  // A size of -1 is what the others leave.
  if (signature.op->name == "reshape") {
    if (const auto* shape = std::get_if<relax::ShapeExpr>(&exprs[1]->kind)) {
      return in.graph(relax::op::reshape(exprs[0], shape->values));
    }
  }
  // The layout of the result is that of the data unless it is given.
  for (auto& [key, attr] : attrs) {
    if (key != "out_layout" || !std::holds_alternative<AttrNone>(attr.value)) continue;
    const AttrValue* layout = find_attr(attrs, "data_layout");
    if (layout == nullptr) layout = find_attr(attrs, "layout");
    if (layout != nullptr) attr = *layout;
  }
  return in.graph(relax::op::call(signature.op->name, std::move(exprs), std::move(attrs)));
}

Result<Value> linear(Interpreter& in, const BoundArgs& args) {
  FX_TRY(x, to_graph(args[0], "the data of relax.op.linear"));
  FX_TRY(weight, to_graph(args[1], "the weight of relax.op.linear"));
  std::optional<relax::Expr> bias;
  if (!args[2].is_none()) {
    FX_TRY(given, to_graph(args[2], "the bias of relax.op.linear"));
    bias = given;
  }
  std::optional<DType> out_dtype;
  if (!args[3].is_none()) {
    FX_TRY(given, to_dtype(args[3], "the out_dtype of relax.op.linear"));
    out_dtype = given;
  }
  if (!weight->type) {
    return type_error("the type of the weight is not known yet; bind it with bb.emit");
  }
  return in.graph(relax::op::linear(x, weight, bias, out_dtype));
}

}  // namespace

void add_relax_operators(Interpreter& interpreter, Namespace& space) {
  Namespace* nn = interpreter.heap().space("relax.op.nn");
  space.names["nn"] = Value(static_cast<const Namespace*>(nn));
  const auto add = [&](Signature signature) {
    std::string name(signature.op->name);
    const bool in_nn = name.rfind("nn.", 0) == 0;
    if (!in_nn && name.find('.') != std::string::npos) return;
    std::string full = "relax.op." + name;
    std::string params;
    for (const Slot& slot : signature.slots) {
      params += (params.empty() ? "" : ", ") + slot.name + (slot.has_default ? "?" : "");
    }
    define(interpreter, in_nn ? *nn : space, full + "(" + params + ")",
           [signature, full](Interpreter& in, const BoundArgs& args) {
             return emit_call(in, signature, full, args);
           });
  };
  for (std::string_view text : kSignatures) add(parse_signature(text));
  // The others without attributes take tensors only.
  for (const relax::OpInfo& op : relax::all_ops()) {
    const std::string_view short_name = op.name.substr(op.name.rfind('.') + 1);
    const Namespace& where = op.name.rfind("nn.", 0) == 0 ? *nn : space;
    if (!op.attrs.empty() || where.names.count(std::string(short_name)) > 0) continue;
    Signature signature;
    signature.op = &op;
    for (std::string_view arg : op.args)
      signature.slots.push_back({std::string(arg), "", "", false, false});
    add(std::move(signature));
  }
  define(interpreter, space, "relax.op.linear(data, weight, bias?, out_dtype?)", linear);
  for (const char* name : {"relu", "gelu", "silu", "softmax", "log_softmax", "conv2d", "max_pool2d",
                           "layer_norm", "dropout"}) {
    space.hints[name] = "today's TVM calls it relax.op.nn." + std::string(name);
  }
  space.hints["dense"] = "today's TVM calls it relax.op.linear(x, weight, bias)";
  nn->hints["dense"] = "today's TVM calls it relax.op.linear(x, weight, bias)";
  space.hints["transpose"] = "today's TVM calls it relax.op.permute_dims";
  space.hints["concatenate"] = "today's TVM calls it relax.op.concat";
}

}  // namespace fx2wasm::script
