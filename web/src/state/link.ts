// The link's fragment, version 1: `#v1.` and then fields as in a query string. A field stands only
// where it differs from a new document of the first example, so one is short and readable
// (`#v1.ex=cnn&step=2.19&img=0`). Longer texts are packed (codec.ts). Weights never travel.
//
//   ex    example id; `none` when the graph began as no example   g   packed FX JSON
//   mode  relax | legalized            rules tvm                  r   packed rule text
//   ops   node:emit_te,node:relax      view  wasm | run | te      p   packed TE program
//   step  2.19                         img   7                    lib nodes, comma-separated
//   simd  relaxed | simd128 | off      sched off

import { pack, unpack } from './codec';
import { type Document, newDocument } from './document';

export const kPrefix = 'v1.';
export const kLongLink = 32_000; // some chat tools cut links beyond this

export type LinkProblem =
  | { kind: 'unknown_version'; text: string }
  | { kind: 'bad_field'; field: string; value: string }
  | { kind: 'broken_text'; field: string };

export interface OpenedLink {
  document: Document;
  problems: LinkProblem[];
}

const kModes = ['emit_te', 'relax', 'legalized'] as const;
const kRules = ['lecture', 'tvm'] as const;
const kViews = ['translate', 'wasm', 'run', 'te'] as const;
const kSimd = ['relaxed', 'simd128', 'off'] as const;

export async function toFragment(document: Document, firstExample: string): Promise<string> {
  const fresh = newDocument(firstExample);
  const fields = new URLSearchParams();
  const put = (name: string, value: string, initial: string): void => {
    if (value !== initial) fields.set(name, value);
  };
  put('ex', document.example ?? 'none', firstExample);
  if (document.graph !== null) fields.set('g', await pack(document.graph));
  put('mode', document.mode, fresh.mode);
  put('rules', document.rules, fresh.rules);
  const ops = Object.entries(document.opsByNode).map(([node, how]) => `${node}:${how}`);
  put('ops', ops.join(','), '');
  if (document.rulesText !== null) fields.set('r', await pack(document.rulesText));
  put('view', document.view, fresh.view);
  put('step', document.step ?? '', '');
  put('img', document.image === null ? '' : String(document.image), '');
  put('simd', document.simd ?? '', '');
  put('sched', document.schedule ? 'on' : 'off', 'on');
  put('lib', document.libraryNodes.join(','), '');
  if (document.program !== null) fields.set('p', await pack(document.program));
  // URLSearchParams escapes these although a fragment may hold them.
  const text = fields.toString().replaceAll('%3A', ':').replaceAll('%2C', ',');
  return text === '' ? '' : `#${kPrefix}${text}`;
}

function oneOf<T extends string>(allowed: readonly T[], value: string): T | null {
  return allowed.find((item) => item === value) ?? null;
}

// Never fails: what cannot be read is reported and left at its default.
export async function fromFragment(
  fragment: string,
  knownExamples: readonly string[],
): Promise<OpenedLink> {
  const firstExample = knownExamples[0] ?? null;
  const document = newDocument(firstExample);
  const problems: LinkProblem[] = [];
  const text = fragment.replace(/^#/, '');
  if (text === '') return { document, problems };
  if (!text.startsWith(kPrefix)) {
    problems.push({ kind: 'unknown_version', text: text.slice(0, 24) });
    return { document, problems };
  }
  const fields = new URLSearchParams(text.slice(kPrefix.length));
  const read = <T>(name: string, parse: (value: string) => T | null, use: (v: T) => void): void => {
    const value = fields.get(name);
    fields.delete(name);
    if (value === null) return;
    const parsed = parse(value);
    if (parsed === null) problems.push({ kind: 'bad_field', field: name, value });
    else use(parsed);
  };
  const readPacked = async (name: string, use: (v: string) => void): Promise<void> => {
    const value = fields.get(name);
    fields.delete(name);
    if (value === null) return;
    try {
      use(await unpack(value));
    } catch {
      problems.push({ kind: 'broken_text', field: name });
    }
  };

  read('ex', (v) => (v === 'none' || knownExamples.includes(v) ? v : null), (v) => {
    document.example = v === 'none' ? null : v;
  });
  await readPacked('g', (v) => (document.graph = v));
  read('mode', (v) => oneOf(kModes, v), (v) => (document.mode = v));
  read('rules', (v) => oneOf(kRules, v), (v) => (document.rules = v));
  read('ops', parseOps, (v) => (document.opsByNode = v));
  await readPacked('r', (v) => (document.rulesText = v));
  read('view', (v) => oneOf(kViews, v), (v) => (document.view = v));
  read('step', (v) => (/^\d+(\.\d+)?$/.test(v) ? v : null), (v) => (document.step = v));
  read('img', (v) => (/^\d{1,5}$/.test(v) ? Number(v) : null), (v) => (document.image = v));
  read('simd', (v) => oneOf(kSimd, v), (v) => (document.simd = v));
  read('sched', (v) => oneOf(['on', 'off'], v), (v) => (document.schedule = v === 'on'));
  read('lib', (v) => v.split(','), (v) => (document.libraryNodes = v));
  await readPacked('p', (v) => (document.program = v));
  for (const [field, value] of fields) problems.push({ kind: 'bad_field', field, value });
  if (document.example === null && document.graph === null) document.example = firstExample;
  return { document, problems };
}

function parseOps(value: string): Document['opsByNode'] | null {
  const result: Document['opsByNode'] = {};
  for (const item of value.split(',')) {
    const [node, how] = item.split(':');
    const ops = oneOf(['emit_te', 'relax'], how ?? '');
    if (node === undefined || node === '' || ops === null) return null;
    result[node] = ops;
  }
  return result;
}
