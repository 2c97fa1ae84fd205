// Which kernels this browser takes, found by validating tiny modules.

import type { Simd } from '../state/document';

// (module (func (result v128) …)) around the given body.
function moduleOf(body: number[]): Uint8Array<ArrayBuffer> {
  const code = [0, ...body, 0x0b];
  return new Uint8Array([
    0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // magic, version
    1, 5, 1, 0x60, 0, 1, 0x7b, // type: () → v128
    3, 2, 1, 0, // function
    10, code.length + 2, 1, code.length, ...code,
  ]);
}

const zero = [0xfd, 0x0c, ...new Array<number>(16).fill(0)]; // v128.const 0
const relaxedMadd = [...zero, ...zero, ...zero, 0xfd, 0x85, 0x02];

let best: Simd | null = null;

export function bestSimd(): Simd {
  if (best === null) {
    if (WebAssembly.validate(moduleOf(relaxedMadd))) best = 'relaxed';
    else best = WebAssembly.validate(moduleOf(zero)) ? 'simd128' : 'off';
  }
  return best;
}
