#include "compile.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "encode/code.h"
#include "encode/listing.h"
#include "encode/module.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "lower/emitter.h"
#include "lower/lower.h"
#include "plan/arena.h"
#include "plan/metadata.h"
#include "plan/program.h"
#include "plan/size_table.h"
#include "support/diagnostic_codes.h"
#include "symbolic_plan.h"

namespace fx2wasm::wasm {
namespace {

constexpr const char* kLibraryModule = "fx2wasm_library";

void add_nodes(std::vector<int>& nodes, const std::vector<int>& more) {
  nodes.insert(nodes.end(), more.begin(), more.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

const char* simd_name(Simd simd) {
  switch (simd) {
    case Simd::Off:
      return "off";
    case Simd::Simd128:
      return "simd128";
    case Simd::Relaxed:
      return "relaxed";
  }
  return "";
}

class Compiler {
 public:
  Compiler(const CompileOptions& options, Program program)
      : options_(options), program_(std::move(program)), math_(module_) {}

  Result<CompiledModule> compile() {
    import_library();
    FX_TRY(lowered, lower_functions());
    (void)lowered;
    lay_out();
    if (layout_.total_bytes > kLargestMemory) {
      return error_at({}, codes::kCompileUnsupported,
                      "the model needs " + std::to_string(layout_.total_bytes >> 20) +
                          " MiB of memory, and WebAssembly has 4096");
    }
    add_export("init", write_calls("init", true));
    add_export("main", write_calls("main", false));
    if (program_.symbols.empty()) {
      add_export("plan", write_plan());
    } else {
      add_export("plan", write_symbolic_plan(program_, table_, layout_.total_bytes, math_,
                                             LowerOptions{options_.simd, options_.schedule}));
    }
    add_weights();
    module_.customs.push_back(
        {"fx2wasm", write_metadata(program_, layout_, table_, infos_, simd_name(options_.simd),
                                   needs_library_, options_.weights_inside)});
    return finish();
  }

 private:
  // Imports come first in the index space, so they are known before any code is written.
  void import_library() {
    for (const KernelCall& call : program_.calls) {
      if (call.kernel == nullptr || library_.contains(call.kernel->symbol)) continue;
      needs_library_ = true;
      library_[call.kernel->symbol] = static_cast<uint32_t>(module_.imports.size());
      const size_t count = 1 + call.kernel->tensors + call.kernel->size_count;
      module_.imports.push_back({kLibraryModule, std::string(call.kernel->import),
                                 FuncType{std::vector<ValType>(count, ValType::I32), {}}});
    }
    // Library and model work on one memory, which must exist before either.
    module_.memory.imported = needs_library_;
    module_.memory.import_module = "fx2wasm";
    module_.memory.import_name = "memory";
  }

  Result<Unit> lower_functions() {
    const LowerOptions how{options_.simd, options_.schedule};
    Diagnostics errors;
    for (const KernelCall& call : program_.calls) {
      FunctionInfo& info = info_of(call);
      add_nodes(info.fx_nodes, call.fx_nodes);
      if (call.func == nullptr || functions_.contains(call.func.get())) continue;
      Result<LoweredFunction> lowered = lower_prim_func(module_, math_, call.name, call.func, how);
      if (!lowered.ok()) {
        for (Diagnostic diagnostic : lowered.diagnostics()) {
          diagnostic.message += " (in " + call.name + ")";
          errors.push_back(std::move(diagnostic));
        }
        continue;
      }
      if (depends_on_scalar_input(call, lowered.value())) {
        errors.push_back(error_at({}, codes::kCompileUnsupported,
                                  "the shape of a buffer of " + call.name +
                                      " depends on a number that only a run gives"));
      }
      functions_[call.func.get()] = lowered.value();
    }
    if (!errors.empty()) return errors;
    return Unit{};
  }

  FunctionInfo& info_of(const KernelCall& call) {
    for (FunctionInfo& info : infos_) {
      if (info.name == call.name) return info;
    }
    infos_.push_back({call.name, {}, call.kernel == nullptr ? "" : call.name});
    return infos_.back();
  }

  // The plan is made from the sizes of the inputs, before it is given any number.
  static bool depends_on_scalar_input(const KernelCall& call, const LoweredFunction& lowered) {
    if (call.scalar_inputs.empty() || !lowered.symbolic_bytes) return false;
    return std::any_of(call.func->params.begin(), call.func->params.end(), [&](const auto& param) {
      const auto* var = std::get_if<tir::Var>(&param);
      return var != nullptr && uses_var(lowered.symbolic_bytes, *var);
    });
  }

  // The workspace of a call in bytes, over the program's symbols; null when it needs none.
  tir::PrimExpr workspace_of(const KernelCall& call) const {
    const auto found = functions_.find(call.func.get());
    if (found == functions_.end()) return nullptr;
    const LoweredFunction& lowered = found->second;
    const auto bytes = tir::int_imm(DType::Int64, static_cast<int64_t>(lowered.workspace_bytes));
    if (!lowered.symbolic_bytes) return bytes;
    tir::VarMap values;
    for (size_t i = 0; i < lowered.symbols.size(); ++i) {
      values.emplace_back(lowered.symbols[i], call.sizes[i]);
    }
    size_t scalar = 0;
    for (const tir::Param& param : call.func->params) {
      const auto* var = std::get_if<tir::Var>(&param);
      if (var == nullptr) continue;
      const tir::PrimExpr& value = call.scalars[scalar++];
      if (is_integer((*var)->dtype)) values.emplace_back(*var, tir::cast((*var)->dtype, value));
    }
    // One piece holds both parts, so that a function takes one address.
    return tir::add(tir::substitute(lowered.symbolic_bytes, values), bytes);
  }

  // Known now, as the arguments of this call may be although the function takes others, too.
  static std::optional<uint64_t> known_bytes(const tir::PrimExpr& bytes) {
    const Interval interval = Bounds().of(bytes);
    if (interval.min != interval.max) return std::nullopt;
    return static_cast<uint64_t>(std::max<int64_t>(interval.min, 0));
  }

  // The part of the plan that only a run can make.
  tir::PrimExpr symbolic_workspace(const KernelCall& call) const {
    tir::PrimExpr bytes = workspace_of(call);
    return bytes && !known_bytes(bytes) ? bytes : nullptr;
  }

  // [reserved | library | weights | packed weights | inputs | table of sizes | arena | symbolic]
  void lay_out() {
    uint64_t next = kTensorBase;
    for (const RegionKind kind : {RegionKind::Weight, RegionKind::Packed, RegionKind::Input}) {
      for (Region& region : program_.regions) {
        if (region.kind != kind || region.symbolic) continue;
        region.offset = next;
        next = align_up(next + region.bytes, kTensorAlignment);
      }
      if (kind == RegionKind::Packed) layout_.weight_bytes = next - kTensorBase;
    }
    if (!program_.symbols.empty()) {
      std::vector<tir::PrimExpr> workspaces;
      for (const KernelCall& call : program_.calls) {
        workspaces.push_back(symbolic_workspace(call));
      }
      table_ = plan_size_table(program_, workspaces);
      table_.offset = next;
      next = align_up(next + 4 * table_.words, kTensorAlignment);
    }
    std::vector<ArenaItem> items;
    for (const Region& region : program_.regions) {
      if (region.kind != RegionKind::Arena || region.symbolic) continue;
      items.push_back({region.bytes, region.first, region.last, 0});
    }
    const size_t tensors = items.size();
    for (size_t i = 0; i < program_.calls.size(); ++i) {
      const int step = static_cast<int>(i);
      items.push_back({workspace_bytes(program_.calls[i]), step, step, 0});
    }
    layout_.arena_begin = next;
    layout_.arena_bytes = plan_arena(items);
    size_t item = 0;
    for (Region& region : program_.regions) {
      if (region.kind != RegionKind::Arena || region.symbolic) continue;
      region.offset = next + items[item++].offset;
    }
    for (size_t i = tensors; i < items.size(); ++i) workspaces_.push_back(next + items[i].offset);
    layout_.total_bytes = next + layout_.arena_bytes;
    module_.memory.min_pages = static_cast<uint32_t>(
        std::min(align_up(layout_.total_bytes, kPageBytes), kLargestMemory) / kPageBytes);
  }

  uint64_t workspace_bytes(const KernelCall& call) const {
    const tir::PrimExpr bytes = workspace_of(call);
    return bytes ? known_bytes(bytes).value_or(0) : 0;
  }

  void push_region(Code& code, size_t region) {
    if (program_.regions[region].symbolic) {
      push_item_address(code, program_, table_, *table_.regions[region]);
    } else {
      push_address(code, program_.regions[region].offset);
    }
  }

  static void push_address(Code& code, uint64_t address) {
    code.i32(static_cast<int32_t>(static_cast<uint32_t>(address)));
  }

  Function write_calls(const std::string& name, bool in_init) {
    Code code(name, FuncType{});
    Emitter emitter(code, math_, LowerOptions{options_.simd, options_.schedule});
    if (!in_init) load_symbols(emitter, program_, table_);
    for (size_t i = 0; i < program_.calls.size(); ++i) {
      const KernelCall& call = program_.calls[i];
      if (call.in_init != in_init) continue;
      if (call.kernel != nullptr) {
        for (const size_t region : call.regions) push_region(code, region);
        for (const tir::PrimExpr& size : call.sizes) emitter.emit_index(size);
        code.call(library_.at(call.kernel->symbol));
        continue;
      }
      write_call(emitter, call, i);
    }
    return code.finish();
  }

  void write_call(Emitter& emitter, const KernelCall& call, size_t number) {
    Code& code = emitter.code;
    const LoweredFunction& lowered = functions_.at(call.func.get());
    size_t region = 0, scalar = 0;
    for (const tir::Param& param : call.func->params) {
      if (const auto* var = std::get_if<tir::Var>(&param)) {
        push_scalar(emitter, call, *var, scalar++);
      } else {
        push_region(code, call.regions[region++]);
      }
    }
    for (const tir::PrimExpr& size : call.sizes) emitter.emit_index(size);
    if (symbolic_workspace(call)) {
      push_item_address(code, program_, table_, *table_.workspaces[number]);
    } else if (lowered.workspace_bytes > 0 || lowered.symbolic_bytes) {
      push_address(code, workspaces_[number]);
    }
    code.call(lowered.index);
  }

  void push_scalar(Emitter& emitter, const KernelCall& call, const tir::Var& var, size_t position) {
    for (const auto& input : call.scalar_inputs) {
      if (input.first != position) continue;
      push_address(emitter.code, program_.regions[input.second].offset);
      return emitter.load(var->dtype, 0);
    }
    const tir::PrimExpr value = tir::cast(var->dtype, call.scalars[position]);
    const bool wide = var->dtype == DType::Int64 || var->dtype == DType::UInt64;
    if (wide) return emitter.emit_as(value, ValType::I64);
    emitter.emit(value);
  }

  // Shapes are known: the plan is made, and only its size is left to tell.
  Function write_plan() {
    Code code("plan", FuncType{{}, {ValType::I32}});
    push_address(code, layout_.total_bytes);
    return code.finish();
  }

  void add_export(const std::string& name, Function function) {
    const uint32_t index = add_function(module_, std::move(function));
    module_.exports.push_back({name, index});
  }

  void add_weights() {
    if (!options_.weights_inside) return;
    for (const Region& region : program_.regions) {
      if (region.kind != RegionKind::Weight) continue;
      module_.data.push_back({static_cast<uint32_t>(region.offset), region.data->bytes});
    }
  }

  CompiledModule finish() {
    CompiledModule compiled;
    EncodedModule encoded = encode(module_);
    compiled.binary = std::move(encoded.binary);
    for (const FunctionInfo& info : infos_) {
      compiled.functions.push_back({info.name, 0, 0, info.fx_nodes, info.library});
    }
    const auto imports = static_cast<uint32_t>(module_.imports.size());
    for (const KernelCall& call : program_.calls) {
      if (call.func == nullptr) continue;
      const uint32_t defined = functions_.at(call.func.get()).index - imports;
      const FunctionRange& range = encoded.functions[defined];
      CompiledFunction& function = *std::find_if(
          compiled.functions.begin(), compiled.functions.end(),
          [&](const CompiledFunction& candidate) { return candidate.name == call.name; });
      if (function.code_end != 0) continue;
      function.code_begin = range.begin;
      function.code_end = range.end;
      for (const CodeMark& mark : module_.functions[defined].marks) {
        compiled.labels.push_back({range.code_begin + mark.offset, mark.label, function.fx_nodes});
      }
    }
    std::stable_sort(compiled.labels.begin(), compiled.labels.end(),
                     [](const CodeLabel& a, const CodeLabel& b) { return a.offset < b.offset; });
    compiled.needs_library = needs_library_;
    compiled.weight_bytes = static_cast<size_t>(layout_.weight_bytes);
    compiled.arena_bytes = static_cast<size_t>(layout_.arena_bytes);
    compiled.total_bytes = static_cast<size_t>(layout_.total_bytes);
    if (!options_.weights_inside) {
      for (const Region& region : program_.regions) {
        if (region.kind == RegionKind::Weight) {
          compiled.weights.push_back({region.name, region.data});
        }
      }
    }
    return compiled;
  }

  const CompileOptions& options_;
  Program program_;
  Module module_;
  MathFunctions math_;
  MemoryLayout layout_;
  SizeTable table_;  // of symbolic modules
  std::unordered_map<const tir::PrimFuncNode*, LoweredFunction> functions_;
  std::unordered_map<std::string_view, uint32_t> library_;
  std::vector<FunctionInfo> infos_;
  std::vector<uint64_t> workspaces_;  // per call
  bool needs_library_ = false;
};

}  // namespace

Result<CompiledModule> compile(const IRModule& module, const CompileOptions& options) {
  FX_TRY(program, read_program(module, options.keep_intermediates));
  return Compiler(options, std::move(program)).compile();
}

Result<IRModule> module_of(const tir::PrimFunc& func) {
  const AttrValue* symbol = find_attr(func->attrs, "global_symbol");
  const std::string* name = symbol ? std::get_if<std::string>(&symbol->value) : nullptr;
  IRModule module;
  module.functions.emplace_back(name ? *name : "main", func);
  return module;
}

PrintedText disassemble(const CompiledModule& compiled, std::string_view function_name) {
  PrintedText printed;
  const Listing listing = list_module(compiled.binary, function_name);
  printed.text = listing.text;
  for (const CodeLabel& label : compiled.labels) {
    for (const ListedLine& line : listing.lines) {
      if (line.code_offset != label.offset) continue;
      Span span;
      span.begin = static_cast<uint32_t>(line.begin);
      span.end = static_cast<uint32_t>(line.end);
      span.kind = SpanKind::SBlock;
      span.function = line.function;
      span.name = label.block;
      span.fx_nodes = label.fx_nodes;
      printed.spans.push_back(std::move(span));
    }
  }
  return printed;
}

}  // namespace fx2wasm::wasm
