// te.create_prim_func: tensors → one TensorIR function, a block per compute.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "support/result.h"
#include "te/tensor.h"

namespace fx2wasm::te {

using FuncArg = std::variant<Tensor, tir::Var>;  // a scalar parameter is a Var

struct CreatePrimFuncOptions {
  // emit_te and LegalizeOps force int64 indices (Relax shapes are int64) and drop the
  // global_symbol, so that the function is private; a direct create_prim_func keeps int32 and is
  // called "main".
  bool force_int64 = false;
  std::optional<std::string> global_symbol = "main";
  Attrs attrs;  // primfunc_attrs of emit_te
};

// `args` in parameter order; computed tensors among them are outputs or exposed intermediates, the
// others that the outputs need become alloc_buffers. Fails (FX5008) when an input is not among the
// arguments, or two arguments are the same tensor.
Result<tir::PrimFunc> create_prim_func(const std::vector<FuncArg>& args,
                                       const CreatePrimFuncOptions& options = {});

}  // namespace fx2wasm::te
