// Reading and writing safetensors files.

/** @typedef {import('./index.d.mts').DType} DType */
/** @typedef {import('./index.d.mts').TensorArray} TensorArray */
/** @typedef {import('./safetensors.d.mts').StoredTensor} StoredTensor */

/** @type {Record<string, [DType, new (buffer: ArrayBuffer) => TensorArray]>} */
const KINDS = {
  BOOL: ['bool', Uint8Array],
  I8: ['int8', Int8Array],
  I16: ['int16', Int16Array],
  I32: ['int32', Int32Array],
  I64: ['int64', BigInt64Array],
  U8: ['uint8', Uint8Array],
  U16: ['uint16', Uint16Array],
  U32: ['uint32', Uint32Array],
  U64: ['uint64', BigUint64Array],
  F16: ['float16', Uint16Array],
  BF16: ['bfloat16', Uint16Array],
  F32: ['float32', Float32Array],
  F64: ['float64', Float64Array],
};
const NAMES = new Map(Object.entries(KINDS).map(([name, [dtype]]) => [dtype, name]));
const HEADER_ALIGNMENT = 8;

/**
 * @param {Uint8Array} file
 * @returns {Map<string, StoredTensor>}
 */
export function readSafetensors(file) {
  // Node's Buffer is a Uint8Array whose slice() does not copy.
  file = new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
  if (file.byteLength < 8) throw new Error('not a safetensors file: it is shorter than 8 bytes');
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const headerBytes = Number(view.getBigUint64(0, true));
  if (headerBytes > file.byteLength - 8) {
    throw new Error('not a safetensors file: the header is longer than the file');
  }
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + headerBytes)));
  const data = file.subarray(8 + headerBytes);
  /** @type {Map<string, StoredTensor>} */
  const tensors = new Map();
  for (const [name, entry] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    const kind = KINDS[entry.dtype];
    if (!kind) throw new Error(`the tensor ${name} has the unknown dtype ${entry.dtype}`);
    const [begin, end] = entry.data_offsets;
    if (!(begin >= 0 && begin <= end && end <= data.byteLength)) {
      throw new Error(`the tensor ${name} lies outside of the file`);
    }
    // A copy: the data need not be aligned in the file.
    tensors.set(name, {
      dtype: kind[0],
      shape: entry.shape,
      data: new kind[1](data.slice(begin, end).buffer),
    });
  }
  return tensors;
}

/**
 * @param {Map<string, StoredTensor>} tensors
 * @returns {Uint8Array}
 */
export function writeSafetensors(tensors) {
  /** @type {Record<string, unknown>} */
  const header = {};
  let offset = 0;
  for (const [name, tensor] of tensors) {
    const end = offset + tensor.data.byteLength;
    const dtype = NAMES.get(tensor.dtype);
    header[name] = { dtype, shape: tensor.shape, data_offsets: [offset, end] };
    offset = end;
  }
  let text = JSON.stringify(header);
  let headerBytes = new TextEncoder().encode(text);
  const padding = (HEADER_ALIGNMENT - (headerBytes.length % HEADER_ALIGNMENT)) % HEADER_ALIGNMENT;
  text += ' '.repeat(padding);
  headerBytes = new TextEncoder().encode(text);
  const file = new Uint8Array(8 + headerBytes.length + offset);
  new DataView(file.buffer).setBigUint64(0, BigInt(headerBytes.length), true);
  file.set(headerBytes, 8);
  let position = 8 + headerBytes.length;
  for (const { data } of tensors.values()) {
    file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), position);
    position += data.byteLength;
  }
  return file;
}
