// Calls the native tool.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from './cases.mjs';

const tool = process.env.FX2WASM ?? path.join(root, 'build', 'release', 'fx2wasm');

export function requireTool() {
  if (!existsSync(tool)) throw new Error('build/release/fx2wasm is missing: `./run build` first');
}

/** @returns {{status: number, out: string, err: string}} */
export function fx2wasm(...args) {
  const done = spawnSync(tool, args, { encoding: 'utf8', maxBuffer: 1 << 28, timeout: 120000 });
  return { status: done.status ?? -1, out: done.stdout, err: done.stderr };
}

/** The tool's standard output; throws with its first message when it fails. */
export function fx2wasmText(...args) {
  const { status, out, err } = fx2wasm(...args);
  if (status !== 0) throw new Error(err.split('\n')[0] || `exit status ${status}`);
  return out;
}

export function version() {
  return execFileSync(tool, ['version'], { encoding: 'utf8' }).trim();
}
