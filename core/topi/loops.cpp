#include "topi/loops.h"

#include "ir/tir_build.h"

namespace fx2wasm::topi {

tir::Stmt loop_from(te::PrimExpr min, te::PrimExpr extent, const std::string& name,
                    const LoopBody& body) {
  const tir::Var var = tir::make_var(name, DType::Int64);
  return tir::make_stmt(tir::For{
      var, std::move(min), std::move(extent), tir::ForKind::Serial, {}, body(tir::var_expr(var))});
}

tir::Stmt loop_over(te::PrimExpr extent, const std::string& name, const LoopBody& body) {
  return loop_from(tir::int_imm(DType::Int64, 0), std::move(extent), name, body);
}

tir::Stmt let_named(const std::string& name, te::PrimExpr value, const LoopBody& body) {
  const tir::Var var = tir::make_var(name, value->dtype);
  tir::Stmt inside = body(tir::var_expr(var));
  return tir::make_stmt(tir::LetStmt{var, std::move(value), std::move(inside)});
}

tir::Stmt while_loop(te::PrimExpr condition, std::vector<tir::Stmt> body) {
  return tir::make_stmt(tir::While{std::move(condition), tir::seq(std::move(body))});
}

tir::Stmt if_else(te::PrimExpr condition, std::vector<tir::Stmt> then_case,
                  std::vector<tir::Stmt> else_case) {
  tir::Stmt otherwise = else_case.empty() ? nullptr : tir::seq(std::move(else_case));
  return tir::make_stmt(
      tir::IfThenElse{std::move(condition), tir::seq(std::move(then_case)), std::move(otherwise)});
}

Counter::Counter(const std::string& name, DType dtype)
    : buffer(tir::make_buffer(name, dtype, {})) {}

te::PrimExpr Counter::value() const { return tir::load(buffer, {}); }

tir::Stmt Counter::set(const te::PrimExpr& value) const {
  return tir::store(buffer, tir::cast(buffer->dtype, value), {});
}

Indices Line::at(const te::PrimExpr& i) const {
  Indices indices = around;
  indices.insert(indices.begin() + static_cast<std::ptrdiff_t>(axis), i);
  return indices;
}

namespace {

// The loops over the axes that `line` lacks still.
tir::Stmt line_loops(const Indices& shape, size_t next, Line line,
                     const std::function<tir::Stmt(const Line&)>& body) {
  if (next == line.axis) ++next;
  if (next >= shape.size()) return body(line);
  return loop_over(shape[next], "ax" + std::to_string(next), [&](const te::PrimExpr& i) {
    Line longer = line;
    longer.around.push_back(i);
    return line_loops(shape, next + 1, std::move(longer), body);
  });
}

}  // namespace

tir::Stmt for_each_line(const Indices& shape, size_t axis,
                        const std::function<tir::Stmt(const Line& line)>& body) {
  return line_loops(shape, 0, Line{{}, axis}, body);
}

}  // namespace fx2wasm::topi
