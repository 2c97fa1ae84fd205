// A stream of random numbers that one integer determines: the same seed makes the same graph on
// every machine (mulberry32).

/** @typedef {ReturnType<typeof randomFrom>} Random */

/** @param {number} seed */
export function randomFrom(seed) {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;

  /** A float in [0, 1). */
  function unit() {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer in [low, high]. @param {number} low @param {number} high */
  const integer = (low, high) => low + Math.floor(unit() * (high - low + 1));

  /** @template T @param {readonly T[]} items @returns {T} */
  const pick = (items) => items[integer(0, items.length - 1)];

  /** True once in `n` times. @param {number} n */
  const oneIn = (n) => integer(1, n) === 1;

  /** @template T @param {readonly T[]} items @returns {T[]} */
  function shuffled(items) {
    const result = [...items];
    for (let i = result.length - 1; i > 0; --i) {
      const j = integer(0, i);
      [result[i], result[j]] = [result[j], result[i]];
    }
    return result;
  }

  return { unit, integer, pick, oneIn, shuffled };
}
