#!/usr/bin/env node
// Runs a compiled module in Node:
//   node cli.mjs M.wasm --inputs I.safetensors --outputs O.safetensors
//                [--weights W.safetensors] [--library library.wasm]
// library.wasm is looked for beside M.wasm. Exit status 1 when what was given is at fault.
import { readFileSync, writeFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import v8 from 'node:v8';
import { Fx2wasmError, load, readInfo } from './index.mjs';
import { readSafetensors, writeSafetensors } from './safetensors.mjs';

// Node 20 has relaxed SIMD behind this flag; later versions know the flag still.
v8.setFlagsFromString('--experimental-wasm-relaxed-simd');

const USAGE =
  'usage: node cli.mjs M.wasm --inputs I.safetensors --outputs O.safetensors ' +
  '[--weights W.safetensors] [--library library.wasm]';

class InputError extends Error {}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new InputError(`${file}: error: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {string} file */
function readTensors(file) {
  const bytes = read(file);
  try {
    return readSafetensors(bytes);
  } catch (error) {
    throw new InputError(`${file}: error: ${/** @type {Error} */ (error).message}`);
  }
}

function options() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        inputs: { type: 'string' },
        outputs: { type: 'string' },
        weights: { type: 'string' },
        library: { type: 'string' },
      },
    });
    if (positionals.length !== 1 || !values.inputs || !values.outputs) throw new Error(USAGE);
    const { inputs, outputs, weights, library } = values;
    return { file: positionals[0], inputs, outputs, weights, library };
  } catch (error) {
    throw new InputError(/** @type {Error} */ (error).message);
  }
}

/** @param {string} file */
async function compile(file) {
  const bytes = read(file);
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw new InputError(`${file}: error: ${/** @type {Error} */ (error).message}`);
  }
}

async function main() {
  const { file, inputs, outputs, weights, library } = options();
  const module = await compile(file);
  const info = readInfo(module);
  const libraryFile = library ?? join(dirname(file), 'library.wasm');
  const hasLibrary = info.needsLibrary && (library !== undefined || existsSync(libraryFile));
  const model = await load(module, {
    library: hasLibrary ? read(libraryFile) : undefined,
    weights: weights === undefined ? undefined : read(weights),
  });
  const given = readTensors(inputs);
  const tensors = model.inputs.map((input) => {
    const tensor = given.get(input.key);
    if (!tensor) throw new InputError(`${inputs}: error: there is no tensor ${input.key}`);
    return tensor;
  });
  if (model.symbols.length > 0) model.plan(tensors.map(({ shape }) => shape));
  const arrays = model.inputs.map((input, index) => {
    const tensor = tensors[index];
    const same = tensor.dtype === input.dtype &&
      tensor.shape.length === input.shape.length &&
      tensor.shape.every((extent, i) => extent === input.shape[i]);
    if (!same) {
      throw new InputError(
        `${inputs}: error: ${input.key} (${input.name}) must be ${input.dtype} ` +
          `[${input.shape}], and is ${tensor.dtype} [${tensor.shape}]`);
    }
    return tensor.data;
  });
  const results = model.run(arrays);
  const stored = new Map(
    model.outputs.map(({ key, dtype, shape }, i) => [key, { dtype, shape, data: results[i] }]));
  writeFileSync(outputs, writeSafetensors(stored));
}

try {
  await main();
} catch (error) {
  const expected = error instanceof InputError || error instanceof Fx2wasmError;
  process.stderr.write(`${expected ? error.message : /** @type {Error} */ (error).stack}\n`);
  process.exitCode = expected ? 1 : 70;
}
