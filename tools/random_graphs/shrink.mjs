// Makes a failing graph small: while the same way of running it still fails, one output is kept,
// nodes become inputs, and what nothing reads is dropped.
import { randomTensor } from './graph.mjs';
import { disagreement, outputNames } from './compare.mjs';

/** @typedef {import('./graph.mjs').Graph} Graph */

/** @param {any} argument @returns {string[]} */
function namesIn(argument) {
  return [...JSON.stringify(argument ?? null).matchAll(/"node":"(\w+)"/g)].map((match) => match[1]);
}

/** A copy with other nodes. @param {Graph} graph @param {Graph['nodes']} nodes @param {any} result
 * @returns {Graph} */
function withNodes(graph, nodes, result) {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(graph)), graph, { nodes, result });
  const kept = new Set(nodes.map(({ name }) => name));
  const placeholders = nodes.filter(({ op }) => op === 'placeholder').map(({ name }) => name);
  copy.inputs = new Map(placeholders.map((name) => [name, graph.inputs.get(name)]));
  copy.values = new Map([...graph.values].filter(([name]) => kept.has(name)));
  const layers = new Set(
    nodes.filter(({ op }) => op === 'call_module').map(({ target }) => target),
  );
  copy.modules = Object.fromEntries(
    Object.entries(graph.modules).filter(([name]) => layers.has(name)),
  );
  copy.weights = new Map([...graph.weights].filter(([name]) => layers.has(name.split('.')[0])));
  return copy;
}

/** Without one node that nothing reads (a write in place counts as such, too). @param {Graph} graph
 * @param {number} at @returns {Graph | null} */
function without(graph, at) {
  const { name } = graph.nodes[at];
  const readers = graph.nodes.flatMap(({ args, kwargs }) => namesIn([args, kwargs]));
  if (readers.includes(name) || outputNames(graph.result).includes(name)) return null;
  return withNodes(
    graph,
    graph.nodes.filter((_, i) => i !== at),
    graph.result,
  );
}

/** With an input in place of a node. @param {Graph} graph @param {number} at
 * @returns {Graph | null} */
function asInput(graph, at) {
  const node = graph.nodes[at];
  const value = graph.values.get(node.name);
  if (node.op === 'placeholder' || !value) return null;
  const { shape, dtype } = value;
  const placeholder = {
    op: 'placeholder',
    name: node.name,
    target: node.name,
    args: [],
    meta: { shape, dtype },
  };
  const copy = withNodes(
    graph,
    graph.nodes.map((n, i) => (i === at ? placeholder : n)),
    graph.result,
  );
  const whole = { ...value, low: Math.ceil(value.low), high: Math.floor(value.high) };
  const bounds = dtype === 'int64' ? whole : value;
  copy.inputs = new Map([...copy.inputs]).set(
    node.name,
    randomTensor(graph.random, shape, dtype, bounds, value.special),
  );
  return copy;
}

/** @param {Graph} graph a failing one @param {string} why
 * @param {import('./compare.mjs').Ask} [ask]
 * @returns {Promise<{graph: Graph, why: string}>} */
export async function shrink(graph, why, ask) {
  const way = why.slice(0, why.indexOf(':'));
  /** @param {Graph | null} candidate */
  async function accept(candidate) {
    if (!candidate) return false;
    const found = await disagreement(candidate, ask);
    if (!found?.startsWith(`${way}:`)) return false;
    graph = candidate;
    why = found;
    return true;
  }
  for (const name of outputNames(graph.result)) {
    if (await accept(withNodes(graph, graph.nodes, { node: name }))) break;
  }
  for (let changed = true; changed;) {
    changed = false;
    for (let at = graph.nodes.length - 1; at >= 0; --at) {
      if (await accept(without(graph, at))) changed = true;
      else if (await accept(asInput(graph, at))) changed = true;
    }
  }
  return { graph, why };
}
