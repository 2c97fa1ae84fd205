// From values to what the builders take. `what` names the argument in the error: "te.compute's
// shape".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "script/value.h"

namespace fx2wasm::script {

// A scalar expression as TVM makes it of a Python number: int32 (int64 when it does not fit),
// float32, bool.
Result<tir::PrimExpr> to_prim(const Value& value, std::string_view what);
bool is_scalar(const Value& value);    // to_prim takes it
bool is_symbolic(const Value& value);  // a scalar expression or a reduce axis, no number

// An integer, also a constant expression (an extent of a shape).
Result<int64_t> to_int(const Value& value, std::string_view what);
std::optional<int64_t> known_int(const Value& value);
Result<double> to_double(const Value& value, std::string_view what);
Result<bool> to_bool(const Value& value, std::string_view what);
Result<std::string> to_text(const Value& value, std::string_view what);
// A dtype's name; None gives `otherwise`.
Result<DType> to_dtype(const Value& value, std::string_view what,
                       std::optional<DType> otherwise = std::nullopt);

// A tuple or list of extents, or one alone. Integers get `dtype` (null: int32 where they fit).
Result<std::vector<tir::PrimExpr>> to_shape(const Value& value, std::string_view what,
                                            std::optional<DType> dtype = std::nullopt);
Result<std::vector<int64_t>> to_ints(const Value& value, std::string_view what);
Result<std::vector<te::IterVar>> to_axes(const Value& value, std::string_view what);
Result<te::Tensor> to_tensor(const Value& value, std::string_view what);
// A graph expression: also a tuple or list of them.
Result<relax::Expr> to_graph(const Value& value, std::string_view what);
Result<relax::Var> to_graph_var(const Value& value, std::string_view what);
Result<relax::Type> to_type(const Value& value, std::string_view what);
Result<Attrs> to_attrs(const Value& value, std::string_view what);
Result<AttrValue> to_attr(const Value& value, std::string_view what, int depth = 0);

}  // namespace fx2wasm::script
