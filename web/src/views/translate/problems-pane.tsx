// All problems at once, in the step's place.

import { useSignal } from '@preact/signals';
import { copy } from '../../engine/actions';
import { supported } from '../../engine/compiler';
import type { Diagnostic } from '../../engine/core-types';
import * as store from '../../engine/store';
import { strings } from '../../strings';
import { paneClass } from '../panes';
import { goToProblem } from '../places';

function numberOf(node: string | null): number {
  return store.latest.value?.graph?.nodes.find(({ name }) => name === node)?.number ?? 0;
}

function asText(list: readonly Diagnostic[]): string {
  return list.map(({ file, line, column, severity, code, message, notes }) =>
    [`${file}:${line}:${column}: ${severity}[${code}]: ${message}`, ...notes].join('\n  '),
  ).join('\n');
}

export function ProblemsPane() {
  const list = store.latest.value?.diagnostics ?? [];
  return (
    <section class={paneClass('step')} aria-label={strings.problems.paneLabel} id="main">
      <div class="pane__head">
        <h2>{strings.problems.title}</h2>
        <span class="sub">{strings.problems.sub}</span>
        <span class="grow" />
        <button class="btn btn--quiet btn--s"
          onClick={() => void copy(asText(list), strings.problems.copied)}>
          {strings.problems.copy}
        </button>
      </div>
      <div class="pane__body" tabIndex={0} role="group" aria-label={strings.problems.listLabel}>
        <ol class="probs">
          {list.map((problem, index) => (
            <Problem key={index} problem={problem} index={index} />
          ))}
        </ol>
        <WhatWorked />
        <Supported />
      </div>
    </section>
  );
}

function Problem({ problem, index }: { problem: Diagnostic; index: number }) {
  const { severity, code, message, notes, line, column, node } = problem;
  const number = numberOf(node);
  const here = index === store.currentProblem.value;
  return (
    <li class={here ? 'cur' : ''} aria-current={here ? 'true' : undefined}>
      <i class={`x ${severity === 'error' ? '' : 'x--warn'}`} role="img" aria-label={severity}>!</i>
      <span class="code0">{code}</span>
      <div>
        <p class="msg">
          {number > 0 && <i class="n n--err">{number}</i>} <Marked text={message} />
        </p>
        {notes.map((note) => <p key={note} class="fix"><Marked text={note} /></p>)}
      </div>
      {line > 0 && (
        <button class="bare at" onClick={() => goToProblem(index)}
          aria-label={strings.problems.goTo(line, column)}>
          {strings.problems.at(line, column)}
        </button>
      )}
    </li>
  );
}

// Code in a message stands between backticks or quotes.
function Marked({ text }: { text: string }) {
  return (
    <>
      {text.split(/(`[^`]+`|'[^' ]+')/).map((part, i) =>
        /^[`']/.test(part) && part.length > 2 ? <code key={i}>{part.slice(1, -1)}</code> : part,
      )}
    </>
  );
}

function WhatWorked() {
  const nodes = store.latest.value?.graph?.nodes ?? [];
  const wrong = new Set(store.errors.value.map(({ node }) => node));
  const fine = nodes.filter(({ name }) => !wrong.has(name)).map(({ name }) => name);
  return (
    <section class="sec">
      <h3>{strings.problems.worked}</h3>
      <p class="why">
        {fine.length > 0 && wrong.size > 0 && strings.problems.fine(fine)}{' '}
        {store.good.value === null ? strings.problems.noGood : strings.problems.lastGood}
      </p>
    </section>
  );
}

function Supported() {
  const names = useSignal<{ map: string; key: string }[] | null>(null);
  const show = async (): Promise<void> => {
    names.value = (await supported(store.document_.value.rules)) ?? [];
  };
  return (
    <section class="sec">
      {names.value === null
        ? (
          <button class="btn btn--s" onClick={() => void show()}>
            {strings.problems.showSupported}
          </button>
        )
        : (
          <>
            <h3>{strings.problems.supported(names.value.length)}</h3>
            <ul class="names">
              {names.value.map(({ map, key }) => (
                <li key={map + key}><code>{key}</code> <span class="quiet">{map}</span></li>
              ))}
            </ul>
          </>
        )}
    </section>
  );
}
