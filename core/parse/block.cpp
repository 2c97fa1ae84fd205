// Blocks: axes, regions, attributes, allocations.
#include <string>
#include <utility>

#include "ir/structural.h"
#include "ir/tir_build.h"
#include "parse/open_block.h"
#include "support/text.h"

namespace fx2wasm::parse {

using tir::PrimExpr;

namespace {

std::optional<tir::IterKind> axis_kind(std::string_view name) {
  if (name == "T.axis.spatial" || name == "T.axis.S") return tir::IterKind::Spatial;
  if (name == "T.axis.reduce" || name == "T.axis.R") return tir::IterKind::Reduce;
  if (name == "T.axis.opaque") return tir::IterKind::Opaque;
  return std::nullopt;
}

// The range of the loop whose variable the value is; null when it is none.
const tir::Range* loop_of(const Reader& r, const PrimExpr& value) {
  const auto* var = std::get_if<tir::Var>(&value->kind);
  if (!var) return nullptr;
  const auto found = r.loops.find(var->get());
  return found == r.loops.end() ? nullptr : &found->second;
}

void add_axis(Reader& r, OpenBlock& block, const std::string& name, tir::IterKind kind,
              tir::Range dom, PrimExpr value, bool own_line) {
  tir::Var var = tir::make_var(name, dom.extent->dtype);
  define(r, name, {var, nullptr, nullptr});
  block.iter_vars.push_back({std::move(var), std::move(dom), kind});
  block.iter_values.push_back(std::move(value));
  block.own_line.push_back(own_line);
}

// v = T.axis.spatial(4, i), or with (begin, end)
void read_axis(Reader& r, const NamedCall& call, tir::IterKind kind, const AssignLine& line,
               OpenBlock& block) {
  const std::vector<ExprRef> args = bind(r, call, {"dom", "binding", "dtype"}, 2);
  const auto* name = std::get_if<script::Name>(&line.target->kind);
  if (!name) {
    fail(r, line.target->at, codes::kTextSyntax, "an axis has one name");
  }
  if (failed(r)) return;
  const std::vector<ExprRef>* bounds = items_of(args[0]);
  if (bounds && bounds->size() != 2) {
    fail(r, args[0]->at, codes::kTextArgument, "an axis runs over an extent or (begin, end)");
    return;
  }
  PrimExpr first = scalar(r, bounds ? (*bounds)[0] : args[0]);
  PrimExpr last = bounds ? scalar(r, (*bounds)[1]) : first;
  PrimExpr bound = scalar(r, args[1]);
  if (failed(r)) return;
  if (!is_integer(first->dtype) || !is_integer(last->dtype) || !is_integer(bound->dtype)) {
    fail(r, call.at, codes::kTextType, "an axis runs over integers");
    return;
  }
  tir::Range dom =
      bounds ? range_between(std::move(first), std::move(last)) : range_from_zero(std::move(first));
  add_axis(r, block, name->name, kind, std::move(dom), std::move(bound), !bounds);
}

// v_i, v_k = T.axis.remap("SR", [i, k]): each over its whole loop
void read_remap(Reader& r, const NamedCall& call, const AssignLine& line, OpenBlock& block) {
  const std::vector<ExprRef> args = bind(r, call, {"kinds", "bindings", "dtype"}, 2);
  if (failed(r)) return;
  const std::string kinds = string_of(r, args[0], "the kinds of T.axis.remap");
  const std::vector<ExprRef> bindings = listed(args[1]);
  const std::vector<ExprRef> targets = listed(line.target);
  if (failed(r)) return;
  if (kinds.size() != bindings.size() || kinds.size() != targets.size()) {
    fail(r, call.at, codes::kTextArgument,
         "T.axis.remap has " + std::to_string(kinds.size()) + " kinds, " +
             std::to_string(bindings.size()) + " loop variables and " +
             std::to_string(targets.size()) + " names");
    return;
  }
  for (size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] != 'S' && kinds[i] != 'R') {
      fail(r, args[0]->at, codes::kTextArgument, "the kinds of T.axis.remap are S and R");
      return;
    }
    const auto* name = std::get_if<script::Name>(&targets[i]->kind);
    PrimExpr bound = scalar(r, bindings[i]);
    if (failed(r)) return;
    const tir::Range* loop = loop_of(r, bound);
    if (!name || !loop) {
      fail(r, bindings[i]->at, codes::kTextArgument, "T.axis.remap takes variables of open loops");
      return;
    }
    add_axis(r, block, name->name, kinds[i] == 'S' ? tir::IterKind::Spatial : tir::IterKind::Reduce,
             *loop, std::move(bound), false);
  }
}

// Two neighbours that run over whole loops print as one T.axis.remap, unless their minimum has
// another dtype than the loop's: an int32 zero where the extent is an int64 symbol.
void restore_narrow_minima(const Reader& r, OpenBlock& block) {
  const auto whole_loop = [&](size_t i) {
    if (i >= block.iter_vars.size()) return false;
    const tir::IterVar& iter = block.iter_vars[i];
    const tir::Range* loop = loop_of(r, block.iter_values[i]);
    return iter.kind != tir::IterKind::Opaque && loop && tir::is_zero(iter.dom.min) &&
           tir::is_zero(loop->min) && structural_equal(loop->extent, iter.dom.extent);
  };
  std::vector<size_t> narrow;
  for (size_t i = 0; i < block.iter_vars.size(); ++i) {
    if (!block.own_line[i] || !whole_loop(i)) continue;
    if ((i > 0 && whole_loop(i - 1)) || whole_loop(i + 1)) narrow.push_back(i);
  }
  for (size_t i : narrow) block.iter_vars[i].dom.min = tir::int_imm(DType::Int32, 0);
}

std::optional<tir::BufferRegion> read_region(Reader& r, const ExprRef& e) {
  const auto* subscript = std::get_if<script::Subscript>(&e->kind);
  const std::string name = subscript ? dotted(subscript->object) : "";
  const Named* named = name.empty() ? nullptr : find_name(r, name);
  if (!named || !named->buffer) {
    fail(r, e->at, codes::kTextName,
         name.empty() ? "a region is a part of a buffer: A[i, 0:4]"
                      : "no buffer is named " + quote(name) + near_names(r, name));
    return std::nullopt;
  }
  tir::BufferRegion region{named->buffer, {}};
  for (const ExprRef& item : listed(subscript->index)) {
    const auto* slice = std::get_if<script::SliceIndex>(&item->kind);
    if (slice && (!slice->start || !slice->stop || slice->step)) {
      fail(r, item->at, codes::kTextArgument, "a region's slice is begin:end");
      return std::nullopt;
    }
    PrimExpr first = scalar(r, slice ? slice->start : item);
    PrimExpr last = slice ? scalar(r, slice->stop) : first;
    if (failed(r)) return std::nullopt;
    if (!is_integer(first->dtype) || !is_integer(last->dtype)) {
      fail(r, item->at, codes::kTextType, "an index must be an integer");
      return std::nullopt;
    }
    if (slice) {
      region.region.push_back(range_between(std::move(first), std::move(last)));
    } else {
      PrimExpr one = tir::int_imm(first->dtype, 1);
      region.region.push_back({std::move(first), std::move(one)});
    }
  }
  if (region.region.size() != named->buffer->shape.size()) {
    fail(r, e->at, codes::kTextType,
         "the buffer " + quote(name) + " has " + std::to_string(named->buffer->shape.size()) +
             " dimensions, not " + std::to_string(region.region.size()));
    return std::nullopt;
  }
  return region;
}

void read_regions(Reader& r, const NamedCall& call, bool& seen,
                  std::vector<tir::BufferRegion>& regions) {
  if (std::exchange(seen, true)) {
    fail(r, call.at, codes::kTextStructure, call.name + " stands twice in this block");
    return;
  }
  const std::optional<std::vector<ExprRef>> args = positional(r, call);
  if (!args) return;
  for (const ExprRef& arg : *args) {
    std::optional<tir::BufferRegion> region = read_region(r, arg);
    if (!region) return;
    regions.push_back(std::move(*region));
  }
}

}  // namespace

tir::Buffer read_buffer(Reader& r, const std::string& name, const NamedCall& call) {
  const std::vector<ExprRef> args =
      bind(r, call, {"shape", "dtype", "data", "strides", "elem_offset", "scope"}, 1);
  if (failed(r)) return nullptr;
  if (args[2]) {
    return fail(r, args[2]->at, codes::kTextArgument, call.name + ": 'data' is not supported");
  }
  tir::BufferNode buffer;
  buffer.name = name;
  buffer.shape = dimensions(r, args[0]);
  if (args[1]) {
    const std::optional<DType> dtype = dtype_of(r, args[1]);
    if (!dtype) return nullptr;
    buffer.dtype = *dtype;
  }
  if (args[3]) buffer.strides = dimensions(r, args[3]);
  if (args[4]) buffer.elem_offset = dimension(r, args[4]);
  if (args[5]) buffer.scope = string_of(r, args[5], "a scope");
  if (failed(r)) return nullptr;
  if (!buffer.strides.empty() && buffer.strides.size() != buffer.shape.size()) {
    return fail(r, args[3]->at, codes::kTextArgument, "a buffer has one stride per dimension");
  }
  return std::make_shared<tir::BufferNode>(std::move(buffer));
}

bool read_block_call(Reader& r, const NamedCall& call, OpenBlock* block) {
  const bool of_function = call.name == "T.func_attr";
  const bool of_block = call.name == "T.reads" || call.name == "T.writes" ||
                        call.name == "T.where" || call.name == "T.sblock_attr";
  if (!of_function && !of_block) return false;
  if (!block || block->is_function != of_function) {
    fail(r, call.at, codes::kTextStructure,
         call.name + " stands directly in a " + (of_function ? "function" : "block"));
    return true;
  }
  if (call.name == "T.reads") {
    read_regions(r, call, block->has_reads, block->reads);
    return true;
  }
  if (call.name == "T.writes") {
    read_regions(r, call, block->has_writes, block->writes);
    return true;
  }
  const std::vector<ExprRef> args = bind(r, call, {"value"}, 1);
  if (failed(r)) return true;
  if (call.name == "T.where") {
    block->predicate = scalar(r, args[0]);
    if (block->predicate && block->predicate->dtype != DType::Bool) {
      fail(r, call.at, codes::kTextType, "T.where takes a bool");
    }
    return true;
  }
  (of_function ? block->func_attrs : block->annotations) = attribute_dict(r, args[0]);
  return true;
}

bool read_block_assignment(Reader& r, const AssignLine& line, OpenBlock* block) {
  if (line.annotation) return false;
  if (block && block->is_function && define_symbols(r, line)) return true;
  const std::optional<NamedCall> call = named_call(line.value);
  if (!call) return false;
  const std::optional<tir::IterKind> kind = axis_kind(call->name);
  if (kind || call->name == "T.axis.remap") {
    if (!block || block->is_function) {
      fail(r, call->at, codes::kTextStructure, "an axis stands directly in a block");
    } else if (kind) {
      read_axis(r, *call, *kind, line, *block);
    } else {
      read_remap(r, *call, line, *block);
    }
    return true;
  }
  if (call->name != "T.sblock_alloc_buffer" && call->name != "T.alloc_buffer") return false;
  const auto* name = std::get_if<script::Name>(&line.target->kind);
  if (!block || !name) {
    fail(r, call->at, codes::kTextStructure, "a buffer is allocated directly in a block");
    return true;
  }
  tir::Buffer buffer = read_buffer(r, name->name, *call);
  if (!buffer) return true;
  define(r, name->name, {nullptr, buffer, nullptr});
  block->alloc_buffers.push_back(std::move(buffer));
  return true;
}

tir::Stmt read_block(Reader& r, const NamedCall& call, const Body& body) {
  const std::vector<ExprRef> args = bind(r, call, {"name"}, 1);
  if (failed(r)) return nullptr;
  const Scope scope(r);
  OpenBlock open;
  tir::SBlock block;
  block.name_hint = string_of(r, args[0], "a block's name");
  block.body = read_statements(r, body, call.at, &open);
  if (failed(r)) return nullptr;
  if (!open.has_reads || !open.has_writes) {
    return fail(r, call.at, codes::kTextStructure,
                "the block " + quote(block.name_hint) + " does not say what it reads and writes",
                "write T.reads(…) and T.writes(…) behind its axes, empty where it has none");
  }
  restore_narrow_minima(r, open);
  block.iter_vars = std::move(open.iter_vars);
  block.reads = std::move(open.reads);
  block.writes = std::move(open.writes);
  block.alloc_buffers = std::move(open.alloc_buffers);
  block.annotations = std::move(open.annotations);
  block.init = std::move(open.init);
  tir::SBlockRealize realize;
  realize.iter_values = std::move(open.iter_values);
  realize.predicate = std::move(open.predicate);
  realize.block = std::make_shared<tir::SBlock>(std::move(block));
  return tir::make_stmt(std::move(realize));
}

}  // namespace fx2wasm::parse
