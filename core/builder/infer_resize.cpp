// The type rules of einsum, outer products, attention, resizing.
#include <map>
#include <utility>

#include "builder/infer_common.h"
#include "ir/tir_build.h"
#include "topi/einsum.h"

namespace fx2wasm::infer {
namespace {

Result<DType> one_dtype(const relax::OpCall& call, const relax::TensorType& a,
                        const relax::TensorType& b) {
  if (*a.dtype == *b.dtype) return *a.dtype;
  return dtype_error(call, "operands of dtype " + std::string(dtype_name(*a.dtype)) + " and " +
                               std::string(dtype_name(*b.dtype)) + "; cast one of them");
}

// Both are known and another.
bool known_to_differ(const tir::PrimExpr& a, const tir::PrimExpr& b) {
  const std::optional<int64_t> x = tir::as_int(a), y = tir::as_int(b);
  return x && y && *x != *y;
}

Result<relax::Type> outer_product(const relax::OpCall& call) {
  FX_TRY(a, tensor_argument(call, 0));
  FX_TRY(b, tensor_argument(call, 1));
  FX_TRY(dtype, one_dtype(call, a, b));
  if (a.ndim != 1 || b.ndim != 1) {
    return shape_error(call, "takes two vectors, not " + shape_text(a) + " and " + shape_text(b));
  }
  if (!a.shape || !b.shape) return make_tensor(std::nullopt, 2, dtype);
  return make_tensor(Shape{(*a.shape)[0], (*b.shape)[0]}, 2, dtype);
}

Diagnostic extents_differ(const relax::OpCall& call, char letter, const tir::PrimExpr& a,
                          const tir::PrimExpr& b) {
  const std::string what = letter >= '0' && letter <= '9'
                               ? std::string("an axis of the ellipsis")
                               : "the subscript '" + std::string(1, letter) + "'";
  return shape_error(call, what + " of '" + string_attr(call, "subscripts") +
                               "' has two extents: " + shape_text(Shape{a, b}));
}

Result<relax::Type> einsum_type(const relax::OpCall& call) {
  const relax::TupleType* tuple = relax::as_tuple(call.args[0]->type);
  if (tuple == nullptr || tuple->fields.empty()) {
    return dtype_error(call, "takes a tuple of tensors");
  }
  std::vector<Shape> shapes;
  std::vector<size_t> ranks;
  std::optional<DType> dtype;
  for (const relax::Type& field : tuple->fields) {
    const relax::TensorType* operand = relax::as_tensor(field);
    if (operand == nullptr || !operand->dtype || !operand->shape) {
      return shape_error(call, "takes tensors of known shape and dtype");
    }
    if (dtype && *dtype != *operand->dtype) {
      return dtype_error(call, "operands of several dtypes; cast them to one");
    }
    dtype = operand->dtype;
    shapes.push_back(*operand->shape);
    ranks.push_back(operand->shape->size());
  }
  FX_TRY(subscripts, topi::parse_subscripts(string_attr(call, "subscripts"), ranks));
  std::map<char, tir::PrimExpr> extents;
  for (size_t i = 0; i < shapes.size(); ++i) {
    std::map<char, tir::PrimExpr> own;
    for (size_t axis = 0; axis < ranks[i]; ++axis) {
      const tir::PrimExpr& size = shapes[i][axis];
      const char letter = subscripts.inputs[i][axis];
      // Twice in one operand it is a diagonal: nothing is repeated there.
      const tir::PrimExpr& first = own.emplace(letter, size).first->second;
      if (known_to_differ(first, size)) return extents_differ(call, letter, first, size);
      tir::PrimExpr& extent = extents.emplace(letter, size).first->second;
      const tir::PrimExpr joined = topi::joined_extent(extent, size);
      if (joined == nullptr) return extents_differ(call, letter, extent, size);
      extent = joined;
    }
  }
  Shape shape;
  for (char letter : subscripts.output) shape.push_back(extents.at(letter));
  const int rank = static_cast<int>(shape.size());
  return make_tensor(std::move(shape), rank, *dtype);
}

// (batch, places, heads, width)
Result<relax::Type> attention_type(const relax::OpCall& call) {
  FX_TRY(query, tensor_argument(call, 0));
  FX_TRY(key, tensor_argument(call, 1));
  FX_TRY(value, tensor_argument(call, 2));
  FX_TRY(dtype, one_dtype(call, query, key));
  FX_TRY(same, one_dtype(call, query, value));
  static_cast<void>(same);
  if (query.ndim != 4 || key.ndim != 4 || value.ndim != 4) {
    return shape_error(call, "takes query, key and value with four axes, not " + shape_text(query) +
                                 ", " + shape_text(key) + " and " + shape_text(value));
  }
  if (!query.shape || !key.shape || !value.shape) return make_tensor(std::nullopt, 4, dtype);
  const Shape &q = *query.shape, &k = *key.shape, &v = *value.shape;
  for (size_t axis : {size_t{0}, size_t{2}}) {
    if (known_to_differ(q[axis], k[axis]) || known_to_differ(q[axis], v[axis])) {
      return shape_error(
          call, "query, key and value have other batches or heads: " + shape_text(query) + ", " +
                    shape_text(key) + " and " + shape_text(value));
    }
  }
  if (known_to_differ(q[3], k[3]) || known_to_differ(k[1], v[1])) {
    return shape_error(call, "the shapes " + shape_text(query) + ", " + shape_text(key) + " and " +
                                 shape_text(value) + " of query, key and value do not fit");
  }
  if (call.args.size() > 3) {
    FX_TRY(bias, tensor_argument(call, 3));
    const Shape scores = {q[0], q[2], q[1], k[1]};
    bool fits = bias.ndim == 4;
    for (size_t i = 0; fits && bias.shape && i < 4; ++i) {
      const tir::PrimExpr& extent = (*bias.shape)[i];
      fits = tir::is_one(extent) || !known_to_differ(extent, scores[i]);
    }
    if (!fits) {
      return shape_error(call, "the mask of shape " + shape_text(bias) +
                                   " does not broadcast to the scores of shape " +
                                   shape_text(scores));
    }
  }
  return make_tensor(Shape{q[0], q[1], q[2], v[3]}, 4, dtype);
}

Result<relax::Type> resize_type(const relax::OpCall& call) {
  FX_TRY(data, tensor_argument(call, 0));
  const size_t axes = call.op->name == "image.resize3d" ? 3 : 2;
  const DType dtype = dtype_attr(call, "out_dtype").value_or(*data.dtype);
  const auto* size = std::get_if<relax::ShapeExpr>(&call.args[1]->kind);
  const int rank = static_cast<int>(axes) + 2;
  if (data.ndim != rank) {
    return shape_error(
        call, "takes data with " + std::to_string(rank) + " axes, not " + shape_text(data));
  }
  if (size != nullptr && size->values.size() != axes) {
    return shape_error(
        call, "the size has " + std::to_string(axes) + " extents, not " + shape_text(size->values));
  }
  if (!data.shape || size == nullptr) return make_tensor(std::nullopt, rank, dtype);
  Shape shape = *data.shape;
  const size_t first = string_attr(call, "layout").back() == 'C' ? 1 : 2;
  for (size_t i = 0; i < axes; ++i) shape[first + i] = size->values[i];
  return make_tensor(std::move(shape), rank, dtype);
}

// Data (N, C, …) at the places of a grid (N, …, one coordinate for each spatial axis).
Result<relax::Type> grid_sample_type(const relax::OpCall& call) {
  FX_TRY(data, tensor_argument(call, 0));
  FX_TRY(grid, tensor_argument(call, 1));
  if ((data.ndim != 4 && data.ndim != 5) || grid.ndim != data.ndim) {
    return shape_error(call, "takes images or volumes and a grid with as many axes, not " +
                                 shape_text(data) + " and " + shape_text(grid));
  }
  if (!data.shape || !grid.shape) return make_tensor(std::nullopt, data.ndim, *data.dtype);
  if (known_to_differ((*data.shape)[0], (*grid.shape)[0]) ||
      known_to_differ(grid.shape->back(), extent_of(data.ndim - 2))) {
    return shape_error(
        call, "the grid " + shape_text(grid) + " does not fit the data " + shape_text(data));
  }
  Shape shape = {(*data.shape)[0], (*data.shape)[1]};
  shape.insert(shape.end(), grid.shape->begin() + 1, grid.shape->end() - 1);
  return make_tensor(std::move(shape), data.ndim, *data.dtype);
}

Result<relax::Type> pixel_shuffle_type(const relax::OpCall& call) {
  FX_TRY(data, tensor_argument(call, 0));
  const int64_t factor = int_attr(call, "upscale_factor");
  if (factor <= 0 || (data.ndim >= 0 && data.ndim < 3)) {
    return shape_error(call, "takes data (…, C, H, W) and a factor of at least 1, not " +
                                 shape_text(data) + " and " + std::to_string(factor));
  }
  if (!data.shape) return make_tensor(std::nullopt, data.ndim, *data.dtype);
  Shape shape = *data.shape;
  tir::PrimExpr& channels = shape[shape.size() - 3];
  const std::optional<int64_t> count = tir::as_int(channels);
  if (!count || factor > 1'000'000 || *count % (factor * factor) != 0) {
    return shape_error(call, "the square of the factor " + std::to_string(factor) +
                                 " does not divide the channels of " + shape_text(data));
  }
  channels = extent_of(*count / (factor * factor));
  for (size_t i = shape.size() - 2; i < shape.size(); ++i) {
    shape[i] = simplify(tir::mul(shape[i], extent_of(factor)));
  }
  return make_tensor(std::move(shape), data.ndim, *data.dtype);
}

constexpr std::pair<std::string_view, Rule> kResizeRules[] = {
    {"image.grid_sample", grid_sample_type},  {"einsum", einsum_type},
    {"image.resize2d", resize_type},          {"image.resize3d", resize_type},
    {"nn.attention", attention_type},         {"nn.attention_bias", attention_type},
    {"nn.pixel_shuffle", pixel_shuffle_type}, {"outer", outer_product},
};

}  // namespace

Rule resize_rule(std::string_view op) {
  for (const auto& [name, rule] : kResizeRules) {
    if (name == op) return rule;
  }
  return nullptr;
}

}  // namespace fx2wasm::infer
