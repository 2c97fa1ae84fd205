// What the compiler core answers: the JSON that `Session` (wasm-backend/bindings/session.h) gives,
// one type per answer. Written by core/report; the command line's `steps` prints the same objects.

export interface Diagnostic {
  severity: 'error' | 'warning' | 'note';
  code: string; // stable, "FX3002"
  message: string;
  notes: string[];
  file: string; // may be empty
  line: number; // 1-based; 0 when unknown
  column: number; // 1-based, in code points
  node: string | null; // the FX node at fault
}

export interface Answer {
  ok: boolean;
  diagnostics: Diagnostic[];
}

export interface GraphNode {
  number: number; // 1-based place in the graph
  name: string;
  op: 'placeholder' | 'get_attr' | 'call_function' | 'call_method' | 'call_module' | 'output';
  target: string;
  inputs: string[]; // names of the nodes among its arguments, in order, each once
  text: string; // as print(graph) shows it
  moduleType: string | null; // its public name, with the package
  line: number; // of the node's object in the JSON
  column: number;
  endLine: number;
  endColumn: number;
  shape: (number | string)[] | null; // from meta; null when the text gives none
  dtype: string | null;
}

export interface TensorInfo {
  name: string;
  shape: number[];
  dtype: string;
  kind: 'parameter' | 'buffer' | 'constant';
  bytes: number;
  hasData: boolean;
}

export interface GraphInfo {
  name: string;
  weightsFile: string; // "" when the text names none
  nodes: GraphNode[];
  tensors: TensorInfo[];
  missingWeights: string[];
}

export interface OpenGraphAnswer extends Answer {
  graph: GraphInfo | null;
}

// A builder event. `text` is one line for the list of calls; the other fields are by kind.
export type StepEvent =
  | { kind: 'rule_chosen'; text: string; map: string; key: string; ruleSet: 'lecture' | 'tvm';
      rule: string; why: string; source: string; sourceLine: number }
  | { kind: 'argument_looked_up'; text: string; node: string; value: string }
  | { kind: 'parameter_mapped'; text: string; tensor: string; asInput: boolean; value: string }
  | { kind: 'evaluated'; text: string; value: string }
  | { kind: 'emit_te_begun'; text: string; teFunc: string }
  | { kind: 'placeholder_made'; text: string; name: string }
  | { kind: 'compute_made'; text: string; name: string }
  | { kind: 'prim_func_created'; text: string; nameHint: string }
  | { kind: 'prim_func_reused'; text: string; name: string }
  | { kind: 'function_inserted'; text: string; name: string }
  | { kind: 'call_emitted'; text: string }
  | { kind: 'function_begun'; text: string; name: string }
  | { kind: 'dataflow_begun'; text: string }
  | { kind: 'variable_bound'; text: string; name: string; type: string; value: string }
  | { kind: 'node_map_added'; text: string; node: string; value: string; type: string }
  | { kind: 'dataflow_ended'; text: string }
  | { kind: 'function_ended'; text: string }
  | { kind: 'diagnostic'; text: string; diagnostic: Diagnostic };

export interface Step {
  node: string; // "" for what belongs to no node
  number: number; // the node's number, 0 for none
  events: StepEvent[];
}

export interface TranslateOptions {
  rules: 'lecture' | 'tvm';
  ops: 'emit_te' | 'relax';
  opsByNode?: Record<string, 'emit_te' | 'relax'>;
  params: 'inputs' | 'inline';
  rulesText?: string; // an edited rule set; left out: the built-in one
}

export interface TranslateAnswer extends Answer {
  steps: Step[];
}

export type SpanKind =
  | 'function' | 'function_name' | 'binding' | 'var' | 'global_var' | 'constant' | 'sblock'
  | 'loop' | 'buffer';

export interface Span {
  begin: number; // UTF-16 offsets in `text`
  end: number;
  kind: SpanKind;
  function: string;
  index: number;
  name: string;
  fxNodes: number[]; // numbers of the FX nodes it comes from
}

export interface TextAnswer extends Answer {
  text: string; // TVMScript, byte for byte TVM's
  spans: Span[]; // sorted by begin, outer before inner
}

export interface TeAnswer extends Answer {
  kind: 'prim_func' | 'module' | null;
  text: string;
  spans: Span[];
  steps: Step[]; // of a builder program: one per statement; `number` is the source line
}

export interface CompileOptions {
  simd: 'relaxed' | 'simd128' | 'off';
  schedule: 'on' | 'off';
  keepIntermediates: boolean;
  libraryNodes: string[]; // FX nodes whose operator goes to a library kernel where there is one
}

export interface CompiledFunction {
  name: string; // of the PrimFunc
  codeBegin: number; // byte range of its body in the module
  codeEnd: number;
  fxNodes: number[];
  library: string | null; // "fx2wasm.dense" when it is a library kernel's call
}

export interface CompileAnswer extends Answer {
  bytes: number;
  needsLibrary: boolean;
  functions: CompiledFunction[];
  memory: { weightBytes: number; arenaBytes: number; totalBytes: number };
}

// The core module as Emscripten makes it. Every method that returns a string returns JSON of the
// type named beside it.
export interface Session {
  openGraph(text: string, file: string): string; // OpenGraphAnswer
  addWeights(bytes: Uint8Array, file: string): string; // OpenGraphAnswer, weights attached
  translate(optionsJson: string): string; // TranslateAnswer
  // The module after `steps` whole steps and `events` events of the next one.
  stateText(steps: number, events: number): string; // TextAnswer
  // The text of the PrimFunc that an event made (prim_func_created, function_inserted).
  eventText(step: number, event: number): string; // TextAnswer
  stageText(stage: 'translated' | 'legalized'): string; // TextAnswer
  compile(optionsJson: string): string; // CompileAnswer
  wasmBytes(): Uint8Array; // of the last compile; a copy
  disassembly(functionName: string): string; // TextAnswer-like: our own listing with offsets
  runProgram(text: string, file: string): string; // TeAnswer
  programStateText(steps: number, events: number): string; // TextAnswer, of the last runProgram
  rulesText(ops: 'emit_te' | 'relax'): string; // plain text: the built-in lecture rules
  supportedOperators(rules: 'lecture' | 'tvm'): string; // {map, key}[]
  delete(): void;
}

export interface CoreModule {
  Session: new () => Session;
}
