// What the page and the command line show of the compiler, as JSON. The page's types of these
// objects stand in web/src/engine/core-types.ts, under the names given here.
#pragma once

#include <string>
#include <vector>

#include "builder/step.h"
#include "fx/graph.h"
#include "print/tvmscript.h"
#include "support/diagnostic.h"
#include "translate/from_fx.h"

namespace fx2wasm::report {

// OpenGraphAnswer. `graph` is null when the text could not be read.
std::string open_graph_answer(const fx::Graph* graph, const Diagnostics& diagnostics);

// One Step object on one line: what `fx2wasm steps` prints.
std::string step_line(const Step& step);

// TranslateAnswer.
std::string translate_answer(const std::vector<Step>& steps, const Diagnostics& diagnostics);

// TextAnswer. Span offsets count UTF-16 units, as the page's strings do.
std::string text_answer(const PrintedText& text, const Diagnostics& diagnostics);

// TeAnswer. `kind` is "prim_func" or "module", or empty when the program failed.
std::string te_answer(std::string_view kind, const PrintedText& text,
                      const std::vector<Step>& steps, const Diagnostics& diagnostics);

// {map, key}[]
std::string supported_operators_answer(const std::vector<SupportedOperator>& operators);

}  // namespace fx2wasm::report
