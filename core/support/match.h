// Exhaustive case analysis over a std::variant: leaving out an alternative does not compile.
//
//   match(expr->kind, [](const Var& v) { … }, [](const IntImm& i) { … }, …);
//
// Give one lambda per alternative, each with the alternative's own type: a generic (`auto`) lambda
// would silently swallow alternatives added later.
#pragma once

#include <utility>
#include <variant>

namespace fx2wasm {

template <class... Lambdas>
struct Overloaded : Lambdas... {
  using Lambdas::operator()...;
};
template <class... Lambdas>
Overloaded(Lambdas...) -> Overloaded<Lambdas...>;

template <class Variant, class... Lambdas>
decltype(auto) match(Variant&& variant, Lambdas&&... lambdas) {
  return std::visit(Overloaded{std::forward<Lambdas>(lambdas)...}, std::forward<Variant>(variant));
}

}  // namespace fx2wasm
