// The loader of modules that fx2wasm compiled: see index.d.mts for the types and docs/abi.md for
// what a module promises.
import { readSafetensors } from './safetensors.mjs';

/** @typedef {import('./index.d.mts').DType} DType */
/** @typedef {import('./index.d.mts').TensorArray} TensorArray */
/** @typedef {import('./index.d.mts').TensorInfo} TensorInfo */
/** @typedef {import('./index.d.mts').ModuleInfo} ModuleInfo */
/** @typedef {import('./index.d.mts').LoadOptions} LoadOptions */
/** @typedef {import('./index.d.mts').Model} Model */

export const ABI_VERSIONS = Object.freeze([1, 2]);
const PAGE_BYTES = 65536;
const MAX_PAGES = 65536; // what library.wasm and every module declare

export class Fx2wasmError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'Fx2wasmError';
  }
}

const ARRAYS = {
  bool: Uint8Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float16: Uint16Array,
  bfloat16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
};

/**
 * @param {DType} dtype
 * @param {ArrayBufferLike} buffer
 * @param {number} [offset]
 * @param {number} [length]
 * @returns {TensorArray}
 */
export function arrayOf(dtype, buffer, offset, length) {
  const Type = ARRAYS[dtype];
  if (!Type) throw new Fx2wasmError(`unknown dtype ${dtype}`);
  return new Type(buffer, offset, length);
}

/** @param {number[]} shape */
export function elementCount(shape) {
  return shape.reduce((count, extent) => count * extent, 1);
}

// A function of one vector instruction, after `i32.const 0; i8x16.splat` for each operand.
/** @param {number} operands @param {number[]} instruction */
function probe(operands, instruction) {
  const body = [0];
  for (let i = 0; i < operands; ++i) body.push(0x41, 0, 0xfd, 0x0f);
  body.push(...instruction, 0x1a, 0x0b);
  return new Uint8Array([
    0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0,
    10, body.length + 2, 1, body.length, ...body,
  ]);
}

export function detectSimd() {
  if (WebAssembly.validate(probe(3, [0xfd, 0x85, 0x02]))) return /** @type {const} */ ('relaxed');
  if (WebAssembly.validate(probe(1, []))) return /** @type {const} */ ('simd128');
  return /** @type {const} */ ('off');
}

/**
 * @param {WebAssembly.Module} module
 * @returns {ModuleInfo}
 */
export function readInfo(module) {
  const sections = WebAssembly.Module.customSections(module, 'fx2wasm');
  if (sections.length !== 1) {
    throw new Fx2wasmError('not a module of fx2wasm: it has no section "fx2wasm"');
  }
  const info = JSON.parse(new TextDecoder().decode(sections[0]));
  if (!ABI_VERSIONS.includes(info.abi)) {
    throw new Fx2wasmError(
      `the module has ABI version ${info.abi}, and this loader knows ${ABI_VERSIONS.join(', ')}: ` +
        'use the loader that came with its compiler');
  }
  info.symbols ??= [];
  for (const tensor of [...info.inputs, ...info.outputs, ...info.intermediates]) {
    if (tensor.addressWord === undefined) continue;
    Object.assign(tensor, { symbolicShape: tensor.shape, shape: [], offset: 0, bytes: 0 });
  }
  return info;
}

/**
 * @param {LoadOptions['library']} library
 * @param {WebAssembly.Memory} memory
 */
async function instantiateLibrary(library, memory) {
  if (!library) {
    throw new Fx2wasmError('the module calls hand-written kernels: give it library.wasm');
  }
  const module =
    library instanceof WebAssembly.Module ? library : await WebAssembly.compile(library);
  const instance = await WebAssembly.instantiate(module, { env: { memory } });
  const initialize = instance.exports._initialize;
  if (typeof initialize === 'function') initialize();
  return instance.exports;
}

/**
 * @param {ModuleInfo} info
 * @param {Uint8Array | undefined} file
 * @param {WebAssembly.Memory} memory
 */
function writeWeights(info, file, memory) {
  if (info.weightsInside || info.weights.length === 0) return;
  const tensors = file ? readSafetensors(file) : new Map();
  const missing = info.weights.filter((weight) => !tensors.has(weight.name));
  if (missing.length > 0) {
    throw new Fx2wasmError(
      `the module's weights are in a file of their own, which ${file ? 'lacks' : 'was not given'}` +
        `: ${missing.map((weight) => weight.name).join(', ')}`);
  }
  for (const weight of info.weights) {
    const tensor = tensors.get(weight.name);
    if (tensor.dtype !== weight.dtype || tensor.data.byteLength !== weight.bytes) {
      throw new Fx2wasmError(
        `the weight ${weight.name} must be ${weight.dtype} [${weight.shape}], ` +
          `and the file has ${tensor.dtype} [${tensor.shape}]`);
    }
    const { buffer, byteOffset, byteLength } = tensor.data;
    new Uint8Array(memory.buffer).set(
      new Uint8Array(buffer, byteOffset, byteLength), weight.offset);
  }
}

/**
 * @param {TensorInfo} info
 * @param {TensorArray} array
 */
function checkInput(info, array) {
  const Type = ARRAYS[info.dtype];
  if (!(array instanceof Type)) {
    throw new Fx2wasmError(`${info.key} (${info.name}) must be a ${Type.name}`);
  }
  const count = elementCount(info.shape);
  if (array.length !== count) {
    throw new Fx2wasmError(
      `${info.key} (${info.name}) must have ${count} elements, [${info.shape}], ` +
        `and has ${array.length}`);
  }
}

/**
 * The values of the module's symbols for inputs of these shapes.
 * @param {ModuleInfo} info
 * @param {number[][]} shapes
 */
function symbolValues(info, shapes) {
  if (shapes.length !== info.inputs.length) {
    throw new Fx2wasmError(
      `the model takes ${info.inputs.length} inputs, and ${shapes.length} shapes were given`);
  }
  info.inputs.forEach((input, i) => {
    const wanted = input.symbolicShape ?? input.shape;
    const fits = wanted.length === shapes[i].length && shapes[i].every((extent, axis) =>
      Number.isInteger(extent) && extent >= 0 && extent < 2 ** 31 &&
        (typeof wanted[axis] === 'string' || wanted[axis] === extent));
    if (!fits) {
      throw new Fx2wasmError(
        `${input.key} (${input.name}) has the shape [${wanted.join(', ')}], ` +
          `and [${shapes[i].join(', ')}] was given`);
    }
  });
  return info.symbols.map(({ input, axis }) => shapes[input][axis]);
}

/**
 * Reads what plan() wrote for a tensor of symbolic shape.
 * @param {TensorInfo} tensor
 * @param {Uint32Array} table
 */
function setPlace(tensor, table) {
  const { symbolicShape, addressWord, extentWord } = tensor;
  if (!symbolicShape || addressWord === undefined || extentWord === undefined) return;
  tensor.offset = table[addressWord];
  tensor.shape = symbolicShape.map((_, axis) => table[extentWord + axis]);
  tensor.bytes = elementCount(tensor.shape) * ARRAYS[tensor.dtype].BYTES_PER_ELEMENT;
}

/**
 * @param {BufferSource | WebAssembly.Module} bytes
 * @param {LoadOptions} [options]
 * @returns {Promise<Model>}
 */
export async function load(bytes, options = {}) {
  const module = bytes instanceof WebAssembly.Module ? bytes : await WebAssembly.compile(bytes);
  const info = readInfo(module);
  /** @type {WebAssembly.Imports} */
  const imports = {};
  if (info.needsLibrary) {
    const initial = Math.ceil(info.memory.totalBytes / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial, maximum: MAX_PAGES });
    const kernels = await instantiateLibrary(options.library, memory);
    imports.fx2wasm = { memory };
    imports.fx2wasm_library = /** @type {WebAssembly.ModuleImports} */ (kernels);
  }
  const instance = await WebAssembly.instantiate(module, imports);
  const memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
  const main = /** @type {() => void} */ (instance.exports.main);
  const planSizes = /** @type {(...sizes: number[]) => number} */ (instance.exports.plan);
  writeWeights(info, options.weights, memory);
  /** @type {() => void} */ (instance.exports.init)();

  /** @param {TensorInfo} tensor */
  const view = (tensor) =>
    arrayOf(tensor.dtype, memory.buffer, tensor.offset, elementCount(tensor.shape));
  let inputViews = info.inputs.map(view);
  let outputViews = info.outputs.map(view);
  let planned = info.symbols.length === 0;

  /** @param {number[][]} shapes */
  function plan(shapes) {
    const sizes = symbolValues(info, shapes);
    if (info.symbols.length === 0) return;
    planned = false;
    const text = info.symbols.map(({ name }, i) => `${name} = ${sizes[i]}`).join(', ');
    if (planSizes(...sizes) === 0) {
      throw new Fx2wasmError(`${text}: there is no memory for that, or shapes do not fit`);
    }
    const table = new Uint32Array(memory.buffer, info.tableOffset);
    for (const tensor of [...info.inputs, ...info.outputs, ...info.intermediates]) {
      setPlace(tensor, table);
    }
    info.inputs.forEach((input, i) => {
      if (input.shape.every((extent, axis) => extent === shapes[i][axis])) return;
      throw new Fx2wasmError(
        `${input.key} (${input.name}) has the shape [${input.symbolicShape?.join(', ')}], with ` +
          `${text} that is [${input.shape.join(', ')}], and [${shapes[i].join(', ')}] was given`);
    });
    inputViews = info.inputs.map(view);
    outputViews = info.outputs.map(view);
    planned = true;
  }

  function requirePlan() {
    if (planned) return;
    throw new Fx2wasmError(
      `the model has sizes of your choice (${info.symbols.map(({ name }) => name).join(', ')}): ` +
        'call plan with the shapes of the inputs first');
  }

  return {
    ...info,
    wasmMemory: memory,
    plan,
    run(inputs) {
      if (inputs.length !== info.inputs.length) {
        throw new Fx2wasmError(
          `the model takes ${info.inputs.length} inputs, and ${inputs.length} were given`);
      }
      requirePlan();
      inputs.forEach((array, i) => checkInput(info.inputs[i], array));
      inputs.forEach((array, i) => {
        // Equal types were checked just now; TypeScript sees a union on both sides.
        inputViews[i].set(/** @type {any} */ (array));
      });
      main();
      return outputViews.map((array) => array.slice());
    },
    runInPlace() {
      requirePlan();
      main();
    },
    inputView: (index) => inputViews[index],
    outputView: (index) => outputViews[index],
    intermediateView(name) {
      const found = info.intermediates.find((tensor) => tensor.name === name);
      if (!found) {
        throw new Fx2wasmError(
          `the module keeps no tensor ${name}: compile it with --keep-intermediates`);
      }
      return view(found);
    },
  };
}
