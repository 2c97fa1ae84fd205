// On 300 random graphs the interpreter (by Relax and by emit_te) and the generated Wasm in every
// variant agree.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from './cases.mjs';

const run = promisify(execFile);
const MAIN = join(ROOT, 'tools/random_graphs/main.mjs');

async function check(...options) {
  try {
    await run(process.execPath, [MAIN, ...options], { maxBuffer: 1 << 26 });
  } catch (error) {
    assert.fail(`${error.stdout}${error.stderr}`);
  }
}

test('300 random graphs', () => check('--count', '300', '--seed', '1'));
