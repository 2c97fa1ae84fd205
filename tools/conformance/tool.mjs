// Calls the native tool.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { COMPILER } from '../../wasm-backend/tests/cases.mjs';

export function requireTool() {
  if (!existsSync(COMPILER)) throw new Error(`${COMPILER} is missing: \`./run build\` first`);
}

/** @returns {{status: number, out: string, err: string}} */
export function fx2wasm(...args) {
  const done = spawnSync(COMPILER, args, { encoding: 'utf8', maxBuffer: 1 << 28, timeout: 120000 });
  return { status: done.status ?? -1, out: done.stdout, err: done.stderr };
}

/** The tool's standard output; throws with its first message when it fails. */
export function fx2wasmText(...args) {
  const { status, out, err } = fx2wasm(...args);
  if (status !== 0) throw new Error(err.split('\n')[0] || `exit status ${status}`);
  return out;
}
