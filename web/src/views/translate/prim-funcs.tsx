// What the node's emit_te calls made: tensor expressions, and the PrimFunc of each.

import { useSignal, useSignalEffect } from '@preact/signals';
import { eventText } from '../../engine/compiler';
import type { StepEvent, TextAnswer } from '../../engine/core-types';
import * as store from '../../engine/store';
import type { Station } from '../../state/cursor';
import { strings } from '../../strings';
import { CodeView, plainCut } from '../code/code-view';
import { Segmented } from '../controls';

interface Emitted {
  at: number; // of the PrimFunc's call
  name: string;
  expression: string;
}

function emittedBy(station: Station, cursor: number): Emitted[] {
  const calls = store.good.value?.calls ?? [];
  const found: Emitted[] = [];
  let lines: string[] = [];
  const add = (value: StepEvent, at: number): void => {
    if (value.kind === 'emit_te_begun') lines = [];
    if (value.kind === 'placeholder_made' || value.kind === 'compute_made') lines.push(value.text);
    if (value.kind === 'prim_func_created') {
      found.push({ at, name: value.nameHint, expression: lines.join('\n') });
    }
  };
  for (let at = station.begin; at < Math.min(station.end, cursor); at += 1) {
    const value = calls[at]?.value;
    if (value !== undefined) add(value, at);
  }
  return found;
}

export function PrimFuncs({ station }: { station: Station }) {
  const chosen = useSignal<string | null>(null);
  const text = useSignal<{ at: number; answer: TextAnswer } | null>(null);
  const made = emittedBy(station, store.cursor.value);
  const shown = made.find(({ at }) => String(at) === chosen.value) ?? made.at(-1);

  useSignalEffect(() => {
    const here = store.station.value;
    if (here === undefined) return;
    const now = emittedBy(here, store.cursor.value);
    const wanted = now.find(({ at }) => String(at) === chosen.value) ?? now.at(-1);
    if (wanted === undefined) return;
    void eventText(wanted.at).then((answer) => {
      if (answer !== null) text.value = { at: wanted.at, answer };
    });
  });

  if (shown === undefined) return null;
  return (
    <section class="sec">
      <h3>
        {strings.primFunc.title} <span class="quiet">{strings.primFunc.sub}</span>
        <span class="grow" />
        {made.length > 1 && (
          <Segmented small mono label={strings.primFunc.choose} value={String(shown.at)}
            options={made.map(({ at, name }) => ({ value: String(at), label: name }))}
            onChange={(value) => (chosen.value = value)} />
        )}
      </h3>
      <div class="rulebox" tabIndex={0} role="group" aria-label={strings.primFunc.expression}>
        <CodeView code={plainCut(shown.expression)} language="tvmscript" />
      </div>
      {text.value?.at === shown.at && (
        <div class="rulebox" tabIndex={0} role="group" aria-label={strings.primFunc.text}>
          <CodeView code={plainCut(text.value.answer.text)} language="tvmscript" small />
        </div>
      )}
    </section>
  );
}
