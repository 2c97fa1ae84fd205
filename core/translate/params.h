// The parameters of `main`: the graph's inputs and, with --params inputs, its weights; and
// map_param, which gives a weight as one of them or as a constant.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "builder/step.h"
#include "fx/graph.h"
#include "translate/call.h"
#include "translate/from_fx.h"

namespace fx2wasm::translate {

class Params : public ParamSource {
 public:
  Params(const fx::Graph& graph, const TranslateOptions& options, StepRecorder& recorder);

  // In the order of main's signature. The tvm set names inputs inp_0, … and sorts weights by their
  // qualified names; the lecture set takes FX's own names and the graph's order.
  const std::vector<relax::Var>& vars() const { return vars_; }
  Attrs function_attrs() const;
  // The variable of a placeholder; null for one that stands for its default.
  relax::Expr input(const std::string& placeholder) const;

  Result<relax::Expr> map_param(const std::string& tensor) override;
  Result<relax::Expr> map_constant(const std::string& tensor) override;

 private:
  std::vector<tir::PrimExpr> shape_of(const fx::Meta& meta);

  const fx::Graph& graph_;
  const TranslateOptions& options_;
  StepRecorder& recorder_;
  std::vector<relax::Var> vars_;
  int64_t input_count_ = 0;
  std::unordered_map<std::string, relax::Expr> inputs_;   // by placeholder
  std::unordered_map<std::string, relax::Expr> weights_;  // by tensor: variables, shared constants
  std::map<std::string, tir::Var> symbols_;
};

}  // namespace fx2wasm::translate
