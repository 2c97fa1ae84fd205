// Which kernels this browser takes.

import { detectSimd } from '../../runtime/index.mjs';
import type { Simd } from '../state/document';

let best: Simd | null = null;

export function bestSimd(): Simd {
  best ??= detectSimd();
  return best;
}
