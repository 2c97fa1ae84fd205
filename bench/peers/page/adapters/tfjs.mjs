// TensorFlow.js with its Wasm backend, on one thread.
//
// The op list is called by hand in the way that is kindest to it: NHWC, which its kernels want;
// bias and relu fused into what comes before; weights transposed once, here, and never in a call.

function loadScript(url) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${url} does not load`));
    document.head.append(script);
  });
}

async function tensorflow() {
  if (globalThis.tf) return globalThis.tf;
  await loadScript('/peers/@tensorflow/tfjs-core/dist/tf-core.min.js');
  await loadScript('/peers/@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.min.js');
  const tf = globalThis.tf;
  tf.enableProdMode();
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  tf.env().set('WASM_HAS_SIMD_SUPPORT', true);
  tf.wasm.setWasmPaths('/peers/@tensorflow/tfjs-backend-wasm/dist/');
  await tf.setBackend('wasm');
  await tf.ready();
  return tf;
}

/** For each operator: its tensors made once, then the function that one call runs. */
const operators = {
  linear(tf, { x, weight, bias, activation, flattened }) {
    const [rows, columns] = weight.shape;
    // After a flatten of NHWC the weight's columns stand in another order than PyTorch's.
    const b = tf.keep(flattened
      ? tf.reshape(
        tf.transpose(tf.reshape(weight, [rows, ...flattened]), [2, 3, 1, 0]), [columns, rows])
      : tf.transpose(weight));
    return (values) => tf.fused.matMul({ a: values[x], b, bias, activation });
  },
  conv2d(tf, { x, weight, bias, activation, op }) {
    const filter = tf.keep(tf.transpose(weight, [2, 3, 1, 0]));
    const [height, width] = op.padding;
    const valid = height === 0 && width === 0;
    const same = op.stride.every((s) => s === 1)
      && weight.shape[2] === 2 * height + 1 && weight.shape[3] === 2 * width + 1;
    const explicit = [[0, 0], [height, height], [width, width], [0, 0]];
    const how = valid ? { pad: 'valid' }
      : same ? { pad: 'same' }
        : { pad: explicit, dimRoundingMode: 'floor' };
    return (values) => tf.fused.conv2d(
      { x: values[x], filter, strides: op.stride, bias, activation, ...how });
  },
  max_pool2d: (tf, { x, op }) => (values) => tf.maxPool(values[x], op.kernel, op.stride, 'valid'),
  relu: (tf, { x }) => (values) => tf.relu(values[x]),
  flatten: (tf, { x, op }) => (values) => tf.reshape(values[x], op.shape),
  log_softmax: (tf, { x, op }) => (values) => tf.logSoftmax(values[x], op.axis),
};

/** The op list as steps; a relu that alone reads a linear or conv2d becomes its activation. */
function plan(tf, model) {
  const { ops, input } = model.ops;
  const shapes = { [input.name]: input.shape };
  for (const op of ops) shapes[op.name] = op.shape;
  const readers = (name) => ops.filter((op) => op.inputs.includes(name));
  const tensor = (name) => name && tf.tensor(model.weights[name].values, model.weights[name].shape);
  const fused = new Set();
  const steps = [];
  for (const op of ops) {
    if (fused.has(op.name)) continue;
    const next = readers(op.name);
    const fuses = 'weight' in op.tensors && next.length === 1 && next[0].op === 'relu';
    if (fuses) fused.add(next[0].name);
    const source = ops.find((other) => other.name === op.inputs[0]);
    const flattened = source?.op === 'flatten' && shapes[source.inputs[0]].length === 4
      ? shapes[source.inputs[0]].slice(1)
      : undefined;
    const bias = tensor(op.tensors.bias);
    const run = operators[op.op](tf, {
      op,
      x: op.inputs[0],
      weight: tensor(op.tensors.weight),
      bias: bias && tf.keep(bias),
      activation: fuses ? 'relu' : 'linear',
      flattened,
    });
    steps.push({ name: fuses ? next[0].name : op.name, run });
  }
  return steps;
}

/** @returns a function from an image to its scores. */
export async function prepare(model) {
  const tf = await tensorflow();
  const steps = tf.tidy(() => plan(tf, model));
  const { input, output } = model.ops;
  return (image) => {
    tf.engine().startScope();
    const given = tf.tensor(image, input.shape);
    const image4d = input.shape.length === 4;
    const values = { [input.name]: image4d ? tf.transpose(given, [0, 2, 3, 1]) : given };
    for (const { name, run } of steps) values[name] = run(values);
    const scores = values[output].dataSync();
    tf.engine().endScope();
    return scores;
  };
}
