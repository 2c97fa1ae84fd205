#include "topi/ordering.h"

#include <cmath>

#include "ir/tir_build.h"

namespace fx2wasm::topi {
namespace {

using te::PrimExpr;
using tir::BinaryOp;

PrimExpr index_of(int64_t value) { return tir::int_imm(DType::Int64, value); }

PrimExpr int64_count(const Indices& shape) {
  PrimExpr count = index_of(1);
  for (const PrimExpr& extent : shape) count = tir::mul(count, extent);
  return count;
}

PrimExpr both(PrimExpr a, PrimExpr b) {
  return tir::make_binary(BinaryOp::And, std::move(a), std::move(b));
}
PrimExpr either(PrimExpr a, PrimExpr b) {
  return tir::make_binary(BinaryOp::Or, std::move(a), std::move(b));
}
PrimExpr less(PrimExpr a, PrimExpr b) {
  return tir::make_binary(BinaryOp::LT, std::move(a), std::move(b));
}

PrimExpr is_number(const PrimExpr& value) {
  return tir::logical_not(tir::call(DType::Bool, tir::Intrinsic::IsNan, {value}));
}
PrimExpr is_no_number(const PrimExpr& value) {
  return tir::call(DType::Bool, tir::Intrinsic::IsNan, {value});
}

// Comparisons of bools are those of 0 and 1.
PrimExpr comparable(const PrimExpr& value) {
  return value->dtype == DType::Bool ? tir::cast(DType::Int32, value) : value;
}

// Whether a stands before b in order.
PrimExpr stands_before(const PrimExpr& left, const PrimExpr& right, bool descending) {
  const PrimExpr a = comparable(left), b = comparable(right);
  PrimExpr before = tir::make_binary(descending ? BinaryOp::GT : BinaryOp::LT, a, b);
  if (!is_float(a->dtype)) return before;
  const PrimExpr& larger = descending ? a : b;
  const PrimExpr& smaller = descending ? b : a;
  return either(std::move(before), both(is_no_number(larger), is_number(smaller)));
}

DType running_dtype(DType dtype) { return is_float(dtype) ? DType::Float64 : DType::Int64; }

// Sorts the positions 0 … extent - 1 of a line by merging ever longer runs.
class LineSorter {
 public:
  LineSorter(const tir::Buffer& x, const Ordering& ordering)
      : x_(x),
        descending_(ordering.descending),
        extent_(x->shape[ordering.axis]),
        merged_(tir::make_buffer("merged", DType::Int64, {extent_})) {}

  // `order` holds the positions afterwards: the buffer, and the indices of its i-th one.
  using Place = std::function<Indices(const PrimExpr& i)>;
  tir::Stmt sort(const Line& line, const tir::Buffer& order, const Place& place) const {
    const auto position = [&](const PrimExpr& i) {
      return tir::cast(DType::Int64, tir::load(order, place(i)));
    };
    const auto put = [&](const PrimExpr& i, const PrimExpr& value) {
      return tir::store(order, tir::cast(order->dtype, value), place(i));
    };
    const auto element = [&](const PrimExpr& i) { return tir::load(x_, line.at(position(i))); };
    tir::Stmt merge_step =
        loop_over_runs([&](const PrimExpr& begin, const PrimExpr& middle, const PrimExpr& end) {
          return merge(begin, middle, end, position, element);
        });
    return tir::seq(
        {loop_over(extent_, "i", [&](const PrimExpr& i) { return put(i, i); }),
         width_.set(index_of(1)),
         while_loop(less(width_.value(), extent_),
                    {begin_.set(index_of(0)), std::move(merge_step),
                     loop_over(extent_, "i",
                               [&](const PrimExpr& i) { return put(i, tir::load(merged_, {i})); }),
                     width_.set(tir::mul(width_.value(), index_of(2)))})});
  }

  std::vector<tir::Buffer> scratch() const {
    return {merged_, width_.buffer, begin_.buffer, left_.buffer, right_.buffer};
  }

 private:
  using Position = std::function<PrimExpr(const PrimExpr& i)>;

  // Each pair of neighbouring runs, the last of them maybe shorter.
  tir::Stmt loop_over_runs(const std::function<tir::Stmt(const PrimExpr&, const PrimExpr&,
                                                         const PrimExpr&)>& body) const {
    const auto bounded = [&](const PrimExpr& end) {
      return tir::make_binary(BinaryOp::Min, end, extent_);
    };
    tir::Stmt pair = let_named("begin", begin_.value(), [&](const PrimExpr& begin) {
      return let_named(
          "middle", bounded(tir::add(begin, width_.value())), [&](const PrimExpr& middle) {
            return let_named("end", bounded(tir::add(middle, width_.value())),
                             [&](const PrimExpr& end) { return body(begin, middle, end); });
          });
    });
    return while_loop(
        less(begin_.value(), extent_),
        {std::move(pair),
         begin_.set(tir::add(begin_.value(), tir::mul(width_.value(), index_of(2))))});
  }

  // The element of the right run comes first only when it stands before the left one's.
  tir::Stmt merge(const PrimExpr& begin, const PrimExpr& middle, const PrimExpr& end,
                  const Position& position, const Position& element) const {
    const PrimExpr left = left_.value(), right = right_.value();
    const PrimExpr left_is_done = tir::make_binary(BinaryOp::GE, left, middle);
    const PrimExpr takes_right =
        both(less(right, end),
             either(left_is_done, stands_before(element(right), element(left), descending_)));
    const auto take = [&](const PrimExpr& to, const Counter& from) {
      return std::vector<tir::Stmt>{tir::store(merged_, position(from.value()), {to}),
                                    from.set(tir::add(from.value(), index_of(1)))};
    };
    return tir::seq({left_.set(begin), right_.set(middle),
                     loop_from(begin, tir::sub(end, begin), "to", [&](const PrimExpr& to) {
                       return if_else(takes_right, take(to, right_), take(to, left_));
                     })});
  }

  tir::Buffer x_;
  bool descending_;
  PrimExpr extent_;
  tir::Buffer merged_;
  Counter width_{"width", DType::Int64}, begin_{"run", DType::Int64};
  Counter left_{"left", DType::Int64}, right_{"right", DType::Int64};
};

}  // namespace

Loops running_fold(const Scan& scan, const tir::Buffer& x, const tir::Buffer& result) {
  const DType wide = running_dtype(result->dtype);
  const Counter total("total", wide);
  tir::Stmt body = for_each_line(x->shape, scan.axis, [&](const Line& line) {
    const tir::Stmt begin = total.set(tir::const_of(wide, scan.product ? 1 : 0));
    const tir::Stmt steps = loop_over(x->shape[scan.axis], "i", [&](const PrimExpr& i) {
      const PrimExpr element = tir::cast(wide, tir::cast(result->dtype, tir::load(x, line.at(i))));
      const tir::Stmt fold = total.set(scan.product ? tir::mul(total.value(), element)
                                                    : tir::add(total.value(), element));
      const tir::Stmt write =
          tir::store(result, tir::cast(result->dtype, total.value()), line.at(i));
      return scan.exclusive ? tir::seq({write, fold}) : tir::seq({fold, write});
    });
    return tir::seq({begin, steps});
  });
  return {std::move(body), {total.buffer}};
}

Loops running_logsumexp(size_t axis, const tir::Buffer& x, const tir::Buffer& result) {
  const DType wide = result->dtype == DType::Float64 ? DType::Float64 : DType::Float32;
  const Counter largest("largest", wide), total("total", wide);
  const auto exp_of = [&](const PrimExpr& value) {
    return tir::call(wide, tir::Intrinsic::Exp, {value});
  };
  const PrimExpr one = tir::float_imm(wide, 1);
  tir::Stmt body = for_each_line(x->shape, axis, [&](const Line& line) {
    const tir::Stmt steps = loop_over(x->shape[axis], "i", [&](const PrimExpr& i) {
      const PrimExpr element = tir::cast(wide, tir::load(x, line.at(i)));
      // Equal ones are told apart, since inf - inf is no number.
      const tir::Stmt add = if_else(
          less(largest.value(), element),
          {total.set(
               tir::add(tir::mul(total.value(), exp_of(tir::sub(largest.value(), element))), one)),
           largest.set(element)},
          {if_else(
              tir::make_binary(BinaryOp::EQ, largest.value(), element),
              {total.set(tir::add(total.value(), one))},
              {total.set(tir::add(total.value(), exp_of(tir::sub(element, largest.value()))))})});
      const PrimExpr logarithm = tir::call(wide, tir::Intrinsic::Log, {total.value()});
      return tir::seq(
          {add, tir::store(result, tir::cast(result->dtype, tir::add(largest.value(), logarithm)),
                           line.at(i))});
    });
    return tir::seq(
        {largest.set(tir::float_imm(wide, -HUGE_VAL)), total.set(tir::float_imm(wide, 0)), steps});
  });
  return {std::move(body), {largest.buffer, total.buffer}};
}

Loops running_extreme(bool largest, size_t axis, const tir::Buffer& x, const tir::Buffer& values,
                      const tir::Buffer& positions) {
  const Counter best("best", DType::Int64);
  tir::Stmt body = for_each_line(x->shape, axis, [&](const Line& line) {
    const tir::Stmt steps = loop_over(x->shape[axis], "i", [&](const PrimExpr& i) {
      const PrimExpr element = comparable(tir::load(x, line.at(i)));
      const PrimExpr before = comparable(tir::load(x, line.at(best.value())));
      PrimExpr wins = tir::make_binary(largest ? BinaryOp::GE : BinaryOp::LE, element, before);
      if (is_float(element->dtype)) wins = either(std::move(wins), is_no_number(element));
      return tir::seq(
          {if_else(std::move(wins), {best.set(i)}),
           tir::store(values, tir::load(x, line.at(best.value())), line.at(i)),
           tir::store(positions, tir::cast(positions->dtype, best.value()), line.at(i))});
    });
    return tir::seq({best.set(index_of(0)), steps});
  });
  return {std::move(body), {best.buffer}};
}

Loops argsort(const Ordering& ordering, const tir::Buffer& x, const tir::Buffer& positions) {
  const LineSorter sorter(x, ordering);
  tir::Stmt body = for_each_line(x->shape, ordering.axis, [&](const Line& line) {
    return sorter.sort(line, positions, [&](const PrimExpr& i) { return line.at(i); });
  });
  return {std::move(body), sorter.scratch()};
}

namespace {

// A buffer for the order of one line, and the loops that fill it and go on with `use`.
Loops with_sorted_lines(const Ordering& ordering, const tir::Buffer& x,
                        const std::function<tir::Stmt(const Line&, const tir::Buffer&)>& use) {
  const LineSorter sorter(x, ordering);
  const tir::Buffer order = tir::make_buffer("order", DType::Int64, {x->shape[ordering.axis]});
  tir::Stmt body = for_each_line(x->shape, ordering.axis, [&](const Line& line) {
    return tir::seq(
        {sorter.sort(line, order, [](const PrimExpr& i) { return Indices{i}; }), use(line, order)});
  });
  std::vector<tir::Buffer> scratch = sorter.scratch();
  scratch.insert(scratch.begin(), order);
  return {std::move(body), std::move(scratch)};
}

}  // namespace

Loops topk(const Ordering& ordering, const tir::Buffer& x, const tir::Buffer& values,
           const tir::Buffer& positions) {
  const PrimExpr count = (values ? values : positions)->shape[ordering.axis];
  return with_sorted_lines(ordering, x, [&](const Line& line, const tir::Buffer& order) {
    return loop_over(count, "i", [&](const PrimExpr& i) {
      const PrimExpr position = tir::load(order, {i});
      std::vector<tir::Stmt> stores;
      if (values) stores.push_back(tir::store(values, tir::load(x, line.at(position)), line.at(i)));
      if (positions) {
        stores.push_back(tir::store(positions, tir::cast(positions->dtype, position), line.at(i)));
      }
      return tir::seq(std::move(stores));
    });
  });
}

Loops select_ordered(const Selection& selection, const tir::Buffer& x, const tir::Buffer& values,
                     const tir::Buffer& positions) {
  const PrimExpr extent = x->shape[selection.axis];
  const bool keeps = values->shape.size() == x->shape.size();
  const Counter chosen("chosen", DType::Int64);
  Loops loops = with_sorted_lines(
      {selection.axis, false}, x, [&](const Line& line, const tir::Buffer& order) {
        const Indices to = keeps ? line.at(index_of(0)) : line.around;
        const auto element = [&](const PrimExpr& i) { return tir::load(x, line.at(i)); };
        std::vector<tir::Stmt> steps = {chosen.set(index_of(selection.place))};
        if (selection.nan_wins && is_float(x->dtype)) {
          // NaN stand last, the first of them first: it is behind the last number.
          const PrimExpr last = tir::load(order, {tir::sub(extent, index_of(1))});
          const PrimExpr here = element(tir::load(order, {chosen.value()}));
          const PrimExpr previous = tir::sub(chosen.value(), index_of(1));
          const PrimExpr nan_before = both(less(index_of(0), chosen.value()),
                                           is_no_number(element(tir::load(order, {previous}))));
          steps.push_back(if_else(
              is_no_number(element(last)),
              {while_loop(is_number(here), {chosen.set(tir::add(chosen.value(), index_of(1)))}),
               while_loop(nan_before, {chosen.set(previous)})}));
        }
        const PrimExpr position = tir::load(order, {chosen.value()});
        steps.push_back(tir::store(values, element(position), to));
        steps.push_back(tir::store(positions, tir::cast(positions->dtype, position), to));
        return tir::seq(std::move(steps));
      });
  loops.scratch.push_back(chosen.buffer);
  return loops;
}

Loops search_sorted(bool right, const tir::Buffer& boundaries, const tir::Buffer& values,
                    const tir::Buffer& result) {
  const Counter low("low", DType::Int64), high("high", DType::Int64);
  const size_t rank = values->shape.size();
  const PrimExpr count = boundaries->shape.back();
  const auto search = [&](const Indices& at) {
    const PrimExpr value = comparable(tir::load(values, at));
    const PrimExpr half = tir::call(DType::Int64, tir::Intrinsic::ShiftRight,
                                    {tir::sub(high.value(), low.value()), index_of(1)});
    const tir::Stmt step =
        let_named("middle", tir::add(low.value(), half), [&](const PrimExpr& middle) {
          Indices place(at.begin(),
                        at.begin() + static_cast<std::ptrdiff_t>(boundaries->shape.size() - 1));
          place.push_back(middle);
          const PrimExpr boundary = comparable(tir::load(boundaries, place));
          // So that a NaN belongs behind all.
          const PrimExpr passes = tir::logical_not(
              tir::make_binary(right ? BinaryOp::GT : BinaryOp::GE, boundary, value));
          return if_else(passes, {low.set(tir::add(middle, index_of(1)))}, {high.set(middle)});
        });
    return tir::seq({low.set(index_of(0)), high.set(count),
                     while_loop(less(low.value(), high.value()), {step}),
                     tir::store(result, tir::cast(result->dtype, low.value()), at)});
  };
  tir::Stmt body =
      rank == 0 ? search({}) : for_each_line(values->shape, rank - 1, [&](const Line& line) {
        return loop_over(values->shape.back(), "i",
                         [&](const PrimExpr& i) { return search(line.at(i)); });
      });
  return {std::move(body), {low.buffer, high.buffer}};
}

tir::PrimFunc searchsorted_function(bool right, const ScatterParam& boundaries,
                                    const ScatterParam& values, DType result) {
  const tir::Buffer sorted = open_buffer(boundaries, 2), wanted = open_buffer(values, 1);
  const tir::Buffer found = open_buffer({"searchsorted", values.shape, result}, 0);
  const auto counter = [&] {
    tir::BufferNode buffer;
    buffer.name = "buffer";
    buffer.dtype = result;
    buffer.shape = {index_of(1)};
    buffer.scope = "local";
    return std::make_shared<const tir::BufferNode>(std::move(buffer));
  };
  const tir::Buffer low = counter(), high = counter();
  const Indices only = {index_of(0)};
  const PrimExpr begin = tir::load(low, only), end = tir::load(high, only);
  const auto half = [](const PrimExpr& span) {
    return tir::call(span->dtype, tir::Intrinsic::ShiftRight, {span, tir::int_imm(span->dtype, 1)});
  };
  const PrimExpr span = tir::sub(end, begin), middle = tir::add(begin, half(span));
  // TVM widens the parts of an index, not the sum.
  const PrimExpr place =
      tir::add(tir::cast(DType::Int64, begin), half(tir::cast(DType::Int64, span)));
  PrimExpr searches = int64_count(wanted->shape);
  const tir::Var var = tir::make_var("v", DType::Int64);
  const Indices at = unravel(tir::var_expr(var), wanted->shape);
  const PrimExpr passes =
      tir::make_binary(right ? BinaryOp::LE : BinaryOp::LT, comparable(tir::load(sorted, {place})),
                       comparable(tir::load(wanted, at)));
  const tir::Stmt step =
      if_else(passes, {tir::store(low, tir::add(middle, tir::int_imm(result, 1)), only)},
              {tir::store(high, middle, only)});
  const tir::Stmt search =
      tir::seq({tir::store(low, tir::int_imm(result, 0), only),
                tir::store(high, tir::cast(result, sorted->shape[0]), only),
                while_loop(less(begin, end), {step}), tir::store(found, begin, at)});
  const tir::Stmt with_counters =
      tir::make_stmt(tir::AllocStmt{low, tir::make_stmt(tir::AllocStmt{high, search})});
  auto block = std::make_shared<tir::SBlock>();
  block->name_hint = "searchsorted";
  block->body = tir::make_stmt(
      tir::For{var, index_of(0), std::move(searches), tir::ForKind::Parallel, {}, with_counters});
  auto func = std::make_shared<tir::PrimFuncNode>();
  func->params = {sorted, wanted, found};
  func->attrs.emplace_back("tirx.noalias", AttrValue{true});
  func->body = tir::make_stmt(tir::SBlockRealize{{}, nullptr, std::move(block)});
  return func;
}

}  // namespace fx2wasm::topi
