// Programs with random damage: refused or run, never a crash or a hang.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "print/tvmscript.h"
#include "script/rules.h"
#include "script/run.h"

namespace fx2wasm::script {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> all_programs() {
  std::vector<std::string> paths, texts;
  for (const char* folder : {"te_programs", "lecture_programs"}) {
    const fs::path root = fs::path(FX2WASM_SOURCE_DIR) / "conformance" / folder;
    for (const auto& entry : fs::directory_iterator(root)) {
      if (entry.path().extension() == ".py") paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    std::ifstream file(path);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

// Where words, numbers and signs begin and end.
std::vector<std::pair<size_t, size_t>> pieces_of(const std::string& text) {
  std::vector<std::pair<size_t, size_t>> pieces;
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  };
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (is_word(text[i])) {
      while (end < text.size() && is_word(text[end])) ++end;
    }
    pieces.emplace_back(i, end);
    i = end;
  }
  return pieces;
}

TEST(SmallPython, SurvivesDamage) {
  const char* given = std::getenv("FX2WASM_MUTATIONS");
  const int rounds = given != nullptr ? std::atoi(given) : 20;
  const std::vector<std::string> programs = all_programs();
  ASSERT_GE(programs.size(), 55U);
  std::mt19937 random(20260801);  // the same damage every time
  const auto below = [&random](size_t count) { return static_cast<size_t>(random()) % count; };
  Limits limits;
  limits.max_steps = 20'000;
  for (const std::string& program : programs) {
    for (int round = 0; round < rounds; ++round) {
      std::string text = program;
      for (size_t edits = 1 + below(3); edits > 0; --edits) {
        const auto pieces = pieces_of(text);
        if (pieces.empty()) break;
        const auto [begin, end] = pieces[below(pieces.size())];
        const std::string& donor = programs[below(programs.size())];
        const auto donor_pieces = pieces_of(donor);
        const auto [from, to] = donor_pieces[below(donor_pieces.size())];
        std::string graft = below(4) == 0 ? "" : donor.substr(from, to - from);
        if (below(5) == 0) graft = text.substr(begin, end - begin) + graft;
        text.replace(begin, end - begin, graft);
      }
      const ScriptRun run = run_script(text, "damaged.py", limits);
      EXPECT_EQ(run.value.has_value(), run.diagnostics.empty()) << text;
      if (run.value) {
        const auto* func = std::get_if<tir::PrimFunc>(&*run.value);
        const PrintedText printed =
            func != nullptr ? print_prim_func(*func) : print_module(std::get<IRModule>(*run.value));
        EXPECT_FALSE(printed.text.empty());
      }
      for (const Diagnostic& diagnostic : run.diagnostics) {
        EXPECT_GT(diagnostic.place.line, 0) << text << format_diagnostic(diagnostic);
      }
      static_cast<void>(RuleBook::load(text, "damaged.py", limits).ok());
    }
  }
}

}  // namespace
}  // namespace fx2wasm::script
