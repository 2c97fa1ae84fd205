// A TVMScript text cut into lines, each knowing which FX nodes it belongs to, what is new in it and
// what can be folded.

import type { Span, TextAnswer } from '../../engine/core-types';

export interface Line {
  number: number; // 1-based
  begin: number; // offset of its first character
  text: string;
  badge: number[]; // FX nodes whose number stands beside it
  nodes: number[]; // FX nodes it lights up with
  body: boolean; // of a PrimFunc: lights up under the pointer only
  added: boolean;
  spans: Span[]; // variables and constants within the line
}

export interface Fold {
  first: number; // line number that stays
  last: number;
  kind: 'imports' | 'function';
  name: string;
}

export interface Cut {
  lines: Line[];
  folds: Fold[];
  functions: number;
  bindings: number;
  added: number; // lines
}

// A binding's name is that of the variable which it begins with.
export function nameOf(text: string, { kind, begin, name }: Span): string {
  return kind === 'binding' ? /^\w*/.exec(text.slice(begin, begin + 200))?.[0] ?? '' : name;
}

function keyOf(text: string, span: Span): string {
  return `${span.function}/${nameOf(text, span)}`;
}

function names(answer: TextAnswer | null, kind: Span['kind']): Set<string> {
  const spans = answer?.spans.filter((span) => span.kind === kind) ?? [];
  return new Set(spans.map((span) => keyOf(answer?.text ?? '', span)));
}

export function cut(text: TextAnswer, before: TextAnswer | null): Cut {
  const lines: Line[] = [];
  let begin = 0;
  for (const line of text.text.split('\n')) {
    lines.push({
      number: lines.length + 1, begin, text: line, badge: [], nodes: [], body: false,
      added: false, spans: [],
    });
    begin += line.length + 1;
  }
  if (lines.at(-1)?.text === '') lines.pop();

  const lineAt = (offset: number): number => {
    let low = 0;
    let high = lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((lines[middle]?.begin ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const old = { functions: names(before, 'function'), bindings: names(before, 'binding') };
  const folds: Fold[] = [];
  let functions = 0;
  let bindings = 0;
  for (const span of text.spans) {
    const first = lineAt(span.begin);
    const last = lineAt(Math.max(span.begin, span.end - 1));
    const head = lines[first];
    if (head === undefined) continue;
    switch (span.kind) {
      case 'function': {
        const isNew = before !== null && !old.functions.has(keyOf(text.text, span));
        if (!isPrimFunc(lines, first)) break;
        functions += 1;
        head.badge = span.fxNodes;
        for (const line of lines.slice(first, last + 1)) {
          line.added = isNew;
          line.body = true;
          line.nodes = span.fxNodes;
        }
        const signature = lines.findIndex((l, i) => i >= first && /^\s*def /.test(l.text));
        if (!isNew && signature >= 0 && last > signature + 1) {
          folds.push({
            first: signature + 1, last: last + 1, kind: 'function', name: span.name,
          });
        }
        break;
      }
      case 'binding':
        bindings += 1;
        head.badge = head.badge.length === 0 ? span.fxNodes : head.badge;
        for (const line of lines.slice(first, last + 1)) {
          line.nodes = span.fxNodes;
          line.added ||= before !== null && !old.bindings.has(keyOf(text.text, span));
        }
        break;
      case 'var':
      case 'constant':
        head.spans.push(span);
        break;
      case 'function_name':
      case 'global_var':
      case 'sblock':
      case 'loop':
      case 'buffer':
        break;
    }
  }
  const imports = lines.findIndex((line) => !line.text.startsWith('# from '));
  if (imports > 2) folds.push({ first: 1, last: imports, kind: 'imports', name: '' });
  const added = lines.filter((line) => line.added).length;
  return { lines, folds, functions, bindings, added };
}

function isPrimFunc(lines: Line[], first: number): boolean {
  return lines.slice(first, first + 2).some((line) => line.text.includes('@T.prim_func'));
}
