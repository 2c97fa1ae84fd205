// Simplification against what apache-tvm 0.27.0.post1's Analyzer().simplify gives for the same
// expressions (recorded from it; drawn at random).
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <string>

#include "arith/analyzer.h"
#include "arith/interval_set.h"
#include "ir/tir_build.h"

namespace fx2wasm::arith {
namespace {

using tir::BinaryOp;
using tir::PrimExpr;

const std::map<std::string, BinaryOp>& operators() {
  static const std::map<std::string, BinaryOp> table = {
      {"+", BinaryOp::Add},       {"-", BinaryOp::Sub},      {"*", BinaryOp::Mul},
      {"//", BinaryOp::FloorDiv}, {"%", BinaryOp::FloorMod}, {"min", BinaryOp::Min},
      {"max", BinaryOp::Max},     {"<", BinaryOp::LT},       {"<=", BinaryOp::LE},
      {"==", BinaryOp::EQ},       {"!=", BinaryOp::NE},      {">", BinaryOp::GT},
      {">=", BinaryOp::GE},       {"and", BinaryOp::And},    {"or", BinaryOp::Or}};
  return table;
}

// Expressions over int64 variables a, b, c, d in prefix notation: (+ (* a 4) b).
class Prefix {
 public:
  PrimExpr read(const std::string& text) {
    text_ = text;
    at_ = 0;
    return expr();
  }
  tir::Var var(const std::string& name) {
    tir::Var& var = vars_[name];
    if (!var) var = tir::make_var(name, DType::Int64);
    return var;
  }

 private:
  std::string token() {
    while (text_[at_] == ' ') ++at_;
    if (text_[at_] == '(' || text_[at_] == ')') return std::string(1, text_[at_++]);
    const size_t begin = at_;
    at_ = text_.find_first_of(" ()", at_);
    return text_.substr(begin, at_ - begin);
  }

  PrimExpr expr() {
    const std::string first = token();
    if (first != "(") {
      if (std::isalpha(static_cast<unsigned char>(first[0])) != 0) {
        return tir::var_expr(var(first));
      }
      return tir::int_imm(DType::Int64, std::stoll(first));
    }
    const std::string head = token();
    const PrimExpr a = expr();
    PrimExpr result;
    if (head == "not") {
      result = tir::make_expr(DType::Bool, tir::Not{a});
    } else {
      const PrimExpr b = expr();
      if (head == "select") {
        result = tir::select(a, b, expr());
      } else if (head == "ite") {
        result = tir::call(b->dtype, tir::Intrinsic::IfThenElse, {a, b, expr()});
      } else {
        result = tir::make_binary(operators().at(head), a, b);
      }
    }
    EXPECT_EQ(token(), ")");
    return result;
  }

  std::string text_;
  size_t at_ = 0;
  std::map<std::string, tir::Var> vars_;
};

std::string prefix(const PrimExpr& expr) {
  if (const auto* var = std::get_if<tir::Var>(&expr->kind)) return (*var)->name;
  if (const auto* imm = std::get_if<tir::IntImm>(&expr->kind)) {
    if (expr->dtype == DType::Bool) return imm->value != 0 ? "true" : "false";
    return std::to_string(imm->value);
  }
  if (const auto* binary = std::get_if<tir::Binary>(&expr->kind)) {
    std::string name = "?";
    for (const auto& [text, op] : operators()) {
      if (op == binary->op) name = text;
    }
    return "(" + name + " " + prefix(binary->a) + " " + prefix(binary->b) + ")";
  }
  if (const auto* negation = std::get_if<tir::Not>(&expr->kind)) {
    return "(not " + prefix(negation->a) + ")";
  }
  if (const auto* select = std::get_if<tir::Select>(&expr->kind)) {
    return "(select " + prefix(select->condition) + " " + prefix(select->true_value) + " " +
           prefix(select->false_value) + ")";
  }
  if (const auto* call = std::get_if<tir::Call>(&expr->kind)) {
    return "(ite " + prefix(call->args[0]) + " " + prefix(call->args[1]) + " " +
           prefix(call->args[2]) + ")";
  }
  return "?";
}

struct Golden {
  const char* expression;
  const char* simplified;
};

// Nothing is known of the variables.
const Golden kUnbound[] = {
    {"(* (- (% c 32) (+ b a)) 4)", "(- (- (* (% c 32) 4) (* b 4)) (* a 4))"},
    {"(+ (+ 4 d) (+ (+ (+ (* d 4) (% c 3)) (% (+ c c) 8)) (% (+ (+ a -2) (+ a d)) 1)))",
     "(+ (+ (+ (* d 5) (* (% c 4) 2)) (% c 3)) 4)"},
    {"(+ (+ (+ 7 0) (* a 2)) b)", "(+ (+ (* a 2) b) 7)"},
    {"(+ (// (* (% (// b 12) 12) 4) 1) (% a 6))", "(+ (* (// (% b 144) 12) 4) (% a 6))"},
    {"(% (+ (+ (* (- 0 c) 5) b) (+ (+ (* d 8) a) c)) 3)", "(% (- (+ (+ (* d 8) b) a) (* c 4)) 3)"},
    {"(+ (+ (// a 3) (+ d 2)) (+ b (+ 6 b)))", "(+ (+ (+ (* b 2) (// a 3)) d) 8)"},
    {"(* (- (* (+ c 4) 6) (// (// d 60) 12)) 16)", "(- (+ (* c 96) 384) (* (// d 720) 16))"},
    {"(// (+ c c) 60)", "(// c 30)"},
    {"(+ (+ a (* a 1)) c)", "(+ (* a 2) c)"},
    {"(% (+ (* (// (* c 16) 5) 2) (// (% (+ c 1) 2) 6)) 4)", "(* (// (% (* c 6) 10) 5) 2)"},
    {"(+ (+ (% 0 3) (+ c c)) a)", "(+ (* c 2) a)"},
    {"(// (+ b 0) 60)", "(// b 60)"},
    {"(+ (// (// (// c 5) 1) 8) (- (* b 12) (% (* b 10) 32)))",
     "(- (+ (* b 12) (// c 40)) (% (* b 10) 32))"},
    {"(+ d (* (// (* (* b 3) 4) 12) 60))", "(+ (* b 60) d)"},
    {"(// (+ 7 a) 10)", "(// (+ a 7) 10)"},
    {"(+ (% (* b 6) 3) (+ (+ (* a 16) (* d 8)) (* (// a 4) 3)))",
     "(+ (+ (* a 16) (* d 8)) (* (// a 4) 3))"},
    {"(+ (+ (+ (+ a -1) (* b 10)) (// (% b 3) 32)) (// (* d 4) 12))",
     "(- (+ (+ (* b 10) (// d 3)) a) 1)"},
    {"(+ (% -2 3) (+ d 2))", "(+ d 3)"},
    {"(+ (% (- (% (* 0 6) 60) (* (* 16 3) 10)) 60) (// (* (+ (+ c c) d) 8) 60))",
     "(// (+ (* c 16) (* d 8)) 60)"},
    {"(+ (// (+ (% (+ d b) 1) (- (// 1 4) (+ 6 2))) 3) (% (% (+ (% c 6) (+ b a)) 16) 10))",
     "(- (% (% (+ (+ b a) (% c 6)) 16) 10) 3)"},
    {"(// (+ (% 8 1) (* d 4)) 8)", "(// d 2)"},
    {"(* (% (* (* c 10) 5) 8) 2)", "(* (% c 4) 4)"},
    {"(// (+ (% c 24) (% b 32)) 24)", "(// (+ (% b 32) (% c 24)) 24)"},
    {"(* (+ a (% (+ c b) 10)) 8)", "(+ (* a 8) (* (% (+ c b) 10) 8))"},
    {"(+ (% c 2) (// b 10))", "(+ (// b 10) (% c 2))"},
    {"(+ (+ b d) (+ a d))", "(+ (+ (* d 2) b) a)"},
    {"(* (// (* (+ c d) 8) 6) 3)", "(* (// (+ (* c 8) (* d 8)) 6) 3)"},
    {"(* (% (+ (+ a b) (+ a b)) 16) 32)", "(* (% (+ (* a 2) (* b 2)) 16) 32)"},
    {"(+ (- (* c 12) (+ 16 16)) b)", "(- (+ (* c 12) b) 32)"},
    {"(+ (* (+ (+ 2 (// d 1)) (* (+ b a) 3)) 6) (+ 16 (* (+ (+ 0 c) (* 3 2)) 3)))",
     "(+ (+ (+ (+ (* b 18) (* a 18)) (* d 6)) (* c 3)) 46)"},
    {"(* (+ c c) 2)", "(* c 4)"},
    {"(* (+ (% (% -2 6) 1) (* (+ 5 c) 8)) 12)", "(+ (* c 96) 480)"},
    {"(+ (% 3 5) (% c 24))", "(+ (% c 24) 3)"},
    {"(+ (+ (+ 6 c) (% c 16)) (- (+ 6 a) (% d 5)))", "(- (+ (+ (+ c a) (% c 16)) 12) (% d 5))"},
    {"(+ (// (// (+ c 8) 3) 4) (% (* (// a 12) 5) 32))",
     "(+ (// (+ c 8) 12) (% (* (// a 12) 5) 32))"},
    {"(// (+ (% (* b 6) 60) (// (+ b b) 16)) 10)", "(// (+ (* (% b 10) 6) (// b 8)) 10)"},
    {"(* (% (+ 3 c) 8) 6)", "(* (% (+ c 3) 8) 6)"},
    {"(min (* (min 0 8) b) (// (* a 16) 6))", "(min 0 (// (* a 16) 6))"},
    {"(% (+ 4 b) 8)", "(% (+ b 4) 8)"},
    {"(+ (+ (% (// d 24) 16) (* c 5)) (// (+ c (// a 5)) 60))",
     "(+ (+ (* c 5) (// (+ (// a 5) c) 60)) (// (% d 384) 24))"},
    {"(* (% (+ (* (// b 3) (+ a d)) (// (% d 60) 60)) 12) 2)", "(* (% (* (// b 3) (+ a d)) 12) 2)"},
    {"(+ (* (+ b b) (max c b)) (min (// d 1) (- d b)))",
     "(+ (* (* b (max c b)) 2) (min d (- d b)))"},
    {"(+ (max (- (// (+ b d) 3) (* (% c 60) 5)) (% (* d 10) 1)) (// (* (+ (// 7 12) (* d 4)) 5) "
     "16))",
     "(+ (// (* d 20) 16) (max (- (// (+ b d) 3) (* (% c 60) 5)) 0))"},
    {"(- (+ (min a c) (+ 1 4)) (// (+ b a) 24))", "(- (+ (min a c) 5) (// (+ b a) 24))"},
    {"(+ (% (max 7 12) 2) (// (+ b b) 3))", "(// (* b 2) 3)"},
    {"(* (// (// (- c 3) 10) 4) 12)", "(* (// (- c 3) 40) 12)"},
    {"(- (+ (+ d d) a) (+ b (+ a a)))", "(- (- (* d 2) a) b)"},
    {"(+ (+ c d) c)", "(+ (* c 2) d)"},
    {"(% (// (min b c) 60) 60)", "(// (% (min b c) 3600) 60)"},
    {"(% (% (* (- d a) 16) 12) 60)", "(% (- (* d 4) (* a 4)) 12)"},
    {"(* (* (% (// 2 1) 24) 60) 32)", "3840"},
    {"(min (+ (- d b) (- a b)) (% (* a 6) 8))", "(min (- (+ d a) (* b 2)) (% (* a 6) 8))"},
    {"(- (- a c) (- (+ (% a 24) (* 8 5)) (- (% d 4) (+ a b))))",
     "(- (- (- (- (% d 4) c) b) (% a 24)) 40)"},
    {"(- (- (* b (+ 5 a)) (% (+ c d) 4)) (% c 3))", "(- (- (* b (+ a 5)) (% (+ c d) 4)) (% c 3))"},
    {"(+ (* (// (// d 1) 8) 12) (* c 5))", "(+ (* (// d 8) 12) (* c 5))"},
    {"(* (max (// -1 10) (* d 60)) 5)", "(* (max -1 (* d 60)) 5)"},
    {"(+ b (* (% b 8) 60))", "(+ (* (% b 8) 60) b)"},
    {"(* (// (// (+ (min d d) (* 6 b)) 3) 60) 10)", "(* (// (+ (* b 2) (// d 3)) 60) 10)"},
    {"(+ (+ (max c -1) (+ -2 8)) d)", "(+ (+ (max c -1) d) 6)"},
    {"(- (+ (% b 60) (+ (// (% b 32) 32) (% (+ c a) 8))) (% -1 16))",
     "(- (+ (% b 60) (% (+ c a) 8)) 15)"},
    {"(* (+ 3 (+ (+ (* b b) (% 0 32)) a)) 3)", "(+ (+ (* (* b b) 3) (* a 3)) 9)"},
    {"(+ (+ (% b 6) (- c 0)) (- (% b 2) (max d c)))", "(- (+ (+ c (% b 6)) (% b 2)) (max d c))"},
    {"(// (+ b b) 8)", "(// b 4)"},
    {"(- (+ (+ (* c 4) (min b a)) (* (+ b c) 10)) (// (// (% b 4) 60) 4))",
     "(+ (+ (* c 14) (* b 10)) (min b a))"},
    {"(% (+ a (// (max 7 8) 5)) 8)", "(% (+ a 1) 8)"},
    {"(* (// (% d 6) 5) (* b 16))", "(* (* (// (% d 6) 5) b) 16)"},
    {"(+ (% c 12) a)", "(+ a (% c 12))"},
    {"(+ (max (% b 60) (- 6 b)) (* b 32))", "(+ (* b 32) (max (% b 60) (- 6 b)))"},
    {"(or (>= (- (% 16 12) (// c 5)) d) (>= (// (* 6 a) 2) c))",
     "(or (<= (+ (// c 5) d) 4) (<= c (* a 3)))"},
    {"(== d (% (% 8 24) 5))", "(== d 3)"},
    {"(or (not (<= (max (// a 24) (% c 10)) b)) (not (<= (max (* 5 2) (* 16 16)) b)))",
     "(or (or (< b (// a 24)) (< b (% c 10))) (< b 256))"},
    {"(and (!= (min (* a b) b) (% c 60)) (== (% (// 5 10) 10) (// a 6)))",
     "(and (!= (min (* a b) b) (% c 60)) (== (// a 6) 0))"},
    {"(<= (+ (// -2 16) (* d d)) b)", "(<= (* d d) (+ b 1))"},
    {"(== (// -1 16) c)", "(== c -1)"},
    {"(not (== (max (+ 5 b) (* b b)) (// 3 8)))", "(!= (max (+ b 5) (* b b)) 0)"},
    {"(not (== (% (% a 2) 1) (min (% -2 3) (+ c b))))", "(!= (min 1 (+ c b)) 0)"},
    {"(== b b)", "true"},
    {"(or (== a d) (and (== (% (% 7 60) 4) 3) (== (* (- d c) (* a 60)) 12)))", "(== a d)"},
    {"(== (min (// a 10) (+ a a)) (* (// a 12) 60))",
     "(== (min (// a 10) (* a 2)) (* (// a 12) 60))"},
    {"(< (+ (- 6 5) (+ d c)) a)", "(< (+ (+ d c) 1) a)"},
    {"(> (max (+ -2 a) (// -1 1)) b)", "(or (< (+ b 2) a) (< b -1))"},
    {"(!= (* (* b 1) 10) (% (max d a) 1))", "(!= b 0)"},
    {"(> (+ (- 3 b) (// b 1)) d)", "(< d 3)"},
    {"(>= (+ (% b 16) (* -1 1)) (- 16 d))", "(<= 17 (+ d (% b 16)))"},
    {"(!= c (max c c))", "false"},
    {"(< (+ (min d 4) (* a 24)) 3)", "(< (+ (* a 24) (min d 4)) 3)"},
    {"(> (* a 1) (min 3 d))", "(or (< 3 a) (< d a))"},
    {"(or (== 7 (% (* c 2) 2)) (>= (* (+ a d) 6) (* (* b 1) 8)))",
     "(<= (* b 4) (+ (* a 3) (* d 3)))"},
    {"(<= (max (* d 8) (* c c)) a)", "(and (<= (* d 8) a) (<= (* c c) a))"},
    {"(and (== (* (- a d) 10) 16) (or (< (+ (% 16 60) (* a c)) d) (>= (// (* c b) 24) d)))",
     "false"},
    {"(ite (< 4 b) (// (% 3 8) 5) (* (+ c c) 24))", "(ite (< 4 b) 0 (* c 48))"},
    {"(ite (not (== (% (% c 10) 6) 12)) (// (max d b) 5) (+ (* a 32) (+ c b)))",
     "(// (max d b) 5)"},
    {"(select (not (<= (+ (// d 4) (- b b)) (// (// 0 12) 5))) (% c 24) (// (* d 10) 3))",
     "(select (< 3 d) (% c 24) (// (* d 10) 3))"},
    {"(select (or (<= c (+ a d)) (< (- 4 (- a -2)) (* c 12))) c (* (* 7 2) 8))",
     "(select (or (<= c (+ a d)) (< 2 (+ (* c 12) a))) c 112)"},
    {"(ite (== 8 a) (* (min b 6) (min a a)) (* (% b 10) (// a 5)))",
     "(ite (== a 8) (* (min b 6) a) (* (% b 10) (// a 5)))"},
    {"(ite (== (% (// d 8) 12) (% 0 60)) (// (- d d) 24) (min (min 0 b) (// d 6)))",
     "(ite (== (// (% d 96) 8) 0) 0 (min (min 0 b) (// d 6)))"},
    {"(select (!= 12 5) (% c 12) (- (* a d) 2))", "(% c 12)"},
    {"(ite (> (// (* 16 2) 8) c) (+ (% c 24) b) (// (* d 60) 1))",
     "(ite (< c 4) (+ b (% c 24)) (* d 60))"},
    {"(select (not (>= (* (- 7 a) (* c 24)) (- c 7))) (+ (min -1 c) (+ -1 5)) (min (+ c d) (- d "
     "d)))",
     "(select (< (+ (* (* (- 7 a) c) 24) 7) c) (+ (min -1 c) 4) (min (+ c d) 0))"},
    {"(select (== (+ (+ a 2) (* 16 4)) d) (// (% b 60) 3) (+ d (max d -2)))",
     "(select (== (+ a 66) d) (// (% b 60) 3) (+ (max d -2) d))"},
    {"(select (!= d d) (- (- b 12) (% d 16)) (- (% a 2) (% a 32)))", "(- (% a 2) (% a 32))"},
};

// 0 <= a < 4, 0 <= b < 8, 0 <= c < 6, 0 <= d < 16.
const Golden kBound[] = {
    {"(% (* (+ (+ 0 d) d) 3) 4)", "(* (% d 2) 2)"},
    {"(% (% d 2) 32)", "(% d 2)"},
    {"(* (% (// (// (* a 60) 60) 1) 16) 2)", "(* a 2)"},
    {"(% (* (+ (// (% c 60) 1) (+ (% d 3) (% 7 32))) 8) 5)",
     "(% (+ (+ (* c 8) (* (% d 3) 8)) 1) 5)"},
    {"(% (% d 16) 2)", "(% d 2)"},
    {"(% (* (% (% b 6) 2) 6) 5)", "(% b 2)"},
    {"(* (- d c) 16)", "(- (* d 16) (* c 16))"},
    {"(- b (* 6 5))", "(- b 30)"},
    {"(+ 2 (% (+ b c) 12))", "(+ (% (+ b c) 12) 2)"},
    {"(// (// (+ (// (% c 4) 32) (+ (// -1 4) (+ a c))) 3) 16)", "(// (- (+ a c) 1) 48)"},
    {"(+ (% (// a 4) 3) (+ (// 0 1) (+ 7 d)))", "(+ d 7)"},
    {"(- (// (+ (+ d (+ c b)) b) 8) (+ (// (// (+ c c) 3) 60) (+ (+ (% 6 3) (- 0 1)) (* (% -1 12) "
     "4))))",
     "(- (// (+ (+ (* b 2) d) c) 8) 43)"},
    {"(% (+ c (+ (+ d c) (+ (+ a c) (% b 60)))) 24)", "(% (+ (+ (+ (* c 3) d) a) b) 24)"},
    {"(- (% 2 12) (- (% (* (* c 5) 5) 60) (+ (+ (* a 10) (+ 5 -2)) (% (+ 7 d) 60))))",
     "(- (+ (+ (* a 10) d) 12) (% (* c 25) 60))"},
    {"(+ (% d 6) (// b 3))", "(+ (// b 3) (% d 6))"},
    {"(+ a (% (% (+ (- b a) (// c 32)) 12) 5))", "(+ a (% (% (- b a) 12) 5))"},
    {"(* (max d (* (% c 8) (% a 2))) 60)", "(* (max d (* c (% a 2))) 60)"},
    {"(- (% (+ d 3) 1) (max (- b d) (- d d)))", "(min (- d b) 0)"},
    {"(- (% b 24) (min (- 6 b) (* c 8)))", "(- b (min (- 6 b) (* c 8)))"},
    {"(- (- b 6) (+ b c))", "(- (- 0 c) 6)"},
    {"(* (// (+ (- (+ c 3) (+ b c)) (+ (min c 4) (* -1 32))) 12) 3)",
     "(* (// (- (- (min c 4) b) 29) 12) 3)"},
    {"(+ (* d 2) (+ (// (* (- 6 a) 32) 10) (* (// (% d 10) 60) 8)))",
     "(+ (* d 2) (// (- 192 (* a 32)) 10))"},
    {"(+ (+ b c) (* d 6))", "(+ (+ (* d 6) b) c)"},
    {"(* (+ (// a 4) d) 2)", "(* d 2)"},
};

TEST(Analyzer, SimplifiesAsTvmWithoutBounds) {
  for (const Golden& golden : kUnbound) {
    Prefix reader;
    Analyzer analyzer;
    EXPECT_EQ(prefix(analyzer.simplify(reader.read(golden.expression))), golden.simplified)
        << golden.expression;
  }
}

TEST(Analyzer, SimplifiesAsTvmWithBounds) {
  for (const Golden& golden : kBound) {
    Prefix reader;
    Analyzer analyzer;
    const std::map<std::string, int64_t> extents = {{"a", 4}, {"b", 8}, {"c", 6}, {"d", 16}};
    for (const auto& [name, extent] : extents) {
      analyzer.bind(reader.var(name),
                    {tir::int_imm(DType::Int64, 0), tir::int_imm(DType::Int64, extent)});
    }
    EXPECT_EQ(prefix(analyzer.simplify(reader.read(golden.expression))), golden.simplified)
        << golden.expression;
  }
}

TEST(Analyzer, BoundsAndProofs) {
  Prefix reader;
  Analyzer analyzer;
  analyzer.bind(reader.var("a"), {tir::int_imm(DType::Int64, 2), tir::int_imm(DType::Int64, 5)});
  analyzer.assume_at_least(reader.var("b"), 1);
  const ConstIntBound bound = analyzer.const_int_bound(reader.read("(+ (* a 3) (% c 4))"));
  EXPECT_EQ(bound.min, 6);
  EXPECT_EQ(bound.max, 21);
  EXPECT_TRUE(analyzer.can_prove(reader.read("(< a 7)")));
  EXPECT_FALSE(analyzer.can_prove(reader.read("(< a 6)")));
  EXPECT_TRUE(analyzer.can_prove(reader.read("(<= 1 b)")));
  EXPECT_TRUE(
      analyzer.can_prove_equal(reader.read("(* (+ a b) 2)"), reader.read("(+ (* b 2) (+ a a))")));
  EXPECT_FALSE(analyzer.can_prove_equal(reader.read("a"), reader.read("b")));
  analyzer.bind(reader.var("c"), reader.read("(+ a 1)"));
  EXPECT_EQ(prefix(analyzer.simplify(reader.read("(- c a)"))), "1");
}

TEST(IntervalSet, RunsVariablesOverTheirDomains) {
  Prefix reader;
  Analyzer analyzer;
  const Domains domains = {{reader.var("a"), {reader.read("0"), reader.read("3")}}};
  const Interval interval = eval_interval(analyzer, reader.read("(+ (* b 8) (- 5 a))"), domains);
  EXPECT_EQ(prefix(analyzer.simplify(interval.min)), "(+ (* b 8) 2)");
  EXPECT_EQ(prefix(analyzer.simplify(interval.max)), "(+ (* b 8) 5)");
  const tir::Range range = cover_range(interval, {});
  EXPECT_EQ(prefix(range.extent), "4");
}

}  // namespace
}  // namespace fx2wasm::arith
