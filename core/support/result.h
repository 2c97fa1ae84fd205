// A value, or the diagnostics that say why there is none. The core is built with -fno-exceptions,
// so this is how every fallible function answers.
#pragma once

#include <utility>
#include <variant>

#include "support/check.h"
#include "support/diagnostic.h"

namespace fx2wasm {

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Diagnostic diagnostic) : state_(std::in_place_index<1>) {
    std::get<1>(state_).push_back(std::move(diagnostic));
  }
  Result(Diagnostics diagnostics) : state_(std::in_place_index<1>, std::move(diagnostics)) {
    FX_CHECK(!std::get<1>(state_).empty(), "a failed Result needs a diagnostic");
  }

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const T& value() const& {
    FX_CHECK(ok(), "value() of a failed Result");
    return *std::get_if<0>(&state_);
  }
  T& value() & {
    FX_CHECK(ok(), "value() of a failed Result");
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    FX_CHECK(ok(), "value() of a failed Result");
    return std::move(*std::get_if<0>(&state_));
  }
  const Diagnostics& diagnostics() const {
    FX_CHECK(!ok(), "diagnostics() of a good Result");
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Diagnostics> state_;
};

// For functions that give nothing but may fail.
struct Unit {};

}  // namespace fx2wasm

// Declares `name` as the value of the Result expression `expression`, or returns its diagnostics
// from the enclosing function.
#define FX_TRY(name, expression)                               \
  auto name##_result = (expression);                           \
  if (!name##_result.ok()) return name##_result.diagnostics(); \
  auto& name = name##_result.value()
