#include "interp/relax_op.h"

#include "ir/op.h"
#include "support/check.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm::interp {
namespace {

const AttrValue& attribute(const OpRun& run, std::string_view attr) {
  const AttrValue* value = find_attr(run.call.attrs, attr);
  FX_CHECK(value != nullptr, "R." + std::string(run.name()) + " lacks " + std::string(attr));
  return *value;
}

}  // namespace

std::string_view OpRun::name() const { return call.op->name; }

const Tensor& OpRun::tensor(size_t index) const {
  FX_CHECK(index < args.size(), "R." + std::string(name()) + " lacks an argument");
  const auto* tensor = std::get_if<TensorRef>(&args[index].kind);
  FX_CHECK(tensor != nullptr, "an argument of R." + std::string(name()) + " is no tensor");
  return **tensor;
}

std::vector<TensorRef> OpRun::tensor_tuple(size_t index) const {
  FX_CHECK(index < args.size(), "R." + std::string(name()) + " lacks an argument");
  std::vector<TensorRef> tensors;
  if (const auto* single = std::get_if<TensorRef>(&args[index].kind)) return {*single};
  const auto* tuple = std::get_if<TupleValue>(&args[index].kind);
  FX_CHECK(tuple != nullptr, "an argument of R." + std::string(name()) + " is no tuple");
  for (const Value& value : *tuple) {
    const auto* tensor = std::get_if<TensorRef>(&value.kind);
    FX_CHECK(tensor != nullptr, "a field of a tuple of tensors is no tensor");
    tensors.push_back(*tensor);
  }
  return tensors;
}

Shape OpRun::shape(size_t index) const {
  FX_CHECK(index < args.size(), "R." + std::string(name()) + " lacks an argument");
  if (const auto* shape = std::get_if<Shape>(&args[index].kind)) return *shape;
  const auto* tuple = std::get_if<TupleValue>(&args[index].kind);
  FX_CHECK(tuple != nullptr, "an argument of R." + std::string(name()) + " is no shape");
  Shape shape;
  for (const Value& value : *tuple) {
    const auto* scalar = std::get_if<Scalar>(&value.kind);
    FX_CHECK(scalar != nullptr, "a field of a tuple of sizes is no number");
    shape.push_back(scalar->i);
  }
  return shape;
}

Scalar OpRun::scalar(size_t index) const {
  FX_CHECK(index < args.size(), "R." + std::string(name()) + " lacks an argument");
  if (const auto* scalar = std::get_if<Scalar>(&args[index].kind)) return *scalar;
  const Tensor& only = tensor(index);
  FX_CHECK(only.count() == 1, "a tensor of several elements stands for a scalar");
  return only.at(0);
}

bool OpRun::has(std::string_view attr) const {
  const AttrValue* value = find_attr(call.attrs, attr);
  return value != nullptr && !std::holds_alternative<AttrNone>(value->value);
}

int64_t OpRun::integer(std::string_view attr) const {
  const auto* value = std::get_if<int64_t>(&attribute(*this, attr).value);
  FX_CHECK(value != nullptr, "an attribute is no integer: " + std::string(attr));
  return *value;
}

double OpRun::real(std::string_view attr) const {
  const AttrValue& value = attribute(*this, attr);
  if (const auto* number = std::get_if<double>(&value.value)) return *number;
  if (const auto* number = std::get_if<AttrFloat32>(&value.value)) return number->value;
  return static_cast<double>(integer(attr));
}

bool OpRun::flag(std::string_view attr) const {
  const AttrValue& value = attribute(*this, attr);
  if (const auto* flag = std::get_if<bool>(&value.value)) return *flag;
  return integer(attr) != 0;
}

std::string OpRun::text(std::string_view attr) const {
  const auto* value = std::get_if<std::string>(&attribute(*this, attr).value);
  FX_CHECK(value != nullptr, "an attribute is no string: " + std::string(attr));
  return *value;
}

std::vector<int64_t> OpRun::integers(std::string_view attr) const {
  const auto* list = std::get_if<AttrList>(&attribute(*this, attr).value);
  if (list == nullptr) return {integer(attr)};
  std::vector<int64_t> values;
  for (const AttrValue& item : *list) {
    const auto* value = std::get_if<int64_t>(&item.value);
    FX_CHECK(value != nullptr, "a list attribute holds no integers: " + std::string(attr));
    values.push_back(*value);
  }
  return values;
}

Tensor OpRun::result(size_t index) const {
  FX_CHECK(index < results.size(), "a result without a declared type");
  return Tensor(results[index].dtype, results[index].shape);
}

std::vector<int64_t> OpRun::axes(std::string_view attr, int64_t rank) const {
  std::vector<int64_t> axes;
  if (has(attr)) {
    axes = integers(attr);
  } else {
    for (int64_t axis = 0; axis < rank; ++axis) axes.push_back(axis);
  }
  for (int64_t& axis : axes) {
    if (axis < 0) axis += rank;
    FX_CHECK(axis >= 0 && axis < rank, "an axis that the tensor does not have");
  }
  return axes;
}

Diagnostic OpRun::unsupported(const std::string& what) const {
  return error_at({}, codes::kRunUnsupported, "R." + std::string(name()) + ": " + what);
}

Diagnostic OpRun::wrong_input(const std::string& what) const {
  return error_at({}, codes::kRunInputs, "R." + std::string(name()) + ": " + what);
}

Value value_of(Tensor tensor) {
  return Value{TensorRef(std::make_shared<Tensor>(std::move(tensor)))};
}

Value tuple_of(std::vector<Tensor> tensors) {
  TupleValue fields;
  for (Tensor& tensor : tensors) fields.push_back(value_of(std::move(tensor)));
  return Value{std::move(fields)};
}

}  // namespace fx2wasm::interp
