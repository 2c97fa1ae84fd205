// What the page knows, as signals. Only the controller writes; the views read.

import { computed, signal } from '@preact/signals';
import { type Document, newDocument } from '../state/document';
import { type History, kNoHistory } from '../state/history';
import type { LinkProblem } from '../state/link';
import { type Station, stationAt, type StepBy, stationsOf } from '../state/cursor';
import { type FlatCall, flatten } from './calls';
import type {
  CompileAnswer,
  Diagnostic,
  GraphInfo,
  Step,
  TeAnswer,
  TextAnswer,
} from './core-types';
import type { AllImages, Optimised, TensorValue, WeightsFile } from './messages';
import type { FashionImages, Recorded } from './catalogue';

export type EngineStatus =
  | { kind: 'loading'; loaded: number; total: number }
  | { kind: 'ready' }
  | { kind: 'crashed'; message: string };

// A graph that translated, and what the compiler said of it.
export interface Good {
  version: number; // counts the good builds: a key for what depends on one
  text: string;
  graph: GraphInfo;
  steps: Step[];
  calls: FlatCall[];
  stations: Station[];
  milliseconds: number;
  at: number; // Date.now()
}

export interface Latest {
  text: string;
  graph: GraphInfo | null;
  diagnostics: Diagnostic[];
  kept: boolean;
}

export interface ModuleText {
  version: number;
  text: TextAnswer;
  before: TextAnswer | null; // at the station's beginning; null: nothing is marked as new
}

export interface Compiled {
  key: string;
  answer: CompileAnswer;
  bytes: Uint8Array;
  milliseconds: number;
}

export type Loadable<T> =
  | { kind: 'idle' }
  | { kind: 'busy'; since: number }
  | { kind: 'done'; value: T }
  | { kind: 'failed'; message: string };

export const kRulesFile = 'rules.py';

export const document_ = signal<Document>(newDocument(null));
export const exampleText = signal(''); // the graph of the chosen example, as it came
export const graphText = computed(() => document_.value.graph ?? exampleText.value);
export const edited = computed(() => document_.value.graph !== null);
export const history = signal<History>(kNoHistory);
export const linkProblems = signal<LinkProblem[]>([]);

export const weights = signal<WeightsFile[]>([]);
export const weightsNote = signal(''); // a dropped file of weights, by name

export const engine = signal<EngineStatus>({ kind: 'loading', loaded: 0, total: 0 });
export const building = signal(false);
export const latest = signal<Latest | null>(null);
export const good = signal<Good | null>(null);
export const stale = computed(
  () => latest.value !== null && !latest.value.kept && good.value !== null,
);
export const errors = computed(
  () => latest.value?.diagnostics.filter((d) => d.severity === 'error') ?? [],
);
// Which problem the reader is at, an index into the diagnostics.
export const currentProblem = signal(0);

export const stepBy = signal<StepBy>('node');
export const playing = signal(false);
export const cursor = signal(0);
export const station = computed<Station | undefined>(() =>
  stationAt(good.value?.stations ?? [], cursor.value),
);
export const moduleText = signal<ModuleText | null>(null);
export const hovered = signal<number[]>([]); // FX node numbers under the pointer
export const linked = computed<number[]>(() =>
  hovered.value.length > 0 ? hovered.value : [station.value?.number ?? 0],
);

export const builtInRules = signal<Record<'emit_te' | 'relax', string>>({ emit_te: '', relax: '' });
export const rulesOpen = signal(false);

export const compiled = signal<Loadable<Compiled>>({ kind: 'idle' });
export const optimised = signal<Loadable<Optimised>>({ kind: 'idle' });
export const disassemblies = signal<Record<string, TextAnswer>>({});

export const images = signal<Loadable<FashionImages>>({ kind: 'idle' });
export const recorded = signal<Recorded | null>(null);
export const recordedTensors = signal<TensorValue[]>([]);
export const drawing = signal<Uint8Array | null>(null); // a drawn image, in place of a gallery's
export interface OneRun {
  key: string;
  inputs: TensorValue[];
  outputs: TensorValue[];
  intermediates: TensorValue[];
}
export const oneRun = signal<OneRun | null>(null);
export const runProblem = signal('');
export const allRun = signal<(AllImages & { running: boolean }) | null>(null);
export interface Timing {
  median: number; // milliseconds an image
  p95: number;
  samples: Float64Array;
  calls: number; // a sample
}
export const timing = signal<Loadable<Timing>>({ kind: 'idle' });

export const program = signal<{ name: string; text: string }>({ name: '', text: '' });
export const programAnswer = signal<TeAnswer | null>(null);
export const programGood = signal<TeAnswer | null>(null);

export const announcement = signal(''); // read out by the live region
export const notice = signal(''); // shown for a moment, "Link copied"

let versions = 0;

export function makeGood(
  text: string,
  graph: GraphInfo,
  steps: Step[],
  milliseconds: number,
): Good {
  versions += 1;
  return {
    version: versions,
    text,
    graph,
    steps,
    calls: flatten(steps),
    stations: stationsOf(steps),
    milliseconds,
    at: Date.now(),
  };
}
