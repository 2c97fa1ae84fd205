// The examples that come with the page (examples/index.json).

import { catalogue, firstGraph } from 'virtual:fx2wasm-examples';
import { gunzip } from '../state/codec';
import { readIdx } from '../state/idx';
import { readSafetensors } from '../../runtime/safetensors.mjs';
import { fetchBytes } from './fetch-bytes';
import type { TensorValue } from './messages';

export interface Example {
  id: string;
  title: string;
  description: string;
  kind: 'fashion_mnist' | 'tensors';
  graph: string; // paths below the examples folder
  weights: string | null;
  expected: string;
  io?: string;
}

export interface Catalogue {
  fashion_mnist: { images: string; labels: string; licence: string; classes: string[] };
  examples: Example[];
}

// What PyTorch answered, recorded by the script that made the example.
export interface Recorded {
  torch: string;
  input: { name: string; shape: number[]; dtype: string; scale: number };
  scores: string; // "logits"
  images: number;
  correct: number;
  predictions: string; // one digit an image
  first_scores: number[][];
}

export interface FashionImages {
  count: number;
  pixels: number;
  images: Uint8Array;
  labels: Uint8Array;
}

const base = new URL('./examples/', document.baseURI);

export const examples = catalogue.examples;
export const classNames = catalogue.fashion_mnist.classes;

export function exampleOf(id: string | null): Example | undefined {
  return examples.find((example) => example.id === id);
}

function fetchFile(path: string): Promise<Uint8Array> {
  return fetchBytes(new URL(path, base).href);
}

export async function graphOf(example: Example): Promise<string> {
  if (example === examples[0]) return firstGraph;
  return new TextDecoder().decode(await fetchFile(example.graph));
}

export async function weightsOf(
  example: Example,
): Promise<{ name: string; bytes: Uint8Array } | null> {
  if (example.weights === null) return null;
  const name = example.weights.split('/').at(-1) ?? example.weights;
  return { name, bytes: await fetchFile(example.weights) };
}

export async function recordedOf(example: Example): Promise<Recorded> {
  return JSON.parse(new TextDecoder().decode(await fetchFile(example.expected))) as Recorded;
}

// The recorded inputs and outputs, `input.0`, `output.0` and so on.
export async function tensorsOf(example: Example): Promise<TensorValue[]> {
  if (example.io === undefined) return [];
  return [...readSafetensors(await fetchFile(example.io))].map(
    ([name, { dtype, shape, data }]) => ({
      name, dtype, shape, values: Float64Array.from(data, Number), fxNodes: [],
    }),
  );
}

export async function fashionImages(): Promise<FashionImages> {
  const [images, labels] = await Promise.all(
    [catalogue.fashion_mnist.images, catalogue.fashion_mnist.labels].map(async (path) =>
      readIdx(await gunzip(await fetchFile(path))),
    ),
  );
  if (images === undefined || labels === undefined) throw new Error('no images');
  const [count = 0, ...sides] = images.shape;
  const pixels = sides.reduce((product, side) => product * side, 1);
  return { count, pixels, images: images.data, labels: labels.data };
}
