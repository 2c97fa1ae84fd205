// Kinds of nodes that work along dimensions: reductions, arguments of extremes, softmax, cumsum,
// sort and normalisations.
import { FUNCTION_ERROR, ROUNDING, callOf, hull, magnitude, ref } from './graph.mjs';
import { written } from './shapes.mjs';

/** @typedef {import('./graph.mjs').Graph} Graph */
/** @typedef {import('./graph.mjs').Value} Value */
/** @typedef {import('./graph.mjs').Bounds} Bounds */
/** @typedef {import('./graph.mjs').DType} DType */

/** Which dimensions, and whether they stay. @param {Graph} graph @param {Value} x
 * @param {boolean} several whether more than one (or all) is allowed */
function axes(graph, x, several) {
  const { random } = graph;
  const rank = x.shape.length;
  const all = several && (rank === 0 || random.oneIn(4));
  const count = several ? random.integer(1, rank) : 1;
  const dims = all
    ? x.shape.map((_, i) => i)
    : random.shuffled(x.shape.map((_, i) => i)).slice(0, count);
  const keep = !all && random.oneIn(2);
  const shape = x.shape
    .map((size, i) => (dims.includes(i) ? 1 : size))
    .filter((_, i) => keep || !dims.includes(i));
  const asWritten = dims.map((dim) => written(graph, dim, rank));
  const dim = !all && (!several || (count === 1 && random.oneIn(2))) ? asWritten[0] : asWritten;
  const length = dims.reduce((product, i) => product * x.shape[i], 1);
  return { all, dim, keep, shape, length };
}

/** @param {Graph} graph @param {string} name @param {Value} x
 * @param {{all: boolean, dim: number | number[], keep: boolean}} where */
function reductionCall(graph, name, x, { all, dim, keep }) {
  if (all) return callOf(name, [ref(x)]);
  if (graph.random.oneIn(2)) return callOf(name, [ref(x), dim, keep]);
  return callOf(name, [ref(x)], keep ? { dim, keepdim: true } : { dim });
}

/** sum, mean, amax, amin, prod, any, all. @param {Graph} graph */
export function reduction(graph) {
  const { random } = graph;
  const kind = random.pick(['sum', 'sum', 'mean', 'amax', 'amin', 'prod', 'any', 'all']);
  const x = graph.some(({ dtype, error }) =>
    kind === 'mean'
      ? dtype === 'float32'
      : /^a[nl][yl]$/.test(kind)
        ? dtype === 'bool'
        : kind !== 'amax' && kind !== 'amin'
          ? true
          : dtype !== 'bool' && error >= 0,
  );
  if (!x) return null;
  const where = axes(graph, x, kind !== 'prod');
  if (kind === 'prod' && !x.shape.length) return null;
  const { length, shape } = where;
  const size = magnitude(x);
  /** @type {Bounds} */
  let bounds = hull(x);
  let dtype = x.dtype;
  if (kind === 'sum' || kind === 'mean') {
    // Partial sums in any order: each of `length` additions rounds once.
    const rounding = ROUNDING * length * length * size;
    bounds = {
      low: Math.min(x.low * length, x.low),
      high: Math.max(x.high * length, x.high),
      error: length * x.error + rounding,
    };
    if (kind === 'mean') bounds = { ...hull(x), error: bounds.error / length + ROUNDING * size };
    if (dtype === 'bool') dtype = 'int64';
  } else if (kind === 'prod') {
    const most = Math.max(size, 1) ** length;
    bounds = {
      low: -most,
      high: most,
      error: length * Math.max(size, 1) ** (length - 1) * x.error + ROUNDING * length * most,
    };
    if (dtype === 'bool') dtype = 'int64';
  }
  const name = random.pick(['torch.', '.']) + kind;
  return graph.add(reductionCall(graph, name, x, where), [x], shape, dtype, bounds);
}

/** var and std. @param {Graph} graph */
export function variance(graph) {
  const x = graph.some(({ dtype, shape }) => dtype === 'float32' && shape.length > 0);
  if (!x) return null;
  const where = axes(graph, x, false);
  if (where.length < 2) return null;
  const size = Math.max(magnitude(x), 1);
  const most = 2 * size * size;
  const error = 4 * size * x.error + ROUNDING * where.length * 4 * most;
  const name = graph.random.pick(['torch.var', '.var']);
  return graph.add(
    reductionCall(graph, name, x, { ...where, keep: false }),
    [x],
    x.shape.filter((_, i) => i !== axisOf(where.dim, x)),
    'float32',
    { low: 0, high: most, error },
  );
}

/** @param {number | number[]} dim @param {Value} x */
function axisOf(dim, x) {
  const axis = Array.isArray(dim) ? dim[0] : dim;
  return axis < 0 ? axis + x.shape.length : axis;
}

/** max and min along a dimension (values or indices), argmax, sort, topk. @param {Graph} graph */
export function extreme(graph) {
  const { random } = graph;
  const fits = (/** @type {Value} */ v) =>
    v.shape.length > 0 && v.error === 0 && !v.special && v.dtype !== 'bool';
  const x = graph.some(fits);
  if (!x) return null;
  const dim = random.integer(0, x.shape.length - 1);
  const at = written(graph, dim, x.shape.length);
  const indices = { low: 0, high: x.shape[dim] - 1, error: 0 };
  const reduced = x.shape.filter((_, i) => i !== dim);
  const kind = random.pick(['max', 'min', 'argmax', 'argmin', 'sort', 'topk']);
  if (kind.startsWith('arg')) {
    const call = callOf(random.pick(['torch.', '.']) + kind, [ref(x), at]);
    return graph.add(call, [x], reduced, 'int64', indices);
  }
  // Which of several equal elements sort and topk name first, PyTorch leaves open: values only.
  const part = kind === 'max' || kind === 'min' ? random.integer(0, 1) : 0;
  const count = random.integer(1, x.shape[dim]);
  const args = kind === 'topk' ? [ref(x), count, at] : [ref(x), at];
  const tuple = graph.append(callOf(`torch.${kind}`, args));
  const shape = kind === 'sort' || kind === 'topk' ? [...x.shape] : reduced;
  if (kind === 'topk') shape[dim] = count;
  const call = callOf('operator.getitem', [{ node: tuple }, part]);
  return graph.add(call, [x], shape, part ? 'int64' : x.dtype, part ? indices : hull(x));
}

/** softmax, log_softmax, logsumexp and cumsum. @param {Graph} graph */
export function along(graph) {
  const { random } = graph;
  const x = graph.some(({ dtype, shape }) => dtype === 'float32' && shape.length > 0);
  if (!x) return null;
  const axis = random.integer(0, x.shape.length - 1);
  const dim = written(graph, axis, x.shape.length);
  const length = x.shape[axis];
  const spread = x.high - x.low + Math.log(length);
  switch (random.pick(['softmax', 'log_softmax', 'logsumexp', 'cumsum', 'Softmax'])) {
    case 'softmax': {
      const name = random.pick(['torch.softmax', 'torch.nn.functional.softmax', '.softmax']);
      return graph.add(callOf(name, [ref(x)], { dim }), [x], x.shape, 'float32', {
        low: 0,
        high: 1,
        error: 2 * x.error + FUNCTION_ERROR * (1 + magnitude(x) * 0.1),
      });
    }
    case 'Softmax':
      return graph.addModule('Softmax', { dim }, {}, x, x.shape, {
        low: 0,
        high: 1,
        error: 2 * x.error + FUNCTION_ERROR * (1 + magnitude(x) * 0.1),
      });
    case 'log_softmax':
      return graph.add(callOf('torch.log_softmax', [ref(x), dim]), [x], x.shape, 'float32', {
        low: -spread,
        high: 0,
        error: 2 * x.error + FUNCTION_ERROR * (1 + magnitude(x) + spread),
      });
    case 'logsumexp':
      return graph.add(
        callOf('torch.logsumexp', [ref(x), dim]),
        [x],
        x.shape.filter((_, i) => i !== axis),
        'float32',
        {
          low: x.low,
          high: x.high + Math.log(length),
          error: 2 * x.error + FUNCTION_ERROR * (1 + magnitude(x) + spread),
        },
      );
    default: {
      const size = length * magnitude(x);
      return graph.add(
        callOf(random.pick(['torch.cumsum', '.cumsum']), [ref(x), dim]),
        [x],
        x.shape,
        'float32',
        { low: -size, high: size, error: length * x.error + ROUNDING * length * size },
      );
    }
  }
}

/** Bounds after a normalisation over `count` elements: eps 1e-2 keeps the slope below 10 each way.
 * @param {Value} x @param {number} count @param {number} scale @returns {Bounds} */
function normalized(x, count, scale) {
  const size = Math.sqrt(count) * scale + 1;
  // 1/sqrt(variance + eps) ≤ 10; the variance's own error counts size² more.
  const error = 20 * size * (x.error + ROUNDING * count * Math.max(magnitude(x), 1));
  return { low: -size, high: size, error: error + FUNCTION_ERROR * size };
}

/** LayerNorm, BatchNorm, GroupNorm. @param {Graph} graph */
export function normalization(graph) {
  const { random } = graph;
  const x = graph.some((v) => v.dtype === 'float32' && v.shape.length >= 2 && magnitude(v) < 50);
  if (!x) return null;
  const rank = x.shape.length;
  const eps = 1e-2;
  const channels = x.shape[1];
  const kind = random.pick(['layer', 'layer', 'batch', 'group', 'function']);
  if (kind === 'layer' || kind === 'function') {
    const shape = x.shape.slice(random.integer(1, rank - 1));
    const count = shape.reduce((a, b) => a * b, 1);
    const bounds = normalized(x, count, 1);
    if (kind === 'function') {
      const call = callOf('torch.nn.functional.layer_norm', [ref(x), shape], { eps });
      return graph.add(call, [x], x.shape, 'float32', bounds);
    }
    const attrs = { normalized_shape: shape, eps, elementwise_affine: true };
    const tensors = { weight: graph.weight(shape), bias: graph.weight(shape) };
    return graph.addModule('LayerNorm', attrs, tensors, x, x.shape, bounds);
  }
  const pair = { weight: graph.weight([channels]), bias: graph.weight([channels]) };
  if (kind === 'group') {
    if (rank < 3) return null;
    const groups = channels % 2 === 0 && random.oneIn(2) ? 2 : 1;
    const count = x.shape.slice(1).reduce((a, b) => a * b, 1) / groups;
    // PyTorch refuses to normalise single values.
    if (count * x.shape[0] === 1) return null;
    const attrs = { num_groups: groups, num_channels: channels, eps, affine: true };
    return graph.addModule('GroupNorm', attrs, pair, x, x.shape, normalized(x, count, 1));
  }
  const type = rank === 4 ? 'BatchNorm2d' : 'BatchNorm1d';
  const attrs = {
    num_features: channels,
    eps,
    momentum: 0.1,
    affine: true,
    track_running_stats: true,
  };
  const running = {
    running_mean: graph.weight([channels]),
    running_var: graph.weight([channels], { low: 0.5, high: 2 }),
  };
  const size = 2 * (magnitude(x) + 1) + 1;
  const bounds = { low: -size, high: size, error: 2 * x.error + FUNCTION_ERROR * size };
  return graph.addModule(type, attrs, { ...pair, ...running }, x, x.shape, bounds);
}
