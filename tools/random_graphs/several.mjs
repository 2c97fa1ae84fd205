// Kinds of nodes that need more of their operands: three tensors, powers, writes of a tensor into a
// part of another, einsum, scatter, transposed convolutions and resizing.
import { FUNCTION_ERROR, ROUNDING, broadcast, callOf, hull, magnitude, ref } from './graph.mjs';

/** @typedef {import('./graph.mjs').Graph} Graph */
/** @typedef {import('./graph.mjs').Value} Value */
/** @typedef {import('./graph.mjs').Bounds} Bounds */

const UNIT = { low: -1, high: 1, error: 0 };
/** @param {Value} v */
const isFloat = (v) => v.dtype === 'float32';

/** A float tensor that broadcasts to x's shape. @param {Graph} graph @param {Value} x */
function beside(graph, x) {
  const fits = (/** @type {Value} */ v) =>
    isFloat(v) && `${broadcast(x.shape, v.shape)}` === `${x.shape}`;
  const shape = x.shape.map((size) => (graph.random.oneIn(3) ? 1 : size));
  return (graph.random.oneIn(2) ? graph.some(fits) : null) ?? graph.input(shape, 'float32');
}

/** lerp, addcmul and addcdiv. @param {Graph} graph */
export function threeOperands(graph) {
  const x = graph.some(isFloat);
  if (!x) return null;
  const y = beside(graph, x);
  const [a, b] = [magnitude(x), magnitude(y)];
  // lerp is TVM's x + w * (y - x): of infinities it makes NaN where PyTorch's form need not.
  if (graph.random.oneIn(2) && !x.special && !y.special) {
    const weight = graph.random.pick([0.25, 0.5, 0.75]);
    const size = a + b;
    const error = x.error + y.error + 4 * ROUNDING * size;
    const name = graph.random.pick(['torch.lerp', '.lerp']);
    return graph.add(callOf(name, [ref(x), ref(y), weight]), [x, y], x.shape, 'float32', {
      low: -size,
      high: size,
      error,
    });
  }
  const z = beside(graph, x);
  const value = graph.random.pick([1, 0.5, 2]);
  const c = magnitude(z);
  const size = a + value * b * c;
  const error = x.error + value * (y.error * c + z.error * b) + 4 * ROUNDING * size;
  const name = graph.random.pick(['torch.addcmul', '.addcmul']);
  const call = callOf(name, [ref(x), ref(y), ref(z)], value === 1 ? undefined : { value });
  return graph.add(call, [x, y, z], x.shape, 'float32', { low: -size, high: size, error });
}

/** pow and **. @param {Graph} graph */
export function power(graph) {
  const { random } = graph;
  const x = graph.some(({ dtype }) => dtype !== 'bool');
  if (!x) return null;
  const exponent = random.pick(x.dtype === 'float32' ? [0, 1, 2, 3, 2.5, -1] : [0, 1, 2, 3]);
  if (exponent % 1 !== 0 || exponent < 0) if (x.low < 0.2) return null;
  const size = magnitude(x);
  const most = exponent < 0 ? x.low ** exponent : Math.max(size, 1) ** exponent;
  const slope = exponent < 0 ? x.low ** -2 : exponent * Math.max(size, 1) ** Math.max(exponent, 1);
  const error = x.error * slope + FUNCTION_ERROR * most;
  const name = random.pick(['torch.pow', '.pow', 'operator.pow']);
  const bounds = { low: -most, high: most, error };
  return graph.add(callOf(name, [ref(x), exponent]), [x], x.shape, x.dtype, bounds);
}

/** x[a:b] = y, or the same by copy_ into the part. @param {Graph} graph */
export function writeTensor(graph) {
  const { random } = graph;
  const x = graph.some((v) => v.writable && v.shape.length > 0);
  if (!x) return null;
  const size = x.shape[0];
  const start = random.integer(0, size - 1);
  const end = random.integer(start + 1, size);
  const step = random.pick([1, 1, 2]);
  const shape = [Math.ceil((end - start) / step), ...x.shape.slice(1)];
  const fits = (/** @type {Value} */ v) =>
    v.dtype === x.dtype && v.storage !== x.storage && `${broadcast(shape, v.shape)}` === `${shape}`;
  const y = graph.some(fits) ?? graph.input(shape, x.dtype);
  const key = { slice: [start, end, step] };
  const { special } = y;
  const bounds = hull(y);
  if (random.oneIn(2)) {
    graph.append(callOf('operator.setitem', [ref(x), key, ref(y)]));
  } else {
    const call = callOf('operator.getitem', [ref(x), key]);
    const part = graph.add(call, [x], shape, x.dtype, hull(x), { storage: x.storage });
    if (!part) return null;
    graph.append(callOf('.copy_', [ref(part), ref(y)]));
  }
  graph.noteWrite(x, bounds, special);
  return x;
}

/** einsum and outer products. @param {Graph} graph */
export function contraction(graph) {
  const { random } = graph;
  const x = graph.some((v) => isFloat(v) && v.shape.length > 0 && v.shape.length < 4);
  if (!x) return null;
  const letters = 'abc'.slice(0, x.shape.length);
  const summed = random.pick([...letters]);
  const at = letters.indexOf(summed);
  const outer = random.integer(1, 5);
  const y = graph.input(random.oneIn(2) ? [x.shape[at], outer] : [outer, x.shape[at]], 'float32');
  const second = y.shape[0] === x.shape[at] ? `${summed}d` : `d${summed}`;
  const rest = random.shuffled([...letters.replace(summed, ''), 'd']);
  const sizes = rest.map((letter) => (letter === 'd' ? outer : x.shape[letters.indexOf(letter)]));
  if (y.shape[second.indexOf('d')] !== outer) return null;
  const count = x.shape[at];
  const size = count * magnitude(x) * 3;
  const error = 3 * count * x.error + ROUNDING * (count + 1) * size;
  const call = callOf('torch.einsum', [`${letters},${second}->${rest.join('')}`, ref(x), ref(y)]);
  return graph.add(call, [x, y], sizes, 'float32', { low: -size, high: size, error });
}

/** scatter of a number, and index_add. @param {Graph} graph */
export function scatter(graph) {
  const { random } = graph;
  const x = graph.some((v) => isFloat(v) && v.shape.length > 0);
  if (!x) return null;
  const dim = random.integer(0, x.shape.length - 1);
  const range = { low: 0, high: x.shape[dim] - 1 };
  if (random.oneIn(2)) {
    const places = graph.input(
      x.shape.map((size) => random.integer(1, size)),
      'int64',
      range,
    );
    const bounds = hull(x, { low: 2, high: 2, error: 0 });
    const call = callOf(random.pick(['torch.scatter', '.scatter']), [ref(x), dim, ref(places), 2]);
    return graph.add(call, [x], x.shape, 'float32', bounds);
  }
  const count = random.integer(1, 4);
  const places = graph.input([count], 'int64', range);
  const shape = x.shape.map((size, i) => (i === dim ? count : size));
  const source = graph.input(shape, 'float32', UNIT);
  const size = magnitude(x) + count;
  const error = x.error + ROUNDING * count * size;
  const call = callOf('torch.index_add', [ref(x), dim, ref(places), ref(source)]);
  return graph.add(call, [x], x.shape, 'float32', { low: -size, high: size, error });
}

/** Transposed convolutions and nearest resizing of images. @param {Graph} graph */
export function resized(graph) {
  const { random } = graph;
  const x = graph.some((v) => isFloat(v) && v.shape.length === 4);
  if (!x) return null;
  const [batch, channels, height, width] = x.shape;
  if (random.oneIn(2)) {
    const factor = random.integer(2, 3);
    const kwargs = { scale_factor: factor, mode: 'nearest' };
    const call = callOf('torch.nn.functional.interpolate', [ref(x)], kwargs);
    return graph.add(
      call,
      [x],
      [batch, channels, height * factor, width * factor],
      'float32',
      hull(x),
    );
  }
  const outer = random.integer(1, 3);
  const [kernel, stride, padding] = [random.integer(1, 3), random.integer(1, 2), 0];
  const sizes = [height, width].map((size) => (size - 1) * stride + kernel);
  const count = channels * kernel * kernel;
  const size = count * magnitude(x) + 1;
  const error = count * x.error + ROUNDING * (count + 1) * size;
  const attrs = {
    in_channels: channels,
    out_channels: outer,
    kernel_size: [kernel, kernel],
    stride: [stride, stride],
    padding: [padding, padding],
    output_padding: [0, 0],
    groups: 1,
    dilation: [1, 1],
    padding_mode: 'zeros',
  };
  const weight = graph.weight([channels, outer, kernel, kernel]);
  const tensors = { weight, bias: graph.weight([outer]) };
  const bounds = { low: -size, high: size, error };
  return graph.addModule('ConvTranspose2d', attrs, tensors, x, [batch, outer, ...sizes], bounds);
}

/** one_hot of new classes. @param {Graph} graph */
export function oneHot(graph) {
  const classes = graph.random.integer(1, 5);
  const shape = graph.randomShape(graph.random.integer(0, 2));
  const x = graph.input(shape, 'int64', { low: 0, high: classes - 1 });
  const call = callOf('torch.nn.functional.one_hot', [ref(x), classes]);
  return graph.add(call, [x], [...shape, classes], 'int64', { low: 0, high: 1, error: 0 });
}
