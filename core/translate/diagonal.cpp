// Triangles and diagonals of matrices.
#include <algorithm>
#include <limits>
#include <utility>

#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/axes.h"
#include "translate/promote.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

relax::Expr triangle_call(std::string_view op, const relax::Expr& x, int64_t diagonal) {
  return relax::op::call(op, {x, relax::prim_value(tir::int_imm(DType::Int64, diagonal))});
}

Result<Mapped> apply_triangle(Call& call, std::string_view op, Sharing sharing) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(diagonal, call.integer("diagonal", 0));
  FX_TRY(result, call.emit(triangle_call(op, x, diagonal)));
  return Mapped{result, sharing};
}

Result<Mapped> map_tril(Call& call) { return apply_triangle(call, "tril", Sharing::Own); }
Result<Mapped> map_triu(Call& call) { return apply_triangle(call, "triu", Sharing::Own); }
Result<Mapped> map_tril_in_place(Call& call) {
  return apply_triangle(call, "tril", Sharing::Written);
}
Result<Mapped> map_triu_in_place(Call& call) {
  return apply_triangle(call, "triu", Sharing::Written);
}

// The diagonal of the plane of two axes, `offset` above the main one.
struct Diagonal {
  size_t rows = 0, columns = 1;  // the axes
  int64_t offset = 0;
  // Of shapes that are known: where it begins, and how long it is.
  int64_t first_row() const { return offset < 0 ? -offset : 0; }
  int64_t first_column() const { return offset < 0 ? 0 : offset; }
  int64_t length(int64_t row_count, int64_t column_count) const {
    return std::max<int64_t>(0, std::min(row_count - first_row(), column_count - first_column()));
  }
};

// Subscripts of einsum: one letter for both axes, which stands last in the result.
std::string diagonal_subscripts(size_t rank, const Diagonal& diagonal) {
  std::string own, rest;
  for (size_t i = 0; i < rank; ++i) {
    if (i == diagonal.rows || i == diagonal.columns) {
      own += 'z';
    } else {
      rest += static_cast<char>('a' + static_cast<int>(rest.size()));
      own += rest.back();
    }
  }
  return own + "->" + rest + "z";
}

relax::Expr einsum_call(const relax::Expr& x, std::string subscripts) {
  return relax::op::call("einsum", {relax::tuple_expr({x})},
                         {{"subscripts", {std::move(subscripts)}}});
}

// The order of axes that puts those of the diagonal last.
std::vector<int64_t> diagonal_last(size_t rank, const Diagonal& diagonal) {
  std::vector<int64_t> axes;
  for (size_t i = 0; i < rank; ++i) {
    if (i != diagonal.rows && i != diagonal.columns) axes.push_back(static_cast<int64_t>(i));
  }
  axes.push_back(static_cast<int64_t>(diagonal.rows));
  axes.push_back(static_cast<int64_t>(diagonal.columns));
  return axes;
}

constexpr size_t kMostLetters = 27;  // axes that einsum has letters for

Result<relax::Expr> diagonal_of(BlockBuilder& builder, const relax::Expr& x,
                                const Diagonal& diagonal) {
  const Sizes& shape = *relax::as_tensor(x)->shape;
  const tir::PrimExpr &rows = shape[diagonal.rows], &columns = shape[diagonal.columns];
  if (diagonal.offset == 0 && infer::provably_equal(rows, columns)) {
    return builder.emit(einsum_call(x, diagonal_subscripts(shape.size(), diagonal)));
  }
  const size_t rank = shape.size();
  FX_TRY(turned, builder.emit(relax::op::permute_dims(x, diagonal_last(rank, diagonal))));
  const int64_t length = diagonal.length(*tir::as_int(rows), *tir::as_int(columns));
  FX_TRY(lines, builder.emit(cut_out(turned, rank - 2, diagonal.first_row(),
                                     diagonal.first_row() + length)));
  FX_TRY(square, builder.emit(cut_out(lines, rank - 1, diagonal.first_column(),
                                      diagonal.first_column() + length)));
  return builder.emit(einsum_call(square, "...zz->...z"));
}

// The elements on a diagonal of the last two axes, zeros elsewhere. `values` has one axis less.
Result<relax::Expr> on_diagonal(BlockBuilder& builder, const relax::Expr& values,
                                const Diagonal& diagonal, const tir::PrimExpr& rows,
                                const tir::PrimExpr& columns, int64_t rows_behind) {
  const Sizes& own = *relax::as_tensor(values)->shape;
  std::vector<int64_t> widths(2 * own.size(), 0);
  widths[widths.size() - 2] = diagonal.first_row();
  widths[widths.size() - 1] = rows_behind;
  relax::Expr padded = values;
  if (diagonal.first_row() != 0 || rows_behind != 0) {
    FX_TRY(wider, builder.emit(relax::op::call("nn.pad", {values},
                                               {{"pad_width", relax::op::int_list(widths)},
                                                {"pad_value", {0.0}},
                                                {"pad_mode", {std::string("constant")}}})));
    padded = wider;
  }
  Sizes shape = own;
  shape.back() = rows;
  shape.push_back(columns);
  const relax::Expr column =
      relax::op::call("expand_dims", {padded}, {{"axis", relax::op::int_list({-1})}});
  FX_TRY(spread, builder.emit(relax::op::call("broadcast_to", {column, relax::shape_expr(shape)})));
  FX_TRY(lower, builder.emit(triangle_call("tril", spread, diagonal.offset)));
  return builder.emit(triangle_call("triu", lower, diagonal.offset));
}

std::vector<int64_t> inverse_order(const std::vector<int64_t>& axes) {
  std::vector<int64_t> back(axes.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    back[static_cast<size_t>(axes[i])] = static_cast<int64_t>(i);
  }
  return back;
}

// The tensor with other elements on the diagonal. Both triangles beside it stay; what is neither is
// zero in each of the three, so that their sum puts them together.
Result<relax::Expr> with_diagonal(BlockBuilder& builder, const relax::Expr& x,
                                  const relax::Expr& values, const Diagonal& diagonal) {
  const size_t rank = relax::as_tensor(x)->shape->size();
  const std::vector<int64_t> order = diagonal_last(rank, diagonal);
  FX_TRY(turned, builder.emit(relax::op::permute_dims(x, order)));
  const Sizes& shape = *relax::as_tensor(turned)->shape;
  const std::optional<int64_t> rows = tir::as_int(shape[rank - 2]);
  const std::optional<int64_t> length = tir::as_int(relax::as_tensor(values)->shape->back());
  const int64_t behind = rows && length ? *rows - diagonal.first_row() - *length : 0;
  FX_TRY(middle, on_diagonal(builder, values, diagonal, shape[rank - 2], shape[rank - 1], behind));
  FX_TRY(above, builder.emit(triangle_call("triu", turned, diagonal.offset + 1)));
  FX_TRY(below, builder.emit(triangle_call("tril", turned, diagonal.offset - 1)));
  const bool is_bool = relax::as_tensor(x)->dtype == DType::Bool;
  const auto join = [&](const relax::Expr& a, const relax::Expr& b) {
    return builder.emit(relax::op::call(is_bool ? "logical_or" : "add", {a, b}));
  };
  FX_TRY(beside, join(above, below));
  FX_TRY(whole, join(beside, middle));
  return builder.emit(relax::op::permute_dims(whole, inverse_order(order)));
}

ViewRulePtr diagonal_view(const Diagonal& diagonal) {
  auto view = std::make_shared<ViewRule>();
  view->take = [=](BlockBuilder& builder, const Value& base) -> Result<Value> {
    FX_TRY(values, diagonal_of(builder, *as_expr(base), diagonal));
    return Value{values};
  };
  view->put = [=](BlockBuilder& builder, const Value& base, const Value& written) -> Result<Value> {
    FX_TRY(whole, with_diagonal(builder, *as_expr(base), *as_expr(written), diagonal));
    return Value{whole};
  };
  view->spreads = true;
  return view;
}

constexpr int64_t kMostOffset = std::numeric_limits<int32_t>::max();

Result<Diagonal> diagonal_argument(const Call& call, int64_t rank, std::string_view offset_name,
                                   int64_t dim1, int64_t dim2) {
  Diagonal diagonal;
  FX_TRY(offset, call.integer(offset_name, 0));
  if (offset < -kMostOffset || offset > kMostOffset) {
    return call.argument_error(offset_name, "a diagonal at " + std::to_string(offset));
  }
  diagonal.offset = offset;
  FX_TRY(rows, axis_argument(call, "dim1", rank, dim1));
  FX_TRY(columns, axis_argument(call, "dim2", rank, dim2));
  if (rows == columns) {
    return call.argument_error(
        "dim2", "a diagonal has two different axes, not axis " + std::to_string(rows) + " twice");
  }
  diagonal.rows = rows;
  diagonal.columns = columns;
  return diagonal;
}

Result<Value> emit_diagonal(Call& call, const relax::Expr& x, const Diagonal& diagonal) {
  FX_TRY(shape, known_sizes(call, x));
  if (shape.size() > kMostLetters) {
    return call.error(codes::kShapeMismatch, "a tensor of so many axes");
  }
  if (diagonal.offset != 0 ||
      !infer::provably_equal(shape[diagonal.rows], shape[diagonal.columns])) {
    for (const size_t axis : {diagonal.rows, diagonal.columns}) {
      FX_TRY(known, known_extent(call, x, axis, "how long the diagonal is depends on it"));
      static_cast<void>(known);
    }
  }
  FX_TRY(values, diagonal_of(call.builder, x, diagonal));
  return Value{values};
}

Result<Mapped> map_diagonal(Call& call) {
  FX_TRY(x, call.tensor("input"));
  if (rank_of(x) < 2) {
    return call.error(
        codes::kShapeMismatch,
        "takes a tensor of two axes or more, not one of shape " + shape_text(*relax::as_tensor(x)));
  }
  FX_TRY(diagonal, diagonal_argument(call, rank_of(x), "offset", 0, 1));
  FX_TRY(values, emit_diagonal(call, x, diagonal));
  return Mapped{values, Sharing::View, diagonal_view(diagonal)};
}

Result<relax::Expr> embedded(Call& call, const relax::Expr& x, const Diagonal& diagonal) {
  FX_TRY(shape, known_sizes(call, x));
  const int64_t more = diagonal.first_row() + diagonal.first_column();
  const tir::PrimExpr extent = infer::simplify(tir::add(shape.back(), infer::extent_of(more)));
  FX_TRY(placed, on_diagonal(call.builder, x, diagonal, extent, extent, diagonal.first_column()));
  const std::vector<int64_t> order = diagonal_last(shape.size() + 1, diagonal);
  if (std::is_sorted(order.begin(), order.end())) return placed;
  return call.builder.emit(relax::op::permute_dims(placed, inverse_order(order)));
}

Result<Mapped> map_diag_embed(Call& call) {
  FX_TRY(x, call.tensor("input"));
  if (rank_of(x) == 0) {
    return call.error(codes::kShapeMismatch, "a tensor without axes has no elements to place");
  }
  FX_TRY(diagonal, diagonal_argument(call, rank_of(x) + 1, "offset", -2, -1));
  FX_TRY(result, embedded(call, x, diagonal));
  return Mapped{{result}};
}

Result<Mapped> map_diag(Call& call) {
  FX_TRY(x, call.tensor("input"));
  if (rank_of(x) != 1 && rank_of(x) != 2) {
    return call.error(codes::kShapeMismatch, "takes a vector or a matrix, not a tensor of shape " +
                                                 shape_text(*relax::as_tensor(x)));
  }
  FX_TRY(diagonal, diagonal_argument(call, 2, "diagonal", 0, 1));
  if (rank_of(x) == 1) {
    FX_TRY(result, embedded(call, x, diagonal));
    return Mapped{{result}};
  }
  FX_TRY(values, emit_diagonal(call, x, diagonal));
  return Mapped{values};
}

Result<Mapped> map_trace(Call& call) {
  FX_TRY(x, call.tensor("input"));
  if (rank_of(x) != 2) {
    return call.error(codes::kShapeMismatch,
                      "takes a matrix, not a tensor of shape " + shape_text(*relax::as_tensor(x)));
  }
  FX_TRY(values, emit_diagonal(call, x, Diagonal{}));
  const DType dtype = *as_tensor(values)->dtype;
  FX_TRY(terms, cast_to(call, *as_expr(values), is_float(dtype) ? dtype : DType::Int64));
  FX_TRY(result, call.emit(relax::op::call("sum", {terms},
                                           {{"axis", {AttrNone{}}}, {"keepdims", {false}}})));
  return Mapped{result};
}

constexpr RuleEntry kDiagonalRules[] = {
    {"diag", "map_diag", "input, diagonal?", map_diag},
    {"diag_embed", "map_diag_embed", "input, offset?, dim1?, dim2?", map_diag_embed},
    {"diagonal", "map_diagonal", "input, offset?, dim1?, dim2?", map_diagonal},
    {"trace", "map_trace", "input", map_trace},
    {"tril", "map_tril", "input, diagonal?", map_tril},
    {"tril_", "map_tril_in_place", "input, diagonal?", map_tril_in_place},
    {"triu", "map_triu", "input, diagonal?", map_triu},
    {"triu_", "map_triu_in_place", "input, diagonal?", map_triu_in_place},
};

}  // namespace

RuleTable diagonal_rules() { return kDiagonalRules; }

}  // namespace fx2wasm::translate
