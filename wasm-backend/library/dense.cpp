// y[m, n] = Σ_k x[m, k] · w[n, k]: a fully connected layer, the weight in PyTorch's layout.
//
// A dot product's additions wait for each other, so eight rows of w are done at a time: eight
// accumulators, one load of x for all of them. Long sums are cut into pieces whose results are
// added, which keeps their rounding small.
#include <stddef.h>
#include <stdint.h>
#include <wasm_simd128.h>

namespace {

constexpr int32_t kRows = 8;
constexpr int32_t kPiece = 1024;  // terms (256 per lane) summed before they join the total

float horizontal_sum(v128_t v) {
  v = wasm_f32x4_add(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
  v = wasm_f32x4_add(v, wasm_i32x4_shuffle(v, v, 1, 0, 3, 2));
  return wasm_f32x4_extract_lane(v, 0);
}

// y[0..rows) for one row of x.
template <int32_t rows>
void dot(float* y, const float* x, const float* w, int32_t k) {
  float total[rows] = {};
  for (int32_t begin = 0; begin < k; begin += kPiece) {
    const int32_t end = k - begin < kPiece ? k : begin + kPiece;
    v128_t sums[rows];
    for (int32_t r = 0; r < rows; ++r) sums[r] = wasm_f32x4_const_splat(0);
    int32_t i = begin;
    for (; i + 4 <= end; i += 4) {
      const v128_t value = wasm_v128_load(x + i);
#pragma clang loop unroll(full)
      for (int32_t r = 0; r < rows; ++r) {
        const v128_t weight = wasm_v128_load(w + static_cast<ptrdiff_t>(r) * k + i);
        sums[r] = wasm_f32x4_add(sums[r], wasm_f32x4_mul(value, weight));
      }
    }
    for (int32_t r = 0; r < rows; ++r) total[r] += horizontal_sum(sums[r]);
    for (; i < end; ++i) {
      for (int32_t r = 0; r < rows; ++r) total[r] += x[i] * w[static_cast<ptrdiff_t>(r) * k + i];
    }
  }
  for (int32_t r = 0; r < rows; ++r) y[r] = total[r];
}

}  // namespace

extern "C" void dense(float* y, const float* x, const float* w, int32_t m, int32_t n, int32_t k) {
  for (int32_t row = 0; row < m; ++row) {
    int32_t column = 0;
    for (; column + kRows <= n; column += kRows) {
      dot<kRows>(y + column, x, w + static_cast<ptrdiff_t>(column) * k, k);
    }
    for (; column < n; ++column) {
      dot<1>(y + column, x, w + static_cast<ptrdiff_t>(column) * k, k);
    }
    x += k;
    y += n;
  }
}
