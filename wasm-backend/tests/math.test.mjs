// exp, log, tanh, erf, sin, … to 1e-6 relative over the whole range of float32, as scalars and as
// four lanes, against the engine's doubles.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { load } from '../../web/runtime/index.mjs';
import { compile } from './cases.mjs';

const TOLERANCE = 1e-6;
const SUBNORMAL = 2 ** -126; // below it float32 itself has no relative accuracy
const folder = mkdtempSync(join(tmpdir(), 'fx2wasm-math-'));
after(() => rmSync(folder, { recursive: true, force: true }));

// erf by its series of positive terms, and 1 where that is exact in double.
function erf(x) {
  if (Number.isNaN(x)) return NaN;
  const a = Math.abs(x);
  if (a > 6) return Math.sign(x);
  let term = (2 / Math.sqrt(Math.PI)) * a;
  let sum = term;
  for (let n = 1; n < 300; ++n) sum += term *= (2 * a * a) / (2 * n + 1);
  return Math.sign(x) * sum * Math.exp(-a * a);
}

const FUNCTIONS = {
  exp: Math.exp, exp2: (x) => 2 ** x, exp10: (x) => 10 ** x,
  log: Math.log, log2: Math.log2, log10: Math.log10, log1p: Math.log1p,
  tanh: Math.tanh, sigmoid: (x) => 1 / (1 + Math.exp(-x)), erf,
  sqrt: Math.sqrt, rsqrt: (x) => 1 / Math.sqrt(x),
  sin: Math.sin, cos: Math.cos, tan: Math.tan,
  asin: Math.asin, acos: Math.acos, atan: Math.atan,
  sinh: Math.sinh, cosh: Math.cosh, asinh: Math.asinh, acosh: Math.acosh, atanh: Math.atanh,
  floor: Math.floor, ceil: Math.ceil, trunc: Math.trunc,
};

// Every exponent with several mantissas and both signs, small whole numbers, and the special ones.
function arguments_() {
  const values = [0, -0, 1, -1, Infinity, -Infinity, NaN];
  for (let exponent = -149; exponent <= 127; ++exponent) {
    for (const mantissa of [1, 1.1, 1.2345678, 1.41421356, 1.5707963, 1.75, 1.9999999]) {
      values.push(mantissa * 2 ** exponent, -mantissa * 2 ** exponent);
    }
  }
  for (let i = -800; i <= 800; ++i) values.push(i / 8, 1 + i / 6400);
  while (values.length % 4 !== 0) values.push(0.5);
  return new Float32Array(values);
}

function checkClose(name, x, actual, exact) {
  const expected = Math.fround(exact);
  if (Object.is(actual, expected) || (Number.isNaN(actual) && Number.isNaN(expected))) return;
  const error = Math.abs(actual - exact);
  const allowed = Math.max(TOLERANCE * Math.abs(exact), SUBNORMAL);
  // Where rounding decides between the largest number and infinity, either is right.
  const atTheEdge = Math.abs(exact) > 3.4028e38 && Math.abs(actual) > 3.4028e38;
  assert.ok(error <= allowed || atTheEdge, `${name}(${x}) is ${actual}, not ${expected}`);
}

async function evaluate(program, options, inputs) {
  const file = join(folder, 'program.py');
  writeFileSync(file, program);
  const { bytes, error } = await compile(file, options);
  assert.equal(error, undefined);
  const model = await load(bytes);
  return model.run(inputs)[0];
}

for (const simd of ['simd128', 'off']) {
  const values = arguments_();
  for (const [name, exact] of Object.entries(FUNCTIONS)) {
    test(`${name}, --simd ${simd}`, async () => {
      const results = await evaluate(
        `A = te.placeholder((${values.length},), "float32", name="A")\n` +
          `B = te.compute((${values.length},), lambda i: tirx.${name}(A[i]), name="B")\n` +
          'ARGS = [A, B]\n',
        ['--simd', simd], [values]);
      values.forEach((x, i) => checkClose(name, x, results[i], exact(x)));
    });
  }
  test(`pow, --simd ${simd}`, async () => {
    const exponents = [0, 1, -1, 2, 3, 0.5, -0.5, 1 / 3, 2.5, -7, 30, Infinity, -Infinity, NaN];
    const bases = Float32Array.from(values.filter((_, i) => i % 5 === 0));
    const x = new Float32Array(bases.length * exponents.length);
    const y = new Float32Array(x.length);
    for (let i = 0; i < x.length; ++i) {
      x[i] = bases[i % bases.length];
      y[i] = exponents[Math.floor(i / bases.length)];
    }
    const results = await evaluate(
      `A = te.placeholder((${x.length},), "float32", name="A")\n` +
        `B = te.placeholder((${x.length},), "float32", name="B")\n` +
        `C = te.compute((${x.length},), lambda i: tirx.pow(A[i], B[i]), name="C")\n` +
        'ARGS = [A, B, C]\n',
      ['--simd', simd], [x, y]);
    x.forEach((base, i) => {
      // C's pow, which PyTorch follows, gives 1 where JavaScript's gives NaN.
      const one = base === 1 || (base === -1 && !Number.isFinite(y[i]) && !Number.isNaN(y[i]));
      const exact = one ? 1 : base ** y[i];
      if (base === 0 && exact === 0) return assert.ok(results[i] === 0);
      if (base === 0 && !Number.isFinite(exact) && !Number.isNaN(exact)) {
        return assert.equal(Math.abs(results[i]), Infinity);
      }
      checkClose(`${base} pow ${y[i]}`, y[i], results[i], exact);
    });
  });
}
