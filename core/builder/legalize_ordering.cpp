// Functions of our own for the scans, orderings and searches that TVM leaves to a library.
#include <string>

#include "builder/call_loops.h"
#include "builder/infer_common.h"
#include "builder/infer_type.h"
#include "builder/legalize_family.h"
#include "topi/ordering.h"

namespace fx2wasm::legalize {
namespace {

using LoopBuffers = std::vector<tir::Buffer>;

size_t ordered_axis(const Legalization& l) {
  const int rank = relax::as_tensor(l.call.args[0])->ndim;
  const int64_t axis = infer::int_attr(l.call, "axis");
  return static_cast<size_t>(axis < 0 ? axis + rank : axis);
}

Answer own_scan(const Legalization& l) {
  if (!infer::optional_ints_attr(l.call, "axis")) return relax::Expr();
  const topi::Scan scan{l.call.op->name == "cumprod", infer::bool_attr(l.call, "exclusive"),
                        ordered_axis(l)};
  return call_loops(l.builder, std::string(l.call.op->name), l.call.args, {*l.out},
                    [&](const LoopBuffers& in, const LoopBuffers& out) {
                      return topi::running_fold(scan, in[0], out[0]);
                    });
}

Answer own_argsort(const Legalization& l) {
  const topi::Ordering ordering{ordered_axis(l), infer::bool_attr(l.call, "descending")};
  return call_loops(l.builder, "argsort", l.call.args, {*l.out},
                    [&](const LoopBuffers& in, const LoopBuffers& out) {
                      return topi::argsort(ordering, in[0], out[0]);
                    });
}

Answer own_topk(const Legalization& l) {
  const topi::Ordering ordering{ordered_axis(l), infer::bool_attr(l.call, "largest")};
  const std::string kind = infer::string_attr(l.call, "ret_type");
  FX_TRY(type, infer_type(l.call));
  std::vector<relax::TensorType> results;
  if (const relax::TupleType* tuple = relax::as_tuple(type)) {
    for (const relax::Type& field : tuple->fields) results.push_back(*relax::as_tensor(field));
  } else {
    results.push_back(*relax::as_tensor(type));
  }
  return call_loops(l.builder, "topk", l.call.args, results,
                    [&](const LoopBuffers& in, const LoopBuffers& out) {
                      const tir::Buffer values = kind == "indices" ? nullptr : out[0];
                      const tir::Buffer positions = kind == "values" ? nullptr : out.back();
                      return topi::topk(ordering, in[0], values, positions);
                    });
}

Answer own_bucketize(const Legalization& l) {
  const bool right = infer::bool_attr(l.call, "right");
  return call_loops(l.builder, "searchsorted", {l.call.args[1], l.call.args[0]}, {*l.out},
                    [&](const LoopBuffers& in, const LoopBuffers& out) {
                      return topi::search_sorted(right, in[0], in[1], out[0]);
                    });
}

constexpr Entry kOrderingEntries[] = {
    {"argsort", own_argsort}, {"bucketize", own_bucketize}, {"cumprod", own_scan},
    {"cumsum", own_scan},     {"topk", own_topk},
};

}  // namespace

std::optional<Answer> own_ordering(const Legalization& l) {
  for (const Entry& entry : kOrderingEntries) {
    if (entry.op == l.call.op->name) return entry.rule(l);
  }
  return std::nullopt;
}

}  // namespace fx2wasm::legalize
