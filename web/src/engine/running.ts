// From the module to scores: compiling, loading into the run worker, one image, all images, timing.

import { computed, effect } from '@preact/signals';
import libraryUrl from '../generated/library.wasm?url';
import { fashionImages } from './catalogue';
import { WorkerClient, WorkerCrash } from './client';
import { compiler, unlessCrashed } from './compiler';
import type { CompileOptions } from './core-types';
import { fetchBytes } from './fetch-bytes';
import type {
  OptimiserAnswers,
  OptimiserRequest,
  RunnerAnswers,
  RunnerRequest,
  TensorValue,
} from './messages';
import { bestSimd } from './probe';
import { strings } from '../strings';
import * as store from './store';

const makeRunner = (): Worker =>
  new Worker(new URL('./run.worker.ts', import.meta.url), { type: 'module' });
const runner = new WorkerClient<RunnerRequest, RunnerAnswers>(makeRunner);
// Keeps the intermediate results; never timed.
const inspector = new WorkerClient<RunnerRequest, RunnerAnswers>(makeRunner);
const optimiser = new WorkerClient<OptimiserRequest, OptimiserAnswers>(
  () => new Worker(new URL('./binaryen.worker.ts', import.meta.url), { type: 'module' }),
);

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function compileOptions(keepIntermediates: boolean): CompileOptions {
  const { simd, schedule, libraryNodes } = store.document_.value;
  return {
    simd: simd ?? bestSimd(),
    schedule: schedule ? 'on' : 'off',
    keepIntermediates,
    libraryNodes,
  };
}

export const compileKey = computed(() => {
  const made = store.good.value;
  if (made === null) return '';
  const weighed = store.weights.value.map(({ name }) => name).join();
  return JSON.stringify([made.version, weighed, compileOptions(false)]);
});

export const needsWeights = computed(
  () => (store.good.value?.graph.missingWeights.length ?? 0) > 0,
);

let library: Promise<Uint8Array> | null = null;

function libraryFor(needed: boolean): Promise<Uint8Array | null> {
  if (!needed) return Promise.resolve(null);
  library ??= fetchBytes(libraryUrl);
  return library;
}

let turn = 0;

async function compile(key: string): Promise<void> {
  turn += 1;
  const mine = turn;
  store.compiled.value = { kind: 'busy', since: Date.now() };
  store.optimised.value = { kind: 'idle' };
  store.disassemblies.value = {};
  store.allRun.value = null;
  const made = await unlessCrashed(
    compiler.ask({ kind: 'compile', options: compileOptions(false) }),
  );
  if (mine !== turn) return;
  if (made === null) {
    store.compiled.value = { kind: 'idle' };
    return;
  }
  const { answer, bytes, milliseconds } = made;
  if (!answer.ok) {
    const message = answer.diagnostics.map((d) => `${d.code}: ${d.message}`).join('\n');
    store.compiled.value = { kind: 'failed', message };
    return;
  }
  const listings = await Promise.all(
    answer.functions.map(async ({ name }) => [
      name,
      await unlessCrashed(compiler.ask({ kind: 'disassembly', name })),
    ] as const),
  );
  if (mine !== turn) return;
  store.disassemblies.value = Object.fromEntries(
    listings.flatMap(([name, text]) => (text === null ? [] : [[name, text]])),
  );
  store.compiled.value = { kind: 'done', value: { key, answer, bytes, milliseconds } };
}

// Compiles whenever the Wasm or Run view is open and something that matters has changed.
export function followCompile(): void {
  effect(() => {
    const { view } = store.document_.value;
    const key = compileKey.value;
    if (key === '' || needsWeights.value || (view !== 'wasm' && view !== 'run')) return;
    const now = store.compiled.peek();
    if (now.kind === 'done' && now.value.key === key) return;
    void compile(key);
  });
  effect(() => {
    if (store.document_.value.view === 'run' && store.recorded.value !== null) void loadImages();
  });
  effect(() => {
    const state = store.compiled.value;
    const inputs = inputsNow.value;
    if (store.document_.value.view !== 'run' || state.kind !== 'done' || inputs === null) return;
    void runOne(state.value, inputs);
  });
}

async function loadImages(): Promise<void> {
  if (store.images.peek().kind === 'done' || store.images.peek().kind === 'busy') return;
  store.images.value = { kind: 'busy', since: Date.now() };
  try {
    store.images.value = { kind: 'done', value: await fashionImages() };
  } catch (error) {
    store.images.value = { kind: 'failed', message: messageOf(error) };
  }
}

// The pixels shown: a drawing or a test image.
export const pixelsNow = computed<Uint8Array | null>(() => {
  if (store.drawing.value !== null) return store.drawing.value;
  const state = store.images.value;
  if (state.kind !== 'done') return null;
  const { images, pixels, count } = state.value;
  const index = Math.min(store.document_.value.image ?? 0, count - 1);
  return images.subarray(index * pixels, (index + 1) * pixels);
});

const inputsNow = computed<TensorValue[] | null>(() => {
  const recorded = store.recorded.value;
  if (recorded !== null) {
    const pixels = pixelsNow.value;
    if (pixels === null) return null;
    const { name, shape, dtype, scale } = recorded.input;
    // Scaled in double precision, then rounded to float32, as PyTorch's script did.
    const values = Float32Array.from(pixels, (pixel) => pixel * scale);
    return [{ name, shape, dtype, values, fxNodes: [] }];
  }
  const inputs = store.recordedTensors.value.filter(({ name }) => name.startsWith('input.'));
  if (inputs.length === 0) return null;
  return inputs;
});

const loaded = { runner: '', inspector: '' };

async function loadInto(which: 'runner' | 'inspector', made: store.Compiled): Promise<boolean> {
  if (loaded[which] === made.key) return true;
  const client = which === 'runner' ? runner : inspector;
  let { bytes, answer } = made;
  if (which === 'inspector') {
    const kept = await compiler.ask({ kind: 'compile', options: compileOptions(true) });
    if (!kept.answer.ok) return false;
    ({ bytes, answer } = kept);
  }
  await client.ask({ kind: 'load', bytes, library: await libraryFor(answer.needsLibrary) });
  loaded[which] = made.key;
  return true;
}

let runTurn = 0;

async function runOne(made: store.Compiled, inputs: TensorValue[]): Promise<void> {
  runTurn += 1;
  const mine = runTurn;
  try {
    await loadInto('runner', made);
    const { outputs } = await runner.ask({ kind: 'run_one', inputs });
    if (mine !== runTurn) return;
    const before = store.oneRun.value?.intermediates ?? [];
    store.oneRun.value = { key: made.key, inputs, outputs, intermediates: before };
    store.runProblem.value = '';
    if (!(await loadInto('inspector', made))) return;
    const { intermediates } = await inspector.ask({ kind: 'run_one', inputs });
    if (mine !== runTurn) return;
    store.oneRun.value = { key: made.key, inputs, outputs, intermediates };
    if (store.timing.peek().kind === 'idle' || timedKey !== made.key) await measure();
  } catch (error) {
    loaded.runner = loaded.inspector = '';
    if (mine === runTurn) store.runProblem.value = messageOf(error);
  }
}

let timedKey = '';

export async function measure(): Promise<void> {
  const state = store.compiled.value;
  const inputs = inputsNow.value;
  if (state.kind !== 'done' || inputs === null) return;
  timedKey = state.value.key;
  store.timing.value = { kind: 'busy', since: Date.now() };
  try {
    await loadInto('runner', state.value);
    const { samples, calls } = await runner.ask({ kind: 'measure', inputs, milliseconds: 600 });
    const sorted = samples.slice().sort();
    const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
    const value = { median: at(0.5), p95: at(0.95), samples, calls };
    store.timing.value = { kind: 'done', value };
  } catch (error) {
    store.timing.value = { kind: 'failed', message: messageOf(error) };
  }
}

const kStopped = 'stopped';

export async function runAll(): Promise<void> {
  const state = store.compiled.value;
  const set = store.images.value;
  const recorded = store.recorded.value;
  if (state.kind !== 'done' || set.kind !== 'done' || recorded === null) return;
  const begin = { done: 0, correct: 0, sameClass: 0, stopped: false, milliseconds: 0 };
  store.allRun.value = { ...begin, running: true };
  try {
    await loadInto('runner', state.value);
    const { images, labels, pixels } = set.value;
    await runner.ask({
      kind: 'load_images',
      set: { images, labels, pixels, scale: recorded.input.scale },
    });
    const all = await runner.ask(
      { kind: 'run_all', predictions: recorded.predictions },
      { progress: (now) => (store.allRun.value = { ...now, running: true }) },
    );
    store.allRun.value = { ...all, running: false };
  } catch (error) {
    if (!(error instanceof WorkerCrash)) throw error;
    loaded.runner = '';
    if (error.message !== kStopped) store.runProblem.value = error.message;
    store.allRun.value = store.allRun.value && {
      ...store.allRun.value, running: false, stopped: true,
    };
  }
}

const kStopPatience = 1000; // milliseconds that a running batch may take to notice

export function stopAll(): void {
  runner.stop();
  setTimeout(() => {
    if (store.allRun.value?.running === true) runner.terminate(kStopped);
  }, kStopPatience);
}

export async function optimise(): Promise<void> {
  const state = store.compiled.value;
  if (state.kind !== 'done') return;
  const { bytes } = state.value;
  store.optimised.value = { kind: 'busy', since: Date.now() };
  try {
    const value = await optimiser.ask({ kind: 'optimise', bytes, simd: true });
    store.optimised.value = { kind: 'done', value };
  } catch (error) {
    store.optimised.value = { kind: 'failed', message: messageOf(error) };
  }
}

// The module's bytes, or why there are none.
export async function compileForDownload(): Promise<Uint8Array | string> {
  const state = store.compiled.value;
  if (state.kind === 'done' && state.value.key === compileKey.value) return state.value.bytes;
  const made = await unlessCrashed(
    compiler.ask({ kind: 'compile', options: compileOptions(false) }),
  );
  if (made === null) return strings.crash.short;
  const { answer, bytes } = made;
  return answer.ok ? bytes : answer.diagnostics.map(({ message }) => message).join('\n');
}
