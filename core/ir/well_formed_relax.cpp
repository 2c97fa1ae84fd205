// Rules 1 to 10: Relax.
#include <unordered_set>

#include "ir/match.h"
#include "ir/op.h"
#include "ir/relax_build.h"
#include "ir/structural_match.h"
#include "ir/well_formed_rules.h"

namespace fx2wasm {
namespace {

std::string counted(size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

class FunctionChecker {
 public:
  FunctionChecker(const IRModule& module, RuleReport& report) : module_(module), report_(report) {}

  void func(const relax::FunctionNode& node) {
    for (const relax::Var& param : node.params) bind(param);
    for (const relax::BindingBlock& block : node.blocks) {
      for (const relax::Binding& binding : block.bindings) {
        value(binding.value);
        bind(binding.var);
        if (binding.var->dataflow) open_dataflow_.insert(binding.var.get());
      }
      open_dataflow_.clear();
    }
    if (!node.body) return;  // still being built
    in_result_ = true;
    argument(node.body, "the result");
    in_result_ = false;
    check_result(node.body);
  }

 private:
  void bind(const relax::Var& var) {
    if (!bound_.insert(var.get()).second) {
      report_.add(1, "the variable " + var->name_hint + " is bound twice");
    }
    if (!var->type) report_.add(10, "the variable " + var->name_hint + " has no type");
  }

  void check_result(const relax::Expr& expr) {
    if (const auto* var = std::get_if<relax::Var>(&expr->kind)) {
      if ((*var)->dataflow) {
        report_.add(4, "the result " + (*var)->name_hint + " is a dataflow variable");
      }
    }
    for (const relax::Expr& child : relax::children(expr)) check_result(child);
  }

  void use(const relax::Var& var) {
    if (!bound_.count(var.get())) {
      report_.add(2, "the variable " + var->name_hint + " is used before it is bound");
    } else if (var->dataflow && !open_dataflow_.count(var.get()) && !in_result_) {
      report_.add(3, "the dataflow variable " + var->name_hint + " is used outside its block");
    }
  }

  void typed(const relax::Expr& expr) {
    if (!expr->type) report_.add(10, "an expression has no type");
  }

  // What may stand as an argument: everything but a call or an item of a tuple.
  void argument(const relax::Expr& expr, const std::string& where) {
    typed(expr);
    const auto nested = [&] {
      report_.add(5, where + " is an expression that should be bound to a variable first");
    };
    match(
        expr->kind, [&](const relax::Var& var) { use(var); }, [](const relax::Constant&) {},
        [](const relax::ShapeExpr&) {}, [](const relax::PrimValue&) {},
        [](const relax::StringImm&) {}, [](const relax::DataTypeImm&) {},
        [&](const relax::Tuple& tuple) {
          for (const relax::Expr& field : tuple.fields) argument(field, where);
        },
        [&](const relax::TupleGetItem&) { nested(); }, [&](const relax::OpCall&) { nested(); },
        [&](const relax::CallTIR&) { nested(); }, [&](const relax::CallDPSPacked&) { nested(); });
  }

  void arguments(const std::vector<relax::Expr>& args, const std::string& callee) {
    for (const relax::Expr& arg : args) argument(arg, "an argument of " + callee);
  }

  void value(const relax::Expr& expr) {
    typed(expr);
    match(
        expr->kind, [&](const relax::Var& var) { use(var); }, [](const relax::Constant&) {},
        [](const relax::ShapeExpr&) {}, [](const relax::PrimValue&) {},
        [](const relax::StringImm&) {}, [](const relax::DataTypeImm&) {},
        [&](const relax::Tuple& tuple) { arguments(tuple.fields, "a tuple"); },
        [&](const relax::TupleGetItem& item) { argument(item.tuple, "the tuple of an item"); },
        [&](const relax::OpCall& call) {
          arguments(call.args, "R." + std::string(call.op->name));
          check_op(call);
        },
        [&](const relax::CallTIR& call) {
          arguments(call.args, "cls." + call.func.name);
          check_call_tir(call);
        },
        [&](const relax::CallDPSPacked& call) {
          arguments(call.args, "\"" + call.func.global_symbol + "\"");
        });
  }

  void check_op(const relax::OpCall& call) {
    const relax::OpInfo& op = *call.op;
    const std::string name = "R." + std::string(op.name);
    if (call.args.size() < op.min_args || call.args.size() > op.args.size()) {
      report_.add(9, name + " takes " + counted(op.args.size(), "argument") + ", not " +
                         std::to_string(call.args.size()));
    }
    bool same = call.attrs.size() == op.attrs.size();
    for (size_t i = 0; same && i < op.attrs.size(); ++i) same = call.attrs[i].first == op.attrs[i];
    if (!same) report_.add(9, name + " does not have exactly the operator's attributes");
  }

  void check_call_tir(const relax::CallTIR& call) {
    const BaseFunc* function = find_function(module_, call.func.name);
    if (!function) return report_.add(6, "cls." + call.func.name + " names no function");
    const auto* prim_func = std::get_if<tir::PrimFunc>(function);
    if (!prim_func) return report_.add(6, "cls." + call.func.name + " is no PrimFunc");
    const std::vector<tir::Param>& params = (*prim_func)->params;
    const size_t passed = call.args.size() + call.tir_vars.size() + call.out_types.size();
    if (passed != params.size()) {
      return report_.add(7, "cls." + call.func.name + " takes " +
                                counted(params.size(), "parameter") +
                                ", outputs included, but gets " + std::to_string(passed));
    }
    StructuralMatch symbols(true);  // pairs the PrimFunc's symbols with the caller's
    for (size_t i = 0; i < call.args.size(); ++i) {
      check_buffer(symbols, call, params[i], call.args[i]->type, "argument " + std::to_string(i));
    }
    const size_t first_output = params.size() - call.out_types.size();
    for (size_t i = 0; i < call.tir_vars.size(); ++i) {
      const auto* var = std::get_if<tir::Var>(&params[call.args.size() + i]);
      if (!var || (*var)->dtype != call.tir_vars[i]->dtype) {
        report_.add(8, "symbol " + std::to_string(i) + " of cls." + call.func.name +
                           " is no scalar parameter of its dtype");
      }
    }
    for (size_t i = 0; i < call.out_types.size(); ++i) {
      check_buffer(symbols, call, params[first_output + i], call.out_types[i],
                   "result " + std::to_string(i));
    }
  }

  // The buffer's extents against the tensor's. A compound extent of the PrimFunc need not be
  // written alike by the caller, so only constants and single symbols are compared.
  void check_buffer(StructuralMatch& symbols, const relax::CallTIR& call, const tir::Param& param,
                    const relax::Type& type, const std::string& what) {
    const relax::TensorType* tensor = relax::as_tensor(type);
    const auto* buffer = std::get_if<tir::Buffer>(&param);
    if (!tensor || !tensor->shape || !buffer) {
      if (tensor || buffer) mismatch(call, what);
      return;
    }
    bool same =
        tensor->dtype == (*buffer)->dtype && tensor->shape->size() == (*buffer)->shape.size();
    for (size_t i = 0; same && i < tensor->shape->size(); ++i) {
      const tir::PrimExpr &wanted = (*buffer)->shape[i], &given = (*tensor->shape)[i];
      const bool constants = std::holds_alternative<tir::IntImm>(wanted->kind) &&
                             std::holds_alternative<tir::IntImm>(given->kind);
      const bool variables = std::holds_alternative<tir::Var>(wanted->kind) &&
                             std::holds_alternative<tir::Var>(given->kind);
      if (constants) {
        same =
            std::get<tir::IntImm>(wanted->kind).value == std::get<tir::IntImm>(given->kind).value;
      } else if (variables) {
        same = symbols.exprs(wanted, given);
      }
    }
    if (!same) mismatch(call, what);
  }

  void mismatch(const relax::CallTIR& call, const std::string& what) {
    report_.add(8, what + " of cls." + call.func.name + " is not what its buffer holds");
  }

  const IRModule& module_;
  RuleReport& report_;
  bool in_result_ = false;  // rule 4 speaks of the result, rule 3 of everything else
  std::unordered_set<const relax::VarNode*> bound_, open_dataflow_;
};

}  // namespace

void check_relax_function(const relax::FunctionNode& func, const IRModule& module,
                          RuleReport& report) {
  FunctionChecker(module, report).func(func);
}

}  // namespace fx2wasm
