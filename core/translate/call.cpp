#include "translate/call.h"

#include <algorithm>

#include "ir/match.h"
#include "support/diagnostic_codes.h"
#include "support/text.h"
#include "translate/node_map.h"

namespace fx2wasm::translate {
namespace {

const Value kNone;

struct Parameter {
  std::string_view name;
  bool optional = false;
  bool variadic = false;
};

// `input, start_dim?, *shape`
std::vector<Parameter> parse_signature(std::string_view signature) {
  std::vector<Parameter> parameters;
  while (!signature.empty()) {
    const size_t comma = std::min(signature.find(", "), signature.size());
    Parameter parameter{signature.substr(0, comma)};
    if (parameter.name.front() == '*') {
      parameter.variadic = true;
      parameter.name.remove_prefix(1);
    }
    if (parameter.name.back() == '?') {
      parameter.optional = true;
      parameter.name.remove_suffix(1);
    }
    parameters.push_back(parameter);
    signature.remove_prefix(std::min(comma + 2, signature.size()));
  }
  return parameters;
}

// NumPy's names for PyTorch's arguments, which its own functions and methods take as well.
struct NumpyName {
  std::string_view given, meant;
};
constexpr NumpyName kNumpyNames[] = {
    {"axis", "dim"}, {"keepdims", "keepdim"}, {"x", "input"},
    {"a", "input"},  {"x1", "input"},         {"x2", "other"},
};

// Python's functions (operator, torch.nn.functional) and modules take only the names they have.
bool takes_numpy_names(const fx::Node& node) {
  if (node.op == fx::Opcode::CallMethod) return true;
  constexpr std::string_view kTorch = "torch.", kLayers = "torch.nn.";
  return node.op == fx::Opcode::CallFunction &&
         node.target.compare(0, kTorch.size(), kTorch) == 0 &&
         node.target.compare(0, kLayers.size(), kLayers) != 0;
}

// The parameter that a keyword names; null when there is none.
const Parameter* find_parameter(const std::vector<Parameter>& parameters, std::string_view key,
                                const fx::Node& node) {
  for (const Parameter& parameter : parameters) {
    if (parameter.name == key) return &parameter;
  }
  if (!takes_numpy_names(node)) return nullptr;
  for (const NumpyName& name : kNumpyNames) {
    if (name.given != key) continue;
    for (const Parameter& parameter : parameters) {
      if (parameter.name == name.meant) return &parameter;
    }
  }
  return nullptr;
}

std::string_view target_title(const fx::Graph& graph, const fx::Node& node) {
  if (node.op == fx::Opcode::CallModule) {
    const fx::Module* module = fx::find_module(graph, node.target);
    if (module != nullptr) return module->type;
  }
  return node.target;
}

Result<Value> evaluate(const Call& call, const fx::Argument& argument);

Result<ValueList> evaluate_all(const Call& call, const fx::ArgumentList& arguments) {
  ValueList values;
  for (const fx::Argument& argument : arguments) {
    FX_TRY(value, evaluate(call, argument));
    values.push_back(std::move(value));
  }
  return values;
}

Result<Value> look_up(const Call& call, const fx::NodeRef& ref) {
  FX_TRY(value, call.node_map.read(ref.name, call.builder));
  call.builder.recorder()->record(ArgumentLookedUp{ref.name, describe(value)});
  return value;
}

Result<Value> evaluate_slice(const Call& call, const fx::Slice& slice) {
  SliceValue value;
  FX_TRY(start, evaluate(call, *slice.start));
  FX_TRY(stop, evaluate(call, *slice.stop));
  FX_TRY(step, evaluate(call, *slice.step));
  value.start = std::make_shared<Value>(std::move(start));
  value.stop = std::make_shared<Value>(std::move(stop));
  value.step = std::make_shared<Value>(std::move(step));
  return Value{std::move(value)};
}

Result<Value> evaluate(const Call& call, const fx::Argument& argument) {
  using Answer = Result<Value>;
  return match(
      argument.value, [](std::nullptr_t) -> Answer { return Value{nullptr}; },
      [](bool flag) -> Answer { return Value{flag}; },
      [](int64_t number) -> Answer { return Value{number}; },
      [](double number) -> Answer { return Value{number}; },
      [](const std::string& text) -> Answer { return Value{text}; },
      [&](const fx::ArgumentList& list) -> Answer {
        FX_TRY(values, evaluate_all(call, list));
        return Value{std::move(values)};
      },
      [&](const fx::NodeRef& ref) { return look_up(call, ref); },
      [&](const fx::Slice& slice) { return evaluate_slice(call, slice); },
      [](const fx::Ellipsis& ellipsis) -> Answer { return Value{ellipsis}; },
      [](DType dtype) -> Answer { return Value{dtype}; },
      [](const fx::Device& device) -> Answer { return Value{device}; },
      [](const fx::MemoryFormat& format) -> Answer { return Value{format}; },
      [](const fx::Layout& layout) -> Answer { return Value{layout}; },
      [&](const fx::Dict& dict) -> Answer {
        DictValue value;
        for (const auto& [key, item] : dict.items) {
          FX_TRY(evaluated, evaluate(call, item));
          value.items.emplace_back(key, std::move(evaluated));
        }
        return Value{std::move(value)};
      });
}

}  // namespace

std::string node_title(const fx::Graph& graph, const fx::Node& node) {
  return "'" + node.name + "' (" + std::string(target_title(graph, node)) + ")";
}

Diagnostic Call::error(std::string_view code, const std::string& message) const {
  return error_at(fx::place_in(graph, node.range, node.name), code,
                  node_title(graph, node) + ": " + message);
}

const fx::Argument* Call::source_of(std::string_view name) const {
  for (const Bound& bound : bound_) {
    if (bound.name == name) return bound.source;
  }
  return nullptr;
}

Diagnostic Call::argument_error(std::string_view name, const std::string& message) const {
  Diagnostic diagnostic = error(codes::kArgument, message);
  if (const fx::Argument* source = source_of(name)) {
    diagnostic.place = fx::place_in(graph, source->range, node.name);
  }
  return diagnostic;
}

Result<Unit> Call::bind(std::string_view signature) {
  const std::vector<Parameter> parameters = parse_signature(signature);
  size_t next = 0;
  for (const fx::Argument& argument : node.args) {
    if (next == parameters.size()) {
      return error(codes::kArgument, "takes at most " + std::to_string(parameters.size()) +
                                         " arguments (" + std::string(signature) + "), not " +
                                         std::to_string(node.args.size()));
    }
    FX_TRY(value, evaluate(*this, argument));
    if (parameters[next].variadic) {
      rest_.push_back(std::move(value));
      continue;
    }
    bound_.push_back({parameters[next].name, std::move(value), &argument});
    ++next;
  }
  for (const auto& [key, argument] : node.kwargs) {
    const Parameter* parameter = find_parameter(parameters, key, node);
    if (parameter == nullptr) {
      std::vector<std::string_view> names;
      for (const Parameter& known : parameters) names.push_back(known.name);
      return error(codes::kArgument, "has no argument " + quote(key) + " that is supported" +
                                         did_you_mean(key, names) + "; it takes " +
                                         join_words(names));
    }
    if (source_of(parameter->name) != nullptr) {
      return error(codes::kArgument, "the argument '" + key + "' is given twice");
    }
    FX_TRY(value, evaluate(*this, argument));
    if (parameter->variadic) {
      // `view(size=…)`: the list stands for the positional ones.
      rest_.push_back(std::move(value));
    } else {
      bound_.push_back({parameter->name, std::move(value), &argument});
    }
  }
  for (const Parameter& parameter : parameters) {
    const bool given = parameter.variadic ? true : source_of(parameter.name) != nullptr;
    if (!given && !parameter.optional) {
      return error(codes::kArgument,
                   "the argument '" + std::string(parameter.name) + "' is missing");
    }
  }
  return Unit{};
}

const Value& Call::argument(std::string_view name) const {
  for (const Bound& bound : bound_) {
    if (bound.name == name) return bound.value;
  }
  return kNone;
}

bool Call::has(std::string_view name) const { return !is_none(argument(name)); }

Result<relax::Expr> Call::tensor(std::string_view name) const {
  const Value& value = argument(name);
  if (as_tensor(value) != nullptr) return *as_expr(value);
  return argument_error(name, "the argument '" + std::string(name) + "' is a tensor, not " +
                                  describe(value) + " of type " + describe_type(value));
}

Result<int64_t> Call::integer(std::string_view name, std::optional<int64_t> fallback) const {
  const Value& value = argument(name);
  if (is_none(value) && fallback) return *fallback;
  if (const auto* number = std::get_if<int64_t>(&value.value)) return *number;
  return argument_error(
      name, "the argument '" + std::string(name) + "' is an integer, not " + describe(value));
}

Result<bool> Call::boolean(std::string_view name, bool fallback) const {
  const Value& value = argument(name);
  if (is_none(value)) return fallback;
  if (const auto* flag = std::get_if<bool>(&value.value)) return *flag;
  return argument_error(
      name, "the argument '" + std::string(name) + "' is True or False, not " + describe(value));
}

namespace {

// One integer, or a list of one or `count`.
std::optional<std::vector<int64_t>> spread(const Value& value, size_t count) {
  if (const auto* number = std::get_if<int64_t>(&value.value)) {
    return std::vector<int64_t>(count, *number);
  }
  const auto* list = std::get_if<ValueList>(&value.value);
  if (list == nullptr || (list->size() != count && list->size() != 1)) return std::nullopt;
  std::vector<int64_t> numbers;
  for (const Value& item : *list) {
    const auto* number = std::get_if<int64_t>(&item.value);
    if (number == nullptr) return std::nullopt;
    numbers.push_back(*number);
  }
  if (numbers.size() != count) numbers.resize(count, numbers[0]);
  return numbers;
}

std::string integers_wanted(size_t count) {
  return "an integer or " + std::to_string(count) + " of them";
}

}  // namespace

Result<std::vector<int64_t>> Call::integers(std::string_view name, size_t count,
                                            std::optional<int64_t> fallback) const {
  const Value& value = argument(name);
  if (is_none(value) && fallback) return std::vector<int64_t>(count, *fallback);
  if (std::optional<std::vector<int64_t>> numbers = spread(value, count)) return *numbers;
  return argument_error(name, "the argument '" + std::string(name) + "' is " +
                                  integers_wanted(count) + ", not " + describe(value));
}

Result<std::vector<tir::PrimExpr>> Call::sizes(const ValueList& values) const {
  const ValueList* list = &values;
  if (values.size() == 1) {
    if (const auto* nested = std::get_if<ValueList>(&values[0].value)) list = nested;
  }
  std::vector<tir::PrimExpr> sizes;
  for (const Value& value : *list) {
    const tir::PrimExpr size = as_size(value);
    if (size == nullptr) {
      return error(codes::kArgument, "a size is an integer, not " + describe(value));
    }
    sizes.push_back(size);
  }
  return sizes;
}

const fx::Argument* Call::find_setting(std::string_view name) const {
  if (module == nullptr) return nullptr;
  for (const auto& [key, value] : module->attrs) {
    if (key == name) return &value;
  }
  return nullptr;
}

Result<Value> Call::setting(std::string_view name) const {
  const fx::Argument* argument = find_setting(name);
  if (argument != nullptr) return literal_value(*argument);
  Diagnostic diagnostic =
      error(codes::kModuleAttribute,
            "the module's setting '" + std::string(name) + "' is missing from its \"attrs\"");
  if (module != nullptr) diagnostic.place = fx::place_in(graph, module->range, node.name);
  return diagnostic;
}

namespace {

Diagnostic wrong_setting(const Call& call, std::string_view name, const std::string& wanted,
                         const Value& value) {
  Diagnostic diagnostic =
      call.error(codes::kModuleAttribute, "the module's setting '" + std::string(name) + "' is " +
                                              wanted + ", not " + describe(value));
  diagnostic.place = fx::place_in(call.graph, call.find_setting(name)->range, call.node.name);
  return diagnostic;
}

}  // namespace

Result<int64_t> Call::integer_setting(std::string_view name) const {
  FX_TRY(value, setting(name));
  if (const auto* number = std::get_if<int64_t>(&value.value)) return *number;
  return wrong_setting(*this, name, "an integer", value);
}

Result<bool> Call::boolean_setting(std::string_view name, bool fallback) const {
  if (find_setting(name) == nullptr) return fallback;
  FX_TRY(value, setting(name));
  if (const auto* flag = std::get_if<bool>(&value.value)) return *flag;
  return wrong_setting(*this, name, "true or false", value);
}

Result<std::vector<int64_t>> Call::integers_setting(std::string_view name, size_t count) const {
  FX_TRY(value, setting(name));
  if (std::optional<std::vector<int64_t>> numbers = spread(value, count)) return *numbers;
  return wrong_setting(*this, name, integers_wanted(count), value);
}

namespace {

const std::string* module_tensor_name(const fx::Module* module, std::string_view name) {
  if (module == nullptr) return nullptr;
  for (const auto& [key, tensor] : module->tensors) {
    if (key == name) return &tensor;
  }
  return nullptr;
}

}  // namespace

bool Call::has_module_tensor(std::string_view name) const {
  return module_tensor_name(module, name) != nullptr;
}

Result<std::string> Call::tensor_of_module(std::string_view name) const {
  const std::string* tensor = module_tensor_name(module, name);
  if (tensor != nullptr) return *tensor;
  return error(codes::kModuleAttribute,
               "the module's tensor '" + std::string(name) + "' is missing from its \"tensors\"");
}

Result<relax::Expr> Call::module_tensor(std::string_view name) {
  FX_TRY(tensor, tensor_of_module(name));
  return params.map_param(tensor);
}

Result<relax::Expr> Call::module_constant(std::string_view name) {
  FX_TRY(tensor, tensor_of_module(name));
  return params.map_constant(tensor);
}

Result<Unit> Call::check_module_tensor(std::string_view name,
                                       const std::vector<int64_t>& shape) const {
  const std::string* tensor_name = module_tensor_name(module, name);
  const fx::Tensor* tensor =
      tensor_name == nullptr ? nullptr : fx::find_tensor(graph, *tensor_name);
  if (tensor == nullptr || tensor->shape == shape) return Unit{};
  Diagnostic diagnostic =
      error(codes::kShapeMismatch, "the tensor '" + *tensor_name + "' has shape " +
                                       shape_text(tensor->shape) +
                                       ", the module's settings make it " + shape_text(shape));
  diagnostic.place = fx::place_in(graph, tensor->range, node.name);
  return diagnostic;
}

Result<Value> Call::emit(const relax::Expr& value) {
  FX_TRY(variable, builder.emit(value));
  return Value{variable};
}

Value literal_value(const fx::Argument& argument) {
  return match(
      argument.value, [](std::nullptr_t) { return Value{nullptr}; },
      [](bool flag) { return Value{flag}; }, [](int64_t number) { return Value{number}; },
      [](double number) { return Value{number}; },
      [](const std::string& text) { return Value{text}; },
      [](const fx::ArgumentList& list) {
        ValueList values;
        for (const fx::Argument& item : list) values.push_back(literal_value(item));
        return Value{std::move(values)};
      },
      [](const fx::NodeRef&) { return Value{nullptr}; },
      [](const fx::Slice&) { return Value{nullptr}; },
      [](const fx::Ellipsis& ellipsis) { return Value{ellipsis}; },
      [](DType dtype) { return Value{dtype}; },
      [](const fx::Device& device) { return Value{device}; },
      [](const fx::MemoryFormat& format) { return Value{format}; },
      [](const fx::Layout& layout) { return Value{layout}; },
      [](const fx::Dict& dict) {
        DictValue value;
        for (const auto& [key, item] : dict.items) {
          value.items.emplace_back(key, literal_value(item));
        }
        return Value{std::move(value)};
      });
}

}  // namespace fx2wasm::translate
