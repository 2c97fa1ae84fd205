// Runs a compiled module: one input, all test images, or the clock. Apart from the compiler, so
// that a long run never holds up an edit, and Stop always gets through.

import { load, type Model, type TensorArray, type TensorInfo } from '../../runtime/index.mjs';
import type {
  AllImages,
  ImageSet,
  LoadedModel,
  RunnerAnswers,
  RunnerRequest,
  TensorValue,
} from './messages';
import { type Reply, serve } from './serve';

const kBatchTime = 40; // milliseconds between looks at the messages

let model: Model | null = null;
let images: ImageSet | null = null;

function loaded(): Model {
  if (model === null) throw new Error('no module is loaded');
  return model;
}

function valueOf({ name, dtype, shape }: TensorInfo, array: TensorArray): TensorValue {
  return { name, dtype, shape, values: Float64Array.from(array, Number), fxNodes: [] };
}

function arraysOf(current: Model, inputs: TensorValue[]): TensorArray[] {
  if (current.symbols.length > 0) current.plan(inputs.map(({ shape }) => shape));
  return current.inputs.map((info, index) => {
    const given = inputs[index];
    if (given === undefined) throw new Error(`input ${info.name} is missing`);
    const target = current.inputView(index).slice();
    const values = given.values;
    if (target instanceof BigInt64Array || target instanceof BigUint64Array) {
      values.forEach((value, i) => (target[i] = BigInt(value)));
    } else {
      target.set(values);
    }
    return target;
  });
}

function runOne(inputs: TensorValue[]): RunnerAnswers['run_one'] {
  const current = loaded();
  const outputs = current.run(arraysOf(current, inputs));
  return {
    outputs: outputs.map((array, index) => {
      const info = current.outputs[index];
      if (info === undefined) throw new Error(`output ${index} is not described`);
      return valueOf(info, array);
    }),
    intermediates: current.intermediates.map((info) => ({
      ...valueOf(info, current.intermediateView(info.name)),
      fxNodes: info.fxNodes,
    })),
  };
}

const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 0);
  });

function largestIndex(values: TensorArray): number {
  let best = 0;
  for (let i = 1; i < values.length; i += 1) {
    if ((values[i] ?? 0) > (values[best] ?? 0)) best = i;
  }
  return best;
}

async function runAll(predictions: string, reply: Reply): Promise<AllImages> {
  const current = loaded();
  if (images === null) throw new Error('no images are loaded');
  const { images: pixels, labels, pixels: size, scale } = images;
  const input = current.inputView(0);
  const output = current.outputView(0);
  if (!(input instanceof Float32Array) || input.length !== size) {
    throw new Error(`the module takes ${input.length} values, and an image has ${size}`);
  }
  // Scaled in double precision, then rounded to float32, as PyTorch's script did.
  const table = Float32Array.from({ length: 256 }, (_, value) => value * scale);
  const all: AllImages = { done: 0, correct: 0, sameClass: 0, stopped: false, milliseconds: 0 };
  while (all.done < labels.length) {
    const begun = performance.now();
    while (all.done < labels.length && performance.now() - begun < kBatchTime) {
      const from = all.done * size;
      for (let i = 0; i < size; i += 1) input[i] = table[pixels[from + i] ?? 0] ?? 0;
      const before = performance.now();
      current.runInPlace();
      all.milliseconds += performance.now() - before;
      const best = largestIndex(output);
      if (best === labels[all.done]) all.correct += 1;
      if (best === Number(predictions[all.done])) all.sameClass += 1;
      all.done += 1;
    }
    reply.progress({ ...all });
    await pause();
    if (reply.stopped() && all.done < labels.length) {
      all.stopped = true;
      break;
    }
  }
  return all;
}

// Samples of several calls each, as the clock of a browser is coarse.
async function measure(
  inputs: TensorValue[],
  milliseconds: number,
): Promise<RunnerAnswers['measure']> {
  const current = loaded();
  current.run(arraysOf(current, inputs));
  const kSample = 2; // milliseconds that one sample should take at least
  let calls = 1;
  // Long enough twice in a row: once may have been another program's doing.
  for (let enough = 0; enough < 2 && calls < 65536;) {
    const begun = performance.now();
    for (let i = 0; i < calls; i += 1) current.runInPlace();
    if (performance.now() - begun >= kSample) enough += 1;
    else {
      enough = 0;
      calls *= 2;
    }
  }
  const samples: number[] = [];
  const end = performance.now() + milliseconds;
  while (performance.now() < end || samples.length < 5) {
    const begun = performance.now();
    for (let i = 0; i < calls; i += 1) current.runInPlace();
    samples.push((performance.now() - begun) / calls);
    if (samples.length % 16 === 0) await pause();
  }
  return { samples: Float64Array.from(samples), calls };
}

async function answer(request: RunnerRequest, reply: Reply): Promise<unknown> {
  switch (request.kind) {
    case 'load': {
      const { bytes, library } = request;
      const options = library === null ? {} : { library: library as BufferSource };
      model = await load(bytes as BufferSource, options);
      const { inputs, outputs } = model;
      return { inputs, outputs } satisfies LoadedModel;
    }
    case 'load_images':
      images = request.set;
      return null;
    case 'run_one':
      return runOne(request.inputs);
    case 'run_all':
      return runAll(request.predictions, reply);
    case 'measure':
      return measure(request.inputs, request.milliseconds);
  }
}

serve<RunnerRequest>(answer);
