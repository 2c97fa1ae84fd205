// Statements of TensorIR.
#include <string>
#include <utility>

#include "ir/tir_build.h"
#include "parse/open_block.h"
#include "support/text.h"

namespace fx2wasm::parse {

using tir::PrimExpr;
using tir::Stmt;

namespace {

struct LoopHead {
  tir::ForKind kind = tir::ForKind::Serial;
  std::vector<tir::Range> ranges;  // outermost first
  Attrs annotations;
};

std::optional<tir::ForKind> loop_kind(std::string_view name) {
  if (name == "range" || name == "T.serial") return tir::ForKind::Serial;
  if (name == "T.parallel") return tir::ForKind::Parallel;
  if (name == "T.vectorized") return tir::ForKind::Vectorized;
  if (name == "T.unroll") return tir::ForKind::Unrolled;
  return std::nullopt;
}

bool is_extent(Reader& r, Position at, const PrimExpr& extent) {
  if (!extent) return false;
  if (is_integer(extent->dtype)) return true;
  fail(r, at, codes::kTextType, "a loop's bounds must be integers");
  return false;
}

// T.grid(4, n)
LoopHead read_grid(Reader& r, const NamedCall& call) {
  LoopHead head;
  const std::optional<std::vector<ExprRef>> extents = positional(r, call);
  if (!extents) return head;
  for (const ExprRef& e : *extents) {
    PrimExpr extent = scalar(r, e);
    if (!is_extent(r, e->at, extent)) return head;
    head.ranges.push_back(range_from_zero(std::move(extent)));
  }
  return head;
}

// range(n), T.serial(a, b, annotations={…}), T.unroll(n, unroll=False)
LoopHead read_loop(Reader& r, const NamedCall& call, tir::ForKind kind) {
  LoopHead head;
  head.kind = kind;
  const std::vector<ExprRef> args = bind(r, call, {"start", "stop", "annotations", "unroll"}, 1);
  if (failed(r)) return head;
  PrimExpr first = scalar(r, args[0]);
  PrimExpr second = args[1] ? scalar(r, args[1]) : nullptr;
  if (!is_extent(r, call.at, first) || (args[1] && !is_extent(r, call.at, second))) return head;
  head.ranges.push_back(second ? range_between(std::move(first), std::move(second))
                               : range_from_zero(std::move(first)));
  if (args[2]) head.annotations = attribute_dict(r, args[2]);
  if (args[3]) {
    const std::optional<AttrValue> unroll = attribute(r, args[3], "unroll");
    if (!unroll) return head;
    const bool* flag = std::get_if<bool>(&unroll->value);
    if (flag && !*flag) {
      head.annotations.emplace_back("disable_unroll", AttrValue{true});
    } else {
      head.annotations.emplace_back("pragma_unroll", *unroll);
    }
  }
  return head;
}

std::vector<std::string> names_of(Reader& r, const ExprRef& target) {
  std::vector<std::string> names;
  for (const ExprRef& item : listed(target)) {
    const auto* name = std::get_if<script::Name>(&item->kind);
    if (!name) {
      fail(r, item->at, codes::kTextSyntax, "expected a name");
      break;
    }
    names.push_back(name->name);
  }
  return names;
}

Stmt read_for(Reader& r, const ForBlock& loop, Position at) {
  const std::optional<NamedCall> call = named_call(loop.iterable);
  const std::string_view name = call ? std::string_view(call->name) : std::string_view();
  const std::optional<tir::ForKind> kind = loop_kind(name);
  if (!kind && name != "T.grid") {
    return fail(r, loop.iterable->at, codes::kTextName,
                "a loop runs over range, T.grid, T.serial, T.parallel, T.vectorized or T.unroll");
  }
  const LoopHead head = kind ? read_loop(r, *call, *kind) : read_grid(r, *call);
  const std::vector<std::string> names = names_of(r, loop.target);
  if (failed(r)) return nullptr;
  if (names.size() != head.ranges.size() || names.empty()) {
    return fail(r, at, codes::kTextArgument,
                std::to_string(names.size()) + " loop variables for " +
                    std::to_string(head.ranges.size()) + " loops");
  }
  const Scope scope(r);
  const int nesting = r.nesting;
  std::vector<tir::Var> vars;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!enter(r, at)) return nullptr;
    vars.push_back(tir::make_var(names[i], head.ranges[i].extent->dtype));
    define(r, names[i], {vars.back(), nullptr, nullptr});
    r.loops.emplace(vars.back().get(), head.ranges[i]);
  }
  Stmt body = read_statements(r, loop.body, at, nullptr);
  r.nesting = nesting;
  for (const tir::Var& var : vars) r.loops.erase(var.get());
  if (!body) return nullptr;
  for (size_t i = vars.size(); i-- > 0;) {
    body = tir::make_stmt(tir::For{vars[i], head.ranges[i].min, head.ranges[i].extent, head.kind,
                                   head.annotations, std::move(body)});
  }
  return body;
}

PrimExpr condition(Reader& r, const ExprRef& e) {
  PrimExpr result = scalar(r, e);
  if (result && result->dtype != DType::Bool) {
    return fail(r, e->at, codes::kTextType, "the condition must be a bool");
  }
  return result;
}

Stmt read_branch(Reader& r, const Body& body, Position at) {
  const Scope scope(r);
  return read_statements(r, body, at, nullptr);
}

Stmt read_if(Reader& r, const IfBlock& s, Position at) {
  PrimExpr test = condition(r, s.condition);
  if (!test) return nullptr;
  Stmt then_case = read_branch(r, s.then_body, at);
  Stmt else_case = s.else_body.empty() ? nullptr : read_branch(r, s.else_body, at);
  if (failed(r)) return nullptr;
  return tir::make_stmt(
      tir::IfThenElse{std::move(test), std::move(then_case), std::move(else_case)});
}

Stmt read_while(Reader& r, const WhileBlock& s, Position at) {
  PrimExpr test = condition(r, s.condition);
  if (!test) return nullptr;
  Stmt body = read_branch(r, s.body, at);
  if (!body) return nullptr;
  return tir::make_stmt(tir::While{std::move(test), std::move(body)});
}

Stmt read_with(Reader& r, const WithBlock& s, Position at, OpenBlock* block) {
  const std::optional<NamedCall> call = named_call(s.context);
  if (call && call->name == "T.sblock") return read_block(r, *call, s.body);
  if (call && call->name == "T.init") {
    if (!block || block->is_function || block->init) {
      return fail(r, at, codes::kTextStructure, "T.init stands once, directly in a block");
    }
    const Scope scope(r);
    block->init = read_statements(r, s.body, at, nullptr);
    return nullptr;
  }
  return fail(r, at, codes::kTextName, "expected T.sblock(\"name\") or T.init() after 'with'");
}

Stmt read_store(Reader& r, const AssignLine& line, const script::Subscript& target, Position at) {
  // The element's own reader checks the buffer and the indices.
  const PrimExpr element = scalar(r, line.target);
  PrimExpr stored = element ? scalar(r, line.value) : nullptr;
  if (!stored) return nullptr;
  const auto* load = std::get_if<tir::BufferLoad>(&element->kind);
  if (!load) return fail(r, target.object->at, codes::kTextSyntax, "only elements are assigned to");
  stored = tir::cast(load->buffer->dtype, std::move(stored));
  (void)at;
  return tir::store(load->buffer, std::move(stored), load->indices);
}

// The dtype of `T.let[T.int32]`; nothing for other annotations.
std::optional<DType> let_dtype(const ExprRef& annotation) {
  const auto* subscript = annotation ? std::get_if<script::Subscript>(&annotation->kind) : nullptr;
  if (!subscript || dotted(subscript->object) != "T.let") return std::nullopt;
  return dtype_name_of(dotted(subscript->index));
}

class SequenceReader {
 public:
  SequenceReader(Reader& r, const Body& body, OpenBlock* block)
      : r_(r), body_(body), block_(block) {}

  // The statements from `first` on; lets, allocations and attributes hold all that follow them.
  Stmt read(size_t first) {
    std::vector<Stmt> seq;
    for (size_t i = first; i < body_.size() && !failed(r_); ++i) {
      const Statement& s = body_[i];
      if (const auto* line = std::get_if<AssignLine>(&s.kind)) {
        if (const std::optional<DType> dtype = let_dtype(line->annotation)) {
          if (Stmt let = read_let(*line, *dtype, i)) seq.push_back(std::move(let));
          break;
        }
        if (const std::optional<NamedCall> call = local_allocation(*line)) {
          if (Stmt alloc = read_alloc(*line, *call, i)) seq.push_back(std::move(alloc));
          break;
        }
      }
      if (const std::optional<NamedCall> call = attribute_call(s)) {
        if (Stmt attr = read_attr(*call, i)) seq.push_back(std::move(attr));
        break;
      }
      if (Stmt stmt = read_one(s)) seq.push_back(std::move(stmt));
    }
    if (failed(r_)) return nullptr;
    if (seq.empty()) return tir::make_stmt(tir::Evaluate{tir::int_imm(DType::Int32, 0)});
    return tir::seq(std::move(seq));
  }

 private:
  static std::optional<NamedCall> attribute_call(const Statement& s) {
    const auto* line = std::get_if<ExprLine>(&s.kind);
    std::optional<NamedCall> call = line ? named_call(line->value) : std::nullopt;
    return call && call->name == "T.attr" ? call : std::nullopt;
  }

  static std::optional<NamedCall> local_allocation(const AssignLine& line) {
    std::optional<NamedCall> call = line.annotation ? std::nullopt : named_call(line.value);
    return call && call->name == "T.alloc_local" ? call : std::nullopt;
  }

  // name = T.alloc_local(shape, dtype)
  Stmt read_alloc(const AssignLine& line, const NamedCall& call, size_t index) {
    const auto* name = std::get_if<script::Name>(&line.target->kind);
    if (!name) return fail(r_, call.at, codes::kTextSyntax, "a buffer has one name");
    const tir::Buffer read_as = read_buffer(r_, name->name, call);
    if (!read_as || !enter(r_, call.at)) return nullptr;
    auto buffer = std::make_shared<tir::BufferNode>(*read_as);
    buffer->scope = "local";
    define(r_, name->name, {nullptr, buffer, nullptr});
    Stmt rest = read(index + 1);
    --r_.nesting;
    if (!rest) return nullptr;
    return tir::make_stmt(tir::AllocStmt{std::move(buffer), std::move(rest)});
  }

  // T.attr({…})
  Stmt read_attr(const NamedCall& call, size_t index) {
    const std::vector<ExprRef> args = bind(r_, call, {"attrs"}, 1);
    if (failed(r_) || !enter(r_, call.at)) return nullptr;
    Attrs attrs = attribute_dict(r_, args[0]);
    Stmt rest = read(index + 1);
    --r_.nesting;
    if (!rest) return nullptr;
    return tir::make_stmt(tir::AttrStmt{std::move(attrs), std::move(rest)});
  }

  Stmt read_let(const AssignLine& line, DType dtype, size_t index) {
    const Position at = body_[index].at;
    const auto* name = std::get_if<script::Name>(&line.target->kind);
    if (!name) return fail(r_, at, codes::kTextSyntax, "T.let gives a name to a value");
    PrimExpr bound = scalar(r_, line.value);
    if (!bound || !enter(r_, at)) return nullptr;
    tir::Var var = tir::make_var(name->name, dtype);
    define(r_, name->name, {var, nullptr, nullptr});
    Stmt rest = read(index + 1);
    --r_.nesting;
    if (!rest) return nullptr;
    return tir::make_stmt(
        tir::LetStmt{std::move(var), tir::cast(dtype, std::move(bound)), std::move(rest)});
  }

  // Null for what belongs to the block's head, and when it failed.
  Stmt read_one(const Statement& s) {
    if (const auto* x = std::get_if<ForBlock>(&s.kind)) return read_for(r_, *x, s.at);
    if (const auto* x = std::get_if<WithBlock>(&s.kind)) return read_with(r_, *x, s.at, block_);
    if (const auto* x = std::get_if<IfBlock>(&s.kind)) return read_if(r_, *x, s.at);
    if (const auto* x = std::get_if<WhileBlock>(&s.kind)) return read_while(r_, *x, s.at);
    if (std::holds_alternative<PassLine>(s.kind)) return nullptr;
    if (const auto* x = std::get_if<AssignLine>(&s.kind)) {
      if (const auto* target = std::get_if<script::Subscript>(&x->target->kind)) {
        return read_store(r_, *x, *target, s.at);
      }
      if (read_block_assignment(r_, *x, block_)) return nullptr;
      return fail(r_, s.at, codes::kTextStructure,
                  "a PrimFunc names a value with its type: x: T.let[T.int32] = …");
    }
    if (const auto* x = std::get_if<ExprLine>(&s.kind)) return read_call(*x, s.at);
    return fail(r_, s.at, codes::kTextStructure, "this statement cannot stand in a PrimFunc");
  }

  Stmt read_call(const ExprLine& line, Position at) {
    const std::optional<NamedCall> call = named_call(line.value);
    if (!call) return fail(r_, at, codes::kTextStructure, "this value is not used");
    if (read_block_call(r_, *call, block_)) return nullptr;
    ExprRef evaluated = line.value;
    if (call->name == "T.evaluate") {
      const std::vector<ExprRef> args = bind(r_, *call, {"value"}, 1);
      if (failed(r_)) return nullptr;
      evaluated = args[0];
    }
    PrimExpr value = scalar(r_, evaluated);
    return value ? tir::make_stmt(tir::Evaluate{std::move(value)}) : nullptr;
  }

  Reader& r_;
  const Body& body_;
  OpenBlock* block_;
};

}  // namespace

Stmt read_statements(Reader& r, const Body& body, Position at, OpenBlock* block) {
  (void)at;
  if (failed(r)) return nullptr;
  return SequenceReader(r, body, block).read(0);
}

}  // namespace fx2wasm::parse
