#include "ir/intrinsic.h"

#include <array>
#include <cstddef>

#include "support/check.h"

namespace fx2wasm::tir {
namespace {

struct Entry {
  Intrinsic intrinsic;
  std::string_view name;
  int arity;
};

// In the order of the enumeration, so that an intrinsic is its own index.
constexpr std::array kTable = {
    Entry{Intrinsic::IfThenElse, "if_then_else", 3},
    Entry{Intrinsic::Likely, "likely", 1},
    Entry{Intrinsic::Exp, "exp", 1},
    Entry{Intrinsic::Exp2, "exp2", 1},
    Entry{Intrinsic::Exp10, "exp10", 1},
    Entry{Intrinsic::Log, "log", 1},
    Entry{Intrinsic::Log2, "log2", 1},
    Entry{Intrinsic::Log10, "log10", 1},
    Entry{Intrinsic::Log1p, "log1p", 1},
    Entry{Intrinsic::Sqrt, "sqrt", 1},
    Entry{Intrinsic::Rsqrt, "rsqrt", 1},
    Entry{Intrinsic::Sigmoid, "sigmoid", 1},
    Entry{Intrinsic::Tanh, "tanh", 1},
    Entry{Intrinsic::Sin, "sin", 1},
    Entry{Intrinsic::Cos, "cos", 1},
    Entry{Intrinsic::Tan, "tan", 1},
    Entry{Intrinsic::Sinh, "sinh", 1},
    Entry{Intrinsic::Cosh, "cosh", 1},
    Entry{Intrinsic::Asin, "asin", 1},
    Entry{Intrinsic::Acos, "acos", 1},
    Entry{Intrinsic::Atan, "atan", 1},
    Entry{Intrinsic::Asinh, "asinh", 1},
    Entry{Intrinsic::Acosh, "acosh", 1},
    Entry{Intrinsic::Atanh, "atanh", 1},
    Entry{Intrinsic::Atan2, "atan2", 2},
    Entry{Intrinsic::Erf, "erf", 1},
    Entry{Intrinsic::Pow, "pow", 2},
    Entry{Intrinsic::Fmod, "fmod", 2},
    Entry{Intrinsic::Fabs, "fabs", 1},
    Entry{Intrinsic::Abs, "abs", 1},
    Entry{Intrinsic::Floor, "floor", 1},
    Entry{Intrinsic::Ceil, "ceil", 1},
    Entry{Intrinsic::Trunc, "trunc", 1},
    Entry{Intrinsic::Round, "round", 1},
    Entry{Intrinsic::Nearbyint, "nearbyint", 1},
    Entry{Intrinsic::IsNan, "isnan", 1},
    Entry{Intrinsic::IsInf, "isinf", 1},
    Entry{Intrinsic::IsFinite, "isfinite", 1},
    Entry{Intrinsic::BitwiseAnd, "bitwise_and", 2},
    Entry{Intrinsic::BitwiseOr, "bitwise_or", 2},
    Entry{Intrinsic::BitwiseXor, "bitwise_xor", 2},
    Entry{Intrinsic::BitwiseNot, "bitwise_not", 1},
    Entry{Intrinsic::ShiftLeft, "shift_left", 2},
    Entry{Intrinsic::ShiftRight, "shift_right", 2},
    Entry{Intrinsic::Popcount, "popcount", 1},
    Entry{Intrinsic::Clz, "clz", 1},
    Entry{Intrinsic::Reinterpret, "reinterpret", 1},
    Entry{Intrinsic::Infinity, "infinity", 0},
    Entry{Intrinsic::Ret, "ret", 1},
};

constexpr bool table_in_order() {
  for (size_t i = 0; i < kTable.size(); ++i) {
    if (static_cast<size_t>(kTable[i].intrinsic) != i) return false;
  }
  return kTable.size() == static_cast<size_t>(Intrinsic::Ret) + 1;
}
static_assert(table_in_order());

const Entry& entry_of(Intrinsic intrinsic) {
  const auto index = static_cast<size_t>(intrinsic);
  FX_CHECK(index < kTable.size(), "not an intrinsic");
  return kTable[index];
}

}  // namespace

std::string_view intrinsic_name(Intrinsic intrinsic) { return entry_of(intrinsic).name; }

int intrinsic_arity(Intrinsic intrinsic) { return entry_of(intrinsic).arity; }

std::optional<Intrinsic> find_intrinsic(std::string_view name) {
  for (const Entry& entry : kTable) {
    if (entry.name == name) return entry.intrinsic;
  }
  return std::nullopt;
}

}  // namespace fx2wasm::tir
