// What each node gave for this input, as pictures and as numbers.

import { copy } from '../../engine/actions';
import type { TensorValue } from '../../engine/messages';
import * as store from '../../engine/store';
import { strings } from '../../strings';
import { Badge } from '../code/code-view';
import { colourOf, linkOf } from '../code/links';
import { Icon } from '../icons';
import { Heatmap } from './pixels';

interface Seen {
  number: number;
  tensor: TensorValue;
}

// The kept values by FX node, the input first; a node that became several variables shows its last.
function seen(): Seen[] {
  const run = store.oneRun.value;
  if (run === null) return [];
  const found = new Map<number, TensorValue>();
  const nodes = store.good.value?.graph.nodes ?? [];
  for (const { number, name, op } of nodes) {
    const input = op === 'placeholder' ? run.inputs.find((tensor) => tensor.name === name) : null;
    if (input) found.set(number, input);
  }
  for (const tensor of run.intermediates) {
    const number = tensor.fxNodes.at(-1);
    const node = nodes.find((n) => n.number === number);
    if (node !== undefined) found.set(node.number, { ...tensor, name: node.name });
  }
  return [...found].map(([number, tensor]) => ({ number, tensor }));
}

// Rows and columns of a picture of the values: images keep theirs, channels side by side.
function frame({ shape, values }: TensorValue): { width: number; height: number; tiled: boolean } {
  const sides = shape.filter((side, i) => i > 0 || side !== 1);
  if (sides.length >= 2) {
    const width = sides.at(-1) ?? 1;
    const height = sides.at(-2) ?? 1;
    const channels = values.length / Math.max(1, width * height);
    const columns = Math.ceil(Math.sqrt(channels));
    return { width: width * columns, height: height * Math.ceil(channels / columns), tiled: true };
  }
  const root = Math.sqrt(values.length);
  const whole = Number.isInteger(root) ? root : 0;
  let width = whole || Math.min(values.length, 16);
  while (whole === 0 && values.length % width !== 0 && width > 1) width -= 1;
  if (width === 1) width = Math.ceil(root);
  return { width, height: Math.ceil(values.length / width), tiled: false };
}

// Channels of an image laid out as tiles, row by row.
function tiles({ shape, values }: TensorValue, width: number, height: number): Float32Array {
  const w = shape.at(-1) ?? 1;
  const h = shape.at(-2) ?? 1;
  const columns = width / w;
  const out = new Float32Array(width * height);
  for (let i = 0; i < values.length; i += 1) {
    const channel = Math.floor(i / (w * h));
    const row = Math.floor((i % (w * h)) / w) + h * Math.floor(channel / columns);
    const column = (i % w) + w * (channel % columns);
    out[row * width + column] = values[i] ?? 0;
  }
  return out;
}

function statistics(values: ArrayLike<number>) {
  let min = Infinity;
  let max = -Infinity;
  let sum = 0;
  let zeros = 0;
  let nan = 0;
  let negative = 0;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? 0;
    if (Number.isNaN(value)) {
      nan += 1;
      continue;
    }
    min = Math.min(min, value);
    max = Math.max(max, value);
    sum += value;
    if (value === 0) zeros += 1;
    if (value < 0) negative += 1;
  }
  return { min, max, mean: sum / Math.max(1, values.length - nan), zeros, nan, negative };
}

export function Activations() {
  const list = seen();
  if (list.length === 0) return null;
  return (
    <div class="sec">
      <h3>
        {strings.activations.title}{' '}
        <span class="quiet hide-p">{strings.activations.sub}</span>
        <span class="grow" />
        <span class="legend">
          <span><i class="key key--pos" />{strings.activations.positive}</span>
          <span><i class="key key--neg" />{strings.activations.negative}</span>
        </span>
      </h3>
      <div class="acts acts--flow">
        {list.map(({ number, tensor }) => {
          const { width, height, tiled } = frame(tensor);
          const values = tiled ? tiles(tensor, width, height) : tensor.values;
          const { zeros, negative } = statistics(tensor.values);
          return (
            <figure key={tensor.name} class={`act ${colourOf(number)}`} {...linkOf([number])}>
              <figcaption class="cap"><Badge number={number} />{tensor.name}</figcaption>
              <Heatmap values={values} width={width} height={height}
                label={strings.activations.picture(tensor.values.length, tensor.name)} />
              <p class="stat">{strings.activations.stat(tensor.values.length, negative, zeros)}</p>
            </figure>
          );
        })}
      </div>
    </div>
  );
}

export function TensorTable() {
  const list = seen();
  if (list.length === 0) return null;
  return (
    <div class="sec hide-p">
      <h3>{strings.tensors.title}</h3>
      <table class="tbl">
        <thead>
          <tr>
            {strings.tensors.columns.map((name, i) => (
              <th key={name} scope="col" class={i > 1 ? 'num' : ''}>{name}</th>
            ))}
            <th scope="col"><span class="vh">{strings.tensors.copy}</span></th>
          </tr>
        </thead>
        <tbody>
          {list.map(({ number, tensor }) => {
            const { min, max, mean, zeros, nan } = statistics(tensor.values);
            return (
              <tr key={tensor.name} class={colourOf(number)} {...linkOf([number])}>
                <td><Badge number={number} />&ensp;<code>{tensor.name}</code></td>
                <td><code>{strings.tuple(tensor.shape)} {tensor.dtype}</code></td>
                <td class="num">{strings.short(min)}</td>
                <td class="num">{strings.short(max)}</td>
                <td class="num">{strings.short(mean)}</td>
                <td class="num">{strings.count(zeros)}</td>
                <td class="num">{strings.count(nan)}</td>
                <td class="num">
                  <button class="icon icon--s" aria-label={strings.tensors.copyOf(tensor.name)}
                    onClick={() => void copy(JSON.stringify(Array.from(tensor.values)),
                      strings.tensors.copied)}>
                    <Icon name="copy" />
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
