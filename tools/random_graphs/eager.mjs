// Asks PyTorch (eager.py, in a Python of the caller's choice) for a graph's outputs.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./graph.mjs').Graph} Graph */
/** @typedef {import('./graph.mjs').Tensor} Tensor */

/** @type {Record<string, (bytes: ArrayBuffer) => Tensor['data']>} */
const ARRAYS = {
  float32: (bytes) => new Float32Array(bytes),
  int64: (bytes) => new BigInt64Array(bytes),
  bool: (bytes) => new Uint8Array(bytes),
};

/** @param {Tensor} tensor */
function encoded({ shape, dtype, data }) {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return { shape, dtype, data: bytes.toString('base64') };
}

/** @param {{shape: number[], dtype: Tensor['dtype'], data: string}} tensor @returns {Tensor} */
function decoded({ shape, dtype, data }) {
  const bytes = new Uint8Array(Buffer.from(data, 'base64')).buffer;
  return { shape, dtype, data: (ARRAYS[dtype] ?? ARRAYS.bool)(bytes) };
}

/** A function that answers with PyTorch's outputs. @param {string} python the interpreter
 * @returns {{ask: (graph: Graph) => Promise<Tensor[]>, close: () => void}} */
export function startEager(python) {
  const script = fileURLToPath(new URL('eager.py', import.meta.url));
  const child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  /** @type {{answer: (tensors: Tensor[]) => void, refuse: (error: Error) => void}[]} */
  const waiting = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { outputs, error } = JSON.parse(line);
    const first = waiting.shift();
    if (error) first?.refuse(new Error(error));
    else first?.answer(outputs.map(decoded));
  });
  child.on('exit', (code) => {
    for (const { refuse } of waiting) refuse(new Error(`${python} ended with ${code}`));
  });
  return {
    ask: (graph) =>
      new Promise((answer, refuse) => {
        waiting.push({ answer, refuse });
        const inputs = [...graph.inputs.values()].map(encoded);
        child.stdin.write(`${JSON.stringify({ graph: graph.toJson(), inputs })}\n`);
      }),
    close: () => child.stdin.end(),
  };
}
