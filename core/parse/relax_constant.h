// Constants of Relax functions. Private to this folder.
#pragma once

#include "parse/reader.h"

namespace fx2wasm::parse {

// metadata["ir.GenericConst"][k]: the same expression for the same k.
bool is_metadata(const ExprRef& e);
relax::Expr metadata(Reader& r, const ExprRef& e);

// R.const(2.0, "float32")
relax::Expr scalar_constant(Reader& r, const NamedCall& call);

// Takes the shape and dtype from where an opaque constant is used; does nothing for other
// expressions. A second use that disagrees is FX8007.
void learn_type(Reader& r, Position at, const relax::Expr& expr, const relax::TensorType& type);

}  // namespace fx2wasm::parse
