// Are two lists of tensors, or two texts, the same?
import { difference } from '../../wasm-backend/tests/cases.mjs';

/** Compares `output.N` by name. @param {Map<string, any>} got @param {Map<string, any>} wanted */
export function outputsDifference(got, wanted, tolerance) {
  for (const [name, tensor] of wanted) {
    if (!name.startsWith('output.')) continue;
    const mine = got.get(name);
    if (!mine) return `${name} is missing`;
    const why = difference(mine, tensor, tolerance);
    if (why) return `${name} ${why}`;
  }
  return null;
}

/** The first line in which two texts differ, or null; a final newline does not count. */
export function textDifference(got, wanted) {
  const a = got.replace(/\n+$/, '').split('\n');
  const b = wanted.replace(/\n+$/, '').split('\n');
  for (let i = 0; i < Math.max(a.length, b.length); ++i) {
    if (a[i] !== b[i]) {
      const show = (line) => (line === undefined ? 'nothing' : line.trim().slice(0, 160));
      return `line ${i + 1}: ${show(a[i])}  ≠  ${show(b[i])}`;
    }
  }
  return null;
}
