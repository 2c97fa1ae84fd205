// onnxruntime-web: its Wasm execution provider with SIMD, on one thread.

let library;

async function onnxruntime() {
  if (library) return library;
  const folder = `${location.origin}/peers/onnxruntime-web/dist/`;
  library = await import(`${folder}ort.wasm.min.mjs`);
  library.env.wasm.wasmPaths = folder;
  library.env.wasm.numThreads = 1;
  library.env.logLevel = 'error';
  return library;
}

/** @returns a function from an image to its scores, asynchronous as the library's own. */
export async function prepare(model) {
  const { InferenceSession, Tensor } = await onnxruntime();
  const session = await InferenceSession.create(model.onnx, {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
  });
  const { name, shape } = model.ops.input;
  const output = model.ops.output;
  return async (image) => {
    const results = await session.run({ [name]: new Tensor('float32', image, shape) });
    return results[output].data;
  };
}
