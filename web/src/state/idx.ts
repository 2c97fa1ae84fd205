// An IDX file of bytes (the format of Fashion MNIST): its dimensions and its values. Throws when
// the bytes are no such file.
export function readIdx(bytes: Uint8Array): { shape: number[]; data: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[2] !== 8) throw new Error('not an IDX file of bytes');
  const rank = bytes[3] ?? 0;
  const shape = Array.from({ length: rank }, (_, i) => view.getUint32(4 + 4 * i));
  return { shape, data: bytes.subarray(4 + 4 * rank) };
}
