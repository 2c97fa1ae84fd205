// Numbers as the page writes them: units after a space, a true minus, thousands commas.

const grouped = new Intl.NumberFormat('en-US');

export function count(value: number): string {
  return grouped.format(value);
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function minus(text: string): string {
  return text.replaceAll('-', '−');
}

export function time(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toPrecision(3)} s`;
  if (milliseconds >= 1) return `${milliseconds.toPrecision(3)} ms`;
  return `${(milliseconds * 1000).toPrecision(3)} µs`;
}

export function bytes(value: number): string {
  if (value < 10_000) return `${count(value)} B`;
  return value < 10_000_000 ? `${count(Math.round(value / 1000))} KB`
    : `${count(Math.round(value / 1_000_000))} MB`;
}
