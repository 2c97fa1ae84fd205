// One operator call of Relax while it is evaluated, and the table of evaluators.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interp/tensor.h"
#include "ir/relax.h"
#include "support/result.h"

namespace fx2wasm::interp {

// A tensor type whose extents have their values; `known` is false where the type has no shape.
struct ConcreteType {
  Shape shape;
  DType dtype = DType::Float32;
  bool known = true;
};

// What an evaluator sees: the arguments' values, the attributes, and the declared types of the
// result's tensors (several for a tuple). That an attribute or a tensor argument is there and of
// the right kind is an invariant of the IR.
struct OpRun {
  const relax::OpCall& call;
  std::vector<Value> args;
  std::vector<ConcreteType> results;

  std::string_view name() const;
  const Tensor& tensor(size_t index) const;
  std::vector<TensorRef> tensor_tuple(size_t index) const;
  Shape shape(size_t index) const;    // a shape or a tuple of scalars
  Scalar scalar(size_t index) const;  // a prim value or a tensor of one element
  bool has_argument(size_t index) const { return index < args.size(); }

  bool has(std::string_view attr) const;  // there, and not None
  int64_t integer(std::string_view attr) const;
  double real(std::string_view attr) const;
  bool flag(std::string_view attr) const;
  std::string text(std::string_view attr) const;
  std::vector<int64_t> integers(std::string_view attr) const;  // a list, or one integer

  Tensor result(size_t index = 0) const;  // zeros of the declared type
  // Axes counted from the front; all of them when the attribute is None.
  std::vector<int64_t> axes(std::string_view attr, int64_t rank) const;

  // An FX7002 with the operator's name.
  Diagnostic unsupported(const std::string& what) const;
  // An FX7001: the values that the operator was given are at fault.
  Diagnostic wrong_input(const std::string& what) const;
};

Value value_of(Tensor tensor);
Value tuple_of(std::vector<Tensor> tensors);

using Evaluator = Result<Value> (*)(const OpRun&);

// The evaluator of an operator in one family, or null. relax_eval.cpp asks them all.
Evaluator find_elementwise(std::string_view name);
Evaluator find_shape_op(std::string_view name);
Evaluator find_indexing_op(std::string_view name);
Evaluator find_reduction(std::string_view name);
Evaluator find_linear_op(std::string_view name);  // matmul, convolutions
Evaluator find_window_op(std::string_view name);  // pooling, padding
Evaluator find_einsum(std::string_view name);
Evaluator find_resize(std::string_view name);
Evaluator find_normalization(std::string_view name);

struct EvaluatorEntry {
  std::string_view name;
  Evaluator evaluator;
};

// Looks a name up in a family's table.
template <size_t N>
Evaluator find_entry(const EvaluatorEntry (&table)[N], std::string_view name) {
  for (const EvaluatorEntry& entry : table) {
    if (entry.name == name) return entry.evaluator;
  }
  return nullptr;
}

}  // namespace fx2wasm::interp
