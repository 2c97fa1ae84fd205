// Kinds of nodes that work element by element on several tensors: binary operators with
// broadcasting and promotion, comparisons, casts, where, clamp and writes in place.
import { ROUNDING, broadcast, callOf, hull, magnitude, ref } from './graph.mjs';

/** @typedef {import('./graph.mjs').Graph} Graph */
/** @typedef {import('./graph.mjs').Value} Value */
/** @typedef {import('./graph.mjs').Bounds} Bounds */
/** @typedef {import('./graph.mjs').DType} DType */

/** @type {Record<DType, number>} */
const WIDTH = { bool: 0, int64: 1, float32: 2 };
/** @param {DType} a @param {DType} b */
export const promoted = (a, b) => (WIDTH[a] > WIDTH[b] ? a : b);

/** An operand beside x: another tensor that broadcasts with it, a new input, or (rarely) a number.
 * @param {Graph} graph @param {Value} x @param {boolean} numbers whether it can be a number
 * @returns {{argument: any, value: Value}} */
export function partner(graph, x, numbers = true) {
  const { random } = graph;
  if (numbers && random.oneIn(4)) {
    // toJson prints 2.5 with its point: a whole number is an integer of Python.
    const number = random.pick([2, -3, 1, 0.5, -1.25, 2.5, 3]);
    const dtype = /** @type {DType} */ (Number.isInteger(number) ? 'int64' : 'float32');
    const value = {
      low: number,
      high: number,
      error: 0,
      name: '',
      shape: [],
      storage: {},
      writable: false,
      special: false,
      dtype: dtype === 'int64' && x.dtype === 'float32' ? x.dtype : dtype,
    };
    return { argument: number, value };
  }
  const existing = random.oneIn(2) ? graph.some((v) => broadcast(x.shape, v.shape) !== null) : null;
  if (existing) return { argument: ref(existing), value: existing };
  let shape = x.shape.map((size) => (random.oneIn(4) ? 1 : size));
  if (random.oneIn(3)) shape = shape.slice(random.integer(0, shape.length));
  if (random.oneIn(6) && shape.length === x.shape.length && shape.length < 4)
    shape = [random.integer(1, 3), ...shape];
  /** @type {DType} */
  const dtype = random.pick(['float32', 'float32', 'float32', 'int64', 'bool']);
  const positive = dtype !== 'bool' && random.oneIn(3);
  const value = graph.input(shape, dtype, positive ? { low: 1, high: 4 } : {});
  return { argument: ref(value), value };
}

/** @param {Bounds} a @param {Bounds} b @param {(x: number, y: number) => number} f */
function corners(a, b, f) {
  const all = [f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)];
  return { low: Math.min(...all), high: Math.max(...all) };
}

/** @type {{names: string[], of: (x: number, y: number) => number,
 *   error: (a: Bounds, b: Bounds) => number, kind?: 'divide' | 'exact'}[]} */
const BINARY = [
  {
    names: ['torch.add', '.add', 'operator.add'],
    of: (x, y) => x + y,
    error: (a, b) => a.error + b.error,
  },
  {
    names: ['torch.sub', '.sub', 'operator.sub'],
    of: (x, y) => x - y,
    error: (a, b) => a.error + b.error,
  },
  {
    names: ['torch.mul', '.mul', 'operator.mul'],
    of: (x, y) => x * y,
    error: (a, b) => a.error * magnitude(b) + b.error * magnitude(a),
  },
  {
    names: ['torch.div', '.div', 'operator.truediv'],
    of: (x, y) => x / y,
    kind: 'divide',
    error: (a, b) => a.error / b.low + (b.error * magnitude(a)) / b.low ** 2,
  },
  {
    names: ['torch.maximum', '.maximum'],
    of: Math.max,
    error: (a, b) => Math.max(a.error, b.error),
    kind: 'exact',
  },
  {
    names: ['torch.minimum', '.minimum'],
    of: Math.min,
    error: (a, b) => Math.max(a.error, b.error),
    kind: 'exact',
  },
];

/** @param {Graph} graph */
export function binary(graph) {
  const rule = graph.random.pick(BINARY);
  const x = graph.some();
  if (!x) return null;
  const { argument, value: y } = partner(graph, x, rule.kind !== 'exact');
  const name = graph.random.pick(rule.names);
  let dtype = promoted(x.dtype, y.dtype);
  if (rule.kind === 'divide') {
    if (y.low < 0.2) return null;
    dtype = 'float32';
  }
  // PyTorch subtracts no bools.
  if ([x.dtype, y.dtype].includes('bool') && /sub/.test(name)) return null;
  const shape = /** @type {number[]} */ (broadcast(x.shape, y.shape));
  const range = corners(x, y, rule.of);
  if (dtype === 'bool') range.high = Math.min(range.high, 1);
  const error = rule.error(x, y);
  const bounds = { ...range, error: 0 };
  // A fused multiply-add rounds once instead of twice: what is no copy is never quite exact.
  if (rule.kind !== 'exact') bounds.error = error + ROUNDING * magnitude(bounds);
  else bounds.error = error;
  return graph.add(callOf(name, [ref(x), argument]), [x, y], shape, dtype, bounds);
}

const COMPARISONS = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'];

/** @param {Graph} graph */
export function comparison(graph) {
  const x = graph.some(({ error }) => error === 0);
  if (!x) return null;
  const { argument, value: y } = partner(graph, x);
  if (y.error > 0) return null;
  const place = graph.random.pick(['torch.', '.', 'operator.']);
  const call = callOf(place + graph.random.pick(COMPARISONS), [ref(x), argument]);
  const shape = /** @type {number[]} */ (broadcast(x.shape, y.shape));
  return graph.add(call, [x, y], shape, 'bool', { low: 0, high: 1, error: 0 });
}

/** @param {Graph} graph */
export function logic(graph) {
  const { random } = graph;
  const x = graph.some(({ dtype }) => dtype === 'bool');
  if (!x) return null;
  const bounds = { low: 0, high: 1, error: 0 };
  if (random.oneIn(3)) {
    const name = random.pick(['torch.logical_not', '.logical_not', 'operator.invert']);
    return graph.add(callOf(name, [ref(x)]), [x], x.shape, 'bool', bounds);
  }
  const y = graph.some((v) => v.dtype === 'bool' && broadcast(x.shape, v.shape) !== null) ?? x;
  const name = random.pick([
    'torch.logical_and',
    'torch.logical_or',
    '.logical_xor',
    'operator.and_',
    'operator.or_',
    'operator.xor',
    'torch.bitwise_and',
  ]);
  const shape = /** @type {number[]} */ (broadcast(x.shape, y.shape));
  return graph.add(callOf(name, [ref(x), ref(y)]), [x, y], shape, 'bool', bounds);
}

/** @param {Graph} graph */
export function integerOperator(graph) {
  const { random } = graph;
  const x = graph.some(({ dtype }) => dtype === 'int64');
  if (!x) return null;
  const name = random.pick([
    'operator.floordiv',
    'operator.mod',
    'torch.remainder',
    'torch.fmod',
    'operator.and_',
    'operator.or_',
    'operator.xor',
  ]);
  const bitwise = /_$|xor/.test(name);
  const divisor = random.oneIn(2) ? random.pick([2, 3, 4, 7, -3]) : null;
  const y =
    divisor === null
      ? graph.input(x.shape.slice(random.integer(0, x.shape.length)), 'int64', { low: 1, high: 5 })
      : x;
  const argument = divisor ?? ref(y);
  const most = 2 ** Math.ceil(Math.log2(Math.max(magnitude(x), 8) + 1));
  const bounds = bitwise
    ? { low: -most, high: most, error: 0 }
    : { low: -Math.max(magnitude(x), 7), high: Math.max(magnitude(x), 7), error: 0 };
  return graph.add(callOf(name, [ref(x), argument]), [x, y], x.shape, 'int64', bounds);
}

/** @param {Graph} graph */
export function cast(graph) {
  const { random } = graph;
  const x = graph.some();
  if (!x) return null;
  /** @type {DType} */
  const dtype = random.pick(['float32', 'int64', 'bool']);
  // What a float that is no number is as an integer, PyTorch leaves open.
  if (x.dtype === 'float32' && dtype !== 'float32' && (x.error > 0 || x.special)) return null;
  const short = { float32: '.float', int64: '.long', bool: '.bool' }[dtype];
  const call = random.oneIn(2) ? callOf(short, [ref(x)]) : callOf('.to', [ref(x), { dtype }]);
  const bounds =
    dtype === 'bool'
      ? { low: 0, high: 1, error: 0 }
      : { low: Math.min(x.low, 0), high: Math.max(x.high, 0), error: x.error };
  // The same dtype is the same tensor.
  const sharing = x.dtype === dtype ? { storage: x.storage, writable: x.writable } : {};
  return graph.add(call, [x], x.shape, dtype, bounds, sharing);
}

/** @param {Graph} graph */
export function where(graph) {
  const x = graph.some();
  if (!x) return null;
  const { argument, value: y } = partner(graph, x);
  const wide = /** @type {number[]} */ (broadcast(x.shape, y.shape));
  const fits = (/** @type {Value} */ v) => v.dtype === 'bool' && broadcast(v.shape, wide) !== null;
  const condition = graph.some(fits) ?? graph.input(wide, 'bool');
  const shape = /** @type {number[]} */ (broadcast(condition.shape, wide));
  const bounds = hull(x, y);
  const args = [ref(condition), ref(x), argument];
  return graph.add(
    callOf('torch.where', args),
    [condition, x, y],
    shape,
    promoted(x.dtype, y.dtype),
    bounds,
  );
}

/** @param {Graph} graph */
export function clamp(graph) {
  const { random } = graph;
  const x = graph.some(({ dtype }) => dtype !== 'bool');
  if (!x) return null;
  const low = random.oneIn(3) ? null : random.integer(-3, 0);
  const high = low === null || random.oneIn(2) ? random.integer(1, 4) : null;
  const clip = (/** @type {number} */ v) =>
    Math.min(high ?? Infinity, Math.max(low ?? -Infinity, v));
  const bounds = { low: clip(x.low), high: clip(x.high), error: x.error };
  const call = random.oneIn(2)
    ? callOf('.clamp', [ref(x), low, high])
    : callOf('torch.clamp', [ref(x)], { min: low, max: high });
  return graph.add(call, [x], x.shape, x.dtype, bounds);
}

/** @param {Graph} graph */
export function maskedFill(graph) {
  const x = graph.some();
  if (!x) return null;
  const mask =
    graph.some((v) => v.dtype === 'bool' && `${broadcast(x.shape, v.shape)}` === `${x.shape}`) ??
    graph.input(x.shape, 'bool');
  const fill = x.dtype === 'bool' ? 1 : graph.random.integer(-5, 5);
  const bounds = hull(x, { low: fill, high: fill, error: 0 });
  const argument = x.dtype === 'bool' ? true : fill;
  const call = callOf(graph.random.pick(['.masked_fill', 'torch.masked_fill']), [
    ref(x),
    ref(mask),
    argument,
  ]);
  return graph.add(call, [x, mask], x.shape, x.dtype, bounds);
}

/** A write into a tensor that others can share: every later reader sees it. @param {Graph} graph */
export function writeInPlace(graph) {
  const { random } = graph;
  const x = graph.some(({ writable, dtype }) => writable && dtype !== 'bool');
  if (!x) return null;
  const kind = random.pick(['add_', 'mul_', 'sub_', 'fill_', 'zero_', 'copy_', 'relu_', 'setitem']);
  let bounds = { low: 0, high: 0, error: 0 };
  let special = false;
  /** @type {any[]} */
  let args = [];
  if (kind === 'fill_') {
    const value = random.integer(-3, 3);
    bounds = { low: value, high: value, error: 0 };
    args = [value];
  } else if (kind === 'relu_') {
    bounds = { low: Math.max(x.low, 0), high: Math.max(x.high, 0), error: x.error };
  } else if (kind !== 'zero_') {
    const fits = (/** @type {Value} */ v) =>
      promoted(x.dtype, v.dtype) === x.dtype &&
      !(kind === 'sub_' && v.dtype === 'bool') &&
      v.storage !== x.storage &&
      `${broadcast(x.shape, v.shape)}` === `${x.shape}`;
    const y = graph.some(fits) ?? graph.input(x.shape, x.dtype);
    args = [ref(y)];
    special = y.special;
    const rule = BINARY.find(({ names }) => names.includes(`.${kind.slice(0, -1)}`));
    bounds = rule ? { ...corners(x, y, rule.of), error: rule.error(x, y) } : hull(y);
    if (rule && x.dtype === 'float32') bounds.error += ROUNDING * magnitude(bounds);
    if (kind === 'setitem') return writePart(graph, x);
  }
  if (!graph.isFair(bounds, x.dtype)) return null;
  const result = graph.add(callOf(`.${kind}`, [ref(x), ...args]), [x], x.shape, x.dtype, bounds, {
    storage: x.storage,
  });
  if (result) graph.noteWrite(x, bounds, special);
  return result;
}

/** x[..., a:b] = a number. @param {Graph} graph @param {Value} x */
function writePart(graph, x) {
  if (!x.shape.length) return null;
  const size = x.shape[0];
  const start = graph.random.integer(0, size - 1);
  const value = graph.random.integer(-3, 3);
  const key = graph.random.oneIn(2) ? start : { slice: [start, null, null] };
  graph.append(callOf('operator.setitem', [ref(x), key, value]));
  graph.noteWrite(x, { low: value, high: value, error: 0 }, false);
  return x;
}
