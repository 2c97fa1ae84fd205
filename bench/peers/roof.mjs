// A Wasm module that reaches the machine's limit of f32x4 multiplications and additions: chains
// that do not wait for each other, and no memory.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const chains = 12; // covers the latency of mul then add; with the factor, 13 of V8's 15 registers
const unrolled = 4;
const lanes = 4;

const wat = () => {
  const each = (text) => Array.from({ length: chains }, (_, i) => text(i)).join('\n');
  const step = each((i) => `(local.set $x${i}
    (f32x4.add (f32x4.mul (local.get $x${i}) (local.get $factor)) (local.get $factor)))`);
  return `(module
  (global (export "flop_per_step") i32 (i32.const ${chains * unrolled * lanes * 2}))
  (func (export "run") (param $steps i32) (result f32)
    (local $factor v128)
    ${each((i) => `(local $x${i} v128)`)}
    (local.set $factor (f32x4.splat (f32.const 0.999)))
    ${each((i) => `(local.set $x${i} (f32x4.splat (f32.const ${i})))`)}
    (loop $again
      ${Array(unrolled).fill(step).join('\n')}
      (br_if $again (local.tee $steps (i32.sub (local.get $steps) (i32.const 1)))))
    ${each((i) => `(local.set $factor (f32x4.add (local.get $factor) (local.get $x${i})))`)}
    (f32x4.extract_lane 0 (local.get $factor))))`;
};

/** @param packages a folder with node_modules/binaryen @returns the module's bytes */
export async function roofModule(packages) {
  const entry = createRequire(`${packages}/package.json`).resolve('binaryen');
  const { default: binaryen } = await import(pathToFileURL(entry).href);
  const module = binaryen.parseText(wat());
  module.setFeatures(binaryen.Features.SIMD128);
  if (!module.validate()) throw new Error('the roof module is not valid');
  return module.emitBinary();
}
