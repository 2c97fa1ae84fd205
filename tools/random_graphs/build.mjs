// Builds the graph that a seed stands for.
import { Graph, ref } from './graph.mjs';
import * as elementwise from './elementwise.mjs';
import * as layers from './layers.mjs';
import * as several from './several.mjs';
import * as reductions from './reductions.mjs';
import * as shapes from './shapes.mjs';
import { unary } from './unary.mjs';

/** @typedef {import('./graph.mjs').Value} Value */

/** How often each kind is tried. @type {[number, (graph: Graph) => Value | null][]} */
const KINDS = [
  [5, unary],
  [6, elementwise.binary],
  [2, elementwise.comparison],
  [1, elementwise.logic],
  [1, elementwise.integerOperator],
  [2, elementwise.cast],
  [2, elementwise.where],
  [1, elementwise.clamp],
  [1, elementwise.maskedFill],
  [2, elementwise.writeInPlace],
  [3, shapes.reshape],
  [3, shapes.permute],
  [2, shapes.units],
  [1, shapes.expand],
  [3, shapes.getItem],
  [2, shapes.join],
  [2, shapes.split],
  [2, shapes.rearrange],
  [2, shapes.index],
  [4, reductions.reduction],
  [1, reductions.variance],
  [2, reductions.extreme],
  [2, reductions.along],
  [2, reductions.normalization],
  [2, layers.matmul],
  [2, layers.linear],
  [2, layers.convolution],
  [2, layers.pool],
  [1, layers.embedding],
  [1, layers.attention],
  [2, several.threeOperands],
  [1, several.power],
  [1, several.writeTensor],
  [1, several.contraction],
  [1, several.scatter],
  [1, several.resized],
  [1, several.oneHot],
];
const DRAWN = KINDS.flatMap(([weight, kind]) => Array.from({ length: weight }, () => kind));

/** The output: one tensor, a tuple, a dict, or one in the other. @param {Graph} graph */
function chooseOutput(graph) {
  const { random } = graph;
  const all = [...graph.values.values()];
  const arguments_ = JSON.stringify(graph.nodes.map(({ args, kwargs }) => [args, kwargs]));
  const used = new Set([...arguments_.matchAll(/"node":"(\w+)"/g)].map((match) => match[1]));
  // What no node reads, at the end; and one in the middle.
  const ends = all.filter(({ name }) => !used.has(name) && !graph.inputs.has(name)).slice(-3);
  const chosen = [...(ends.length ? ends : all.slice(-1))];
  if (random.oneIn(3)) chosen.push(random.pick(all));
  const refs = [...new Set(chosen)].map(ref);
  if (refs.length === 1 && random.oneIn(2)) return refs[0];
  if (random.oneIn(4)) return { dict: Object.fromEntries(refs.map((r, i) => [`out${i}`, r])) };
  if (refs.length > 1 && random.oneIn(4)) return [refs[0], refs.slice(1)];
  return refs;
}

/** @param {number} seed @returns {Graph} */
export function buildGraph(seed) {
  const graph = new Graph(seed);
  const { random } = graph;
  graph.input(graph.randomShape(), 'float32');
  if (random.oneIn(2)) graph.input(graph.randomShape(), random.pick(['float32', 'int64', 'bool']));
  const wanted = random.integer(2, 12);
  for (let made = 0, tries = 0; made < wanted && tries < 100; ++tries) {
    if (random.pick(DRAWN)(graph)) ++made;
  }
  graph.result = chooseOutput(graph);
  return graph;
}
