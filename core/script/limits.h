// What a program of the small Python may use. A program that a person types stays far below; the
// limits are there so that none can hang or crash the page.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fx2wasm::script {

struct Limits {
  // Expressions and statements evaluated, and the work that builtins do, in units of about a
  // microsecond. The largest program of the lecture takes about 200.
  int64_t max_steps = 1'000'000;
};

// A call of a function of the program takes several calls of ours, on Wasm's small stack.
inline constexpr int kMaxCallDepth = 60;
// All nested evaluations together, whatever they are.
inline constexpr int kMaxEvaluationDepth = 500;
// Scalar and graph expressions are trees that later passes walk by recursion, shared parts each
// time they are met. create_prim_func's time grows faster than the tree: a body of 2,000 nodes
// takes seconds, and no step limit can see that.
inline constexpr int kMaxTreeDepth = 100;
inline constexpr int64_t kMaxTreeNodes = 2'000;
// Items of one list, and bytes of one string.
inline constexpr size_t kMaxItems = 100'000;
inline constexpr size_t kMaxTextBytes = 1'000'000;
// Tensors that one program (or one call of a rule) makes: create_prim_func walks them by recursion.
inline constexpr int kMaxTensors = 500;

}  // namespace fx2wasm::script
