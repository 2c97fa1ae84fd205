#include "report/event_json.h"

#include "ir/match.h"
#include "ir/op.h"
#include "print/tvmscript.h"

namespace fx2wasm::report {
namespace {

using json = nlohmann::ordered_json;

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      return "note";
  }
  return "";
}

std::string parameter_names(const std::vector<relax::Var>& params) {
  std::string names;
  for (const relax::Var& param : params) {
    if (!names.empty()) names += ", ";
    names += param->name_hint;
  }
  return names;
}

std::string bound_value(const relax::Expr& value) {
  return match(
      value->kind, [](const relax::Var& v) { return v->name_hint; },
      [](const relax::Constant& c) { return c->name.empty() ? "a constant" : c->name; },
      [](const relax::ShapeExpr&) { return std::string("R.shape(…)"); },
      [](const relax::PrimValue& p) { return print_expr(p.value); },
      [](const relax::StringImm& s) { return s.value; },
      [](const relax::DataTypeImm& d) { return std::string(dtype_name(d.value)); },
      [](const relax::Tuple&) { return std::string("a tuple"); },
      [](const relax::TupleGetItem& item) {
        return bound_value(item.tuple) + "[" + std::to_string(item.index) + "]";
      },
      [](const relax::OpCall& call) { return "R." + std::string(call.op->name) + "(…)"; },
      [](const relax::CallTIR& call) { return "R.call_tir(cls." + call.func.name + ", …)"; },
      [](const relax::CallDPSPacked& call) {
        return "R.call_dps_packed(\"" + call.func.global_symbol + "\", …)";
      });
}

}  // namespace

json diagnostic_json(const Diagnostic& diagnostic) {
  const Place& place = diagnostic.place;
  return {{"severity", severity_name(diagnostic.severity)},
          {"code", diagnostic.code},
          {"message", diagnostic.message},
          {"notes", diagnostic.notes},
          {"file", place.file},
          {"line", place.line},
          {"column", place.column},
          {"node", place.fx_node.empty() ? json(nullptr) : json(place.fx_node)}};
}

json event_json(const Event& event) {
  return match(
      event,
      [](const RuleChosen& e) -> json {
        const std::string where = e.map.empty() ? e.key : e.map + "[" + e.key + "]";
        return {{"kind", "rule_chosen"},
                {"text", where + " → " + e.rule},
                {"map", e.map},
                {"key", e.key},
                {"ruleSet", e.rule_set},
                {"rule", e.rule},
                {"why", e.why},
                {"source", e.source},
                {"sourceLine", e.source_line}};
      },
      [](const ArgumentLookedUp& e) -> json {
        return {{"kind", "argument_looked_up"},
                {"text", "node_map[" + e.fx_node + "] → " + e.value},
                {"node", e.fx_node},
                {"value", e.value}};
      },
      [](const ParameterMapped& e) -> json {
        const std::string value = bound_value(e.value);
        return {{"kind", "parameter_mapped"},
                {"text", "map_param(" + e.tensor + ")" +
                             (e.as_input ? " → input " + value : " → constant")},
                {"tensor", e.tensor},
                {"asInput", e.as_input},
                {"value", value}};
      },
      [](const EvaluatedWhileTranslating& e) -> json {
        return {{"kind", "evaluated"},
                {"text", "evaluated while translating: " + e.value},
                {"value", e.value}};
      },
      [](const EmitTeBegun& e) -> json {
        return {{"kind", "emit_te_begun"},
                {"text", "bb.emit_te(" + e.te_func + ", …)"},
                {"teFunc", e.te_func}};
      },
      [](const PlaceholderMade& e) -> json {
        return {{"kind", "placeholder_made"}, {"text", e.text}, {"name", e.tensor.op->name}};
      },
      [](const ComputeMade& e) -> json {
        return {{"kind", "compute_made"}, {"text", e.text}, {"name", e.tensor.op->name}};
      },
      [](const PrimFuncCreated& e) -> json {
        return {{"kind", "prim_func_created"},
                {"text", "te.create_prim_func → " + e.name_hint},
                {"nameHint", e.name_hint}};
      },
      [](const PrimFuncReused& e) -> json {
        return {{"kind", "prim_func_reused"},
                {"text", "equal to " + e.name + ", which is reused"},
                {"name", e.name}};
      },
      [](const FunctionInserted& e) -> json {
        return {{"kind", "function_inserted"}, {"text", "inserted as " + e.name}, {"name", e.name}};
      },
      [](const CallEmitted& e) -> json {
        return {{"kind", "call_emitted"}, {"text", e.text}};
      },
      [](const FunctionBegun& e) -> json {
        return {{"kind", "function_begun"},
                {"text", "bb.function(\"" + e.name + "\", [" + parameter_names(e.params) + "])"},
                {"name", e.name}};
      },
      [](const DataflowBegun&) -> json {
        return {{"kind", "dataflow_begun"}, {"text", "bb.dataflow()"}};
      },
      [](const VariableBound& e) -> json {
        const relax::Var& var = e.binding.var;
        const std::string value = bound_value(e.binding.value);
        return {{"kind", "variable_bound"},
                {"text", var->name_hint + (var->dataflow ? " (DataflowVar) = " : " = ") + value},
                {"name", var->name_hint},
                {"type", print_type(var->type)},
                {"value", value}};
      },
      [](const NodeMapAdded& e) -> json {
        return {{"kind", "node_map_added"},
                {"text", "node_map[" + e.fx_node + "] = " + e.value},
                {"node", e.fx_node},
                {"value", e.value},
                {"type", e.type}};
      },
      [](const DataflowEnded&) -> json {
        return {{"kind", "dataflow_ended"}, {"text", "the dataflow block ends"}};
      },
      [](const FunctionEnded&) -> json {
        return {{"kind", "function_ended"}, {"text", "bb.emit_func_output(…)"}};
      },
      [](const DiagnosticRaised& e) -> json {
        return {{"kind", "diagnostic"},
                {"text", e.diagnostic.message},
                {"diagnostic", diagnostic_json(e.diagnostic)}};
      });
}

}  // namespace fx2wasm::report
