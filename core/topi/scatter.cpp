#include "topi/scatter.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "ir/tir_build.h"
#include "topi/common.h"

namespace fx2wasm::topi {
namespace {

using tir::PrimExpr;
using Writer = std::function<tir::Stmt(const PrimExpr&)>;

PrimExpr int64(int64_t value) { return tir::int_imm(DType::Int64, value); }

PrimExpr product_of(const Indices& shape, size_t begin, size_t end) {
  PrimExpr result = int64(1);
  for (size_t i = begin; i < end; ++i) result = tir::mul(result, shape[i]);
  return result;
}

tir::Stmt loop(tir::ForKind kind, const PrimExpr& extent, const Writer& body) {
  const tir::Var var = tir::make_var("v", DType::Int64);
  return tir::make_stmt(tir::For{var, int64(0), extent, kind, {}, body(tir::var_expr(var))});
}

// A position that counts from the end when it is negative.
PrimExpr shifted(const PrimExpr& position, const PrimExpr& extent) {
  const PrimExpr zero = tir::int_imm(position->dtype, 0);
  const PrimExpr negative = tir::binary(tir::BinaryOp::LT, position, zero);
  return tir::add(tir::cast(DType::Int64, position),
                  tir::mul(tir::cast(DType::Int64, negative), extent));
}

tir::Stmt combine_at(const tir::Buffer& out, const Indices& to, const PrimExpr& update,
                     ScatterMode mode) {
  const auto joined = [&](tir::BinaryOp op) {
    return tir::store(out, tir::binary(op, tir::load(out, to), update), to);
  };
  switch (mode) {
    case ScatterMode::Update:
      return tir::store(out, update, to);
    case ScatterMode::Add:
      return joined(out->dtype == DType::Bool ? tir::BinaryOp::Or : tir::BinaryOp::Add);
    case ScatterMode::Multiply:
      return joined(out->dtype == DType::Bool ? tir::BinaryOp::And : tir::BinaryOp::Mul);
    case ScatterMode::Max:
      return joined(tir::BinaryOp::Max);
    case ScatterMode::Min:
      return joined(tir::BinaryOp::Min);
  }
  return nullptr;
}

tir::Stmt copy_all(const tir::Buffer& from, const tir::Buffer& to) {
  return loop(tir::ForKind::Parallel, product_of(from->shape, 0, from->shape.size()),
              [&](const PrimExpr& i) {
                const Indices at = unravel(i, from->shape);
                return tir::store(to, tir::load(from, at), at);
              });
}

tir::PrimFunc block_function(const std::string& name, std::vector<tir::Buffer> params,
                             std::vector<tir::Stmt> body) {
  tir::AttrStmt sequential;
  sequential.attrs.emplace_back("pragma_scope", AttrValue{std::string("seq")});
  sequential.body = tir::seq(std::move(body));
  auto block = std::make_shared<tir::SBlock>();
  block->name_hint = name;
  block->body = tir::make_stmt(std::move(sequential));
  auto func = std::make_shared<tir::PrimFuncNode>();
  for (tir::Buffer& param : params) func->params.emplace_back(std::move(param));
  func->attrs.emplace_back("tirx.noalias", AttrValue{true});
  func->body = tir::make_stmt(tir::SBlockRealize{{}, nullptr, std::move(block)});
  return func;
}

bool same_behind(const Indices& a, const Indices& b, size_t begin, size_t except) {
  for (size_t i = begin; i < a.size(); ++i) {
    if (i != except && !same_extent(a[i], b[i])) return false;
  }
  return true;
}

// The shape that the indices broadcast to.
Indices common_shape_of(const std::vector<tir::Buffer>& indices) {
  Indices common;
  for (const tir::Buffer& index : indices) {
    const Indices& shape = index->shape;
    if (shape.size() > common.size()) {
      common.insert(common.begin(), shape.size() - common.size(), int64(1));
    }
    for (size_t i = 1; i <= shape.size(); ++i) {
      PrimExpr& extent = common[common.size() - i];
      if (tir::is_one(extent)) extent = shape[shape.size() - i];
    }
  }
  return common;
}

// An element of a tensor that is repeated to fill a shape, whose indices are given.
PrimExpr load_spread(const tir::Buffer& buffer, const Indices& at, const Indices& whole) {
  const size_t skipped = at.size() - buffer->shape.size();
  Indices own;
  for (size_t i = 0; i < buffer->shape.size(); ++i) {
    const bool repeated = tir::is_one(buffer->shape[i]) && !tir::is_one(whole[skipped + i]);
    own.push_back(repeated ? int64(0) : at[skipped + i]);
  }
  return tir::load(buffer, own);
}

// As TVM counts a broadcast index: the flat position in the index' own shape.
PrimExpr load_counted(const tir::Buffer& index, const Indices& at) {
  PrimExpr flat = int64(0), stride = int64(1);
  for (size_t i = index->shape.size(); i-- > 0;) {
    const PrimExpr& extent = index->shape[i];
    const PrimExpr own = tir::is_one(extent) ? int64(0) : at[at.size() - index->shape.size() + i];
    flat = tir::add(flat, tir::mul(own, stride));
    stride = tir::mul(stride, extent);
  }
  return tir::load(index, unravel(flat, index->shape));
}

}  // namespace

tir::Buffer open_buffer(const ScatterParam& param, size_t behind) {
  tir::BufferNode buffer;
  buffer.name = param.name;
  buffer.dtype = param.dtype;
  buffer.shape = param.shape;
  const std::string number = behind == 0 ? "" : "_" + std::to_string(behind);
  buffer.elem_offset = tir::var_expr(tir::make_var("elem_offset" + number, DType::Int64));
  return std::make_shared<tir::BufferNode>(std::move(buffer));
}

tir::PrimFunc scatter_elements(const ScatterParam& data, const ScatterParam& indices,
                               const ScatterParam& updates, size_t axis, ScatterMode mode) {
  const tir::Buffer from = open_buffer(data, 2), which = open_buffer(indices, 1),
                    values = open_buffer(updates, 0);
  const tir::Buffer out = tir::make_buffer("out_buf", data.dtype, data.shape);
  const Indices &own = from->shape, &picked = which->shape;
  const PrimExpr behind = product_of(own, axis + 1, own.size());
  const PrimExpr before_stride = tir::mul(own[axis], behind);
  const PrimExpr picked_behind = product_of(picked, axis + 1, picked.size());
  const PrimExpr picked_stride = tir::mul(picked[axis], picked_behind);
  // TVM counts positions in the indices' shape for the other tensors too, which is right where they
  // differ on the first axis at most.
  const bool countable = same_behind(picked, own, axis == 0 ? 0 : 1, axis) &&
                         same_behind(picked, values->shape, 1, picked.size());
  const Writer line = [&](const PrimExpr& fused) {
    const PrimExpr i = tir::floordiv(fused, picked_behind), j = tir::floormod(fused, picked_behind);
    const PrimExpr first = tir::add(tir::mul(i, picked_stride), j);
    const PrimExpr target = tir::add(tir::mul(i, before_stride), j);
    return loop(tir::ForKind::Serial, picked[axis], [&](const PrimExpr& k) {
      const PrimExpr at = tir::add(first, tir::mul(k, picked_behind));
      const Indices place = unravel(at, picked);
      const PrimExpr position = shifted(tir::load(which, place), own[axis]);
      if (countable) {
        const PrimExpr to = tir::add(target, tir::mul(position, behind));
        return combine_at(out, unravel(to, own), tir::load(values, unravel(at, values->shape)),
                          mode);
      }
      Indices to = place;
      to[axis] = position;
      return combine_at(out, to, tir::load(values, place), mode);
    });
  };
  const PrimExpr lines = tir::mul(product_of(picked, 0, axis), picked_behind);
  return block_function("scatter_elements_generic", {from, which, values, out},
                        {copy_all(from, out), loop(tir::ForKind::Parallel, lines, line)});
}

tir::PrimFunc index_put(const ScatterParam& data, const std::vector<ScatterParam>& indices,
                        const ScatterParam& values, bool accumulate) {
  const tir::Buffer from = open_buffer(data, indices.size() + 1);
  std::vector<tir::Buffer> which;
  for (const ScatterParam& index : indices) {
    which.push_back(open_buffer(index, indices.size() - which.size()));
  }
  const tir::Buffer source = open_buffer(values, 0);
  const tir::Buffer out = tir::make_buffer("out_buf", data.dtype, data.shape);
  const Indices& own = from->shape;
  const Indices common = common_shape_of(which);
  const ScatterMode mode = accumulate ? ScatterMode::Add : ScatterMode::Update;
  // TVM counts: one value for each position, in an element of the flattened tensor.
  const bool countable = which.size() == own.size() && source->shape.size() == common.size() &&
                         same_behind(source->shape, common, 0, common.size());
  const Writer counted = [&](const PrimExpr& k) {
    Indices at(common.size());
    PrimExpr rest = k;
    for (size_t i = common.size(); i-- > 0;) {
      at[i] = tir::floormod(rest, common[i]);
      rest = tir::floordiv(rest, common[i]);
    }
    PrimExpr flat = int64(0), stride = int64(1);
    for (size_t axis = own.size(); axis-- > 0;) {
      const PrimExpr position = shifted(load_counted(which[axis], at), own[axis]);
      flat = tir::add(flat, tir::mul(position, stride));
      stride = tir::mul(stride, own[axis]);
    }
    return combine_at(out, unravel(flat, own), tir::load(source, unravel(k, source->shape)), mode);
  };
  Indices whole = common;
  whole.insert(whole.end(), own.begin() + static_cast<std::ptrdiff_t>(which.size()), own.end());
  const Writer spread = [&](const PrimExpr& k) {
    const Indices at = unravel(k, whole);
    const auto rest = at.begin() + static_cast<std::ptrdiff_t>(common.size());
    const Indices lead(at.begin(), rest);
    Indices to;
    for (size_t axis = 0; axis < which.size(); ++axis) {
      to.push_back(shifted(load_spread(which[axis], lead, common), own[axis]));
    }
    to.insert(to.end(), rest, at.end());
    return combine_at(out, to, load_spread(source, at, whole), mode);
  };
  const Indices& counted_over = countable ? common : whole;
  std::vector<tir::Buffer> params = {from};
  params.insert(params.end(), which.begin(), which.end());
  params.push_back(source);
  params.push_back(out);
  return block_function("index_put_generic", std::move(params),
                        {copy_all(from, out), loop(tir::ForKind::Parallel,
                                                   product_of(counted_over, 0, counted_over.size()),
                                                   countable ? counted : spread)});
}

}  // namespace fx2wasm::topi
