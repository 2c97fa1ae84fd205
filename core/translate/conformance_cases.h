// The conformance cases that our operators cover (conformance/covered_cases.txt), for tests: each
// case is a folder with a graph, TVM's text of what becomes of it, and PyTorch's results.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "fx/read_json.h"
#include "fx/safetensors.h"
#include "translate/from_fx.h"

namespace fx2wasm::conformance {

inline std::string folder() { return std::string(FX2WASM_SOURCE_DIR) + "/conformance"; }

inline std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// `group/name` of each covered case, in the order of the file.
inline std::vector<std::string> covered_cases() {
  std::istringstream lines(read_file(folder() + "/covered_cases.txt").value_or(""));
  std::vector<std::string> cases;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != '#') cases.push_back(line);
  }
  return cases;
}

// Those that have a file.
inline std::vector<std::string> covered_cases_with(const std::string& file) {
  std::vector<std::string> cases;
  for (std::string& name : covered_cases()) {
    if (std::ifstream(folder() + "/cases/" + name + "/" + file)) cases.push_back(std::move(name));
  }
  return cases;
}

// A name that GoogleTest takes.
inline std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& letter : name) {
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  }
  return name + "_" + std::to_string(info.index);
}

struct Case {
  std::string name;
  nlohmann::json entry;  // its entry of index.json
  fx::Graph graph;       // with weights
  TranslateOptions options;

  std::string path(const std::string& file) const {
    return folder() + "/cases/" + name + "/" + file;
  }
  // An expected text; nothing when TVM has none, or none that is right.
  std::optional<std::string> text(const std::string& file) const {
    if (!entry.value("text", true)) return std::nullopt;
    if (file == "expected.legalized.py" && !entry.value("legalized_text", true)) {
      return std::nullopt;
    }
    return read_file(path(file));
  }
};

inline const nlohmann::json& index() {
  static const nlohmann::json parsed =
      nlohmann::json::parse(read_file(folder() + "/cases/index.json").value_or("{}"));
  return parsed;
}

inline void read_options(Case& conformance_case) {
  const nlohmann::json options = conformance_case.entry.value("options", nlohmann::json::object());
  TranslateOptions& target = conformance_case.options;
  target.unwrap_unit_return_tuple = options.value("unwrap_unit_return_tuple", false);
  target.no_bind_return_tuple = options.value("no_bind_return_tuple", false);
  target.default_image_layout = options.value("default_image_layout", "NCHW");
}

// Reads a case; the test fails when there is none of this name.
inline void load(const std::string& name, Case& conformance_case) {
  conformance_case.name = name;
  for (const nlohmann::json& entry : index().at("cases")) {
    const std::string found =
        entry.at("group").get<std::string>() + "/" + entry.at("name").get<std::string>();
    if (found == name) conformance_case.entry = entry;
  }
  // A public report has no text of TVM's; what it expects stands beside its graph.
  if (const auto report = read_file(conformance_case.path("expected.json"))) {
    conformance_case.entry = nlohmann::json::parse(*report);
    conformance_case.entry["text"] = false;
  }
  ASSERT_FALSE(conformance_case.entry.is_null()) << name << " is not in index.json";
  const std::optional<std::string> text = read_file(conformance_case.path("graph.fx.json"));
  ASSERT_TRUE(text.has_value()) << name;
  Result<fx::Graph> graph = fx::read_json(*text, "graph.fx.json");
  ASSERT_TRUE(graph.ok()) << format_diagnostic(graph.diagnostics()[0]);
  conformance_case.graph = graph.value();
  if (const auto weights = read_file(conformance_case.path("weights.safetensors"))) {
    const auto bytes = std::as_bytes(std::span(weights->data(), weights->size()));
    const auto tensors = fx::read_safetensors(bytes, "weights.safetensors");
    ASSERT_TRUE(tensors.ok()) << format_diagnostic(tensors.diagnostics()[0]);
    const auto attached =
        fx::attach_weights(conformance_case.graph, tensors.value(), "weights.safetensors");
    ASSERT_TRUE(attached.ok()) << format_diagnostic(attached.diagnostics()[0]);
  }
  read_options(conformance_case);
}

// The text as the files hold it: with a newline at the end.
inline std::string as_file(const std::string& text) { return text + "\n"; }

}  // namespace fx2wasm::conformance
