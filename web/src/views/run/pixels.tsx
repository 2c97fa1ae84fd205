// Pictures of bytes and of values, drawn on small canvases.

import { useEffect, useRef } from 'preact/hooks';
import * as ui from '../ui';

export function GreyImage({ pixels, label }: { pixels: Uint8Array; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const side = Math.round(Math.sqrt(pixels.length));
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    const image = context.createImageData(side, side);
    pixels.forEach((value, i) => image.data.set([value, value, value, 255], i * 4));
    context.putImageData(image, 0, 0);
  }, [pixels]);
  return label === ''
    ? <canvas ref={canvas} class="fm" width={side} height={side} aria-hidden="true" />
    : <canvas ref={canvas} class="fm" width={side} height={side} role="img" aria-label={label} />;
}

function rgbOf(token: string): [number, number, number] {
  const hex = getComputedStyle(document.documentElement).getPropertyValue(token).trim().slice(1);
  const long = hex.length === 3 ? hex.replace(/./g, '$&$&') : hex;
  const value = Number.parseInt(long, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

// Ink is positive, one hue is negative, zero is the paper.
export function Heatmap(props: {
  values: ArrayLike<number>;
  width: number;
  height: number;
  label: string;
}) {
  const { values, width, height, label } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const dark = ui.isDark.value;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    const paper = rgbOf('--sunken');
    const positive = rgbOf('--val-pos');
    const negative = rgbOf('--val-neg');
    let largest = 0;
    for (let i = 0; i < values.length; i += 1) {
      largest = Math.max(largest, Math.abs(values[i] ?? 0));
    }
    const image = context.createImageData(width, height);
    for (let i = 0; i < width * height; i += 1) {
      const value = values[i] ?? 0;
      const part = largest === 0 ? 0 : Math.abs(value) / largest;
      const ink = value < 0 ? negative : positive;
      const mixed = paper.map((p, c) => Math.round(p + ((ink[c] ?? 0) - p) * part));
      image.data.set([...mixed, i < values.length ? 255 : 0], i * 4);
    }
    context.putImageData(image, 0, 0);
  }, [values, dark]);
  return (
    <canvas ref={canvas} class="pic heat" width={width} height={height} role="img"
      aria-label={label} />
  );
}
