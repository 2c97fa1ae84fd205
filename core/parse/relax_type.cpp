// Types of Relax: R.Tensor((4, n), dtype="float32"), R.Tuple(…), R.Shape([4, n]), T.int64, …
#include <string>
#include <utility>

#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "parse/reader.h"
#include "support/limits.h"
#include "support/text.h"

namespace fx2wasm::parse {
namespace {

// Shapes of Relax are int64, whatever the symbol's own dtype.
std::vector<tir::PrimExpr> wide_dimensions(Reader& r, const ExprRef& e) {
  std::vector<tir::PrimExpr> dims = dimensions(r, e);
  if (failed(r)) return {};
  for (tir::PrimExpr& dim : dims) dim = tir::cast(DType::Int64, std::move(dim));
  return dims;
}

int read_ndim(Reader& r, const ExprRef& e) {
  const auto n = literal(e);
  const auto* value = n ? std::get_if<int64_t>(&*n) : nullptr;
  if (value && *value >= -1 && *value <= static_cast<int64_t>(limits::kMaxRank)) {
    return static_cast<int>(*value);
  }
  fail(r, e->at, codes::kTextArgument,
       "ndim is an integer up to " + std::to_string(limits::kMaxRank) + ", or -1");
  return -1;
}

relax::Type tensor(Reader& r, const NamedCall& call) {
  std::vector<ExprRef> args = bind(r, call, {"shape", "dtype", "vdevice", "ndim"}, 0);
  if (failed(r)) return nullptr;
  // R.Tensor("float32", ndim=2)
  if (args[0] && !args[1] && std::holds_alternative<std::string>(args[0]->kind)) {
    std::swap(args[0], args[1]);
  }
  relax::TensorType type;
  if (args[0]) {
    type.shape = wide_dimensions(r, args[0]);
    type.ndim = static_cast<int>(type.shape->size());
  }
  if (args[1]) type.dtype = dtype_of(r, args[1]);
  if (args[2]) fail(r, args[2]->at, codes::kTextArgument, "R.Tensor: 'vdevice' is not supported");
  if (args[3]) {
    const int ndim = read_ndim(r, args[3]);
    if (args[0] && ndim != type.ndim) {
      fail(r, args[3]->at, codes::kTextType, "ndim is not the number of the shape's dimensions");
    }
    type.ndim = ndim;
  }
  return failed(r) ? nullptr : relax::make_type(std::move(type));
}

relax::Type shape(Reader& r, const NamedCall& call) {
  const std::vector<ExprRef> args = bind(r, call, {"values", "ndim"}, 0);
  if (failed(r)) return nullptr;
  relax::ShapeType type;
  if (args[0]) {
    type.values = wide_dimensions(r, args[0]);
    type.ndim = static_cast<int>(type.values->size());
  } else if (args[1]) {
    type.ndim = read_ndim(r, args[1]);
  }
  return failed(r) ? nullptr : relax::make_type(std::move(type));
}

bool read_types(Reader& r, const std::vector<ExprRef>& exprs, std::vector<relax::Type>& types) {
  for (const ExprRef& e : exprs) {
    relax::Type field = type(r, e);
    if (!field) return false;
    types.push_back(std::move(field));
  }
  return true;
}

// R.Callable((A, B), C, True)
relax::Type callable(Reader& r, const NamedCall& call) {
  const std::vector<ExprRef> args = bind(r, call, {"params", "ret", "purity"}, 2);
  if (failed(r)) return nullptr;
  relax::FuncType result;
  if (!read_types(r, listed(args[0]), result.params)) return nullptr;
  result.ret = type(r, args[1]);
  return result.ret ? relax::make_type(std::move(result)) : nullptr;
}

relax::Type of_name(Reader& r, Position at, const std::string& name) {
  if (name == "R.Tensor") return relax::make_type(relax::TensorType{});
  if (name == "R.Tuple") return relax::make_type(relax::TupleType{});
  if (name == "R.Shape") return relax::make_type(relax::ShapeType{});
  if (name == "R.Any" || name == "R.Object") return relax::make_type(relax::AnyType{});
  if (const std::optional<DType> dtype = dtype_name_of(name)) {
    return relax::make_type(relax::PrimType{*dtype, nullptr});
  }
  return fail(r, at, codes::kTextType,
              quote(name) + " is no type" +
                  did_you_mean(name, {"R.Tensor", "R.Tuple", "R.Shape", "R.Any", "R.Callable"}));
}

}  // namespace

relax::Type type(Reader& r, const ExprRef& e) {
  if (failed(r) || !e) return nullptr;
  const std::string name = dotted(e);
  if (!name.empty()) return of_name(r, e->at, name);
  const std::optional<NamedCall> call = named_call(e);
  if (!call) return fail(r, e->at, codes::kTextType, "expected a type such as R.Tensor((4, 8))");
  if (call->name == "R.Tensor") return tensor(r, *call);
  if (call->name == "R.Shape") return shape(r, *call);
  if (call->name == "R.Callable") return callable(r, *call);
  if (call->name == "R.Prim") {
    const std::vector<ExprRef> args = bind(r, *call, {"dtype"}, 1);
    const std::optional<DType> dtype = failed(r) ? std::nullopt : dtype_of(r, args[0]);
    return dtype ? relax::make_type(relax::PrimType{*dtype, nullptr}) : nullptr;
  }
  if (call->name == "R.Tuple") {
    const std::optional<std::vector<ExprRef>> fields = positional(r, *call);
    relax::TupleType result;
    if (!fields || !read_types(r, *fields, result.fields)) return nullptr;
    return relax::make_type(std::move(result));
  }
  return of_name(r, e->at, call->name);
}

}  // namespace fx2wasm::parse
