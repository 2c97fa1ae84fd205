// The builder's calls of one node, in order; those inside an emit_te fold.

import { useSignal } from '@preact/signals';
import { goToCall } from '../../engine/actions';
import { type CallRow, callRows, shapeOfType } from '../../engine/calls';
import type { StepEvent } from '../../engine/core-types';
import * as store from '../../engine/store';
import type { Station } from '../../state/cursor';
import { strings } from '../../strings';
import { colourOf } from '../code/links';

// What stands at the end of a call's row.
function resultOf(value: StepEvent, size: number): string {
  switch (value.kind) {
    case 'argument_looked_up':
    case 'evaluated':
      return strings.calls.gives(value.value);
    case 'parameter_mapped':
      return value.asInput ? strings.calls.asInput : strings.calls.asConstant;
    case 'emit_te_begun':
      return strings.calls.count(size);
    case 'function_inserted':
      return strings.calls.newFunction;
    case 'prim_func_reused':
      return strings.calls.reused;
    case 'variable_bound':
      return shapeOfType(value.type);
    case 'rule_chosen':
    case 'placeholder_made':
    case 'compute_made':
    case 'prim_func_created':
    case 'call_emitted':
    case 'function_begun':
    case 'dataflow_begun':
    case 'node_map_added':
    case 'dataflow_ended':
    case 'function_ended':
    case 'diagnostic':
      return '';
  }
}

function textOf(value: StepEvent): string {
  switch (value.kind) {
    case 'parameter_mapped':
      return value.tensor;
    case 'emit_te_begun':
      return value.teFunc;
    case 'prim_func_created':
      return value.nameHint;
    case 'function_inserted':
    case 'prim_func_reused':
      return `cls.${value.name}`;
    case 'argument_looked_up':
      return `node_map[${value.node}]`;
    case 'node_map_added':
      return `node_map[${value.node}] = ${value.value}`;
    case 'variable_bound':
      return value.name;
    case 'rule_chosen':
      return value.rule;
    default:
      return value.text;
  }
}

export function BuilderCalls({ station }: { station: Station }) {
  const toggled = useSignal<ReadonlyMap<number, boolean>>(new Map());
  const rows = callRows(store.good.value?.calls ?? [], station);
  const current = store.cursor.value - 1;
  const firstGroup = rows.find(({ groupSize }) => groupSize > 0)?.at;
  const isOpen = (group: CallRow): boolean => {
    const holds = current > group.at && current <= group.at + group.groupSize;
    return toggled.value.get(group.at) ?? (group.at === firstGroup || holds);
  };
  let group: CallRow | null = null;
  return (
    <section class="sec">
      <h3>{strings.calls.title} <span class="quiet">{strings.calls.sub}</span></h3>
      <ol class={`ev ${colourOf(station.number)}`} aria-label={strings.calls.title}>
        {rows.map((row) => {
          if (row.groupSize > 0) group = row;
          if (row.inGroup && group !== null && !isOpen(group)) return null;
          const here = row.at === current;
          const kind = row.groupSize > 0 ? 'grp' : row.inGroup ? 'te' : '';
          const result = resultOf(row.value, row.groupSize);
          const open = row.groupSize > 0 && isOpen(row);
          const toggle = (): void => {
            toggled.value = new Map([...toggled.value, [row.at, !open]]);
          };
          return (
            <li key={row.at} aria-current={here ? 'step' : undefined}
              class={`${kind} ${here ? 'cur' : ''} ${row.at > current ? 'later' : ''}`}>
              {row.inGroup && <i class="arm" />}
              <button class="bare lab" onClick={() => goToCall(row.at + 1)}
                title={strings.calls.goTo}>
                {strings.calls.labels[row.value.kind]}
              </button>
              <span><code>{textOf(row.value)}</code></span>
              {row.groupSize > 0
                ? (
                  <button class="fold" aria-expanded={open} onClick={toggle}>
                    {open ? strings.calls.hide(row.groupSize) : strings.calls.show(row.groupSize)}
                  </button>
                )
                : <span class="res">{result}</span>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
