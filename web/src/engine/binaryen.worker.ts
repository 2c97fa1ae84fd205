// Validates, optimises and prints a module with Binaryen. Its 13 MB are loaded with the first
// request only.

import type { Optimised, OptimiserRequest } from './messages';
import { serve } from './serve';

async function optimise({ bytes }: OptimiserRequest): Promise<Optimised> {
  const { default: binaryen } = await import('binaryen');
  const said: string[] = [];
  const features =
    binaryen.Features.MVP | binaryen.Features.SIMD128 | binaryen.Features.RelaxedSIMD |
    binaryen.Features.BulkMemory | binaryen.Features.MutableGlobals | binaryen.Features.SignExt |
    binaryen.Features.NontrappingFPToInt | binaryen.Features.Multivalue;
  // Binaryen reports what is wrong with a module on the console only.
  const { console } = globalThis;
  const log = console.error;
  console.error = (...words: unknown[]) => void said.push(words.join(' '));
  const module = binaryen.readBinary(bytes);
  try {
    module.setFeatures(features);
    const begun = performance.now();
    const valid = module.validate() === 1;
    const before = { wat: module.emitText(), bytes: bytes.length };
    if (!valid) {
      return { valid, problem: said.join('\n'), before, after: before, milliseconds: 0 };
    }
    binaryen.setOptimizeLevel(3);
    binaryen.setShrinkLevel(0);
    // Inlined functions could not be compared with what they were.
    binaryen.setAlwaysInlineMaxSize(0);
    binaryen.setFlexibleInlineMaxSize(0);
    binaryen.setOneCallerInlineMaxSize(0);
    module.optimize();
    const milliseconds = performance.now() - begun;
    const after = { wat: module.emitText(), bytes: module.emitBinary().length };
    return { valid, problem: '', before, after, milliseconds };
  } finally {
    module.dispose();
    console.error = log;
  }
}

serve<OptimiserRequest>(optimise);
