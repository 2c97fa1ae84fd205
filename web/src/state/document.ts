// What the reader works on: a graph, how it is translated and compiled, and where they are looking.
// Everything here except the weights can travel in a link.

export type View = 'translate' | 'wasm' | 'run' | 'te';
export type Mode = 'emit_te' | 'relax' | 'legalized';
export type RuleSet = 'lecture' | 'tvm';
export type Simd = 'relaxed' | 'simd128' | 'off';
export type Ops = 'emit_te' | 'relax';

export interface Document {
  example: string | null; // id of the example it began as
  graph: string | null; // FX JSON; null while it is the example's own
  mode: Mode;
  rules: RuleSet;
  opsByNode: Record<string, Ops>;
  rulesText: string | null; // an edited rule set; null: the built-in one
  view: View;
  step: string | null; // "2.19", see cursor.ts; null: the first node's end
  image: number | null;
  simd: Simd | null; // null: the best that this browser takes
  schedule: boolean;
  libraryNodes: string[];
  program: string | null; // the TE view's text; null: the first lecture program's
}

export function newDocument(example: string | null): Document {
  return {
    example,
    graph: null,
    mode: 'emit_te',
    rules: 'lecture',
    opsByNode: {},
    rulesText: null,
    view: 'translate',
    step: null,
    image: null,
    simd: null,
    schedule: true,
    libraryNodes: [],
    program: null,
  };
}

export function opsOf(mode: Mode): Ops {
  return mode === 'emit_te' ? 'emit_te' : 'relax';
}
