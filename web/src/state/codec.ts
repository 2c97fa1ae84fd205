// Text ↔ the few characters that a link's fragment carries: UTF-8, deflate-raw, base64url.

async function through(bytes: Uint8Array, stream: TransformStream): Promise<Uint8Array> {
  const piped = new Blob([bytes as BlobPart]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

export async function pack(text: string): Promise<string> {
  const bytes = await through(
    new TextEncoder().encode(text),
    new CompressionStream('deflate-raw') as TransformStream,
  );
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

// Rejects when the characters are not what `pack` makes.
export async function unpack(packed: string): Promise<string> {
  if (!/^[A-Za-z0-9_-]*$/.test(packed)) throw new Error('not base64url');
  const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  const inflated = await through(
    bytes,
    new DecompressionStream('deflate-raw') as TransformStream,
  );
  return new TextDecoder('utf-8', { fatal: true }).decode(inflated);
}

export async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  // A server may have undone the compression already.
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  return through(bytes, new DecompressionStream('gzip') as TransformStream);
}
