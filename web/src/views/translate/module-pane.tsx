// The IRModule so far, as TVM prints it, with what the current step added marked.

import { useComputed, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { backToGood, change, copy } from '../../engine/actions';
import type { TextAnswer } from '../../engine/core-types';
import * as store from '../../engine/store';
import { strings } from '../../strings';
import { Badge, type Chip, CodeView } from '../code/code-view';
import { colourOf } from '../code/links';
import { cut, type Line, nameOf } from '../code/lines';
import { Empty, Skeleton, Switch } from '../controls';
import { Icon } from '../icons';
import { paneClass } from '../panes';
import * as ui from '../ui';

// The name of a weight, in the place of TVM's metadata reference.
function weightChip(line: Line, at: number): Chip | null {
  const span = line.spans.find((s) => s.kind === 'constant' && s.begin - line.begin === at);
  if (span === undefined || span.name === '') return null;
  const tensor = store.good.value?.graph.tensors.find(({ name }) => name === span.name);
  return tensor === undefined
    ? null
    : { name: span.name, shape: tensor.shape.join('×') };
}

// A parameter of the function comes from no binding: its node is found through node_map.
function withParameters(text: TextAnswer): TextAnswer {
  const numbers = new Map<string, number>();
  for (const { value } of store.good.value?.calls ?? []) {
    if (value.kind !== 'node_map_added' || numbers.has(value.value)) continue;
    const node = store.good.value?.graph.nodes.find(({ name }) => name === value.node);
    if (node !== undefined) numbers.set(value.value, node.number);
  }
  const spans = text.spans.map((span) => {
    const number = numbers.get(span.name);
    if (span.kind !== 'var' || span.fxNodes.length > 0 || number === undefined) return span;
    return { ...span, fxNodes: [number] };
  });
  return { ...text, spans };
}

export function ModulePane({ handle }: { handle: ComponentChildren }) {
  const body = useRef<HTMLDivElement>(null);
  const code = useComputed(() => {
    const shown = store.moduleText.value;
    return shown === null ? null : cut(withParameters(shown.text), shown.before);
  });
  const shown = code.value;
  const stale = store.stale.value;
  const added = shown?.lines.findLast(({ added: isNew, badge }) => isNew && badge.length > 0);

  // The newest line comes into the middle third; the place is kept while it is in sight.
  useEffect(() => {
    const lines = body.current?.querySelectorAll<HTMLElement>('.ln.add');
    const last = lines?.[lines.length - 1];
    if (last === undefined || body.current === null) return;
    const view = body.current.getBoundingClientRect();
    const line = last.getBoundingClientRect();
    if (line.top >= view.top && line.bottom <= view.bottom) return;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const top = body.current.scrollTop + line.top - view.top - view.height * 0.6;
    body.current.scrollTo({ top, behavior: calm ? 'auto' : 'smooth' });
  }, [code.value]);

  return (
    <section class={`${paneClass('module')} ${stale ? 'is-stale' : ''}`}
      aria-label={strings.module.paneLabel}>
      {handle}
      <div class="pane__head">
        <h2>{strings.module.title}</h2>
        {stale
          ? <span class="chip chip--stale">{strings.module.stale}</span>
          : shown !== null && shown.added > 0 && (
            <span class="chip chip--new">{strings.module.added(shown.added)}</span>
          )}
        {shown !== null && (
          <span class="sub">{strings.module.sub(shown.functions, shown.bindings)}</span>
        )}
        <span class="grow" />
        <Switch class="hide-l" checked={ui.nameWeights.value}
          onChange={(on) => (ui.nameWeights.value = on)}>
          {strings.module.nameWeights}
        </Switch>
        <Switch checked={ui.wrap.value} onChange={(on) => (ui.wrap.value = on)}>
          {strings.module.wrap}
        </Switch>
        <button class="icon icon--s" aria-label={strings.module.copy} title={strings.module.copy}
          onClick={() => void copy(store.moduleText.value?.text.text ?? '', strings.module.copied)}>
          <Icon name="copy" />
        </button>
      </div>
      {stale && <StaleBar />}
      <div class="pane__body" tabIndex={0} role="group" aria-label={strings.module.bodyLabel}
        ref={body}>
        {shown === null
          ? store.good.value === null && store.errors.value.length > 0
            ? <Empty title={strings.module.nothingYet} />
            : <Skeleton lines={8} />
          : (
            <CodeView code={shown} language="tvmscript" wrap={ui.wrap.value}
              chipOf={ui.nameWeights.value ? weightChip : null}
              currentLine={added?.number ?? 0} />
          )}
        {shown !== null && <OpenNote />}
      </div>
      <Became />
    </section>
  );
}

function StaleBar() {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((now.value - (store.good.value?.at ?? 0)) / 1000));
  return (
    <div class="stalebar">
      <Icon name="clock" />
      <span class="grow">
        <b>{strings.module.staleTitle}</b>, {strings.module.staleSince(seconds)}
      </span>
      <button class="btn btn--s" onClick={backToGood}>{strings.module.back}</button>
    </div>
  );
}

// A function that is still open prints what it has; say so.
function OpenNote() {
  const made = store.good.value;
  const here = store.station.value;
  if (made === null || here === undefined || store.document_.value.mode === 'legalized') {
    return null;
  }
  const next = made.stations[here.index + 1];
  if (next === undefined && store.cursor.value >= here.end) return null;
  const name = store.cursor.value < here.end ? here.node : next?.node ?? '';
  return <p class="ghost">{strings.module.open(name)}</p>;
}

function Became() {
  const shown = store.moduleText.value;
  const here = store.station.value;
  if (shown === null || here === undefined || here.number === 0) return null;
  const mine = shown.text.spans.filter(
    ({ kind, fxNodes }) =>
      (kind === 'binding' || kind === 'function') && fxNodes.includes(here.number),
  );
  const names = [...new Set(mine.map((span) => nameOf(shown.text.text, span)))].slice(0, 6);
  return (
    <div class="pane__foot hide-p">
      {names.length > 0 && (
        <span class={`row ell ${colourOf(here.number)}`}>
          <Badge number={here.number} />
          <span class="ell">
            <code>{here.node}</code> {strings.module.became} {names.map((name, i) => (
              <span key={name}>{strings.listSeparator(i, names.length)}<code>{name}</code></span>
            ))}
          </span>
        </span>
      )}
      <span class="grow" />
      <a href="#wasm" onClick={(event) => {
        event.preventDefault();
        change({ view: 'wasm' });
      }}>{strings.module.seeWasm}</a>
    </div>
  );
}
