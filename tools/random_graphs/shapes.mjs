// Kinds of nodes that move elements: views, parts, joins, and indices.
import { callOf, countOf, hull, ref } from './graph.mjs';
import { promoted } from './elementwise.mjs';

/** @typedef {import('./graph.mjs').Graph} Graph */
/** @typedef {import('./graph.mjs').Value} Value */
/** @typedef {import('./graph.mjs').DType} DType */

/** The dimension as it can also be written: from the end. @param {Graph} graph
 * @param {number} dim @param {number} rank */
export const written = (graph, dim, rank) => (graph.random.oneIn(3) ? dim - rank : dim);

/** A call whose result shares x's elements. @param {Graph} graph @param {Value} x
 * @param {ReturnType<typeof callOf>} call @param {number[]} shape @param {boolean} [writable] */
function view(graph, x, call, shape, writable = x.writable) {
  return graph.add(call, [x], shape, x.dtype, hull(x), { storage: x.storage, writable });
}

/** Sizes with this product. @param {Graph} graph @param {number} count */
function factors(graph, count) {
  const sizes = [];
  for (let rest = count; rest > 1;) {
    const divisors = [];
    for (let d = 2; d <= rest; ++d) if (rest % d === 0) divisors.push(d);
    const size = graph.random.pick(divisors);
    sizes.push(size);
    rest /= size;
  }
  while (sizes.length > 4)
    sizes.push(/** @type {number} */ (sizes.pop()) * /** @type {number} */ (sizes.pop()));
  if (graph.random.oneIn(3) && sizes.length < 4)
    sizes.splice(graph.random.integer(0, sizes.length), 0, 1);
  return sizes;
}

/** @param {Graph} graph */
export function reshape(graph) {
  const { random } = graph;
  const x = graph.some(({ shape }) => shape.length > 0);
  if (!x) return null;
  if (random.oneIn(4)) {
    const shape = [countOf(x.shape)];
    return view(graph, x, callOf(random.pick(['.flatten', 'torch.flatten']), [ref(x)]), shape);
  }
  const shape = factors(graph, countOf(x.shape));
  const sizes = [...shape];
  if (sizes.length && random.oneIn(3)) sizes[random.integer(0, sizes.length - 1)] = -1;
  const call = random.oneIn(2)
    ? callOf('torch.reshape', [ref(x), sizes])
    : callOf('.reshape', [ref(x), ...(sizes.length ? sizes : [[]])]);
  return view(graph, x, call, shape);
}

/** @param {Graph} graph */
export function permute(graph) {
  const { random } = graph;
  const x = graph.some(({ shape }) => shape.length > 1);
  if (!x) return null;
  const rank = x.shape.length;
  const order = random.shuffled(x.shape.map((_, i) => i));
  if (random.oneIn(2)) {
    const [a, b] = order;
    const shape = [...x.shape];
    [shape[a], shape[b]] = [shape[b], shape[a]];
    const name = random.pick(['torch.transpose', '.transpose']);
    return view(graph, x, callOf(name, [ref(x), written(graph, a, rank), b]), shape);
  }
  const shape = order.map((dim) => x.shape[dim]);
  const call = random.oneIn(2)
    ? callOf('torch.permute', [ref(x), order])
    : callOf('.permute', [ref(x), ...order]);
  return view(graph, x, call, shape);
}

/** @param {Graph} graph */
export function units(graph) {
  const { random } = graph;
  const x = graph.some();
  if (!x) return null;
  const rank = x.shape.length;
  const dim = random.integer(0, rank);
  if (random.oneIn(2) || x.shape[dim] !== 1) {
    if (rank > 3) return null;
    const shape = [...x.shape.slice(0, dim), 1, ...x.shape.slice(dim)];
    const name = random.pick(['torch.unsqueeze', '.unsqueeze']);
    return view(graph, x, callOf(name, [ref(x), written(graph, dim, rank + 1)]), shape);
  }
  const shape = x.shape.filter((_, i) => i !== dim);
  return view(graph, x, callOf(random.pick(['torch.squeeze', '.squeeze']), [ref(x), dim]), shape);
}

/** @param {Graph} graph */
export function expand(graph) {
  const x = graph.some(({ shape }) => shape.length < 4);
  if (!x) return null;
  const shape = x.shape.map((size) => (size === 1 ? graph.random.integer(1, 4) : size));
  if (graph.random.oneIn(2)) shape.unshift(graph.random.integer(1, 3));
  if (!shape.length) return null;
  return view(graph, x, callOf('.expand', [ref(x), ...shape]), shape, false);
}

/** x[…] with integers, slices, None and an ellipsis. @param {Graph} graph */
export function getItem(graph) {
  const { random } = graph;
  const x = graph.some(({ shape }) => shape.length > 0);
  if (!x) return null;
  /** @type {any[]} */
  const key = [];
  const shape = [];
  const stop = random.integer(1, x.shape.length);
  for (const size of x.shape.slice(0, stop)) {
    if (random.oneIn(8) && shape.length < 3) {
      key.push(null);
      shape.push(1);
    }
    if (random.oneIn(3)) {
      key.push(random.integer(-size, size - 1));
      continue;
    }
    const start = random.integer(0, size - 1);
    const end = random.integer(start + 1, size);
    const step = random.pick([1, 1, 1, 2, 3]);
    key.push({
      slice: [
        random.oneIn(3) && start === 0 ? null : start,
        end === size && random.oneIn(2) ? null : end,
        step === 1 ? null : step,
      ],
    });
    shape.push(Math.ceil((end - start) / step));
  }
  if (random.oneIn(4)) key.push({ ellipsis: true });
  shape.push(...x.shape.slice(stop));
  if (shape.length > 4) return null;
  return view(
    graph,
    x,
    callOf('operator.getitem', [ref(x), key.length === 1 ? key[0] : key]),
    shape,
  );
}

/** cat or stack. @param {Graph} graph */
export function join(graph) {
  const { random } = graph;
  const x = graph.some();
  if (!x) return null;
  const stack = random.oneIn(2) || !x.shape.length;
  const rank = x.shape.length;
  if (stack && rank > 3) return null;
  const dim = random.integer(0, stack ? rank : rank - 1);
  const parts = [x];
  for (let i = random.integer(1, 2); i > 0; --i) {
    const fits = (/** @type {Value} */ v) =>
      v.shape.length === rank &&
      v.shape.every((size, axis) => size === x.shape[axis] || (!stack && axis === dim));
    const shape = [...x.shape];
    if (!stack && random.oneIn(2)) shape[dim] = random.integer(1, 5);
    parts.push((random.oneIn(2) ? graph.some(fits) : null) ?? graph.input(shape, x.dtype));
  }
  const shape = stack
    ? [...x.shape.slice(0, dim), parts.length, ...x.shape.slice(dim)]
    : [...x.shape];
  if (!stack) shape[dim] = parts.reduce((sum, part) => sum + part.shape[dim], 0);
  const dtype = parts.map((part) => part.dtype).reduce(promoted);
  const at = written(graph, dim, shape.length);
  const args = [random.shuffled(parts).map(ref)];
  const call = random.oneIn(2)
    ? callOf(stack ? 'torch.stack' : 'torch.cat', [...args, at])
    : callOf(stack ? 'torch.stack' : 'torch.cat', args, { dim: at });
  return graph.add(call, parts, shape, dtype, hull(...parts));
}

/** split, chunk or unbind, and one of its parts. @param {Graph} graph */
export function split(graph) {
  const { random } = graph;
  const x = graph.some(({ shape }) => shape.some((size) => size > 1));
  if (!x) return null;
  const dim = random.pick(x.shape.map((_, i) => i).filter((i) => x.shape[i] > 1));
  const size = x.shape[dim];
  const kind = random.pick(['split', 'sizes', 'chunk', 'unbind']);
  /** @type {number[]} */
  const sizes = [];
  let argument = /** @type {any} */ (null);
  if (kind === 'sizes') {
    sizes.push(random.integer(1, size - 1));
    sizes.push(size - sizes[0]);
    argument = sizes;
  } else {
    const part =
      kind === 'chunk' ? Math.ceil(size / random.integer(2, 3)) : random.integer(1, size);
    if (kind === 'chunk') argument = Math.ceil(size / part);
    else argument = part;
    for (let rest = size; rest > 0; rest -= part) sizes.push(Math.min(part, rest));
  }
  // chunk(n) can give fewer parts of another size: only what divides as counted above.
  if (kind === 'chunk' && Math.ceil(size / argument) !== sizes[0]) return null;
  const target = {
    split: 'torch.split',
    sizes: '.split',
    chunk: 'torch.chunk',
    unbind: 'torch.unbind',
  };
  const args =
    kind === 'unbind' ? [ref(x), dim] : [ref(x), argument, written(graph, dim, x.shape.length)];
  const tuple = graph.append(callOf(target[/** @type {'split'} */ (kind)], args));
  const index = random.integer(0, (kind === 'unbind' ? size : sizes.length) - 1);
  const shape = kind === 'unbind' ? x.shape.filter((_, i) => i !== dim) : [...x.shape];
  if (kind !== 'unbind') shape[dim] = sizes[index];
  return view(graph, x, callOf('operator.getitem', [{ node: tuple }, index]), shape);
}

/** repeat, flip, roll, tril and the like: new tensors with moved elements. @param {Graph} graph */
export function rearrange(graph) {
  const { random } = graph;
  const x = graph.some(({ shape }) => shape.length > 0);
  if (!x) return null;
  const rank = x.shape.length;
  const dim = random.integer(0, rank - 1);
  const copy = (/** @type {any} */ call, /** @type {number[]} */ shape, filled = false) =>
    graph.add(call, [x], shape, x.dtype, filled ? hull(x, { low: 0, high: 0, error: 0 }) : hull(x));
  switch (random.integer(0, 5)) {
    case 0: {
      const repeats = x.shape.map(() => random.integer(1, 2));
      return copy(
        callOf('.repeat', [ref(x), ...repeats]),
        x.shape.map((size, i) => size * repeats[i]),
      );
    }
    case 1:
      return copy(callOf('torch.flip', [ref(x), [written(graph, dim, rank)]]), x.shape);
    case 2:
      return copy(callOf('torch.roll', [ref(x), random.integer(-3, 3), dim]), x.shape);
    case 3:
      return copy(callOf('.clone', [ref(x)]), x.shape);
    case 4: {
      if (rank < 2) return null;
      const name = random.pick(['torch.tril', 'torch.triu', '.tril']);
      return copy(callOf(name, [ref(x), random.integer(-1, 1)]), x.shape, true);
    }
    default: {
      const [before, after] = [random.integer(0, 2), random.integer(0, 2)];
      const shape = [...x.shape];
      shape[rank - 1] += before + after;
      if (x.dtype === 'bool') return null;
      return copy(callOf('torch.nn.functional.pad', [ref(x), [before, after]]), shape, true);
    }
  }
}

/** index_select, gather, and an index tensor in brackets. @param {Graph} graph */
export function index(graph) {
  const { random } = graph;
  const x = graph.some(({ shape }) => shape.length > 0);
  if (!x) return null;
  const rank = x.shape.length;
  const dim = random.integer(0, rank - 1);
  const range = { low: 0, high: x.shape[dim] - 1 };
  const shape = [...x.shape];
  if (random.oneIn(3)) {
    shape[dim] = random.integer(1, 5);
    const places = graph.input(shape, 'int64', range);
    const call = callOf('torch.gather', [ref(x), written(graph, dim, rank), ref(places)]);
    return graph.add(call, [x], shape, x.dtype, hull(x));
  }
  const count = random.integer(1, 5);
  if (random.oneIn(2)) {
    const places = graph.input([count], 'int64', range);
    shape[dim] = count;
    const call = callOf(random.pick(['torch.index_select', '.index_select']), [
      ref(x),
      dim,
      ref(places),
    ]);
    return graph.add(call, [x], shape, x.dtype, hull(x));
  }
  const places = graph.input([count], 'int64', { low: -x.shape[0], high: x.shape[0] - 1 });
  shape[0] = count;
  return graph.add(callOf('operator.getitem', [ref(x), ref(places)]), [x], shape, x.dtype, hull(x));
}
