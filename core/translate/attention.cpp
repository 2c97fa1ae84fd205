// Attention.
#include <cmath>
#include <limits>

#include "builder/constant_value.h"
#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/promote.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

using Extents = std::vector<tir::PrimExpr>;

// Query (…, L, E), key (…, S, E) and value (…, S, V) of one floating dtype.
struct Attention {
  relax::Expr query, key, value;
  std::optional<relax::Expr> mask;  // broadcasts to (…, L, S); bools or what is added
  bool causal = false;
  std::optional<double> scale;
};

const Extents& extents_of(const relax::Expr& x) { return *relax::as_tensor(x)->shape; }

Extents leading(const relax::Expr& x) {
  const Extents& shape = extents_of(x);
  return Extents(shape.begin(), shape.end() - 2);
}

Extents joined(Extents lead, const tir::PrimExpr& rows, const tir::PrimExpr& columns) {
  lead.push_back(rows);
  lead.push_back(columns);
  return lead;
}

bool same_extents(const Extents& a, const Extents& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!infer::provably_equal(a[i], b[i])) return false;
  }
  return true;
}

relax::Expr number_of(DType dtype, double value) {
  return relax::constant_expr(scalar_constant(dtype, value));
}

Result<relax::Expr> broadcast_lead(Call& call, const relax::Expr& x, const Extents& lead) {
  if (same_extents(leading(x), lead)) return x;
  const Extents& shape = extents_of(x);
  const Extents wanted = joined(lead, shape[shape.size() - 2], shape.back());
  return call.builder.emit(relax::op::call("broadcast_to", {x, relax::shape_expr(wanted)}));
}

// The heads (the third axis from the end) repeated until there are as many as the query has.
Result<relax::Expr> repeat_heads(Call& call, std::string_view name, const relax::Expr& x,
                                 const tir::PrimExpr& heads) {
  const Extents shape = extents_of(x);
  if (shape.size() < 3) {
    return call.argument_error(name, "enable_gqa=True needs an axis of heads, not the shape " +
                                         shape_text(*relax::as_tensor(x)));
  }
  const size_t axis = shape.size() - 3;
  if (infer::provably_equal(shape[axis], heads)) return x;
  const std::optional<int64_t> own = tir::as_int(shape[axis]), all = tir::as_int(heads);
  if (!own || !all || *own == 0 || *all % *own != 0) {
    return call.argument_error(name,
                               "the heads of the query are a multiple of those of the shape " +
                                   shape_text(*relax::as_tensor(x)));
  }
  Extents grouped = shape, repeated = shape, flat = shape;
  grouped.insert(grouped.begin() + static_cast<std::ptrdiff_t>(axis) + 1, infer::extent_of(1));
  repeated.insert(repeated.begin() + static_cast<std::ptrdiff_t>(axis) + 1,
                  infer::extent_of(*all / *own));
  flat[axis] = heads;
  FX_TRY(groups, call.builder.emit(relax::op::reshape(x, grouped)));
  FX_TRY(copies,
         call.builder.emit(relax::op::call("broadcast_to", {groups, relax::shape_expr(repeated)})));
  return call.builder.emit(relax::op::reshape(copies, flat));
}

Result<relax::Expr> emit_attention_op(Call& call, const Attention& a, const relax::Expr& query,
                                      const relax::Expr& key, const relax::Expr& value) {
  std::vector<relax::Expr> args = {query, key, value};
  if (a.mask) args.push_back(*a.mask);
  const AttrValue scale = a.scale ? AttrValue{AttrFloat32{*a.scale}} : AttrValue{AttrNone{}};
  const AttrValue causal = a.causal ? AttrValue{std::string("TopLeft")} : AttrValue{AttrNone{}};
  return call.builder.emit(
      relax::op::call(a.mask ? "nn.attention_bias" : "nn.attention", args,
                      {{"scale", scale}, {"causal_mask", causal}, {"window_size", {AttrNone{}}}}));
}

// (batch, heads, places, width), as TVM's importer takes it.
Result<relax::Expr> of_heads(Call& call, const Attention& a) {
  const std::vector<int64_t> order = {0, 2, 1, 3};
  FX_TRY(query, call.builder.emit(relax::op::permute_dims(a.query, order)));
  FX_TRY(key, call.builder.emit(relax::op::permute_dims(a.key, order)));
  FX_TRY(value, call.builder.emit(relax::op::permute_dims(a.value, order)));
  FX_TRY(out, emit_attention_op(call, a, query, key, value));
  return call.builder.emit(relax::op::permute_dims(out, order));
}

Extents one_head(const relax::Expr& x) {
  tir::PrimExpr batch = infer::extent_of(1);
  for (const tir::PrimExpr& extent : leading(x)) batch = tir::mul(batch, extent);
  const Extents& shape = extents_of(x);
  return {infer::simplify(batch), shape[shape.size() - 2], infer::extent_of(1), shape.back()};
}

// Any leading axes: all of them are one batch of a single head.
Result<relax::Expr> of_batches(Call& call, const Attention& a) {
  FX_TRY(query, call.builder.emit(relax::op::reshape(a.query, one_head(a.query))));
  FX_TRY(key, call.builder.emit(relax::op::reshape(a.key, one_head(a.key))));
  FX_TRY(value, call.builder.emit(relax::op::reshape(a.value, one_head(a.value))));
  FX_TRY(out, emit_attention_op(call, a, query, key, value));
  const Extents& q = extents_of(a.query);
  return call.builder.emit(relax::op::reshape(
      out, joined(leading(a.query), q[q.size() - 2], extents_of(a.value).back())));
}

struct Attended {
  relax::Expr out, shares;
};
enum class HiddenRow { Zeros, NaN };  // what a query that sees no key gets

Result<relax::Expr> masked_shares(Call& call, relax::Expr scores, const relax::Expr& mask,
                                  HiddenRow hidden) {
  const DType dtype = *relax::as_tensor(scores)->dtype;
  const relax::Expr zero = number_of(dtype, 0),
                    lowest = number_of(dtype, -std::numeric_limits<double>::infinity());
  const bool choice = relax::as_tensor(mask)->dtype == DType::Bool;
  if (choice) {
    FX_TRY(chosen, call.builder.emit(relax::op::call("where", {mask, scores, lowest})));
    scores = chosen;
  } else {
    FX_TRY(addend, cast_to(call, mask, dtype));
    FX_TRY(sum, call.builder.emit(relax::op::add(scores, addend)));
    scores = sum;
  }
  FX_TRY(shares, call.builder.emit(relax::op::softmax(scores, -1)));
  if (hidden == HiddenRow::NaN) return shares;
  if (choice) {
    // Hidden keys have no share; where all are hidden the softmax is one of nothing.
    return call.builder.emit(relax::op::call("where", {mask, shares, zero}));
  }
  FX_TRY(largest,
         call.builder.emit(relax::op::call(
             "max", {scores}, {{"axis", relax::op::int_list({-1})}, {"keepdims", {true}}})));
  FX_TRY(none, call.builder.emit(relax::op::call("equal", {largest, lowest})));
  return call.builder.emit(relax::op::call("where", {none, zero, shares}));
}

// Step by step: matmul, scale, mask, softmax, matmul.
Result<Attended> by_steps(Call& call, const Attention& a, HiddenRow hidden) {
  const Extents q = extents_of(a.query);
  std::vector<int64_t> order;
  for (size_t i = 0; i < extents_of(a.key).size(); ++i) order.push_back(static_cast<int64_t>(i));
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  const std::optional<int64_t> width = tir::as_int(q.back());
  if (!a.scale && !width) {
    return call.error(codes::kShapeMismatch, "the width of the query is not known");
  }
  const DType dtype = *relax::as_tensor(a.query)->dtype;
  const double scale = a.scale.value_or(1 / std::sqrt(static_cast<double>(width.value_or(1))));
  FX_TRY(turned, call.builder.emit(relax::op::permute_dims(a.key, order)));
  FX_TRY(products, call.builder.emit(relax::op::matmul(a.query, turned, dtype)));
  FX_TRY(scores, call.builder.emit(relax::op::multiply(products, number_of(dtype, scale))));
  relax::Expr shares;
  if (a.mask) {
    const infer::Broadcast fit = infer::broadcast(extents_of(*a.mask), extents_of(scores));
    if (!fit.shape || !same_extents(*fit.shape, extents_of(scores))) {
      return call.error(codes::kShapeMismatch, "the mask of shape " +
                                                   shape_text(*relax::as_tensor(*a.mask)) +
                                                   " does not broadcast to the scores of shape " +
                                                   shape_text(*relax::as_tensor(scores)));
    }
    FX_TRY(masked, masked_shares(call, scores, *a.mask, hidden));
    shares = masked;
  } else {
    FX_TRY(all, call.builder.emit(relax::op::softmax(scores, -1)));
    shares = all;
  }
  FX_TRY(out, call.builder.emit(relax::op::matmul(shares, a.value, dtype)));
  return Attended{out, shares};
}

Result<relax::Expr> attention_operand(const Call& call, std::string_view name) {
  FX_TRY(x, call.tensor(name));
  const relax::TensorType* type = relax::as_tensor(x);
  if (type->ndim < 2 || !type->shape) {
    return call.argument_error(name, "the argument '" + std::string(name) +
                                         "' has two axes or more, of known extent, not the type " +
                                         describe_type({x}));
  }
  if (!is_float(*type->dtype)) {
    return call.argument_error(name, "attention takes floats, not " + describe_type({x}));
  }
  return x;
}

Result<Unit> check_operands(const Call& call, const Attention& a) {
  for (const relax::Expr* x : {&a.key, &a.value}) {
    if (relax::as_tensor(*x)->dtype != relax::as_tensor(a.query)->dtype) {
      return call.error(codes::kDtypeMismatch, "query, key and value have one dtype, not " +
                                                   describe_type({a.query}) + " and " +
                                                   describe_type({*x}));
    }
  }
  const Extents &q = extents_of(a.query), &k = extents_of(a.key), &v = extents_of(a.value);
  const auto differ = [](const tir::PrimExpr& x, const tir::PrimExpr& y) {
    return tir::as_int(x) && tir::as_int(y) && *tir::as_int(x) != *tir::as_int(y);
  };
  if (differ(q.back(), k.back()) || differ(k[k.size() - 2], v[v.size() - 2])) {
    return call.error(codes::kShapeMismatch, "the shapes " +
                                                 shape_text(*relax::as_tensor(a.query)) + ", " +
                                                 shape_text(*relax::as_tensor(a.key)) + " and " +
                                                 shape_text(*relax::as_tensor(a.value)) +
                                                 " of query, key and value do not fit");
  }
  return Unit{};
}

Result<Unit> read_mask(const Call& call, Attention& a) {
  FX_TRY(causal, call.boolean("is_causal", false));
  a.causal = causal;
  if (!call.has("attn_mask")) return Unit{};
  FX_TRY(mask, call.tensor("attn_mask"));
  if (causal) {
    return call.argument_error("attn_mask", "takes either attn_mask or is_causal=True");
  }
  const relax::TensorType* type = relax::as_tensor(mask);
  const bool taken = type->dtype == DType::Bool || type->dtype == DType::Float32 ||
                     type->dtype == relax::as_tensor(a.query)->dtype;
  if (!taken || !type->shape) {
    return call.argument_error(
        "attn_mask", "a mask is of bools or of the query's dtype, not " + describe_type({mask}));
  }
  a.mask = mask;
  return Unit{};
}

Result<Attention> read_attention(Call& call) {
  Attention a;
  FX_TRY(query, attention_operand(call, "query"));
  FX_TRY(key, attention_operand(call, "key"));
  FX_TRY(value, attention_operand(call, "value"));
  a.query = query, a.key = key, a.value = value;
  FX_TRY(checked, check_operands(call, a));
  FX_TRY(masked, read_mask(call, a));
  static_cast<void>(checked), static_cast<void>(masked);
  const Value& dropout = call.argument("dropout_p");
  if (!is_none(dropout) && as_number(dropout) != 0.0) {
    return call.argument_error("dropout_p",
                               "dropout_p is 0 in inference, not " + describe(dropout));
  }
  if (call.has("scale")) {
    a.scale = as_number(call.argument("scale"));
    if (!a.scale) {
      return call.argument_error("scale",
                                 "scale is a number, not " + describe(call.argument("scale")));
    }
  }
  FX_TRY(grouped, call.boolean("enable_gqa", false));
  if (!grouped) return a;
  const Extents q = extents_of(query);
  if (q.size() < 3) {
    return call.argument_error("query", "enable_gqa=True needs an axis of heads");
  }
  FX_TRY(keys, repeat_heads(call, "key", a.key, q[q.size() - 3]));
  FX_TRY(values, repeat_heads(call, "value", a.value, q[q.size() - 3]));
  a.key = keys, a.value = values;
  return a;
}

Result<Mapped> map_attention(Call& call) {
  FX_TRY(a, read_attention(call));
  const bool equal_lead = same_extents(leading(a.query), leading(a.key)) &&
                          same_extents(leading(a.query), leading(a.value));
  const relax::TensorType* mask = a.mask ? relax::as_tensor(*a.mask) : nullptr;
  if (mask != nullptr) {
    const bool plain = equal_lead && extents_of(a.query).size() == 4 && mask->ndim == 4 &&
                       mask->dtype == relax::as_tensor(a.query)->dtype;
    if (plain) {
      FX_TRY(result, of_heads(call, a));
      return Mapped{{result}};
    }
    FX_TRY(attended, by_steps(call, a, HiddenRow::Zeros));
    return Mapped{{attended.out}};
  }
  if (!equal_lead) {
    infer::Broadcast lead = infer::broadcast(leading(a.query), leading(a.key));
    if (lead.shape) lead = infer::broadcast(*lead.shape, leading(a.value));
    if (!lead.shape) {
      return call.error(codes::kShapeMismatch,
                        "the batches of query, key and value do not broadcast: " +
                            shape_text(*relax::as_tensor(a.query)) + ", " +
                            shape_text(*relax::as_tensor(a.key)) + " and " +
                            shape_text(*relax::as_tensor(a.value)));
    }
    for (relax::Expr* x : {&a.query, &a.key, &a.value}) {
      FX_TRY(wide, broadcast_lead(call, *x, *lead.shape));
      *x = wide;
    }
  }
  FX_TRY(result, extents_of(a.query).size() == 4 ? of_heads(call, a) : of_batches(call, a));
  return Mapped{{result}};
}

// ---- nn.MultiheadAttention ----

// The module's settings and its operands, which have the batch first: (N, L, E).
struct Multihead {
  int64_t width = 0, heads = 0;
  bool batched = true, batch_first = false;
  relax::Expr query, key, value;
};

Result<relax::Expr> batch_in_front(Call& call, const Multihead& m, const relax::Expr& x) {
  if (!m.batched) {
    return call.builder.emit(
        relax::op::call("expand_dims", {x}, {{"axis", relax::op::int_list({0})}}));
  }
  if (m.batch_first) return x;
  return call.builder.emit(relax::op::permute_dims(x, std::vector<int64_t>{1, 0, 2}));
}

Result<relax::Expr> batch_as_given(Call& call, const Multihead& m, const relax::Expr& x) {
  if (!m.batched) {
    return call.builder.emit(relax::op::call("squeeze", {x}, {{"axis", relax::op::int_list({0})}}));
  }
  if (m.batch_first) return x;
  return call.builder.emit(relax::op::permute_dims(x, std::vector<int64_t>{1, 0, 2}));
}

Result<Multihead> read_multihead(Call& call) {
  Multihead m;
  FX_TRY(width, call.integer_setting("embed_dim"));
  FX_TRY(heads, call.integer_setting("num_heads"));
  FX_TRY(batch_first, call.boolean_setting("batch_first", false));
  FX_TRY(zero, call.boolean_setting("add_zero_attn", false));
  if (zero || call.has_module_tensor("bias_k") || call.has_module_tensor("bias_v")) {
    return call.error(codes::kModuleAttribute,
                      "add_bias_kv=True and add_zero_attn=True are not supported");
  }
  if (heads <= 0 || width <= 0 || width % heads != 0) {
    return call.error(codes::kModuleAttribute,
                      "num_heads=" + std::to_string(heads) +
                          " does not divide embed_dim=" + std::to_string(width));
  }
  m.width = width, m.heads = heads, m.batch_first = batch_first;
  FX_TRY(query, attention_operand(call, "query"));
  FX_TRY(key, attention_operand(call, "key"));
  FX_TRY(value, attention_operand(call, "value"));
  const size_t rank = extents_of(query).size();
  if (rank > 3 || extents_of(key).size() != rank || extents_of(value).size() != rank) {
    return call.error(codes::kShapeMismatch,
                      "query, key and value have two axes, or three with a batch, not the shapes " +
                          shape_text(*relax::as_tensor(query)) + ", " +
                          shape_text(*relax::as_tensor(key)) + " and " +
                          shape_text(*relax::as_tensor(value)));
  }
  m.batched = rank == 3;
  FX_TRY(q, batch_in_front(call, m, query));
  m.query = q;
  // The same tensor is brought into order once.
  if (key == query) {
    m.key = m.query;
  } else {
    FX_TRY(k, batch_in_front(call, m, key));
    m.key = k;
  }
  if (value == query || value == key) {
    m.value = value == query ? m.query : m.key;
  } else {
    FX_TRY(v, batch_in_front(call, m, value));
    m.value = v;
  }
  return m;
}

Result<relax::Expr> nth_part(Call& call, const relax::Expr& x, int64_t which) {
  return call.builder.emit(
      relax::op::call("take", {x, relax::constant_expr(scalar_constant(DType::Int64, which))},
                      {{"axis", {int64_t{0}}}, {"mode", {std::string("fast")}}}));
}

// One of the three projections, as heads: (N, H, L, E / H). The packed parameters hold those of
// query, key and value below each other.
Result<relax::Expr> projected(Call& call, const Multihead& m, const relax::Expr& x, int64_t which) {
  constexpr std::string_view kSeparate[] = {"q_proj_weight", "k_proj_weight", "v_proj_weight"};
  relax::Expr weight;
  if (call.has_module_tensor("in_proj_weight")) {
    FX_TRY(fits, call.check_module_tensor("in_proj_weight", {3 * m.width, m.width}));
    static_cast<void>(fits);
    FX_TRY(packed, call.module_tensor("in_proj_weight"));
    FX_TRY(
        parts,
        call.builder.emit(relax::op::reshape(
            packed, {infer::extent_of(3), infer::extent_of(m.width), infer::extent_of(m.width)})));
    FX_TRY(part, nth_part(call, parts, which));
    weight = part;
  } else {
    FX_TRY(own, call.module_tensor(kSeparate[which]));
    weight = own;
  }
  std::optional<relax::Expr> bias;
  if (call.has_module_tensor("in_proj_bias")) {
    FX_TRY(fits, call.check_module_tensor("in_proj_bias", {3 * m.width}));
    static_cast<void>(fits);
    FX_TRY(packed, call.module_tensor("in_proj_bias"));
    FX_TRY(parts, call.builder.emit(relax::op::reshape(
                      packed, {infer::extent_of(3), infer::extent_of(m.width)})));
    FX_TRY(part, nth_part(call, parts, which));
    bias = part;
  }
  FX_TRY(flat, call.builder.emit(relax::op::linear(x, weight, bias, relax::as_tensor(x)->dtype)));
  const Extents& shape = extents_of(flat);
  FX_TRY(heads,
         call.builder.emit(relax::op::reshape(flat, {shape[0], shape[1], infer::extent_of(m.heads),
                                                     infer::extent_of(m.width / m.heads)})));
  return call.builder.emit(relax::op::permute_dims(heads, std::vector<int64_t>{0, 2, 1, 3}));
}

struct MaskForm {
  Extents given, four_axes;
};

// A mask of the module, in one of the forms, with four axes; null when it was not given.
Result<relax::Expr> module_mask(Call& call, std::string_view name,
                                const std::vector<MaskForm>& forms) {
  if (!call.has(name)) return relax::Expr();
  FX_TRY(mask, call.tensor(name));
  const relax::TensorType* type = relax::as_tensor(mask);
  const bool taken = type->dtype == DType::Bool || (type->dtype && is_float(*type->dtype));
  for (const MaskForm& form : forms) {
    if (!taken || !type->shape || !same_extents(*type->shape, form.given)) continue;
    return call.builder.emit(relax::op::reshape(mask, form.four_axes));
  }
  return call.argument_error(name, "a mask is of bools or floats and of the shape " +
                                       infer::shape_text(forms[0].given) + " here, not " +
                                       describe_type({mask}));
}

bool is_choice(const relax::Expr& mask) { return relax::as_tensor(mask)->dtype == DType::Bool; }

// What a mask adds to the scores: minus infinity where it hides.
Result<relax::Expr> as_addend(Call& call, const relax::Expr& mask, DType dtype) {
  if (!is_choice(mask)) return cast_to(call, mask, dtype);
  return call.builder.emit(relax::op::call(
      "where",
      {mask, number_of(dtype, -std::numeric_limits<double>::infinity()), number_of(dtype, 0)}));
}

// Both masks as one of scaled_dot_product_attention, whose True shows.
Result<std::optional<relax::Expr>> joined_mask(Call& call, const Multihead& m) {
  const Extents &q = extents_of(m.query), &k = extents_of(m.key);
  const tir::PrimExpr one = infer::extent_of(1), heads = infer::extent_of(m.heads);
  const Extents scores = {q[0], heads, q[1], k[1]};
  FX_TRY(attention, module_mask(call, "attn_mask",
                                {{{q[1], k[1]}, {one, one, q[1], k[1]}},
                                 {{infer::simplify(tir::mul(q[0], heads)), q[1], k[1]}, scores}}));
  const Extents padding_shape = m.batched ? Extents{k[0], k[1]} : Extents{k[1]};
  FX_TRY(padding, module_mask(call, "key_padding_mask", {{padding_shape, {k[0], one, one, k[1]}}}));
  if (attention == nullptr && padding == nullptr) return std::optional<relax::Expr>();
  if (attention == nullptr || padding == nullptr) {
    const relax::Expr mask = attention == nullptr ? padding : attention;
    if (!is_choice(mask)) return std::optional(mask);
    FX_TRY(shown, call.builder.emit(relax::op::call("logical_not", {mask})));
    return std::optional(shown);
  }
  const DType dtype = *relax::as_tensor(m.query)->dtype;
  FX_TRY(first, as_addend(call, attention, dtype));
  FX_TRY(second, as_addend(call, padding, dtype));
  FX_TRY(sum, call.builder.emit(relax::op::add(first, second)));
  return std::optional(sum);
}

Result<Mapped> map_multihead_attention(Call& call) {
  FX_TRY(m, read_multihead(call));
  FX_TRY(with_shares, call.boolean("need_weights", true));
  FX_TRY(averaged, call.boolean("average_attn_weights", true));
  FX_TRY(causal, call.boolean("is_causal", false));
  if (causal && !call.has("attn_mask")) {
    return call.argument_error("is_causal", "is_causal=True needs the mask in attn_mask too");
  }
  Attention a;
  FX_TRY(query, projected(call, m, m.query, 0));
  FX_TRY(key, projected(call, m, m.key, 1));
  FX_TRY(value, projected(call, m, m.value, 2));
  a.query = query, a.key = key, a.value = value;
  FX_TRY(checked, check_operands(call, a));
  static_cast<void>(checked);
  FX_TRY(mask, joined_mask(call, m));
  a.mask = mask;
  FX_TRY(attended, by_steps(call, a, with_shares ? HiddenRow::NaN : HiddenRow::Zeros));

  FX_TRY(places, call.builder.emit(
                     relax::op::permute_dims(attended.out, std::vector<int64_t>{0, 2, 1, 3})));
  const Extents& shape = extents_of(places);
  FX_TRY(flat, call.builder.emit(
                   relax::op::reshape(places, {shape[0], shape[1], infer::extent_of(m.width)})));
  FX_TRY(weight, call.module_tensor("out_proj.weight"));
  std::optional<relax::Expr> bias;
  if (call.has_module_tensor("out_proj.bias")) {
    FX_TRY(own, call.module_tensor("out_proj.bias"));
    bias = own;
  }
  FX_TRY(mixed,
         call.builder.emit(relax::op::linear(flat, weight, bias, relax::as_tensor(flat)->dtype)));
  FX_TRY(out, batch_as_given(call, m, mixed));
  if (!with_shares) return Mapped{Value{ValueList{Value{out}, Value{nullptr}}}};

  relax::Expr shares = attended.shares;
  if (averaged) {
    FX_TRY(sum, call.builder.emit(relax::op::call("einsum", {relax::tuple_expr({shares})},
                                                  {{"subscripts", {std::string("bhqk->bqk")}}})));
    FX_TRY(mean,
           call.builder.emit(relax::op::multiply(
               sum, number_of(*relax::as_tensor(sum)->dtype, 1 / static_cast<double>(m.heads)))));
    shares = mean;
  }
  if (!m.batched) {
    FX_TRY(alone, call.builder.emit(
                      relax::op::call("squeeze", {shares}, {{"axis", relax::op::int_list({0})}})));
    shares = alone;
  }
  return Mapped{Value{ValueList{Value{out}, Value{shares}}}};
}

constexpr RuleEntry kAttentionModuleRules[] = {
    {"torch.nn.MultiheadAttention", "map_multihead_attention",
     "query, key, value, key_padding_mask?, need_weights?, attn_mask?, average_attn_weights?, "
     "is_causal?",
     map_multihead_attention},
};
constexpr RuleEntry kAttentionRules[] = {
    {"scaled_dot_product_attention", "map_attention",
     "query, key, value, attn_mask?, dropout_p?, is_causal?, scale?, enable_gqa?", map_attention},
};

}  // namespace

RuleTable attention_module_rules() { return kAttentionModuleRules; }
RuleTable attention_rules() { return kAttentionRules; }

}  // namespace fx2wasm::translate
