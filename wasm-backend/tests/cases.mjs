// What the tests of generated Wasm share: the conformance cases, the native compiler, and the
// comparison with PyTorch's numbers (docs/architecture.md, "What is right").
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import v8 from 'node:v8';
import { load } from '../../web/runtime/index.mjs';
import { readSafetensors } from '../../web/runtime/safetensors.mjs';

// Before the first module is compiled: Node 20 has relaxed SIMD behind this flag.
v8.setFlagsFromString('--experimental-wasm-relaxed-simd');

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const COMPILER = process.env.FX2WASM ?? join(ROOT, 'build/release/fx2wasm');
export const LIBRARY = join(ROOT, 'build/release/library.wasm');
const CASES = join(ROOT, 'conformance/cases');
const MORE = join(ROOT, 'conformance/more/cases');
const run = promisify(execFile);

// [--simd, --schedule]: every variant, and the loops just as they print.
export const VARIANTS = [
  ['relaxed', 'on'],
  ['simd128', 'on'],
  ['off', 'on'],
  ['simd128', 'off'],
];

// A case: what to compile, the tensors in and out, and the tolerance. A symbolic one has a second
// recording with other sizes.
function tensorCase(name, source, folder) {
  const expected = join(folder, 'expected.json');
  const own = existsSync(expected) ? JSON.parse(readFileSync(expected, 'utf8')) : {};
  return {
    name,
    source,
    tensors: join(folder, 'io.safetensors'),
    otherSizes: join(folder, 'io2.safetensors'),
    rtol: own.rtol ?? 1e-5,
    atol: own.atol ?? 1e-5,
  };
}

export function graphCases() {
  const names = readFileSync(join(ROOT, 'conformance/covered_cases.txt'), 'utf8');
  const listed = names.split('\n').filter((name) => name && !name.startsWith('#'))
    .map((name) => ({ name, folder: join(CASES, name) }));
  const more = readdirSync(MORE).sort().flatMap((family) => readdirSync(join(MORE, family)).sort()
    .map((name) => ({ name: `more/${family}/${name}`, folder: join(MORE, family, name) })));
  return [...listed, ...more]
    .map((item) => tensorCase(item.name, join(item.folder, 'graph.fx.json'), item.folder))
    .filter((item) => existsSync(item.tensors) || existsSync(item.otherSizes));
}

// The files with tensors that a case has.
export function recordingsOf(item) {
  return [item.tensors, item.otherSizes].filter((file) => existsSync(file));
}

export function programCases() {
  return readdirSync(join(CASES, 'te')).sort()
    .map((name) => tensorCase(
      `te/${name}`, join(ROOT, 'conformance/te_programs', `${name}.py`), join(CASES, 'te', name)))
    .filter((item) => existsSync(item.tensors));
}

const folder = mkdtempSync(join(tmpdir(), 'fx2wasm-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

// Compiles; the answer's `error` is what the compiler printed when it refused.
export async function compile(source, options = []) {
  const output = join(folder, `${files++}.wasm`);
  try {
    await run(COMPILER, ['compile', source, ...options, '-o', output], { timeout: 120_000 });
  } catch (error) {
    if (error.code === 1) return { error: error.stderr };
    throw new Error(`the compiler failed (${error.code ?? error.signal}): ${error.stderr}`);
  }
  return { bytes: readFileSync(output), file: output };
}

const HALF_BIAS = 15;
function fromHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - HALF_BIAS);
}

const word = new Uint32Array(1);
const asFloat = new Float32Array(word.buffer);
function fromBrain(bits) {
  word[0] = bits << 16;
  return asFloat[0];
}

function reader(dtype) {
  if (dtype === 'float16') return fromHalf;
  if (dtype === 'bfloat16') return fromBrain;
  return (value) => value;
}

// The first element that differs from PyTorch's, as text; null when none does.
export function difference(actual, expected, item) {
  if (actual.dtype !== expected.dtype || `${actual.shape}` !== `${expected.shape}`) {
    return `is ${actual.dtype} [${actual.shape}], not ${expected.dtype} [${expected.shape}]`;
  }
  const read = reader(actual.dtype);
  const isFloat = actual.dtype.includes('float');
  for (let i = 0; i < expected.data.length; ++i) {
    const a = read(actual.data[i]);
    const b = read(expected.data[i]);
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
    const close = isFloat && Math.abs(a - b) <= item.atol + item.rtol * Math.abs(b);
    if (!close) return `element ${i} is ${a}, not ${b}`;
  }
  return null;
}

// Runs a module on a case's inputs and compares every output.
export async function differenceFrom(item, bytes, options = {}) {
  const tensors = readSafetensors(readFileSync(item.tensors));
  const model = await load(bytes, options);
  const inputs = model.inputs.map(({ key }) => {
    if (!tensors.has(key)) throw new Error(`the case has no ${key}`);
    return tensors.get(key);
  });
  if (model.symbols.length) model.plan(inputs.map(({ shape }) => shape));
  const results = model.run(inputs.map(({ data }) => data));
  const expected = [...tensors.keys()].filter((key) => key.startsWith('output.'));
  if (expected.length !== model.outputs.length) {
    return `there are ${model.outputs.length} outputs, not ${expected.length}`;
  }
  for (const [i, { key, dtype, shape }] of model.outputs.entries()) {
    const found = difference({ dtype, shape, data: results[i] }, tensors.get(key), item);
    if (found) return `${key}: ${found}`;
  }
  return null;
}

// Binaryen, the reference validator; null when the page's packages are not installed.
export async function loadBinaryen() {
  const entry = join(ROOT, 'web/node_modules/binaryen/index.js');
  if (!existsSync(entry)) return null;
  return (await import(pathToFileURL(entry))).default;
}

// What Binaryen says against a module; null when it is valid.
export function invalidity(binaryen, bytes) {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(binaryen.Features.All);
  const messages = [];
  const print = console.error;
  console.error = (...words) => messages.push(words.join(' '));
  try {
    return module.validate() ? null : messages.join('\n') || 'invalid';
  } finally {
    console.error = print;
    module.dispose();
  }
}
