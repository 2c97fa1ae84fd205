// fx2wasm: a compiled module in the loader that is published with it.

async function fetchBytes(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.arrayBuffer();
}

/** @returns a function from an image to its scores. */
export async function prepare(model, { module: url }) {
  const { load, readInfo } = await import('/runtime/index.mjs');
  const module = await WebAssembly.compile(await fetchBytes(url));
  const library = readInfo(module).needsLibrary
    ? await fetchBytes('/library/library.wasm')
    : undefined;
  const loaded = await load(module, { library });
  return (image) => loaded.run([image])[0];
}
