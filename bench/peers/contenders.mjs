// Who runs: fx2wasm's variants, each compiled by the command-line tool, and the peers.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Every contender's `id` is its row's name; `adapter` its module in page/adapters. */
export const peers = [
  { id: 'onnxruntime-web', adapter: 'onnxruntime', package: 'onnxruntime-web' },
  { id: 'TensorFlow.js', adapter: 'tfjs', package: '@tensorflow/tfjs-backend-wasm' },
];

/** The nodes that a library kernel can take: the linear layers. */
const linearNodes = ({ ops }) => ops.filter(({ op }) => op === 'linear').map(({ name }) => name);

const variants = [
  { id: 'fx2wasm, relaxed SIMD', file: 'relaxed', flags: () => ['--simd', 'relaxed'] },
  { id: 'fx2wasm, SIMD128', file: 'simd128', flags: () => ['--simd', 'simd128'] },
  {
    id: 'fx2wasm, library dense',
    file: 'library',
    flags: (ops) => ['--simd', 'simd128', '--library', linearNodes(ops).join(',')],
  },
  {
    id: 'fx2wasm, schedule off',
    file: 'naive',
    flags: () => ['--simd', 'simd128', '--schedule', 'off'],
  },
];

/**
 * Compiles every variant of an example into `models`, beside its NAME.ops.json.
 * @returns the contenders, ours and the peers; one that does not compile has a `failure` instead
 */
export async function contendersFor(name, { root, models }) {
  const ops = JSON.parse(await readFile(join(models, `${name}.ops.json`), 'utf8'));
  const ours = [];
  for (const { id, file, flags } of variants) {
    const target = `${name}.${file}.wasm`;
    const args = [
      'compile', join(root, 'examples', name, `${name}.fx.json`), ...flags(ops),
      '-o', join(models, target),
    ];
    try {
      await run(join(root, 'build/release/fx2wasm'), args);
      ours.push({ id, adapter: 'fx2wasm', module: `/models/${target}` });
    } catch (error) {
      ours.push({ id, failure: error.stderr?.trim() || error.message });
    }
  }
  return [...ours, ...peers.map(({ id, adapter }) => ({ id, adapter }))];
}
