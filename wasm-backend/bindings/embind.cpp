// Session for JavaScript. Text crosses as strings, bytes are copied out.
#include <emscripten/bind.h>

#include "bindings/session.h"

namespace {

emscripten::val wasm_bytes(const fx2wasm::Session& session) {
  const auto& bytes = session.wasm_bytes();
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto view = emscripten::val(emscripten::typed_memory_view(bytes.size(), data));
  // A view dies when the memory grows, so JavaScript gets a copy.
  return emscripten::val::global("Uint8Array").new_(view);
}

}  // namespace

EMSCRIPTEN_BINDINGS(fx2wasm) {
  using fx2wasm::Session;
  emscripten::class_<Session>("Session")
      .constructor<>()
      .function("openGraph", &Session::open_graph)
      .function("addWeights", &Session::add_weights)
      .function("translate", &Session::translate)
      .function("stateText", &Session::state_text)
      .function("eventText", &Session::event_text)
      .function("stageText", &Session::stage_text)
      .function("compile", &Session::compile)
      .function("wasmBytes", &wasm_bytes)
      .function("disassembly", &Session::disassembly)
      .function("runProgram", &Session::run_program)
      .function("programStateText", &Session::program_state_text)
      .function("rulesText", &Session::rules_text)
      .function("supportedOperators", &Session::supported_operators);
}
