// Where the editors' carets are asked to go: set by the problems list and by keys.

import { signal } from '@preact/signals';
import type { Diagnostic } from '../engine/core-types';
import * as store from '../engine/store';
import type { Place } from './editor/editor';
import * as ui from './ui';

export const graphPlace = signal<Place | null>(null);
export const rulesPlace = signal<Place | null>(null);
export const programPlace = signal<Place | null>(null);

export function goToProblem(index: number): void {
  const list = store.latest.value?.diagnostics ?? [];
  const problem = list[(index + list.length) % Math.max(1, list.length)];
  if (problem === undefined) return;
  store.currentProblem.value = list.indexOf(problem);
  goToPlace(problem);
}

export function goToPlace({ file, line, column }: Diagnostic): void {
  if (line === 0) return;
  if (file === store.kRulesFile) {
    store.rulesOpen.value = true;
    rulesPlace.value = { line, column };
    return;
  }
  ui.pane.value = 'json';
  graphPlace.value = { line, column };
}
