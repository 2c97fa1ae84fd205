// A graph while it is built: its nodes as FX JSON has them, and of every tensor its shape, dtype,
// and a bound of its elements and of the rounding errors in them. The bounds make every comparison
// fair: two right computations of the graph differ by no more than the bound of the errors, and a
// node that would turn a rounding error into another answer (a comparison, a cast to integers) only
// takes tensors without any.
import { randomFrom } from './random.mjs';

/** @typedef {'float32' | 'int64' | 'bool'} DType */
/** Elements lie in [low, high] (those that are finite), each within `error` of the exact one.
 * @typedef {{low: number, high: number, error: number}} Bounds */
/** `storage`: what a write to the tensor changes, too; `writable`: no element stands in it twice;
 * `special`: it can hold NaN and infinities.
 * @typedef {Bounds & {name: string, shape: number[], dtype: DType, storage: object,
 *   writable: boolean, special: boolean}} Value */
/** @typedef {{op: string, name: string, target: string, args: any[], kwargs?: Record<string, any>,
 *   meta?: {shape: number[], dtype: string}}} Node */
/** @typedef {import('../../web/runtime/safetensors.mjs').StoredTensor} Tensor */

/** The relative error of one rounded operation, and of one function (docs/semantics.md). */
export const ROUNDING = 2 ** -23;
export const FUNCTION_ERROR = 4e-6;

const MOST_ELEMENTS = 1200;
const LARGEST = 1e6;
const SIZES = [1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 16, 17];

/** @param {readonly number[]} shape */
export const countOf = (shape) => shape.reduce((a, b) => a * b, 1);
/** @param {Bounds} bounds */
export const magnitude = ({ low, high }) => Math.max(Math.abs(low), Math.abs(high));
/** @param {Value} value */
export const ref = (value) => ({ node: value.name });
/** A call of a function, or of a method when its name starts with a point.
 * @param {string} name @param {any[]} args @param {Record<string, any>} [kwargs] */
export function callOf(name, args, kwargs) {
  const call = name.startsWith('.')
    ? { op: 'call_method', target: name.slice(1), args }
    : { target: name, args };
  return kwargs ? { ...call, kwargs } : call;
}

/** The smallest bounds that hold all of them. @param {...Bounds} all @returns {Bounds} */
export const hull = (...all) => ({
  low: Math.min(...all.map((b) => b.low)),
  high: Math.max(...all.map((b) => b.high)),
  error: Math.max(...all.map((b) => b.error)),
});

/** The shape that two broadcast to; null when they do not.
 * @param {readonly number[]} a @param {readonly number[]} b @returns {number[] | null} */
export function broadcast(a, b) {
  const rank = Math.max(a.length, b.length);
  const result = [];
  for (let i = 0; i < rank; ++i) {
    const x = a[a.length - rank + i] ?? 1;
    const y = b[b.length - rank + i] ?? 1;
    if (x !== y && x !== 1 && y !== 1) return null;
    result.push(x === 1 ? y : x);
  }
  return result;
}

/** @param {import('./random.mjs').Random} random @param {number[]} shape @param {DType} dtype
 * @param {Bounds} bounds @param {boolean} special @returns {Tensor} */
export function randomTensor(random, shape, dtype, { low, high }, special) {
  const count = countOf(shape);
  if (dtype === 'bool') {
    return { shape, dtype, data: Uint8Array.from({ length: count }, () => random.integer(0, 1)) };
  }
  if (dtype === 'int64') {
    const data = Array.from({ length: count }, () => BigInt(random.integer(low, high)));
    return { shape, dtype, data: BigInt64Array.from(data) };
  }
  const element = () => {
    if (special && random.oneIn(6)) return random.pick([NaN, Infinity, -Infinity, -0, 0]);
    // A third are integers: ties, zeros, equal elements.
    const value = low + random.unit() * (high - low);
    return random.oneIn(3) ? Math.min(high, Math.max(low, Math.round(value))) : value;
  };
  return { shape, dtype, data: Float32Array.from({ length: count }, element) };
}

export class Graph {
  /** @param {number} seed */
  constructor(seed) {
    this.seed = seed;
    this.random = randomFrom(seed);
    this.hasSpecials = this.random.oneIn(8);
    /** @type {Node[]} */
    this.nodes = [];
    /** @type {Map<string, Value>} */
    this.values = new Map();
    /** @type {Record<string, object>} */
    this.modules = {};
    /** @type {Map<string, Tensor>} */
    this.weights = new Map();
    /** @type {Map<string, Tensor>} the placeholders' tensors, by name */
    this.inputs = new Map();
    /** Whether the compiler refused it, as it may. */
    this.refused = false;
    /** @type {any} the output node's argument */
    this.result = null;
  }

  /** A name nobody has yet. @param {string} stem */
  freshName(stem) {
    const taken = new Set(this.nodes.map(({ name }) => name));
    let name = stem;
    for (let i = 1; taken.has(name); ++i) name = `${stem}_${i}`;
    return name;
  }

  /** A random shape. @param {number} [rank] */
  randomShape(rank = this.random.pick([0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4])) {
    const shape = Array.from({ length: rank }, () => this.random.pick(SIZES));
    while (countOf(shape) > 300)
      shape[this.random.integer(0, rank - 1)] = this.random.integer(1, 3);
    return shape;
  }

  /** A further input of the graph. @param {number[]} shape @param {DType} dtype
   * @param {{low?: number, high?: number}} [range] @returns {Value} */
  input(shape, dtype, range = {}) {
    const [low, high] = { float32: [-3, 3], int64: [-9, 9], bool: [0, 1] }[dtype];
    const bounds = { low: range.low ?? low, high: range.high ?? high, error: 0 };
    const special = this.hasSpecials && dtype === 'float32' && range.low === undefined;
    const name = this.freshName(this.random.pick(['x', 'y', 'input', 'data']));
    this.inputs.set(name, randomTensor(this.random, shape, dtype, bounds, special));
    this.nodes.push({ op: 'placeholder', name, target: name, args: [], meta: { shape, dtype } });
    return this.remember({ name, shape, dtype, ...bounds, special });
  }

  /** @param {Bounds & {name: string, shape: number[], dtype: DType, storage?: object,
   *   writable?: boolean, special: boolean}} value @returns {Value} */
  remember(value) {
    const full = { storage: {}, writable: true, ...value };
    this.values.set(value.name, full);
    return full;
  }

  /** Appends a node whose result is a tensor; null when its bounds are too wide to compare by.
   * @param {{op?: string, target: string, args: any[], kwargs?: Record<string, any>}} call
   * @param {Value[]} from what it is computed from @param {number[]} shape @param {DType} dtype
   * @param {Bounds} bounds @param {{storage?: object, writable?: boolean}} [sharing]
   * @returns {Value | null} */
  add(call, from, shape, dtype, bounds, sharing = {}) {
    if (!this.isFair(bounds, dtype) || countOf(shape) > MOST_ELEMENTS) return null;
    const name = this.append(call);
    const special = dtype === 'float32' && from.some((value) => value.special);
    const error = dtype === 'float32' ? bounds.error : 0;
    return this.remember({ name, shape, dtype, ...bounds, error, special, ...sharing });
  }

  /** @param {Bounds} bounds @param {DType} dtype */
  isFair(bounds, dtype) {
    const size = magnitude(bounds);
    if (!(size <= LARGEST)) return false;
    return dtype !== 'float32' || bounds.error <= 1e-3 * Math.max(size, 1e-3);
  }

  /** Appends a node as it is. @param {{op?: string, target: string, args: any[],
   *   kwargs?: Record<string, any>}} call @returns {string} its name */
  append({ op = 'call_function', target, args, kwargs }) {
    const stem = target.slice(target.lastIndexOf('.') + 1).replace(/^_+|_+$/g, '') || 'node';
    const name = this.freshName(/^[a-z]\w*$/.test(stem) ? `${stem}_` : 'node');
    this.nodes.push({ op, name, target, args, ...(kwargs ? { kwargs } : {}) });
    return name;
  }

  /** A call of a new leaf module. @param {string} type @param {Record<string, any>} attrs
   * @param {Record<string, Tensor>} tensors @param {Value} input @param {number[]} shape
   * @param {Bounds} bounds @returns {Value | null} */
  addModule(type, attrs, tensors, input, shape, bounds) {
    if (!this.isFair(bounds, 'float32') || countOf(shape) > MOST_ELEMENTS) return null;
    const layer = `layer${Object.keys(this.modules).length}`;
    /** @type {Record<string, string>} */
    const names = {};
    for (const [key, tensor] of Object.entries(tensors)) {
      names[key] = `${layer}.${key}`;
      this.weights.set(names[key], tensor);
    }
    this.modules[layer] = { type: `torch.nn.${type}`, attrs, tensors: names };
    const call = { op: 'call_module', target: layer, args: [ref(input)] };
    return this.add(call, [input], shape, 'float32', bounds);
  }

  /** Float weights. @param {number[]} shape @param {{low: number, high: number}} [range] */
  weight(shape, range = { low: -1, high: 1 }) {
    return randomTensor(this.random, shape, 'float32', { ...range, error: 0 }, false);
  }

  /** Some tensor that the condition holds for, a late one rather than an early one.
   * @param {(value: Value) => boolean} [condition] @returns {Value | null} */
  some(condition = () => true) {
    const all = [...this.values.values()].filter(condition);
    if (!all.length) return null;
    return this.random.oneIn(2) ? all[all.length - 1] : this.random.pick(all);
  }

  /** After a write: whatever shares the tensor's storage can hold the new elements.
   * @param {Value} written @param {Bounds} bounds @param {boolean} special */
  noteWrite(written, bounds, special) {
    for (const value of this.values.values()) {
      if (value.storage !== written.storage) continue;
      Object.assign(value, hull(value, bounds), { special: value.special || special });
    }
  }

  /** The FX JSON. */
  toJson() {
    const tensors = Object.fromEntries(
      [...this.weights].map(([name, { shape, dtype, data }]) => {
        const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
        return [name, { shape, dtype, data: bytes.toString('base64') }];
      }),
    );
    const output = { op: 'output', name: 'output', target: 'output', args: [this.result] };
    const nodes = [...this.nodes, output];
    return { fx_graph: 1, name: `random${this.seed}`, nodes, modules: this.modules, tensors };
  }
}
