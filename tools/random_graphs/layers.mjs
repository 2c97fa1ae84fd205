// Kinds of nodes that multiply and slide: matmul and its kin, linear, convolutions, pools and
// embeddings, with their weights in the graph.
import { ROUNDING, broadcast, callOf, hull, magnitude, randomTensor, ref } from './graph.mjs';

/** @typedef {import('./graph.mjs').Graph} Graph */
/** @typedef {import('./graph.mjs').Value} Value */
/** @typedef {import('./graph.mjs').Bounds} Bounds */

/** Bounds of sums of `count` products. @param {Bounds} a @param {Bounds} b @param {number} count
 * @returns {Bounds} */
function dotBounds(a, b, count) {
  const size = count * magnitude(a) * magnitude(b);
  const error = count * (a.error * magnitude(b) + b.error * magnitude(a));
  return { low: -size, high: size, error: error + ROUNDING * (count + 1) * size };
}

const WEIGHTS = { low: -1, high: 1, error: 0 };
/** @param {Bounds} bounds @returns {Bounds} with a bias added */
const withBias = ({ low, high, error }) => ({
  low: low - 1,
  high: high + 1,
  error: error + ROUNDING * (high + 1),
});

/** @param {Value} v */
const isFloat = (v) => v.dtype === 'float32';

/** matmul of any ranks, bmm, mm. @param {Graph} graph */
export function matmul(graph) {
  const { random } = graph;
  const x = graph.some((v) => isFloat(v) && v.shape.length > 0);
  if (!x) return null;
  const rank = x.shape.length;
  const inner = x.shape[rank - 1];
  const outer = random.pick([1, 2, 3, 4, 5, 8, 9]);
  /** @type {number[]} */
  let other = [inner, outer];
  if (random.oneIn(5)) other = [inner];
  else if (rank > 2 && random.oneIn(2))
    other = [...x.shape.slice(0, -2).map((n) => (random.oneIn(3) ? 1 : n)), inner, outer];
  else if (rank < 4 && random.oneIn(4)) other = [random.integer(1, 3), ...other];
  if (rank > 2 && other.length > 2 && other.length !== rank) return null;
  const same = (/** @type {Value} */ v) => isFloat(v) && `${v.shape}` === `${other}`;
  const y = graph.some(same) ?? graph.input(other, 'float32');
  const batch = broadcast(x.shape.slice(0, -2), other.slice(0, -2));
  if (!batch) return null;
  const shape = [
    ...batch,
    ...(rank > 1 ? [x.shape[rank - 2]] : []),
    ...(other.length > 1 ? [outer] : []),
  ];
  if (shape.length > 4) return null;
  const names = ['torch.matmul', '.matmul', 'operator.matmul'];
  if (rank === 2 && other.length === 2) names.push('torch.mm');
  if (rank === 3 && other.length === 3 && x.shape[0] === other[0]) names.push('torch.bmm');
  return graph.add(
    callOf(random.pick(names), [ref(x), ref(y)]),
    [x, y],
    shape,
    'float32',
    dotBounds(x, y, inner),
  );
}

/** nn.Linear, F.linear, addmm. @param {Graph} graph */
export function linear(graph) {
  const { random } = graph;
  const x = graph.some((v) => isFloat(v) && v.shape.length > 0);
  if (!x) return null;
  const inner = x.shape[x.shape.length - 1];
  const outer = random.pick([1, 2, 3, 4, 5, 7, 8, 16]);
  const shape = [...x.shape.slice(0, -1), outer];
  const bounds = withBias(dotBounds(x, WEIGHTS, inner));
  const kind = random.pick(['module', 'module', 'function', 'addmm']);
  if (kind === 'module') {
    const weight = graph.weight([outer, inner]);
    const bias = random.oneIn(4) ? null : graph.weight([outer]);
    return graph.addModule(
      'Linear',
      { in_features: inner, out_features: outer },
      bias ? { weight, bias } : { weight },
      x,
      shape,
      bounds,
    );
  }
  if (kind === 'function') {
    const weight = graph.input([outer, inner], 'float32', WEIGHTS);
    const bias = graph.input([outer], 'float32', WEIGHTS);
    const call = callOf('torch.nn.functional.linear', [ref(x), ref(weight), ref(bias)]);
    return graph.add(call, [x], shape, 'float32', bounds);
  }
  if (x.shape.length !== 2) return null;
  const weight = graph.input([inner, outer], 'float32', WEIGHTS);
  const bias = graph.input(
    random.pick([[outer], [x.shape[0], outer], [1, outer]]),
    'float32',
    WEIGHTS,
  );
  return graph.add(
    callOf('torch.addmm', [ref(bias), ref(x), ref(weight)]),
    [x],
    shape,
    'float32',
    bounds,
  );
}

/** An image (batch, channels, …) of `spatial` dimensions, existing or new. @param {Graph} graph
 * @param {number} spatial @param {number} least the smallest size @returns {Value} */
function image(graph, spatial, least) {
  const { random } = graph;
  const fits = (/** @type {Value} */ v) =>
    isFloat(v) && v.shape.length === spatial + 2 && v.shape.slice(2).every((size) => size >= least);
  const found = random.oneIn(3) ? null : graph.some(fits);
  const sizes = Array.from({ length: spatial }, () =>
    random.integer(Math.max(least, 3), spatial === 1 ? 17 : 9),
  );
  return (
    found ?? graph.input([random.integer(1, 2), random.pick([1, 2, 3, 4]), ...sizes], 'float32')
  );
}

/** Conv1d, Conv2d and their functions. @param {Graph} graph */
export function convolution(graph) {
  const { random } = graph;
  const spatial = random.integer(1, 2);
  const x = image(graph, spatial, 1);
  const each = (/** @type {() => number} */ f) => Array.from({ length: spatial }, f);
  const kernel = each(() => random.integer(1, 3));
  const stride = each(() => random.integer(1, 2));
  const padding = each(() => random.integer(0, 1));
  const dilation = each(() => (random.oneIn(4) ? 2 : 1));
  const channels = x.shape[1];
  const groups = random.pick([1, 1, channels]);
  const outer = groups * random.integer(1, 4);
  const sizes = x.shape
    .slice(2)
    .map(
      (size, i) =>
        Math.floor((size + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1) / stride[i]) + 1,
    );
  if (sizes.some((size) => size < 1)) return null;
  const count = (channels / groups) * kernel.reduce((a, b) => a * b, 1);
  const bounds = withBias(dotBounds(x, WEIGHTS, count));
  const shape = [x.shape[0], outer, ...sizes];
  const weightShape = [outer, channels / groups, ...kernel];
  if (random.oneIn(3)) {
    const weight = graph.input(weightShape, 'float32', WEIGHTS);
    const call = callOf(`torch.nn.functional.conv${spatial}d`, [ref(x), ref(weight)], {
      stride,
      padding,
      dilation,
      groups,
    });
    return graph.add(call, [x], shape, 'float32', bounds);
  }
  const attrs = {
    in_channels: channels,
    out_channels: outer,
    kernel_size: kernel,
    stride,
    padding,
    dilation,
    groups,
    padding_mode: 'zeros',
  };
  const tensors = { weight: graph.weight(weightShape), bias: graph.weight([outer]) };
  return graph.addModule(`Conv${spatial}d`, attrs, tensors, x, shape, bounds);
}

/** Pools: max, average, adaptive average. @param {Graph} graph */
export function pool(graph) {
  const { random } = graph;
  const spatial = random.integer(1, 2);
  const x = image(graph, spatial, 2);
  const kind = random.pick(['max', 'avg', 'adaptive', 'function']);
  if (kind === 'adaptive') {
    const sizes = x.shape.slice(2).map((size) => random.integer(1, Math.min(size, 4)));
    const bounds = { ...hull(x), error: x.error + ROUNDING * 300 * magnitude(x) };
    const call = callOf(`torch.nn.functional.adaptive_avg_pool${spatial}d`, [ref(x), sizes]);
    return graph.add(call, [x], [...x.shape.slice(0, 2), ...sizes], 'float32', bounds);
  }
  const kernel = random.integer(2, 3);
  const stride = random.integer(1, 3);
  const padding = random.integer(0, 1);
  const sizes = x.shape
    .slice(2)
    .map((size) => Math.floor((size + 2 * padding - kernel) / stride) + 1);
  if (sizes.some((size) => size < 1)) return null;
  const shape = [...x.shape.slice(0, 2), ...sizes];
  if (kind === 'avg') {
    const attrs = {
      kernel_size: kernel,
      stride,
      padding,
      ceil_mode: false,
      count_include_pad: random.oneIn(2),
      divisor_override: null,
    };
    const bounds = {
      ...hull(x, { low: 0, high: 0, error: 0 }),
      error: x.error + ROUNDING * 10 * magnitude(x),
    };
    return graph.addModule(`AvgPool${spatial}d`, attrs, {}, x, shape, bounds);
  }
  if (kind === 'max') {
    const attrs = {
      kernel_size: kernel,
      stride,
      padding,
      dilation: 1,
      return_indices: false,
      ceil_mode: false,
    };
    return graph.addModule(`MaxPool${spatial}d`, attrs, {}, x, shape, hull(x));
  }
  const call = callOf(`torch.nn.functional.max_pool${spatial}d`, [ref(x), kernel], {
    stride,
    padding,
  });
  return graph.add(call, [x], shape, 'float32', hull(x));
}

/** An embedding of new indices. @param {Graph} graph */
export function embedding(graph) {
  const { random } = graph;
  const rows = random.integer(2, 6);
  const width = random.pick([1, 3, 4, 8]);
  const places = graph.input(graph.randomShape(random.integer(0, 2)), 'int64', {
    low: 0,
    high: rows - 1,
  });
  const attrs = {
    num_embeddings: rows,
    embedding_dim: width,
    padding_idx: null,
    max_norm: null,
    norm_type: 2.5,
    scale_grad_by_freq: false,
    sparse: false,
  };
  const weight = randomTensor(random, [rows, width], 'float32', WEIGHTS, false);
  return graph.addModule('Embedding', attrs, { weight }, places, [...places.shape, width], WEIGHTS);
}

/** scaled_dot_product_attention of a tensor with new keys and values. @param {Graph} graph */
export function attention(graph) {
  // Of a row of scores that are all -inf, PyTorch's attention makes zeros: no special values.
  const fits = (/** @type {Value} */ v) => isFloat(v) && !v.special && v.shape.length === 4;
  const x = graph.some((v) => fits(v) && magnitude(v) <= 4 && v.error < 1e-5);
  if (!x) return null;
  const [batch, heads, , width] = x.shape;
  const keys = graph.random.integer(1, 6);
  const key = graph.input([batch, heads, keys, width], 'float32', WEIGHTS);
  const value = graph.input([batch, heads, keys, width], 'float32', WEIGHTS);
  const scores = dotBounds(x, key, width);
  const call = callOf('torch.nn.functional.scaled_dot_product_attention', [
    ref(x),
    ref(key),
    ref(value),
  ]);
  const error = 4 * scores.error + 1e-5;
  return graph.add(call, [x, key, value], x.shape, 'float32', { low: -1, high: 1, error });
}
