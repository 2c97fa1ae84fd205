// Keeps the translation in step with the document: edits go to the compile worker, its answers into
// the store.

import { computed, effect } from '@preact/signals';
import { cursorFromPlace, prefixOf, stationAt } from '../state/cursor';
import { opsOf } from '../state/document';
import { WorkerClient, WorkerCrash } from './client';
import type { Diagnostic, TextAnswer, TranslateOptions } from './core-types';
import type { BuildAnswer, CompilerAnswers, CompilerRequest } from './messages';
import * as store from './store';

export const compiler = new WorkerClient<CompilerRequest, CompilerAnswers>(
  () => new Worker(new URL('./compile.worker.ts', import.meta.url), { type: 'module' }),
  {
    loading: (loaded, total) => (store.engine.value = { kind: 'loading', loaded, total }),
    ready: () => (store.engine.value = { kind: 'ready' }),
    crashed: (message) => {
      store.engine.value = { kind: 'crashed', message };
      store.building.value = false;
    },
  },
);

// A crash is told by `store.engine`; whoever asked has nothing to add.
export async function unlessCrashed<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof WorkerCrash) return null;
    throw error;
  }
}

const kGraphFile = 'graph.fx.json';

function options(): TranslateOptions {
  const { mode, rules, opsByNode, rulesText } = store.document_.value;
  return {
    rules,
    ops: opsOf(mode),
    opsByNode,
    params: 'inline',
    ...(rulesText === null ? {} : { rulesText }),
  };
}

let generation = 0;
let wantedStep: string | null = null;

// The place that the next good build is to open at, as a link says it.
export function openAt(place: string | null): void {
  wantedStep = place;
}

async function build(): Promise<void> {
  generation += 1;
  const mine = generation;
  const text = store.graphText.value;
  if (text.trim() === '') {
    store.latest.value = { text, graph: null, diagnostics: [], kept: false };
    store.building.value = false;
    return;
  }
  store.building.value = true;
  const answer = await unlessCrashed(
    compiler.ask({ kind: 'build', text, file: kGraphFile, options: options() }),
  );
  if (answer === null || mine !== generation) return;
  store.building.value = false;
  receive(text, answer);
}

function receive(text: string, { opened, translated, kept, milliseconds }: BuildAnswer): void {
  const diagnostics: Diagnostic[] = [...opened.diagnostics, ...(translated?.diagnostics ?? [])];
  if (kept && opened.graph !== null && translated !== null) {
    const made = store.makeGood(text, opened.graph, translated.steps, milliseconds);
    const before = store.good.value;
    const here = stationAt(before?.stations ?? [], store.cursor.value);
    const atEnd = here !== undefined && store.cursor.value === here.end;
    const same = made.stations.find((s) => s.node === here?.node) ?? made.stations[0];
    const asked = wantedStep === null ? null : cursorFromPlace(made.stations, wantedStep);
    wantedStep = null;
    const along = same === undefined ? 0 : store.cursor.value - (here?.begin ?? 0) + same.begin;
    const kept = atEnd || before === null ? same?.end : Math.min(same?.end ?? 0, along);
    store.cursor.value = asked ?? kept ?? 0;
    store.good.value = made;
  }
  store.latest.value = { text, graph: opened.graph, diagnostics, kept };
  const firstError = diagnostics.findIndex((d) => d.severity === 'error');
  store.currentProblem.value = Math.max(0, firstError);
}

let timer: ReturnType<typeof setTimeout> | undefined;
let lastText = '';
const optionsKey = computed(() => JSON.stringify(options()));

function buildSoon(text: string): void {
  // At once for a click, after a pause in typing.
  const wait = text !== lastText && store.good.peek() !== null ? 180 : 0;
  lastText = text;
  clearTimeout(timer);
  timer = setTimeout(() => void build(), wait);
}

// Builds whenever what is translated, or how, changes.
export function followDocument(): void {
  effect(() => {
    const files = store.weights.value;
    void unlessCrashed(compiler.ask({ kind: 'set_weights', files }));
  });
  effect(() => {
    const text = store.graphText.value;
    if (optionsKey.value !== '' && store.weights.value.length >= 0) buildSoon(text);
  });
}

const texts = new Map<string, Promise<TextAnswer | null>>();

function textAt(
  version: number,
  place: string,
  ask: () => Promise<TextAnswer>,
): Promise<TextAnswer | null> {
  const name = `${version}:${place}`;
  let first = texts.get(name);
  if (first === undefined) {
    if (texts.size > 400) texts.clear();
    first = unlessCrashed(ask());
    texts.set(name, first);
  }
  return first;
}

export function stateTextAt(at: number): Promise<TextAnswer | null> {
  const made = store.good.value;
  if (made === null) return Promise.resolve(null);
  const prefix = prefixOf(made.steps, at);
  return textAt(made.version, `at${at}`, () => compiler.ask({ kind: 'state_text', ...prefix }));
}

export function stageText(stage: 'translated' | 'legalized'): Promise<TextAnswer | null> {
  const made = store.good.value;
  if (made === null) return Promise.resolve(null);
  return textAt(made.version, stage, () => compiler.ask({ kind: 'stage_text', stage }));
}

export function eventText(at: number): Promise<TextAnswer | null> {
  const made = store.good.value;
  const call = made?.calls[at];
  if (!made || call === undefined) return Promise.resolve(null);
  const { step, event } = call;
  return textAt(made.version, `ev${at}`, () =>
    compiler.ask({ kind: 'event_text', step, event }),
  );
}

// Shows the module's text at the cursor, with what the current node added to it.
export function followCursor(): void {
  let turn = 0;
  effect(() => {
    const made = store.good.value;
    const at = store.cursor.value;
    const here = store.station.value;
    const legalised = store.document_.value.mode === 'legalized';
    if (made === null) return;
    turn += 1;
    const mine = turn;
    const wanted = legalised
      ? Promise.all([stageText('legalized'), Promise.resolve(null)])
      : Promise.all([stateTextAt(at), stateTextAt(here?.begin ?? 0)]);
    void wanted.then(([text, before]) => {
      if (mine !== turn || text === null) return;
      store.moduleText.value = { version: made.version, text, before };
    });
  });
}

export function restart(): void {
  texts.clear();
  store.engine.value = { kind: 'loading', loaded: 0, total: 0 };
  compiler.start();
  void unlessCrashed(compiler.ask({ kind: 'set_weights', files: store.weights.value }));
  void build();
}

export async function loadRules(): Promise<void> {
  const [emit_te, relax] = await Promise.all([
    unlessCrashed(compiler.ask({ kind: 'rules_text', ops: 'emit_te' })),
    unlessCrashed(compiler.ask({ kind: 'rules_text', ops: 'relax' })),
  ]);
  store.builtInRules.value = { emit_te: emit_te ?? '', relax: relax ?? '' };
}

export function supported(
  rules: 'lecture' | 'tvm',
): Promise<{ map: string; key: string }[] | null> {
  return unlessCrashed(compiler.ask({ kind: 'supported', rules }));
}
