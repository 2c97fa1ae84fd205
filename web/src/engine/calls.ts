// The builder's calls as the panes show them.

import type { Step, StepEvent } from './core-types';
import type { Station } from '../state/cursor';

export interface FlatCall {
  step: number; // index into the steps
  event: number; // index into that step's events
  value: StepEvent;
}

export function flatten(steps: Step[]): FlatCall[] {
  return steps.flatMap((step, index) =>
    step.events.map((value, event) => ({ step: index, event, value })),
  );
}

export interface Mapped {
  value: string;
  type: string;
}

// What node_map holds after `cursor` calls.
export function nodeMapAt(calls: FlatCall[], cursor: number): Map<string, Mapped> {
  const map = new Map<string, Mapped>();
  for (const { value } of calls.slice(0, cursor)) {
    if (value.kind === 'node_map_added') {
      map.set(value.node, { value: value.value, type: value.type });
    }
  }
  return map;
}

// "R.Tensor((1, 128), dtype="float32")" → "(1, 128)"; other types as they are.
export function shapeOfType(type: string): string {
  return /R\.Tensor\((\([^)]*\))/.exec(type)?.[1] ?? type;
}

export interface CallRow {
  at: number; // the call's index over all steps
  value: StepEvent;
  inGroup: boolean; // made inside an emit_te
  groupSize: number; // of an emit_te: how many calls it encloses
}

// The calls of one station, with those inside an emit_te marked. An emit_te ends when its result is
// bound.
export function callRows(calls: FlatCall[], station: Station): CallRow[] {
  const rows: CallRow[] = [];
  let group: CallRow | null = null;
  for (let at = station.begin; at < station.end; at += 1) {
    const call = calls[at];
    if (call === undefined) break;
    const row: CallRow = { at, value: call.value, inGroup: group !== null, groupSize: 0 };
    rows.push(row);
    if (group !== null) group.groupSize += 1;
    if (call.value.kind === 'emit_te_begun') {
      row.inGroup = false;
      group = row;
    } else if (call.value.kind === 'variable_bound') {
      group = null;
    }
  }
  return rows;
}
