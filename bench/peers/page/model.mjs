// What every contender is given: the op list, the weights, the images and PyTorch's scores.

async function fetchBytes(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.arrayBuffer();
}

export const fetchJson = async (url) => JSON.parse(new TextDecoder().decode(await fetchBytes(url)));

/** Float32 tensors by name, each `{shape, values}`; other types are refused. */
function readSafetensors(buffer) {
  const headerBytes = Number(new DataView(buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, headerBytes)));
  delete header.__metadata__;
  const tensors = {};
  for (const [name, { dtype, shape, data_offsets: [begin, end] }] of Object.entries(header)) {
    if (dtype !== 'F32') throw new Error(`${name} is ${dtype}, not F32`);
    const start = 8 + headerBytes;
    tensors[name] = { shape, values: new Float32Array(buffer.slice(start + begin, start + end)) };
  }
  return tensors;
}

/**
 * An example as bench/peers/models.py prepared it: `ops` (NAME.ops.json), `onnx` (its bytes),
 * `weights`, `images` (one Float32Array each) and `scores` (PyTorch's, one array an image).
 */
export async function fetchModel(name) {
  const ops = await fetchJson(`/models/${name}.ops.json`);
  const pixels = new Float32Array(await fetchBytes(`/models/${name}.f32`));
  const expected = await fetchJson(`/examples/${name}/expected.json`);
  const size = ops.input.shape.reduce((product, extent) => product * extent, 1);
  return {
    name,
    ops,
    onnx: new Uint8Array(await fetchBytes(`/models/${name}.onnx`)),
    weights: readSafetensors(await fetchBytes(`/examples/${name}/${name}.safetensors`)),
    images: expected.first_scores.map((_, i) => pixels.slice(i * size, (i + 1) * size)),
    scores: expected.first_scores,
  };
}
