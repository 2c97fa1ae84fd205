#include "topi/indexing.h"

#include <algorithm>

#include "ir/tir_build.h"
#include "topi/common.h"
#include "topi/elementwise.h"
#include "topi/topi.h"

namespace fx2wasm::topi {
namespace {

// The position in each axis of an element counted in row-major order.
Indices position_of(PrimExpr flat, const Indices& shape) {
  Indices indices(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    indices[i] = tir::floormod(flat, shape[i]);
    flat = tir::floordiv(flat, shape[i]);
  }
  return indices;
}

Tensor count_up(int64_t extent) {
  return te::compute({tir::int_imm(DType::Int32, extent)}, cpp_style("T_arange", 1),
                     [&](const Indices& i) { return tir::cast(DType::Int64, i[0]); });
}

PrimExpr number(int64_t value) { return tir::int_imm(DType::Int64, value); }

}  // namespace

Tensor take(const Tensor& x, const Tensor& indices, std::optional<int> axis) {
  const Indices own = te::shape_of(x), picked = te::shape_of(indices);
  if (!axis) {
    return te::compute(picked, cpp_style("T_take", picked.size()), [&](const Indices& i) {
      return te::read(x, position_of(te::read(indices, i), own));
    });
  }
  const auto at = static_cast<std::ptrdiff_t>(positive_axis(*axis, own.size()));
  const auto count = static_cast<std::ptrdiff_t>(picked.size());
  Indices shape = own;
  shape.insert(shape.erase(shape.begin() + at), picked.begin(), picked.end());
  return te::compute(shape, cpp_style("T_take", shape.size()), [&](const Indices& i) {
    const Indices which(i.begin() + at, i.begin() + at + count);
    Indices from(i.begin(), i.begin() + at);
    from.push_back(te::read(indices, which));
    from.insert(from.end(), i.begin() + at + count, i.end());
    return te::read(x, from);
  });
}

Tensor strided_slice(const Tensor& x, const std::vector<SliceAxis>& axes, bool dynamic) {
  Indices shape = te::shape_of(x);
  for (const SliceAxis& slice : axes) shape[slice.axis] = slice.length;
  std::string name = dynamic ? "T_dynamic_strided_slice" : "T_strided_slice";
  if (!axes.empty()) name += "_with_axes";
  return te::compute(shape, cpp_style(name, shape.size()), [&](const Indices& i) {
    Indices from = i;
    for (const SliceAxis& slice : axes) {
      const PrimExpr step = number(slice.step);
      from[slice.axis] = tir::add(tir::mul(i[slice.axis], step), slice.first);
    }
    return te::read(x, from);
  });
}

Tensor gather(const Tensor& x, const Tensor& indices, int axis) {
  const Indices shape = te::shape_of(indices);
  const size_t at = positive_axis(axis, shape.size());
  return te::compute(shape, cpp_style("T_gather", shape.size()), [&](const Indices& i) {
    Indices from = i;
    if (!from.empty()) from[at] = te::read(indices, i);
    return te::read(x, from);
  });
}

Tensor index_tensor(const Tensor& x, const std::vector<Tensor>& indices) {
  Indices common;
  for (const Tensor& index : indices) {
    const Indices shape = te::shape_of(index);
    if (shape.size() > common.size()) {
      common.insert(common.begin(), shape.size() - common.size(), number(1));
    }
    for (size_t i = 1; i <= shape.size(); ++i) {
      PrimExpr& extent = common[common.size() - i];
      if (tir::is_one(extent)) extent = shape[shape.size() - i];
    }
  }
  std::vector<Tensor> spread;
  for (const Tensor& index : indices) spread.push_back(broadcast_to(index, common));
  const Indices own = te::shape_of(x);
  Indices shape = common;
  shape.insert(shape.end(), own.begin() + static_cast<std::ptrdiff_t>(indices.size()), own.end());
  return te::compute(shape, cpp_style("advanced_index", shape.size()), [&](const Indices& i) {
    const auto lead = i.begin() + static_cast<std::ptrdiff_t>(common.size());
    const Indices which(i.begin(), lead);
    Indices from;
    for (const Tensor& index : spread) from.push_back(te::read(index, which));
    from.insert(from.end(), lead, i.end());
    return te::read(x, from);
  });
}

Tensor one_hot(const Tensor& indices, const PrimExpr& on, const PrimExpr& off, int64_t depth,
               int axis) {
  Indices shape = te::shape_of(indices);
  const size_t at = positive_axis(axis, shape.size() + 1);
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), tir::int_imm(DType::Int32, depth));
  return te::compute(shape, cpp_style("T_one_hot", shape.size()), [&](const Indices& i) {
    Indices which = i;
    which.erase(which.begin() + static_cast<std::ptrdiff_t>(at));
    return tir::select(tir::binary(tir::BinaryOp::EQ, te::read(indices, which), i[at]), on, off);
  });
}

std::vector<Tensor> meshgrid(const std::vector<Tensor>& lines, bool swapped) {
  const auto axis_of = [&](size_t line) { return swapped && line < 2 ? 1 - line : line; };
  Indices shape(lines.size());
  for (size_t line = 0; line < lines.size(); ++line) {
    const Indices own = te::shape_of(lines[line]);
    shape[axis_of(line)] = own.empty() ? number(1) : own[0];
  }
  std::vector<Tensor> grids;
  for (size_t line = 0; line < lines.size(); ++line) {
    const bool is_scalar = te::shape_of(lines[line]).empty();
    grids.push_back(
        te::compute(shape, cpp_style("T_meshgrid", shape.size()), [&](const Indices& i) {
          return te::read(lines[line], is_scalar ? Indices{} : Indices{i[axis_of(line)]});
        }));
  }
  return grids;
}

Tensor slice_scatter(const Tensor& x, const Tensor& source, int64_t begin, int64_t end,
                     int64_t step, int axis) {
  const Indices own = te::shape_of(x);
  const size_t at = positive_axis(axis, own.size());
  const int64_t extent = *tir::as_int(own[at]);
  if (begin == 0 && end == extent && step == 1) {
    return te::compute(own, cpp_style("T_identity", own.size()),
                       [&](const Indices& i) { return te::read(source, i); });
  }
  // The positions of the axis that are written …
  Tensor mask = full({number(extent)}, DType::Bool, tir::bool_imm(true));
  const Tensor position = count_up(extent);
  const auto keep = [&](const Tensor& condition) {
    mask = broadcast(BroadcastOp::LogicalAnd, mask, condition);
  };
  if (begin != 0) keep(broadcast(BroadcastOp::GreaterEqual, position, number(begin)));
  if (end != extent) keep(broadcast(BroadcastOp::Less, position, number(end)));
  const auto shifted = [&] { return broadcast(BroadcastOp::Subtract, position, number(begin)); };
  if (step != 1) {
    keep(broadcast(BroadcastOp::Equal, broadcast(BroadcastOp::FloorMod, shifted(), number(step)),
                   number(0)));
  }
  Indices column(own.size(), number(1));
  column[at] = number(extent);
  const Tensor line = reshape(mask, column);
  // … and which element of the source each of them gets.
  const Tensor rounded = broadcast(BroadcastOp::Add, shifted(), number(step - 1));
  const Tensor which = clip(broadcast(BroadcastOp::FloorDivide, rounded, number(step)), number(0),
                            number(extent - 1));
  const Tensor taken = take(source, which, static_cast<int>(at));
  return where(broadcast_to(line, own), taken, x);
}

Tensor slice_scatter_dynamic(const Tensor& x, const Tensor& source, const SliceAxis& slice) {
  const Indices own = te::shape_of(x);
  const PrimExpr step = number(slice.step);
  return te::compute(own, cpp_style("T_slice_scatter", own.size()), [&](const Indices& i) {
    const PrimExpr behind = tir::sub(i[slice.axis], slice.first);
    const PrimExpr end = tir::mul(slice.length, step);
    PrimExpr written =
        tir::binary(tir::BinaryOp::And, tir::binary(tir::BinaryOp::GE, behind, number(0)),
                    tir::binary(tir::BinaryOp::LT, behind, end));
    if (slice.step != 1) {
      const PrimExpr off = tir::floormod(behind, step);
      written =
          tir::binary(tir::BinaryOp::And, written, tir::binary(tir::BinaryOp::EQ, off, number(0)));
    }
    Indices from = i;
    from[slice.axis] = tir::floordiv(behind, step);
    return tir::if_then_else(written, te::read(source, from), te::read(x, i));
  });
}

}  // namespace fx2wasm::topi
