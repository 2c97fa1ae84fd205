// Are two lists of tensors, or two texts, the same?

/** The elements of a tensor as numbers; 64-bit integers stay exact as BigInt. */
function valuesOf(tensor) {
  return tensor.data;
}

const isExact = (dtype) => !dtype.startsWith('F') && !dtype.startsWith('BF');

/** float16 and bfloat16 arrive as raw bits. */
function widen(dtype, bits) {
  if (dtype === 'BF16') {
    return new Float32Array(Uint32Array.of(bits << 16).buffer)[0];
  }
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function close(a, b, rtol, atol) {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b);
  if (a === b) return true;
  return Math.abs(a - b) <= atol + rtol * Math.abs(b);
}

// float16 and bfloat16 round to 11 and 8 bits: half a unit in the last place, and one for order.
const precision = { F16: 2 ** -10, BF16: 2 ** -7 };

/** Why `got` is not `wanted`, or null. */
function tensorDifference(got, wanted, { rtol, atol }) {
  if (got.dtype !== wanted.dtype) return `dtype ${got.dtype}, not ${wanted.dtype}`;
  if (String(got.shape) !== String(wanted.shape)) {
    return `shape (${got.shape}), not (${wanted.shape})`;
  }
  const a = valuesOf(got);
  const b = valuesOf(wanted);
  const narrow = precision[wanted.dtype];
  for (let i = 0; i < b.length; ++i) {
    const x = narrow ? widen(wanted.dtype, a[i]) : a[i];
    const y = narrow ? widen(wanted.dtype, b[i]) : b[i];
    const same = isExact(wanted.dtype)
      ? x === y
      : close(x, y, Math.max(rtol, narrow ?? 0), Math.max(atol, narrow ? 1e-3 : 0));
    if (!same) return `element ${i} is ${x}, not ${y}`;
  }
  return null;
}

/** Compares `output.N` by name. @param {Map<string, any>} got @param {Map<string, any>} wanted */
export function outputsDifference(got, wanted, tolerance) {
  for (const [name, tensor] of wanted) {
    if (!name.startsWith('output.')) continue;
    const mine = got.get(name);
    if (!mine) return `${name} is missing`;
    const why = tensorDifference(mine, tensor, tolerance);
    if (why) return `${name}: ${why}`;
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
