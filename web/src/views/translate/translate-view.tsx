// The three panes and time below them.

import { useSignal } from '@preact/signals';
import * as store from '../../engine/store';
import { strings } from '../../strings';
import * as ui from '../ui';
import { GraphPane } from './graph-pane';
import { JsonPane } from './json-pane';
import { ModulePane } from './module-pane';
import { ProblemsPane } from './problems-pane';
import { StepPane } from './step-pane';

const kLeast = 280; // pixels that a pane keeps

export function TranslateView() {
  const widths = useSignal<[number, number] | null>(null); // of the first two panes, pixels
  const main = useSignal<HTMLElement | null>(null);
  const problems = store.errors.value.length > 0 && !store.rulesOpen.value;
  const shown = ui.pane.value;
  const columns = widths.value === null ? undefined
    : `--w1:${widths.value[0]}px;--w2:${widths.value[1]}px`;

  const current = (): [number, number] => {
    const [first, second] = [...(main.value?.children ?? [])];
    return widths.value ??
      [first?.clientWidth ?? kLeast, second?.clientWidth ?? kLeast];
  };
  const resize = (which: 0 | 1, by: number): void => {
    const next = current();
    next[which] = Math.max(kLeast, next[which] + by);
    widths.value = [...next];
  };
  return (
    <main class={`main main--translate ${widths.value === null ? '' : 'is-resized'}`}
      style={columns} ref={(element) => void (main.value = element)}>
      <div class={`stack ${shown === 'json' || shown === 'graph' ? 'shown' : ''}`}
        data-pane={shown === 'graph' ? 'graph' : 'json'}>
        <JsonPane />
        <GraphPane />
        <Handle which={0} onMove={(by) => resize(0, by)} onReset={() => (widths.value = null)} />
      </div>
      {problems ? <ProblemsPane /> : <StepPane />}
      <ModulePane handle={
        <Handle which={1} onMove={(by) => resize(1, by)} onReset={() => (widths.value = null)} />
      } />
    </main>
  );
}

function Handle(props: { which: 0 | 1; onMove: (by: number) => void; onReset: () => void }) {
  const { which, onMove, onReset } = props;
  const onPointerDown = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) onMove(event.movementX);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    event.stopPropagation();
    onMove(event.key === 'ArrowLeft' ? -24 : 24);
  };
  return (
    <div class={`handle handle--${which}`} role="separator" aria-orientation="vertical"
      aria-label={strings.panes.handle(which)} tabIndex={0}
      aria-valuenow={which === 0 ? 25 : 60} onPointerDown={onPointerDown}
      onPointerMove={onPointerMove} onKeyDown={onKeyDown} onDblClick={onReset} />
  );
}
