#include "plan/program.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "ir/match.h"
#include "ir/op.h"
#include "ir/params.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "support/check.h"
#include "support/diagnostic_codes.h"
#include "support/text.h"

namespace fx2wasm::wasm {
namespace {

constexpr int kForever = std::numeric_limits<int>::max();

// What a Relax variable stands for: a region, a tuple of values, or nothing that is kept in memory
// (a shape, a number).
struct Value {
  std::optional<size_t> region;
  std::vector<Value> fields;
  bool is_tuple = false;
};

Diagnostic unsupported(std::string message, const std::vector<int>& fx_nodes) {
  if (!fx_nodes.empty()) {
    message += fx_nodes.size() == 1 ? " (FX node " : " (FX nodes ";
    for (size_t i = 0; i < fx_nodes.size(); ++i) {
      message += (i > 0 ? ", " : "") + std::to_string(fx_nodes[i]);
    }
    message += ")";
  }
  return error_at({}, codes::kCompileUnsupported, std::move(message));
}

uint64_t byte_size(const std::vector<int64_t>& shape, DType dtype) {
  return static_cast<uint64_t>(element_count(shape)) * static_cast<uint64_t>(dtype_bytes(dtype));
}

bool has_symbols(const tir::PrimExpr& expr) {
  bool found = false;
  tir::walk(expr, [&](const tir::PrimExpr& e) {
    found = found || std::holds_alternative<tir::Var>(e->kind);
    return !found;
  });
  return found;
}

class Reader {
 public:
  Reader(const IRModule& module, bool keep_intermediates)
      : module_(module), keep_(keep_intermediates) {}

  Result<Program> read_relax(const relax::Function& main) {
    for (const relax::Var& param : main->params) read_param(param);
    for (const relax::BindingBlock& block : main->blocks) {
      for (const relax::Binding& binding : block.bindings) read_binding(binding);
    }
    if (main->body) add_outputs(value_of(main->body, {}), "output");
    return finish();
  }

  Result<Program> read_prim_func(const std::string& name, const tir::PrimFunc& func) {
    const std::vector<bool> written = tir::written_params(func);
    KernelCall call;
    call.name = name;
    call.func = func;
    for (size_t i = 0; i < func->params.size(); ++i) {
      const std::string number = std::to_string(i);
      if (const auto* var = std::get_if<tir::Var>(&func->params[i])) {
        const size_t region = add_region((*var)->name, (*var)->dtype, {}, RegionKind::Input);
        call.scalar_inputs.emplace_back(call.scalars.size(), region);
        call.scalars.push_back(tir::const_of((*var)->dtype, 0));
        program_.inputs.push_back(Port{"input." + number, (*var)->name, region});
        continue;
      }
      const auto& buffer = std::get<tir::Buffer>(func->params[i]);
      const auto kind = written[i] ? RegionKind::Arena : RegionKind::Input;
      const size_t region = add_region(buffer->name, buffer->dtype, buffer->shape, kind);
      if (!written[i]) add_symbols(buffer->shape);
      call.regions.push_back(region);
      if (written[i]) {
        program_.regions[region].last = kForever;
        program_.outputs.push_back(Port{"output." + number, buffer->name, region});
      } else {
        program_.inputs.push_back(Port{"input." + number, buffer->name, region});
      }
    }
    for (const tir::Var& symbol : tir::shape_symbols(func)) {
      call.sizes.push_back(tir::var_expr(symbol));
    }
    program_.calls.push_back(std::move(call));
    return finish();
  }

 private:
  Result<Program> finish() {
    for (const Region& region : program_.regions) check_symbols(region);
    if (!missing_.empty()) {
      std::vector<std::string_view> names(missing_.begin(), missing_.end());
      Diagnostic missing =
          unsupported((names.size() == 1 ? "the weight " : "the weights ") + join_words(names) +
                          (names.size() == 1 ? " has" : " have") + " no data",
                      {});
      missing.notes.push_back("give the model's weights: the file that the graph names");
      errors_.push_back(std::move(missing));
    }
    if (!errors_.empty()) return errors_;
    return std::move(program_);
  }

  // Symbols that are an input's extent; called before the input becomes a port.
  void add_symbols(const std::vector<tir::PrimExpr>& extents) {
    for (size_t axis = 0; axis < extents.size(); ++axis) {
      const auto* var = std::get_if<tir::Var>(&extents[axis]->kind);
      if (var == nullptr || is_known(*var)) continue;
      program_.symbols.push_back({*var, program_.inputs.size(), axis});
    }
  }

  bool is_known(const tir::Var& var) const {
    return std::any_of(program_.symbols.begin(), program_.symbols.end(),
                       [&](const SizeSymbol& symbol) { return symbol.var == var; });
  }

  // A size such as `n` in `(2 * n,)` of every input could not be computed from what is given.
  void check_symbols(const Region& region) {
    for (const tir::PrimExpr& extent : region.extents) {
      tir::walk(extent, [&](const tir::PrimExpr& e) {
        const auto* var = std::get_if<tir::Var>(&e->kind);
        if (var != nullptr && !is_known(*var)) {
          Diagnostic diagnostic =
              unsupported("the size '" + (*var)->name + "' of '" + region.name +
                              "' is no input's extent, so it is not known when the model runs",
                          region.fx_nodes);
          diagnostic.notes.push_back("give an input whose shape has '" + (*var)->name +
                                     "' as one of its extents");
          errors_.push_back(std::move(diagnostic));
        }
        return true;
      });
    }
  }

  static Diagnostic unknown_shape(const std::string& what, const std::vector<int>& fx_nodes) {
    Diagnostic diagnostic =
        unsupported(what + " has an unknown shape, which cannot be compiled", fx_nodes);
    diagnostic.notes.push_back("export the graph with sizes that are numbers or names");
    return diagnostic;
  }

  size_t add_region(std::string name, DType dtype, std::vector<tir::PrimExpr> extents,
                    RegionKind kind) {
    Region region;
    region.name = std::move(name);
    region.dtype = dtype;
    for (const tir::PrimExpr& extent : extents) {
      const auto value = tir::as_int(extent);
      if (!value) region.symbolic = true;
      region.shape.push_back(value.value_or(0));
    }
    if (region.symbolic) region.shape.clear();
    if (!region.symbolic) region.bytes = byte_size(region.shape, dtype);
    region.extents = std::move(extents);
    region.kind = kind;
    region.first = region.last = static_cast<int>(program_.calls.size());
    program_.regions.push_back(std::move(region));
    return program_.regions.size() - 1;
  }

  void read_param(const relax::Var& param) {
    const auto* type = relax::as_tensor(param->type);
    if (type == nullptr) {  // a shape or number: only its symbols would matter
      values_[param.get()] = Value{};
      return;
    }
    if (!type->shape || !type->dtype) {
      errors_.push_back(unknown_shape("the input '" + param->name_hint + "'", {}));
      return;
    }
    const size_t region =
        add_region(param->name_hint, *type->dtype, *type->shape, RegionKind::Input);
    add_symbols(*type->shape);
    const std::string key = "input." + std::to_string(program_.inputs.size());
    program_.inputs.push_back(Port{key, param->name_hint, region});
    values_[param.get()] = Value{region, {}, false};
  }

  size_t region_of(const relax::Constant& constant) {
    const void* identity =
        constant->data ? static_cast<const void*>(constant->data.get()) : constant.get();
    if (const auto found = constants_.find(identity); found != constants_.end()) {
      return found->second;
    }
    std::string name = constant->name;
    if (name.empty()) name = "constant." + std::to_string(constants_.size());
    if (!constant->data) missing_.push_back(name);
    std::vector<tir::PrimExpr> extents;
    for (const int64_t extent : constant->shape)
      extents.push_back(tir::int_imm(DType::Int64, extent));
    const size_t region =
        add_region(std::move(name), constant->dtype, std::move(extents), RegionKind::Weight);
    program_.regions[region].data = constant->data;
    constants_[identity] = region;
    return region;
  }

  Value value_of(const relax::Expr& expr, const std::vector<int>& fx_nodes) {
    return match(
        expr->kind,
        [&](const relax::Var& var) {
          const auto found = values_.find(var.get());
          return found == values_.end() ? Value{} : found->second;
        },
        [&](const relax::Constant& constant) {
          return Value{region_of(constant), {}, false};
        },
        [&](const relax::Tuple& tuple) {
          Value value;
          value.is_tuple = true;
          for (const relax::Expr& field : tuple.fields) {
            value.fields.push_back(value_of(field, fx_nodes));
          }
          return value;
        },
        [&](const relax::TupleGetItem& item) {
          const Value tuple = value_of(item.tuple, fx_nodes);
          const auto index = static_cast<size_t>(item.index);
          return index < tuple.fields.size() ? tuple.fields[index] : Value{};
        },
        [](const relax::ShapeExpr&) { return Value{}; },
        [](const relax::PrimValue&) { return Value{}; },
        [](const relax::StringImm&) { return Value{}; },
        [](const relax::DataTypeImm&) { return Value{}; },
        [&](const relax::OpCall& call) {
          errors_.push_back(unsupported("the operator R." + std::string(call.op->name) +
                                            " has no tensor expression and cannot be compiled",
                                        fx_nodes));
          return Value{};
        },
        [](const relax::CallTIR&) { return Value{}; },
        [](const relax::CallDPSPacked&) { return Value{}; });
  }

  void read_binding(const relax::Binding& binding) {
    const std::vector<int>& nodes = binding.origin.fx_nodes;
    const std::string& name = binding.var->name_hint;
    const size_t before = program_.regions.size();
    Value value;
    if (const auto* call = std::get_if<relax::CallTIR>(&binding.value->kind)) {
      value = read_call_tir(*call, name, nodes);
    } else if (const auto* packed = std::get_if<relax::CallDPSPacked>(&binding.value->kind)) {
      value = read_call_packed(*packed, name, nodes);
    } else {
      value = value_of(binding.value, nodes);
    }
    if (value.region && *value.region >= before) add_intermediate(name, *value.region);
    values_[binding.var.get()] = std::move(value);
  }

  void add_intermediate(const std::string& name, size_t region) {
    if (!keep_ || program_.regions[region].kind == RegionKind::Weight) return;
    program_.regions[region].last = kForever;
    program_.intermediates.push_back(Port{name, name, region});
  }

  // The regions of the arguments, nested tuples flattened; false after an error.
  bool read_args(const std::vector<relax::Expr>& args, const std::string& callee,
                 const std::vector<int>& nodes, std::vector<size_t>& regions) {
    for (const relax::Expr& arg : args) {
      if (!flatten(value_of(arg, nodes), regions)) {
        // The argument's own error, if it is one, is reported already.
        if (errors_.empty()) {
          errors_.push_back(unsupported("an argument of " + callee + " is no tensor", nodes));
        }
        return false;
      }
    }
    return true;
  }

  static bool flatten(const Value& value, std::vector<size_t>& regions) {
    if (value.is_tuple) {
      return std::all_of(value.fields.begin(), value.fields.end(),
                         [&](const Value& field) { return flatten(field, regions); });
    }
    if (!value.region) return false;
    regions.push_back(*value.region);
    return true;
  }

  Value new_results(const std::vector<relax::Type>& types, const std::string& name,
                    const std::vector<int>& nodes, RegionKind kind) {
    Value value;
    value.is_tuple = types.size() != 1;
    for (const relax::Type& type : types) {
      const auto* tensor = relax::as_tensor(type);
      if (tensor == nullptr || !tensor->shape || !tensor->dtype) {
        errors_.push_back(unknown_shape("the result '" + name + "'", nodes));
        return Value{};
      }
      const size_t region = add_region(name, *tensor->dtype, *tensor->shape, kind);
      program_.regions[region].fx_nodes = nodes;
      if (value.is_tuple) {
        value.fields.push_back(Value{region, {}, false});
      } else {
        value.region = region;
      }
    }
    return value;
  }

  bool all_constant(const std::vector<size_t>& regions) const {
    return std::all_of(regions.begin(), regions.end(), [&](size_t region) {
      const RegionKind kind = program_.regions[region].kind;
      return kind == RegionKind::Weight || kind == RegionKind::Packed;
    });
  }

  // Notes that a call reads its arguments now.
  void touch(const std::vector<size_t>& regions) {
    for (const size_t index : regions) {
      Region& region = program_.regions[index];
      region.last = std::max(region.last, static_cast<int>(program_.calls.size()));
    }
  }

  Value read_call_tir(const relax::CallTIR& call, const std::string& name,
                      const std::vector<int>& nodes) {
    const tir::PrimFunc* func = find_prim_func(module_, call.func.name);
    if (func == nullptr) {
      errors_.push_back(unsupported("there is no PrimFunc '" + call.func.name + "'", nodes));
      return Value{};
    }
    KernelCall kernel;
    kernel.name = call.func.name;
    kernel.func = *func;
    kernel.fx_nodes = nodes;
    std::vector<size_t> args;
    if (!read_args(call.args, call.func.name, nodes, args)) return Value{};
    touch(args);
    kernel.in_init = all_constant(args) && is_static(call);
    const Value result = new_results(call.out_types, name, nodes,
                                     kernel.in_init ? RegionKind::Packed : RegionKind::Arena);
    kernel.regions = args;
    if (!flatten(result, kernel.regions)) return Value{};
    kernel.scalars = call.tir_vars;
    if (!bind_symbols(kernel)) {
      errors_.push_back(
          unsupported("the arguments of " + call.func.name + " do not fit its parameters", nodes));
      return Value{};
    }
    program_.calls.push_back(std::move(kernel));
    return result;
  }

  // No result and no scalar argument depends on a symbol.
  static bool is_static(const relax::CallTIR& call) {
    const bool shapes =
        std::all_of(call.out_types.begin(), call.out_types.end(), [](const relax::Type& type) {
          const auto* tensor = relax::as_tensor(type);
          return tensor != nullptr && relax::static_shape(*tensor).has_value();
        });
    return shapes && std::all_of(call.tir_vars.begin(), call.tir_vars.end(),
                                 [](const tir::PrimExpr& expr) { return !has_symbols(expr); });
  }

  // The values of the symbols in the callee's shapes, from the arguments' sizes.
  bool bind_symbols(KernelCall& kernel) const {
    std::vector<std::pair<tir::Var, tir::PrimExpr>> known;
    size_t next = 0, scalars = 0;
    for (const tir::Param& param : kernel.func->params) {
      const auto* buffer = std::get_if<tir::Buffer>(&param);
      if (buffer == nullptr) {
        ++scalars;
        continue;
      }
      if (next >= kernel.regions.size()) return false;
      const Region& region = program_.regions[kernel.regions[next++]];
      if (region.extents.size() != (*buffer)->shape.size()) return false;
      if (region.dtype != (*buffer)->dtype) return false;
      for (size_t d = 0; d < region.extents.size(); ++d) {
        const auto* var = std::get_if<tir::Var>(&(*buffer)->shape[d]->kind);
        if (var != nullptr) known.emplace_back(*var, region.extents[d]);
        const auto wanted = tir::as_int((*buffer)->shape[d]);
        const auto given = tir::as_int(region.extents[d]);
        if (wanted && given && *wanted != *given) return false;
      }
    }
    for (const tir::Var& symbol : tir::shape_symbols(kernel.func)) {
      const auto found = std::find_if(known.begin(), known.end(),
                                      [&](const auto& entry) { return entry.first == symbol; });
      if (found == known.end()) return false;
      kernel.sizes.push_back(found->second);
    }
    return next == kernel.regions.size() && scalars == kernel.scalars.size();
  }

  Value read_call_packed(const relax::CallDPSPacked& call, const std::string& name,
                         const std::vector<int>& nodes) {
    KernelCall kernel;
    kernel.name = call.func.global_symbol;
    kernel.fx_nodes = nodes;
    kernel.kernel = find_library_kernel(kernel.name);
    std::vector<size_t> args;
    if (!read_args(call.args, kernel.name, nodes, args)) return Value{};
    touch(args);
    // init runs before the library's own globals matter, but a constant result is not worth it.
    const Value result = new_results(call.out_types, name, nodes, RegionKind::Arena);
    if (!flatten(result, kernel.regions)) return Value{};
    if (kernel.kernel == nullptr || args.size() != kernel.kernel->tensors ||
        kernel.regions.size() != 1) {
      errors_.push_back(unsupported(
          "there is no library kernel '" + kernel.name + "' for these arguments", nodes));
      return Value{};
    }
    std::vector<std::vector<tir::PrimExpr>> shapes;
    for (const size_t arg : args) shapes.push_back(program_.regions[arg].extents);
    auto sizes = kernel.kernel->sizes(shapes, program_.regions[kernel.regions[0]].extents);
    if (!sizes) {
      errors_.push_back(unsupported(
          "the library kernel '" + kernel.name + "' does not take these shapes", nodes));
      return Value{};
    }
    kernel.sizes = std::move(*sizes);
    kernel.regions.insert(kernel.regions.end(), args.begin(), args.end());
    program_.calls.push_back(std::move(kernel));
    return result;
  }

  // Results stay until the next run; tuples are flattened in order.
  void add_outputs(const Value& value, const std::string& name) {
    if (value.is_tuple) {
      for (const Value& field : value.fields) add_outputs(field, name);
      return;
    }
    if (!value.region) return;
    Region& region = program_.regions[*value.region];
    region.last = kForever;
    const std::string key = name + "." + std::to_string(program_.outputs.size());
    program_.outputs.push_back(Port{key, region.name, *value.region});
  }

  const IRModule& module_;
  bool keep_;
  Program program_;
  std::unordered_map<const relax::VarNode*, Value> values_;
  std::unordered_map<const void*, size_t> constants_;
  std::vector<std::string> missing_;
  Diagnostics errors_;
};

}  // namespace

Result<Program> read_program(const IRModule& module, bool keep_intermediates) {
  Reader reader(module, keep_intermediates);
  if (const relax::Function* main = main_function(module)) return reader.read_relax(*main);
  for (const auto& [name, func] : module.functions) {
    if (const auto* prim = std::get_if<tir::PrimFunc>(&func)) {
      return reader.read_prim_func(name, *prim);
    }
  }
  return unsupported("the module has no function to compile", {});
}

}  // namespace fx2wasm::wasm
