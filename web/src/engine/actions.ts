// What a person does to the document: opening, editing, stepping, sharing.

import { effect } from '@preact/signals';
import { cursorFromPlace, moved, placeText, type StepBy } from '../state/cursor';
import type { Document, Ops } from '../state/document';
import { newDocument } from '../state/document';
import { remember, undo as undone } from '../state/history';
import { fromFragment, toFragment } from '../state/link';
import { examples, exampleOf, graphOf, recordedOf, tensorsOf, weightsOf } from './catalogue';
import { openAt } from './compiler';
import * as store from './store';

export function change(fields: Partial<Document>): void {
  store.document_.value = { ...store.document_.value, ...fields };
}

function rememberGraph(): void {
  const { example, graph } = store.document_.value;
  store.history.value = remember(store.history.value, { example, graph });
}

let fetches = 0;

// Brings the example's graph, then its weights and PyTorch's answers.
async function loadExample(id: string | null): Promise<void> {
  fetches += 1;
  const mine = fetches;
  const example = exampleOf(id);
  store.weightsNote.value = '';
  store.recorded.value = null;
  store.recordedTensors.value = [];
  store.allRun.value = null;
  store.drawing.value = null;
  if (example === undefined) {
    store.weights.value = [];
    return;
  }
  const weights = weightsOf(example);
  const text = await graphOf(example);
  if (mine !== fetches) return;
  store.exampleText.value = text;
  const file = await weights;
  if (mine !== fetches) return;
  store.weights.value = file === null ? [] : [{ ...file, opened: false }];
  if (example.kind === 'fashion_mnist') {
    const recorded = await recordedOf(example);
    if (mine === fetches) store.recorded.value = recorded;
  } else {
    const tensors = await tensorsOf(example);
    if (mine === fetches) store.recordedTensors.value = tensors;
  }
}

export async function openExample(id: string): Promise<void> {
  rememberGraph();
  const { view, mode, rules, simd, schedule, program } = store.document_.value;
  openAt(null);
  store.good.value = null;
  store.moduleText.value = null;
  store.document_.value = { ...newDocument(id), view, mode, rules, simd, schedule, program };
  await loadExample(id);
}

// An edit of the graph's text; text equal to the example's own is no edit.
export function editGraph(text: string): void {
  const graph = text === store.exampleText.value ? null : text;
  if (graph === store.document_.value.graph) return;
  if (store.document_.value.graph === null) rememberGraph();
  change({ graph });
}

export function undo(): void {
  const { history, entry } = undone(store.history.value);
  if (entry === null) return;
  store.history.value = history;
  const other = entry.example !== store.document_.value.example;
  change({ example: entry.example, graph: entry.graph });
  if (other) void loadExample(entry.example);
}

export function backToGood(): void {
  if (store.good.value !== null) editGraph(store.good.value.text);
}

export function reset(): void {
  rememberGraph();
  change({ graph: null, rulesText: null, opsByNode: {} });
}

export async function openFiles(files: Iterable<File>): Promise<void> {
  for (const file of files) {
    if (file.name.endsWith('.safetensors')) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      store.weights.value = [{ name: file.name, bytes, opened: true }];
      store.weightsNote.value = file.name;
      store.allRun.value = null;
    } else {
      rememberGraph();
      openAt(null);
      change({ graph: await file.text(), step: null });
    }
  }
}

export function pasteGraph(text: string): void {
  rememberGraph();
  change({ graph: text, step: null });
}

export function setNodeOps(node: string, ops: Ops | null): void {
  const others = Object.entries(store.document_.value.opsByNode).filter(([name]) => name !== node);
  const own: [string, Ops][] = ops === null ? [] : [[node, ops]];
  change({ opsByNode: Object.fromEntries([...others, ...own]) });
}

// ---- stepping ----

function goTo(cursor: number): void {
  store.cursor.value = cursor;
  const made = store.good.value;
  if (made !== null) change({ step: placeText(made.stations, cursor) });
}

export function step(direction: 1 | -1, by: StepBy = store.stepBy.value): boolean {
  const made = store.good.value;
  if (made === null) return false;
  const next = moved(made.stations, store.cursor.value, by, direction);
  if (next === store.cursor.value) return false;
  goTo(next);
  return true;
}

export function goToCall(calls: number): void {
  goTo(calls);
}

export function goToStation(index: number): void {
  const station = store.good.value?.stations[index];
  if (station !== undefined) goTo(station.end);
}

export function goToNode(number: number): void {
  const station = store.good.value?.stations.find((s) => s.number === number);
  if (station !== undefined) goTo(station.end);
}

const kNodeBeat = 900; // milliseconds between steps while playing
const kCallBeat = 350;
let beat: ReturnType<typeof setTimeout> | undefined;

export function play(): void {
  if (store.playing.value) {
    pause();
    return;
  }
  const stations = store.good.value?.stations ?? [];
  if (store.cursor.value >= (stations.at(-1)?.end ?? 0)) goToStation(0);
  store.playing.value = true;
  const next = (): void => {
    beat = setTimeout(() => {
      if (step(1)) next();
      else pause();
    }, store.stepBy.value === 'node' ? kNodeBeat : kCallBeat);
  };
  next();
}

export function pause(): void {
  clearTimeout(beat);
  store.playing.value = false;
}

// ---- the link ----

const firstExample = examples[0]?.id ?? '';

export async function openFragment(fragment: string): Promise<void> {
  const known = examples.map(({ id }) => id);
  const { document, problems } = await fromFragment(fragment, known);
  store.linkProblems.value = problems;
  openAt(document.step);
  store.document_.value = document;
  const made = store.good.value;
  const at = document.step === null || made === null ? null :
    cursorFromPlace(made.stations, document.step);
  if (at !== null) store.cursor.value = at;
  await loadExample(document.example);
}

// Keeps the address bar's fragment equal to what is seen, without adding to the browser's history.
export function followLink(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;
  effect(() => {
    const document = store.document_.value;
    if (store.linkProblems.value.length > 0) return; // the broken link stays readable
    clearTimeout(timer);
    turn += 1;
    const mine = turn;
    timer = setTimeout(async () => {
      const fragment = await toFragment(document, firstExample);
      if (mine === turn) {
        const { pathname, search } = location;
        window.history.replaceState(null, '', `${pathname}${search}${fragment}`);
      }
    }, 250);
  });
}

export async function shareLink(): Promise<string> {
  const { origin, pathname } = location;
  return `${origin}${pathname}${await toFragment(store.document_.value, firstExample)}`;
}

export async function copy(text: string, notice: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  store.notice.value = notice;
  setTimeout(() => {
    if (store.notice.value === notice) store.notice.value = '';
  }, 2000);
}
