// Reductions over axes, and running sums and products.
#include <cmath>
#include <functional>

#include "interp/relax_op.h"
#include "support/check.h"

namespace fx2wasm::interp {
namespace {

// For each element of x, in order, the element of the reduced tensor that it belongs to.
std::vector<int64_t> targets(const Tensor& x, const std::vector<int64_t>& axes) {
  Shape reduced = x.shape;
  for (int64_t axis : axes) reduced[static_cast<size_t>(axis)] = 1;
  std::vector<int64_t> strides = strides_of(reduced);
  for (int64_t axis : axes) strides[static_cast<size_t>(axis)] = 0;
  std::vector<int64_t> result;
  if (x.count() == 0) return result;
  std::vector<int64_t> index(x.shape.size(), 0);
  do {
    result.push_back(offset_of(index, strides));
  } while (next_index(x.shape, index));
  return result;
}

double larger_or_nan(double a, double b) { return std::isnan(a) || a > b ? a : b; }
double smaller_or_nan(double a, double b) { return std::isnan(a) || a < b ? a : b; }

struct Fold {
  double start;
  double (*real)(double, double);
  int64_t int_start;
  int64_t (*integer)(int64_t, int64_t);
};

Fold fold_of(std::string_view name) {
  if (name == "max") {
    return {-HUGE_VAL, [](double a, double b) { return std::isnan(b) ? b : larger_or_nan(a, b); },
            INT64_MIN, [](int64_t a, int64_t b) { return a > b ? a : b; }};
  }
  if (name == "min") {
    return {HUGE_VAL, [](double a, double b) { return std::isnan(b) ? b : smaller_or_nan(a, b); },
            INT64_MAX, [](int64_t a, int64_t b) { return a < b ? a : b; }};
  }
  if (name == "prod" || name == "cumprod") {
    return {1, [](double a, double b) { return a * b; }, 1,
            [](int64_t a, int64_t b) {
              return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
            }};
  }
  return {0, [](double a, double b) { return a + b; }, 0,
          [](int64_t a, int64_t b) {
            return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
          }};
}

Result<Value> fold(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const Fold fold = fold_of(run.name());
  const std::vector<int64_t> to = targets(x, run.axes("axis", x.rank()));
  Tensor out = run.result();
  const auto size = static_cast<size_t>(out.count());
  std::vector<double> reals(x.real() ? size : 0, fold.start);
  std::vector<int64_t> integers(x.real() ? 0 : size, fold.int_start);
  for (size_t at = 0; at < to.size(); ++at) {
    const auto target = static_cast<size_t>(to[at]);
    if (x.real()) {
      reals[target] = fold.real(reals[target], x.f[at]);
    } else {
      integers[target] = fold.integer(integers[target], x.i[at]);
    }
  }
  for (size_t at = 0; at < size; ++at) {
    if (x.real()) {
      out.set_number(static_cast<int64_t>(at), reals[at]);
    } else {
      out.set(static_cast<int64_t>(at), integer_scalar(DType::Int64, integers[at]));
    }
  }
  return value_of(std::move(out));
}

// mean, variance (of the population, as TVM has it) and std.
Result<Value> moments(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const std::vector<int64_t> to = targets(x, run.axes("axis", x.rank()));
  Tensor out = run.result();
  const auto size = static_cast<size_t>(out.count());
  const double count = static_cast<double>(x.count()) / static_cast<double>(out.count());
  std::vector<double> means(size, 0);
  for (size_t at = 0; at < to.size(); ++at) {
    means[static_cast<size_t>(to[at])] += x.number(static_cast<int64_t>(at)) / count;
  }
  std::vector<double> spreads(size, 0);
  for (size_t at = 0; at < to.size(); ++at) {
    const auto target = static_cast<size_t>(to[at]);
    const double distance = x.number(static_cast<int64_t>(at)) - means[target];
    spreads[target] += distance * distance / count;
  }
  for (size_t at = 0; at < size; ++at) {
    const double value = count == 0                 ? NAN
                         : run.name() == "mean"     ? means[at]
                         : run.name() == "variance" ? spreads[at]
                                                    : std::sqrt(spreads[at]);
    out.set_number(static_cast<int64_t>(at), value);
  }
  return value_of(std::move(out));
}

// The first position of the extreme along the axes; a NaN is more extreme than any number.
Result<Value> arg_extreme(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const bool largest = run.name() == "argmax";
  const std::vector<int64_t> axes = run.axes("axis", x.rank());
  const std::vector<int64_t> to = targets(x, axes);
  const bool all = !run.has("axis");
  const int64_t inner = all ? 1 : strides_of(x.shape)[static_cast<size_t>(axes.front())];
  const int64_t extent = all ? x.count() : x.extent(axes.front());
  Tensor out = run.result();
  std::vector<double> best(static_cast<size_t>(out.count()), 0);
  std::vector<bool> seen(best.size(), false);
  for (size_t at = 0; at < to.size(); ++at) {
    const auto target = static_cast<size_t>(to[at]);
    const double value = x.number(static_cast<int64_t>(at));
    const bool beats = largest ? value > best[target] : value < best[target];
    const bool first_nan = std::isnan(value) && !std::isnan(best[target]);
    if (seen[target] && !beats && !first_nan) continue;
    seen[target] = true;
    best[target] = value;
    out.set(to[at], integer_scalar(DType::Int64, static_cast<int64_t>(at) / inner % extent));
  }
  return value_of(std::move(out));
}

Result<Value> running(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const Fold fold = fold_of(run.name());
  const bool exclusive = run.has("exclusive") && run.flag("exclusive");
  Tensor out = run.result();
  const bool flat = !run.has("axis");
  const size_t axis = flat ? 0 : static_cast<size_t>(run.axes("axis", x.rank()).front());
  const int64_t inner = flat ? 1 : strides_of(x.shape)[axis];
  const int64_t extent = flat ? x.count() : x.shape[axis];
  const int64_t lines = extent == 0 ? 0 : x.count() / extent;
  for (int64_t line = 0; line < lines; ++line) {
    const int64_t base = line / inner * extent * inner + line % inner;
    double real = fold.start;
    int64_t integer = fold.int_start;
    for (int64_t along = 0; along < extent; ++along) {
      const int64_t at = base + along * inner;
      const double real_before = real;
      const int64_t integer_before = integer;
      // PyTorch converts each element to the result's dtype before it is added.
      const Scalar element = cast_scalar(out.dtype, x.at(at));
      real = fold.real(real, element.f);
      integer = fold.integer(integer, element.i);
      if (out.real()) {
        out.set_number(at, exclusive ? real_before : real);
      } else {
        out.set(at, integer_scalar(DType::Int64, exclusive ? integer_before : integer));
      }
    }
  }
  return value_of(std::move(out));
}

const EvaluatorEntry kReduceTable[] = {
    {"sum", fold},           {"prod", fold},        {"max", fold},        {"min", fold},
    {"mean", moments},       {"variance", moments}, {"std", moments},     {"argmax", arg_extreme},
    {"argmin", arg_extreme}, {"cumsum", running},   {"cumprod", running},
};

}  // namespace

Evaluator find_reduction(std::string_view name) { return find_entry(kReduceTable, name); }

}  // namespace fx2wasm::interp
