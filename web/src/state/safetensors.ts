// Just enough of the safetensors format for the page: test inputs and recorded outputs, all of them
// little-endian. Weights are read by the core.

export interface Tensor {
  name: string;
  dtype: string; // "F32", "I64", …
  shape: number[];
  values: number[];
}

// Throws when the bytes are not a safetensors file.
export function readSafetensors(bytes: Uint8Array): Tensor[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerSize = Number(view.getBigUint64(0, true));
  if (headerSize > bytes.length - 8) throw new Error('the header is longer than the file');
  const text = new TextDecoder().decode(bytes.subarray(8, 8 + headerSize));
  const header = JSON.parse(text) as Record<
    string,
    { dtype: string; shape: number[]; data_offsets: [number, number] }
  >;
  return Object.entries(header)
    .filter(([name]) => name !== '__metadata__')
    .map(([name, { dtype, shape, data_offsets }]) => ({
      name,
      dtype,
      shape,
      values: readValues(
        new DataView(view.buffer, view.byteOffset + 8 + headerSize + data_offsets[0],
          data_offsets[1] - data_offsets[0]),
        dtype,
      ),
    }));
}

function readValues(view: DataView, dtype: string): number[] {
  const read = (size: number, get: (at: number) => number): number[] =>
    Array.from({ length: view.byteLength / size }, (_, i) => get(i * size));
  switch (dtype) {
    case 'F32':
      return read(4, (at) => view.getFloat32(at, true));
    case 'F64':
      return read(8, (at) => view.getFloat64(at, true));
    case 'I64':
      return read(8, (at) => Number(view.getBigInt64(at, true)));
    case 'I32':
      return read(4, (at) => view.getInt32(at, true));
    case 'BOOL':
    case 'U8':
      return read(1, (at) => view.getUint8(at));
    default:
      throw new Error(`tensors of type ${dtype} cannot be shown`);
  }
}

// An IDX file of bytes (the format of Fashion MNIST): its dimensions and its values.
export function readIdx(bytes: Uint8Array): { shape: number[]; data: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[2] !== 8) throw new Error('not an IDX file of bytes');
  const rank = bytes[3] ?? 0;
  const shape = Array.from({ length: rank }, (_, i) => view.getUint32(4 + 4 * i));
  return { shape, data: bytes.subarray(4 + 4 * rank) };
}
