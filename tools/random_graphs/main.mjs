// Builds the graphs that the seeds stand for, runs each by the interpreter (Relax and
// emit_te) and as WebAssembly in every variant, and prints the graphs whose answers differ.
//   node tools/random_graphs/main.mjs [--count 300] [--seed 1] [--shrink] [--print]
//     [--torch PYTHON]
// A graph has its own seed: `--seed 217 --count 1` builds the 217th again; `--print` only shows it.
// With --torch, PyTorch in that Python is asked, too.
import { parseArgs } from 'node:util';
import { requireTool } from '../conformance/tool.mjs';
import { buildGraph } from './build.mjs';
import { disagreement } from './compare.mjs';
import { startEager } from './eager.mjs';
import { shrink } from './shrink.mjs';

const AT_ONCE = 2;

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    shrink: { type: 'boolean', default: false },
    print: { type: 'boolean', default: false },
    torch: { type: 'string' },
  },
});

/** @param {import('./graph.mjs').Graph} graph */
function show(graph) {
  const { nodes, modules } = /** @type {any} */ (graph.toJson());
  for (const node of nodes) console.log(`  ${JSON.stringify(node)},`);
  if (Object.keys(modules).length) console.log(`  modules: ${JSON.stringify(modules)}`);
}

const first = Number(options.seed);
const last = first + Number(options.count) - 1;
if (!Number.isInteger(first) || !Number.isInteger(last))
  throw new Error('--seed and --count are integers');
if (!options.print) requireTool();
const eager = options.torch ? startEager(options.torch) : undefined;
let next = first;
let failures = 0;
let refused = 0;

async function work() {
  while (next <= last) {
    const seed = next++;
    let graph = buildGraph(seed);
    let why = options.print ? null : await disagreement(graph, eager?.ask);
    if (options.print) show(graph);
    if (graph.refused) ++refused;
    if (why === null) continue;
    if (options.shrink) ({ graph, why } = await shrink(graph, why, eager?.ask));
    ++failures;
    console.log(`seed ${seed}: ${why}`);
    show(graph);
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, work));
eager?.close();
if (!options.print)
  console.log(
    `${last - first + 1} graphs from seed ${first}: ${failures} differ, ${refused} refused`,
  );
process.exitCode = failures ? 1 : 0;
