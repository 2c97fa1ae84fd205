// Runs in Chromium: contenders on one model, interleaved round by round. Judges answers, not times;
// raw samples go back to run.mjs.
import { fetchModel } from './model.mjs';

const warmUpMs = 300; // past the tier-up of every contender's code
const roofSteps = 500_000; // about half a millisecond
const roofTries = 4;

let roofRun;

/** GFLOP/s of mul+add on registers alone: what this machine gives at this moment. */
async function roof() {
  if (!roofRun) {
    const { instance } = await WebAssembly.instantiateStreaming(fetch('/models/roof.wasm'));
    const flopPerStep = instance.exports.flop_per_step.value;
    roofRun = () => {
      const start = performance.now();
      instance.exports.run(roofSteps);
      return (roofSteps * flopPerStep) / (performance.now() - start) / 1e6;
    };
    const end = performance.now() + warmUpMs;
    while (performance.now() < end) roofRun();
  }
  // The best of a few: an interrupted try says nothing about the machine.
  return Math.max(...Array.from({ length: roofTries }, roofRun));
}

/** The greatest |ours − PyTorch's| / (1 + |PyTorch's|) of all scores; NaN when there is a NaN. */
async function check(run, model) {
  let worst = 0;
  for (const [i, image] of model.images.entries()) {
    const scores = Array.from(await run(image));
    if (scores.length !== model.scores[i].length) throw new Error(`${scores.length} scores`);
    for (const [k, wanted] of model.scores[i].entries()) {
      const error = Math.abs(scores[k] - wanted) / (1 + Math.abs(wanted));
      if (!(error <= worst)) worst = error;
    }
  }
  return worst;
}

/** Milliseconds a call: `calls` whole calls in a row. */
async function sample(run, image, calls) {
  const start = performance.now();
  for (let i = 0; i < calls; i++) {
    const pending = run(image);
    if (typeof pending.then === 'function') await pending; // no await where none is due
  }
  return (performance.now() - start) / calls;
}

async function warmUp(run, image, sampleMs) {
  const end = performance.now() + warmUpMs;
  let calls = 1;
  let perCall = 0;
  do {
    perCall = await sample(run, image, calls);
    calls = Math.max(1, Math.round(sampleMs / perCall));
  } while (performance.now() < end);
  return calls;
}

/**
 * @param name the example
 * @param contenders `{id, adapter, …}`, which the adapter's module is given, or `{id, failure}`
 * @param options `{rounds, sampleMs}`
 * @returns `{flop, isolated, roof: [GFLOP/s], contenders: {id: {error, times: [ms]} | {failure}}}`
 */
async function bench(name, contenders, { rounds, sampleMs }) {
  const model = await fetchModel(name);
  const results = {};
  const ready = [];
  for (const contender of contenders) {
    if (contender.failure) {
      results[contender.id] = { failure: contender.failure };
      continue;
    }
    try {
      const { prepare } = await import(`./adapters/${contender.adapter}.mjs`);
      const run = await prepare(model, contender);
      const error = await check(run, model);
      const calls = await warmUp(run, model.images[0], sampleMs);
      results[contender.id] = { error, times: [] };
      ready.push({ run, calls, times: results[contender.id].times });
    } catch (failure) {
      results[contender.id] = { failure: String(failure) };
    }
  }
  const roofs = [];
  for (let round = 0; round < rounds; round++) {
    roofs.push(await roof());
    // The order rotates, so that nobody always runs after the same neighbour.
    for (let turn = 0; turn < ready.length; turn++) {
      const { run, calls, times } = ready[(turn + round) % ready.length];
      times.push(await sample(run, model.images[0], calls));
    }
  }
  return { flop: model.ops.flop, isolated: crossOriginIsolated, roof: roofs, contenders: results };
}

globalThis.bench = bench;
