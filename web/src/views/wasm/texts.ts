// One function's part of a longer text.

import type { TextAnswer } from '../../engine/core-types';

export function functionOf({ text, spans }: TextAnswer, name: string): string | null {
  const span = spans.find((s) => s.kind === 'function' && s.name === name);
  if (span === undefined) return null;
  const lineBegin = text.lastIndexOf('\n', span.begin) + 1;
  return text.slice(lineBegin, span.end);
}

export function dedented(text: string): string {
  const lines = text.split('\n');
  const indent = Math.min(
    ...lines.filter((line) => line.trim() !== '').map((l) => l.length - l.trimStart().length),
  );
  return lines.map((line) => line.slice(indent)).join('\n');
}

// The `(func $name …)` of a WAT text, by its brackets.
export function watOf(wat: string, name: string): string | null {
  const begin = [`(func $${name} `, `(func $${name}\n`, `(func $${name}(`]
    .map((head) => wat.indexOf(head))
    .find((at) => at >= 0);
  if (begin === undefined) return null;
  const lineBegin = wat.lastIndexOf('\n', begin) + 1;
  let depth = 0;
  for (let at = begin; at < wat.length; at += 1) {
    if (wat[at] === '(') depth += 1;
    if (wat[at] === ')') depth -= 1;
    if (depth === 0) return dedented(wat.slice(lineBegin, at + 1));
  }
  return null;
}
