// What the legalisation rules of all operator families share (builder/legalize_rules.h). Private to
// builder/. A family has its own file with a function that legalize_call asks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "builder/block_builder.h"
#include "ir/relax_build.h"
#include "topi/topi.h"

namespace fx2wasm::legalize {

using Answer = Result<relax::Expr>;  // null: the operator stays
using Tensors = std::vector<te::Tensor>;

// What a rule works with.
struct Legalization {
  BlockBuilder& builder;
  const relax::OpCall& call;
  const relax::TensorType* out;  // the result's type, when it is a tensor
};
using Rule = Answer (*)(const Legalization&);
struct Entry {
  std::string_view op;
  Rule rule;
};

const te::Tensor& tensor(const TeValueList& args, size_t index);
// All of the call's arguments.
TeArgumentList arguments(const relax::OpCall& call);

// Calls a tensor expression of the first argument.
template <class Function>
Answer unary_te(const Legalization& l, const std::string& name, const Function& function) {
  return l.builder.call_te(
      [&](const TeValueList& args) { return Result<Tensors>(Tensors{function(tensor(args, 0))}); },
      name, {{l.call.args[0]}});
}

// Calls a broadcasting one; a 0-d constant becomes an immediate.
Answer broadcast_te(const Legalization& l, topi::BroadcastOp op, const std::string& name);

// The families. Absent: the operator is none of theirs.
std::optional<Answer> elementwise(const Legalization& l);    // legalize_elementwise.cpp
std::optional<Answer> reduction(const Legalization& l);      // legalize_reduction.cpp
std::optional<Answer> normalization(const Legalization& l);  // legalize_normalization.cpp
std::optional<Answer> indexing(const Legalization& l);       // legalize_indexing.cpp
std::optional<Answer> rearrange(const Legalization& l);      // legalize_rearrange.cpp
std::optional<Answer> window(const Legalization& l);         // legalize_window.cpp
std::optional<Answer> resize(const Legalization& l);         // legalize_resize.cpp

// Functions of our own, before those of the families: LegalizeMode::Complete.
std::optional<Answer> own_reduction(const Legalization& l);  // legalize_reduction.cpp
std::optional<Answer> own_ordering(const Legalization& l);   // legalize_ordering.cpp
// Of tensors whose common shape only a run knows.
std::optional<Answer> own_broadcast(const Legalization& l);  // legalize_elementwise.cpp

}  // namespace fx2wasm::legalize
