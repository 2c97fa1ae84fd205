// Everything that the page and its workers say to each other.

import type {
  CompileAnswer,
  CompileOptions,
  OpenGraphAnswer,
  TeAnswer,
  TextAnswer,
  TranslateAnswer,
  TranslateOptions,
} from './core-types';

export interface WeightsFile {
  name: string;
  bytes: Uint8Array;
  opened: boolean; // by the reader; otherwise it came with the example
}

// ---- the compiler ----

export type CompilerRequest =
  | { kind: 'set_weights'; files: WeightsFile[] }
  | { kind: 'build'; text: string; file: string; options: TranslateOptions }
  | { kind: 'state_text'; steps: number; events: number }
  | { kind: 'stage_text'; stage: 'translated' | 'legalized' }
  | { kind: 'event_text'; step: number; event: number }
  | { kind: 'compile'; options: CompileOptions }
  | { kind: 'disassembly'; name: string }
  | { kind: 'run_program'; text: string; file: string }
  | { kind: 'program_state_text'; steps: number; events: number }
  | { kind: 'rules_text'; ops: 'emit_te' | 'relax' }
  | { kind: 'supported'; rules: 'lecture' | 'tvm' };

export interface BuildAnswer {
  opened: OpenGraphAnswer;
  translated: TranslateAnswer | null; // null when the graph could not be read
  kept: boolean; // this graph is now the one that the other requests speak of
  milliseconds: number;
}

export interface CompilerAnswers {
  set_weights: null;
  build: BuildAnswer;
  state_text: TextAnswer;
  stage_text: TextAnswer;
  event_text: TextAnswer;
  compile: { answer: CompileAnswer; bytes: Uint8Array; milliseconds: number };
  disassembly: TextAnswer;
  run_program: TeAnswer;
  program_state_text: TextAnswer;
  rules_text: string;
  supported: { map: string; key: string }[];
}

// ---- running a compiled module ----

export interface TensorValue {
  name: string;
  dtype: string;
  shape: number[];
  values: Float32Array | Float64Array;
  fxNodes: number[]; // of an intermediate result: the nodes it comes from
}

export interface ImageSet {
  images: Uint8Array; // count × pixels
  labels: Uint8Array;
  pixels: number;
  scale: number; // pixel value → the model's input
}

export type RunnerRequest =
  | { kind: 'load'; bytes: Uint8Array; library: Uint8Array | null }
  | { kind: 'load_images'; set: ImageSet }
  | { kind: 'run_one'; inputs: TensorValue[] }
  | { kind: 'run_all'; predictions: string }
  | { kind: 'measure'; inputs: TensorValue[]; milliseconds: number };

export interface LoadedModel {
  inputs: { name: string; shape: number[]; dtype: string }[];
  outputs: { name: string; shape: number[]; dtype: string }[];
}

export interface AllImages {
  done: number;
  correct: number;
  sameClass: number; // as PyTorch's recorded prediction
  stopped: boolean;
  milliseconds: number; // spent in the model's main
}

export interface RunnerAnswers {
  load: LoadedModel;
  load_images: null;
  run_one: { outputs: TensorValue[]; intermediates: TensorValue[] };
  run_all: AllImages;
  measure: { samples: Float64Array; calls: number }; // milliseconds a call, per sample
}

// ---- Binaryen ----

export type OptimiserRequest = { kind: 'optimise'; bytes: Uint8Array; simd: boolean };

export interface Optimised {
  valid: boolean;
  problem: string;
  before: { wat: string; bytes: number };
  after: { wat: string; bytes: number };
  milliseconds: number;
}

export interface OptimiserAnswers {
  optimise: Optimised;
}

// ---- graph layout ----

export interface LayoutNode {
  id: string;
  width: number;
  height: number;
}

export interface LayoutEdge {
  from: string;
  to: string;
}

export type LayoutRequest = { kind: 'layout'; nodes: LayoutNode[]; edges: LayoutEdge[] };

export interface Laid {
  width: number;
  height: number;
  nodes: Record<string, { x: number; y: number }>; // centres
  edges: { from: string; to: string; points: { x: number; y: number }[] }[];
}

export interface LayoutAnswers {
  layout: Laid;
}

// ---- what every worker sends back ----

export interface Envelope<Request> {
  id: number;
  request: Request;
}

export type WorkerMessage =
  | { kind: 'loading'; loaded: number; total: number }
  | { kind: 'ready' }
  | { kind: 'progress'; id: number; all: AllImages }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failed'; id: number; message: string };

export interface StopMessage {
  kind: 'stop';
}
