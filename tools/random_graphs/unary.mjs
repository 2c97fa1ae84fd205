// Functions of one tensor, element by element.
import { FUNCTION_ERROR, callOf, magnitude, ref } from './graph.mjs';

/** @typedef {import('./graph.mjs').Graph} Graph */
/** @typedef {import('./graph.mjs').Bounds} Bounds */
/** A function: its names, what it does to an interval, its steepest slope there, and where it may
 * be used. `exact`: computed without any rounding.
 * @typedef {{names: string[], of: (x: number) => number, extra?: number[],
 *   slope: (b: Bounds) => number, domain?: (b: Bounds) => boolean, exact?: boolean}} Unary */

const one = () => 1;
const logistic = (/** @type {number} */ x) => 1 / (1 + Math.exp(-x));
const F = 'torch.nn.functional.';

/** `extra` are values in between that a bound of the result must hold, too.
 * @type {Unary[]} */
const UNARY = [
  { names: ['torch.neg', '.neg', 'operator.neg'], of: (x) => -x, slope: one, exact: true },
  { names: ['torch.abs', '.abs'], of: Math.abs, extra: [0], slope: one, exact: true },
  {
    names: ['torch.relu', '.relu', `${F}relu`],
    of: (x) => Math.max(x, 0),
    slope: one,
    exact: true,
  },
  { names: [`${F}relu6`], of: (x) => Math.min(6, Math.max(x, 0)), slope: one, exact: true },
  { names: [`${F}hardtanh`], of: (x) => Math.min(1, Math.max(x, -1)), slope: one, exact: true },
  { names: ['torch.exp', '.exp'], of: Math.exp, slope: (b) => Math.exp(b.high) },
  { names: ['torch.expm1', '.expm1'], of: Math.expm1, slope: (b) => Math.exp(b.high) },
  { names: ['torch.tanh', '.tanh', `${F}tanh`], of: Math.tanh, slope: one },
  { names: ['torch.sigmoid', '.sigmoid', `${F}sigmoid`], of: logistic, slope: one },
  { names: ['torch.sin', '.sin'], of: () => 0, extra: [-1, 1], slope: one },
  { names: ['torch.cos', '.cos'], of: () => 0, extra: [-1, 1], slope: one },
  { names: ['torch.atan', '.atan'], of: Math.atan, slope: one },
  { names: ['torch.asinh', '.asinh'], of: Math.asinh, slope: one },
  { names: ['torch.erf', '.erf'], of: () => 0, extra: [-1, 1], slope: () => 1.2 },
  { names: [`${F}gelu`], of: (x) => (x > 0 ? x : 0), extra: [-0.2], slope: () => 1.2 },
  { names: [`${F}silu`], of: (x) => x * logistic(x), extra: [-0.3], slope: () => 1.2 },
  { names: [`${F}mish`], of: (x) => (x > 0 ? x : 0), extra: [-0.4], slope: () => 1.2 },
  { names: [`${F}elu`], of: (x) => (x > 0 ? x : Math.expm1(x)), slope: one },
  { names: [`${F}leaky_relu`], of: (x) => (x > 0 ? x : 0.01 * x), slope: one },
  { names: [`${F}hardswish`], of: (x) => (x > 0 ? x : 0), extra: [-0.4], slope: () => 1.5 },
  { names: [`${F}hardsigmoid`], of: (x) => Math.min(1, Math.max(0, x / 6 + 0.5)), slope: one },
  {
    names: [`${F}softplus`],
    of: (x) => Math.log1p(Math.exp(-Math.abs(x))) + Math.max(x, 0),
    slope: one,
  },
  { names: [`${F}softsign`], of: (x) => x / (1 + Math.abs(x)), slope: one },
  {
    names: ['torch.square', '.square'],
    of: (x) => x * x,
    extra: [0],
    slope: (b) => 2 * magnitude(b),
  },
  {
    names: ['torch.sqrt', '.sqrt'],
    of: Math.sqrt,
    slope: (b) => 0.5 / Math.sqrt(b.low),
    domain: (b) => b.low >= 0.1,
  },
  {
    names: ['torch.rsqrt', '.rsqrt'],
    of: (x) => 1 / Math.sqrt(x),
    slope: (b) => b.low ** -1.5,
    domain: (b) => b.low >= 0.1,
  },
  {
    names: ['torch.log', '.log'],
    of: Math.log,
    slope: (b) => 1 / b.low,
    domain: (b) => b.low >= 0.1,
  },
  {
    names: ['torch.log1p', '.log1p'],
    of: Math.log1p,
    slope: (b) => 1 / (1 + b.low),
    domain: (b) => b.low >= -0.5,
  },
  {
    names: ['torch.reciprocal', '.reciprocal'],
    of: (x) => 1 / x,
    slope: (b) => b.low ** -2,
    domain: (b) => b.low >= 0.1,
  },
  {
    names: ['torch.floor', '.floor'],
    of: Math.floor,
    slope: one,
    domain: (b) => b.error === 0,
    exact: true,
  },
  {
    names: ['torch.ceil', '.ceil'],
    of: Math.ceil,
    slope: one,
    domain: (b) => b.error === 0,
    exact: true,
  },
  {
    names: ['torch.trunc', '.trunc'],
    of: Math.trunc,
    slope: one,
    domain: (b) => b.error === 0,
    exact: true,
  },
  {
    names: ['torch.round', '.round'],
    of: Math.round,
    slope: one,
    domain: (b) => b.error === 0,
    exact: true,
  },
  {
    names: ['torch.sign', '.sign'],
    of: Math.sign,
    slope: one,
    domain: (b) => b.error === 0,
    exact: true,
  },
];
// These stay integers on integers.
const INTEGER_UNARY = new Set(['neg', 'abs', 'relu', 'square', 'sign']);

/** @param {Graph} graph */
export function unary(graph) {
  const rule = graph.random.pick(UNARY);
  const name = graph.random.pick(rule.names);
  const stays = INTEGER_UNARY.has(name.slice(name.lastIndexOf('.') + 1));
  const domain = rule.domain ?? (() => true);
  // PyTorch's gelu of an infinity is NaN or not, by the tensor's size.
  const noSpecials = name.endsWith('gelu');
  const fits = (/** @type {import('./graph.mjs').Value} */ v) =>
    (v.dtype === 'float32' || (v.dtype === 'int64' && stays)) &&
    domain(v) &&
    !(noSpecials && v.special);
  const x = graph.some(fits) ?? graph.input(graph.randomShape(), 'float32', { low: 0.5, high: 4 });
  const ends = [rule.of(x.low), rule.of(x.high), ...(rule.extra ?? [])];
  const bounds = { low: Math.min(...ends), high: Math.max(...ends), error: 0 };
  const rounding = rule.exact ? 0 : FUNCTION_ERROR * Math.max(magnitude(bounds), 1e-2);
  bounds.error = x.error * rule.slope(x) + rounding;
  return graph.add(callOf(name, [ref(x)]), [x], x.shape, x.dtype, bounds);
}
