#include <algorithm>

#include "ir/tir_build.h"
#include "topi/common.h"
#include "topi/topi.h"

namespace fx2wasm::topi {
namespace {

bool has_zero(const Indices& shape) {
  return std::any_of(shape.begin(), shape.end(), tir::is_zero);
}

// The position of an element in row-major order.
PrimExpr flat_index(const Indices& indices, const Indices& shape) {
  if (indices.empty()) return tir::int_imm(DType::Int32, 0);
  PrimExpr flat = indices[0];
  for (size_t i = 1; i < indices.size(); ++i) {
    flat = tir::add(tir::mul(flat, shape[i]), indices[i]);
  }
  return flat;
}

Indices split_index(PrimExpr flat, const Indices& shape) {
  Indices indices(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    indices[i] = tir::floormod(flat, shape[i]);
    flat = tir::floordiv(flat, shape[i]);
  }
  return indices;
}

bool contains(const std::vector<size_t>& axes, size_t axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

}  // namespace

Tensor reshape(const Tensor& x, std::vector<PrimExpr> shape) {
  const Indices own = te::shape_of(x);
  return te::compute(shape, cpp_style("T_reshape", shape.size()), [&](const Indices& i) {
    if (has_zero(shape) || has_zero(own)) return tir::const_of(te::dtype_of(x), 0);
    return te::read(x, split_index(flat_index(i, shape), own));
  });
}

Tensor transpose(const Tensor& x, const std::vector<int>& axes) {
  const Indices own = te::shape_of(x);
  std::vector<size_t> order;
  for (size_t i = 0; i < own.size(); ++i) {
    order.push_back(axes.empty() ? own.size() - 1 - i : positive_axis(axes[i], own.size()));
  }
  Indices shape;
  for (const size_t axis : order) shape.push_back(own[axis]);
  return te::compute(shape, cpp_style("T_transpose", shape.size()), [&](const Indices& i) {
    Indices indices(own.size());
    for (size_t k = 0; k < order.size(); ++k) indices[order[k]] = i[k];
    return te::read(x, indices);
  });
}

Tensor expand_dims(const Tensor& x, int axis, int count) {
  const Indices own = te::shape_of(x);
  const size_t at = positive_axis(axis, own.size() + 1);
  Indices shape = own;
  const DType dtype = own.empty() ? DType::Int32 : own[0]->dtype;
  shape.insert(shape.begin() + static_cast<long>(at), static_cast<size_t>(count),
               tir::int_imm(dtype, 1));
  return te::compute(shape, cpp_style("T_expand_dims", shape.size()), [&](const Indices& i) {
    Indices indices = i;
    indices.erase(indices.begin() + static_cast<long>(at),
                  indices.begin() + static_cast<long>(at) + count);
    return te::read(x, indices);
  });
}

Tensor insert_axes(const Tensor& x, const std::vector<int>& axes) {
  const Indices own = te::shape_of(x);
  const size_t rank = own.size() + axes.size();
  std::vector<size_t> inserted;
  for (const int axis : axes) inserted.push_back(positive_axis(axis, rank));
  Indices shape;
  size_t next = 0;
  for (size_t i = 0; i < rank; ++i) {
    shape.push_back(contains(inserted, i) ? tir::int_imm(DType::Int64, 1) : own[next++]);
  }
  return te::compute(shape, python_style("expand_dims"), [&](const Indices& i) {
    Indices indices;
    for (size_t k = 0; k < rank; ++k) {
      if (!contains(inserted, k)) indices.push_back(i[k]);
    }
    return te::read(x, indices);
  });
}

Tensor squeeze(const Tensor& x, const std::vector<int>& axes) {
  const Indices own = te::shape_of(x);
  std::vector<size_t> dropped;
  if (axes.empty()) {
    for (size_t i = 0; i < own.size(); ++i) {
      if (tir::is_one(own[i])) dropped.push_back(i);
    }
  }
  for (const int axis : axes) {
    const size_t at = positive_axis(axis, own.size());
    // An axis of another extent stays; a symbolic one is trusted to be 1.
    if (!tir::as_int(own[at]) || tir::is_one(own[at])) dropped.push_back(at);
  }
  Indices shape;
  for (size_t i = 0; i < own.size(); ++i) {
    if (!contains(dropped, i)) shape.push_back(own[i]);
  }
  return te::compute(shape, cpp_style("T_squeeze", shape.size()), [&](const Indices& i) {
    Indices indices;
    size_t next = 0;
    for (size_t k = 0; k < own.size(); ++k) {
      indices.push_back(contains(dropped, k) ? imm_like(own[k], 0) : i[next++]);
    }
    return te::read(x, indices);
  });
}

}  // namespace fx2wasm::topi
