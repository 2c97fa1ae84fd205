// Scalar expressions: indices, extents, values.
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "ir/structural.h"
#include "ir/tir_build.h"
#include "ir/tir_fold.h"
#include "parse/reader.h"
#include "support/limits.h"
#include "support/text.h"

namespace fx2wasm::parse {

using tir::BinaryOp;
using tir::Intrinsic;
using tir::PrimExpr;

namespace {

// What the printer writes where the infix form would fold, and the functions that have none.
constexpr std::array<std::pair<std::string_view, BinaryOp>, 24> kBinaryFunctions = {{
    {"Add", BinaryOp::Add},
    {"Sub", BinaryOp::Sub},
    {"Mul", BinaryOp::Mul},
    {"Div", BinaryOp::Div},
    {"truncdiv", BinaryOp::Div},
    {"truncmod", BinaryOp::Mod},
    {"Mod", BinaryOp::Mod},
    {"FloorDiv", BinaryOp::FloorDiv},
    {"floordiv", BinaryOp::FloorDiv},
    {"FloorMod", BinaryOp::FloorMod},
    {"floormod", BinaryOp::FloorMod},
    {"min", BinaryOp::Min},
    {"Min", BinaryOp::Min},
    {"max", BinaryOp::Max},
    {"Max", BinaryOp::Max},
    {"EQ", BinaryOp::EQ},
    {"NE", BinaryOp::NE},
    {"LT", BinaryOp::LT},
    {"LE", BinaryOp::LE},
    {"GT", BinaryOp::GT},
    {"GE", BinaryOp::GE},
    {"And", BinaryOp::And},
    {"Or", BinaryOp::Or},
    {"div", BinaryOp::Div},
}};

bool is_logic(BinaryOp op) { return op == BinaryOp::And || op == BinaryOp::Or; }

// `fold`: as Python's operators do; else the node as it is written.
PrimExpr apply(Reader& r, Position at, BinaryOp op, PrimExpr a, PrimExpr b, bool fold) {
  if (!a || !b) return nullptr;
  if (is_logic(op) && (a->dtype != DType::Bool || b->dtype != DType::Bool)) {
    return fail(r, at, codes::kTextType, "'and' and 'or' take bools");
  }
  if (fold) return tir::binary(op, std::move(a), std::move(b));
  match_dtypes(a, b);
  return tir::make_binary(op, std::move(a), std::move(b));
}

// A number of a dtype. Floats keep the double that is written.
PrimExpr number(Reader& r, Position at, DType dtype, const std::variant<bool, int64_t, double>& n) {
  if (const auto* real = std::get_if<double>(&n)) {
    if (is_float(dtype)) return tir::float_imm(dtype, *real);
    return fail(r, at, codes::kTextType,
                "a number with a point is no " + std::string(dtype_name(dtype)));
  }
  const bool* flag = std::get_if<bool>(&n);
  const int64_t integer = flag ? (*flag ? 1 : 0) : std::get<int64_t>(n);
  if (is_float(dtype)) return tir::float_imm(dtype, static_cast<double>(integer));
  if (tir::wrap_integer(dtype, integer) != integer) {
    return fail(r, at, codes::kTextType,
                std::to_string(integer) + " does not fit " + std::string(dtype_name(dtype)));
  }
  return tir::int_imm(dtype, integer);
}

// A bare number: int32, or int64 where shapes are (and past int32, as TVM reads it).
PrimExpr bare_number(Reader& r, Position at, const std::variant<bool, int64_t, double>& n) {
  if (std::holds_alternative<bool>(n)) return tir::bool_imm(std::get<bool>(n));
  if (std::holds_alternative<double>(n)) return number(r, at, DType::Float32, n);
  const int64_t integer = std::get<int64_t>(n);
  const bool wide = integer > std::numeric_limits<int32_t>::max() ||
                    integer < std::numeric_limits<int32_t>::min();
  return tir::int_imm(r.relax || wide ? DType::Int64 : DType::Int32, integer);
}

// `T.float32(1.5)`, `T.float32("inf")`, `T.int64(x)`.
PrimExpr typed(Reader& r, const NamedCall& call, DType dtype) {
  const std::vector<ExprRef> args = bind(r, call, {"value"}, 1);
  if (failed(r)) return nullptr;
  if (const auto n = literal(args[0])) return number(r, args[0]->at, dtype, *n);
  if (const auto* text = std::get_if<std::string>(&args[0]->kind)) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (is_float(dtype) && *text == "inf") return tir::float_imm(dtype, kInfinity);
    if (is_float(dtype) && *text == "-inf") return tir::float_imm(dtype, -kInfinity);
    if (is_float(dtype) && *text == "nan") {
      return tir::float_imm(dtype, std::numeric_limits<double>::quiet_NaN());
    }
    return fail(r, args[0]->at, codes::kTextType,
                quote(*text) + " is no " + std::string(dtype_name(dtype)));
  }
  PrimExpr inner = scalar(r, args[0]);
  return inner ? tir::cast(dtype, std::move(inner)) : nullptr;
}

// T.Let(body, where={x: value})
PrimExpr let(Reader& r, const NamedCall& call) {
  const std::vector<ExprRef> args = bind(r, call, {"body", "where"}, 2);
  if (failed(r)) return nullptr;
  const auto* where = std::get_if<script::DictDisplay>(&args[1]->kind);
  const auto* name = where && where->items.size() == 1
                         ? std::get_if<script::Name>(&where->items[0].first->kind)
                         : nullptr;
  if (!name) return fail(r, args[1]->at, codes::kTextArgument, "T.Let: where={name: value}");
  PrimExpr bound = scalar(r, where->items[0].second);
  if (!bound) return nullptr;
  const Scope scope(r);
  tir::Var var = tir::make_var(name->name, bound->dtype);
  define(r, name->name, {var, nullptr, nullptr});
  PrimExpr body = scalar(r, args[0]);
  if (!body) return nullptr;
  const DType dtype = body->dtype;
  return tir::make_expr(dtype, tir::Let{std::move(var), std::move(bound), std::move(body)});
}

// T.reinterpret("int32", x), T.infinity("float32")
PrimExpr with_dtype(Reader& r, const NamedCall& call, Intrinsic op) {
  const bool has_value = op == Intrinsic::Reinterpret;
  const std::vector<ExprRef> args =
      has_value ? bind(r, call, {"dtype", "value"}, 2) : bind(r, call, {"dtype"}, 1);
  if (failed(r)) return nullptr;
  const std::optional<DType> dtype = dtype_of(r, args[0]);
  if (!dtype) return nullptr;
  if (!has_value) return tir::call(*dtype, op, {});
  PrimExpr inner = scalar(r, args[1]);
  return inner ? tir::call(*dtype, op, {std::move(inner)}) : nullptr;
}

// Two operands of one dtype; bits only of integers and bools.
PrimExpr two_operands(Reader& r, Position at, Intrinsic op, PrimExpr a, PrimExpr b, bool integers) {
  if (!a || !b) return nullptr;
  match_dtypes(a, b);
  if (integers && is_float(a->dtype)) {
    return fail(r, at, codes::kTextType, "bits and shifts are of integers");
  }
  const DType dtype = a->dtype;
  return tir::call(dtype, op, {std::move(a), std::move(b)});
}

PrimExpr choice(Reader& r, Position at, std::vector<PrimExpr> args, bool select) {
  if (args[0]->dtype != DType::Bool) {
    return fail(r, at, codes::kTextType, "the condition must be a bool");
  }
  match_dtypes(args[1], args[2]);
  if (select) return tir::select(args[0], args[1], args[2]);
  const DType dtype = args[1]->dtype;
  return tir::call(dtype, Intrinsic::IfThenElse, std::move(args));
}

bool takes_integers(Intrinsic op) {
  return op == Intrinsic::BitwiseAnd || op == Intrinsic::BitwiseOr || op == Intrinsic::BitwiseXor ||
         op == Intrinsic::BitwiseNot || op == Intrinsic::ShiftLeft || op == Intrinsic::ShiftRight ||
         op == Intrinsic::Popcount || op == Intrinsic::Clz;
}

PrimExpr intrinsic(Reader& r, const NamedCall& call, Intrinsic op) {
  if (op == Intrinsic::Reinterpret || op == Intrinsic::Infinity) return with_dtype(r, call, op);
  const std::optional<std::vector<ExprRef>> given = positional(r, call);
  if (!given) return nullptr;
  const auto arity = static_cast<size_t>(tir::intrinsic_arity(op));
  if (given->size() != arity) {
    return fail(r, call.at, codes::kTextArgument,
                call.name + " takes " + std::to_string(arity) + " arguments, not " +
                    std::to_string(given->size()));
  }
  std::vector<PrimExpr> args = scalars(r, *given);
  if (failed(r)) return nullptr;
  if (op == Intrinsic::IfThenElse) return choice(r, call.at, std::move(args), false);
  if (arity == 2) return two_operands(r, call.at, op, args[0], args[1], takes_integers(op));
  if (takes_integers(op) && is_float(args[0]->dtype)) {
    return fail(r, call.at, codes::kTextType, call.name + " takes an integer");
  }
  const bool question =
      op == Intrinsic::IsNan || op == Intrinsic::IsInf || op == Intrinsic::IsFinite;
  const DType dtype = question || args.empty() ? DType::Bool : args[0]->dtype;
  return tir::call(dtype, op, std::move(args));
}

PrimExpr function(Reader& r, const NamedCall& call) {
  if (const std::optional<DType> dtype = dtype_name_of(call.name)) return typed(r, call, *dtype);
  if (call.name.substr(0, 2) != "T.") {
    return fail(r, call.at, codes::kTextName, quote(call.name) + " gives no number");
  }
  const std::string_view name = std::string_view(call.name).substr(2);
  if (name == "Let") return let(r, call);
  if (name == "Cast") {
    const std::vector<ExprRef> args = bind(r, call, {"dtype", "value"}, 2);
    if (failed(r)) return nullptr;
    const std::optional<DType> dtype = dtype_of(r, args[0]);
    PrimExpr inner = dtype ? scalar(r, args[1]) : nullptr;
    return inner ? tir::make_expr(*dtype, tir::Cast{std::move(inner)}) : nullptr;
  }
  if (name == "Select") {
    const std::vector<ExprRef> args = bind(r, call, {"condition", "true_value", "false_value"}, 3);
    std::vector<PrimExpr> parts = scalars(r, args);
    return failed(r) ? nullptr : choice(r, call.at, std::move(parts), true);
  }
  for (const auto& [function_name, op] : kBinaryFunctions) {
    if (name != function_name) continue;
    const std::vector<ExprRef> args = bind(r, call, {"a", "b"}, 2);
    const std::vector<PrimExpr> parts = scalars(r, args);
    return failed(r) ? nullptr : apply(r, call.at, op, parts[0], parts[1], false);
  }
  if (const std::optional<Intrinsic> op = tir::find_intrinsic(name)) return intrinsic(r, call, *op);
  return fail(r, call.at, codes::kTextName,
              "TVMScript's T has no function " + quote(name) + " here");
}

PrimExpr infix(Reader& r, Position at, const script::Binary& e) {
  PrimExpr a = scalar(r, e.left);
  PrimExpr b = a ? scalar(r, e.right) : nullptr;
  if (!b) return nullptr;
  switch (e.op) {
    case script::Operator::Add:
      return apply(r, at, BinaryOp::Add, a, b, true);
    case script::Operator::Sub:
      return apply(r, at, BinaryOp::Sub, a, b, true);
    case script::Operator::Mul:
      return apply(r, at, BinaryOp::Mul, a, b, true);
    case script::Operator::Div:
      if (!is_float(a->dtype) && !is_float(b->dtype)) {
        return fail(r, at, codes::kTextType, "'/' divides floats; write // or T.Div");
      }
      return apply(r, at, BinaryOp::Div, a, b, true);
    case script::Operator::FloorDiv:
      return apply(r, at, BinaryOp::FloorDiv, a, b, true);
    case script::Operator::Mod:
      return apply(r, at, BinaryOp::FloorMod, a, b, true);
    case script::Operator::BitAnd:
      return two_operands(r, at, Intrinsic::BitwiseAnd, a, b, true);
    case script::Operator::BitOr:
      return two_operands(r, at, Intrinsic::BitwiseOr, a, b, true);
    case script::Operator::BitXor:
      return two_operands(r, at, Intrinsic::BitwiseXor, a, b, true);
    case script::Operator::ShiftLeft:
      return two_operands(r, at, Intrinsic::ShiftLeft, a, b, true);
    case script::Operator::ShiftRight:
      return two_operands(r, at, Intrinsic::ShiftRight, a, b, true);
    case script::Operator::Pow:
      return fail(r, at, codes::kTextType, "'**' is no scalar operation; write T.pow");
    case script::Operator::MatMul:
      return fail(r, at, codes::kTextType, "'@' is no scalar operation");
  }
  return nullptr;
}

PrimExpr unary(Reader& r, Position at, const script::Unary& e) {
  PrimExpr a = scalar(r, e.operand);
  if (!a) return nullptr;
  switch (e.op) {
    case script::UnaryOperator::Plus:
      return a;
    case script::UnaryOperator::Minus: {
      PrimExpr minus_one = tir::const_of(a->dtype, -1);
      return apply(r, at, BinaryOp::Mul, std::move(a), std::move(minus_one), true);
    }
    case script::UnaryOperator::Invert: {
      if (is_float(a->dtype)) return fail(r, at, codes::kTextType, "'~' is of integers");
      const DType dtype = a->dtype;
      return tir::call(dtype, Intrinsic::BitwiseNot, {std::move(a)});
    }
    case script::UnaryOperator::Not:
      if (a->dtype != DType::Bool) return fail(r, at, codes::kTextType, "'not' takes a bool");
      return tir::make_expr(DType::Bool, tir::Not{std::move(a)});
  }
  return nullptr;
}

PrimExpr compare(Reader& r, Position at, const script::Compare& e) {
  if (e.rest.size() != 1) {
    return fail(r, at, codes::kTextType, "write two comparisons with 'and' between them");
  }
  PrimExpr a = scalar(r, e.first);
  PrimExpr b = a ? scalar(r, e.rest[0].second) : nullptr;
  switch (e.rest[0].first) {
    case script::Comparison::EQ:
      return apply(r, at, BinaryOp::EQ, a, b, true);
    case script::Comparison::NE:
      return apply(r, at, BinaryOp::NE, a, b, true);
    case script::Comparison::LT:
      return apply(r, at, BinaryOp::LT, a, b, true);
    case script::Comparison::LE:
      return apply(r, at, BinaryOp::LE, a, b, true);
    case script::Comparison::GT:
      return apply(r, at, BinaryOp::GT, a, b, true);
    case script::Comparison::GE:
      return apply(r, at, BinaryOp::GE, a, b, true);
    case script::Comparison::In:
    case script::Comparison::NotIn:
    case script::Comparison::Is:
    case script::Comparison::IsNot:
      return fail(r, at, codes::kTextType, "'in' and 'is' compare no scalars");
  }
  return nullptr;
}

PrimExpr element(Reader& r, const ExprRef& e, const script::Subscript& subscript) {
  const std::string name = dotted(subscript.object);
  const Named* named = name.empty() ? nullptr : find_name(r, name);
  if (!named || !named->buffer) {
    return fail(r, e->at, codes::kTextName,
                name.empty() ? "only a buffer has elements"
                             : "no buffer is named " + quote(name) + near_names(r, name));
  }
  const tir::Buffer buffer = named->buffer;
  std::vector<PrimExpr> indices = scalars(r, listed(subscript.index));
  if (failed(r)) return nullptr;
  if (indices.size() != buffer->shape.size()) {
    return fail(r, e->at, codes::kTextType,
                "the buffer " + quote(name) + " has " + std::to_string(buffer->shape.size()) +
                    " dimensions, not " + std::to_string(indices.size()));
  }
  for (const PrimExpr& index : indices) {
    if (!is_integer(index->dtype)) {
      return fail(r, e->at, codes::kTextType, "an index must be an integer");
    }
  }
  return tir::load(buffer, std::move(indices));
}

PrimExpr named_value(Reader& r, Position at, const std::string& name) {
  const Named* named = find_name(r, name);
  if (named && named->symbol) return tir::var_expr(named->symbol);
  if (named && named->buffer) {
    return fail(r, at, codes::kTextType,
                "the buffer " + quote(name) + " is read by its elements: " + name + "[…]");
  }
  if (named) {
    return fail(r, at, codes::kTextType, quote(name) + " is a tensor, no number");
  }
  // A symbol of the function's shapes, met for the first time.
  const auto declared = r.symbols.find(name);
  if (declared == r.symbols.end() && r.type_vars.count(name) == 0) {
    return fail(r, at, codes::kTextName,
                "the name " + quote(name) + " is unknown" + near_names(r, name));
  }
  tir::Var var = tir::make_var(name, declared == r.symbols.end() ? DType::Int64 : declared->second);
  r.scopes.front()[name] = {var, nullptr, nullptr};
  return tir::var_expr(var);
}

}  // namespace

void match_dtypes(PrimExpr& a, PrimExpr& b) {
  if (a->dtype == b->dtype) return;
  // What tir::binary brings both to; variables stand in, so that nothing folds.
  const tir::Var left = tir::make_var("a", a->dtype), right = tir::make_var("b", b->dtype);
  const DType common = tir::binary(BinaryOp::Max, tir::var_expr(left), tir::var_expr(right))->dtype;
  a = tir::cast(common, std::move(a));
  b = tir::cast(common, std::move(b));
}

PrimExpr scalar(Reader& r, const ExprRef& e) {
  if (failed(r) || !e) return nullptr;
  if (const auto n = literal(e)) return bare_number(r, e->at, *n);
  if (const auto* x = std::get_if<script::Name>(&e->kind)) return named_value(r, e->at, x->name);
  if (const auto* x = std::get_if<script::Binary>(&e->kind)) return infix(r, e->at, *x);
  if (const auto* x = std::get_if<script::Unary>(&e->kind)) return unary(r, e->at, *x);
  if (const auto* x = std::get_if<script::Compare>(&e->kind)) return compare(r, e->at, *x);
  if (const auto* x = std::get_if<script::BoolOperation>(&e->kind)) {
    PrimExpr a = scalar(r, x->left);
    PrimExpr b = a ? scalar(r, x->right) : nullptr;
    return apply(r, e->at, x->is_and ? BinaryOp::And : BinaryOp::Or, a, b, true);
  }
  if (const auto* x = std::get_if<script::Subscript>(&e->kind)) return element(r, e, *x);
  if (const std::optional<NamedCall> call = named_call(e)) return function(r, *call);
  return fail(r, e->at, codes::kTextSyntax, "expected a number, a variable or an element");
}

std::vector<PrimExpr> scalars(Reader& r, const std::vector<ExprRef>& exprs) {
  std::vector<PrimExpr> result;
  for (const ExprRef& e : exprs) result.push_back(scalar(r, e));
  return result;
}

PrimExpr dimension(Reader& r, const ExprRef& e) {
  if (failed(r) || !e) return nullptr;
  PrimExpr extent;
  if (const auto* text = std::get_if<std::string>(&e->kind)) {
    Result<ExprRef> inner = parse_quoted(*text, e->at);
    if (!inner.ok()) {
      fail(r, inner.diagnostics());
      return nullptr;
    }
    extent = scalar(r, inner.value());
  } else {
    extent = scalar(r, e);
  }
  if (!extent) return nullptr;
  if (!is_integer(extent->dtype)) {
    return fail(r, e->at, codes::kTextType, "a dimension must be an integer");
  }
  const std::optional<int64_t> known = tir::as_int(extent);
  if (known && *known < 0) {
    return fail(r, e->at, codes::kTextType, "a dimension cannot be negative");
  }
  return extent;
}

std::vector<PrimExpr> dimensions(Reader& r, const ExprRef& e) {
  std::vector<PrimExpr> result;
  const std::vector<ExprRef>* items = items_of(e);
  if (!items) {
    if (!failed(r)) {
      fail(r, e->at, codes::kTextArgument, "a shape is a tuple of dimensions: (4, n) or (4,)");
    }
    return result;
  }
  if (items->size() > limits::kMaxRank) {
    fail(r, e->at, codes::kTextLimit,
         "a shape has at most " + std::to_string(limits::kMaxRank) + " dimensions");
    return result;
  }
  for (const ExprRef& item : *items) result.push_back(dimension(r, item));
  return result;
}

tir::Range range_between(PrimExpr begin, PrimExpr end) {
  match_dtypes(begin, end);
  if (tir::is_zero(begin)) return {std::move(begin), std::move(end)};
  const auto* sum = std::get_if<tir::Binary>(&end->kind);
  const bool inverse = sum && sum->op == BinaryOp::Add && structural_equal(sum->a, begin);
  PrimExpr extent = inverse ? sum->b : tir::sub(end, begin);
  return {std::move(begin), std::move(extent)};
}

tir::Range range_from_zero(PrimExpr extent) {
  PrimExpr zero = tir::int_imm(extent->dtype, 0);
  return {std::move(zero), std::move(extent)};
}

}  // namespace fx2wasm::parse
