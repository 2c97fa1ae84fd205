// The compiled module: its functions, and one of them as PrimFunc, as our own listing at once, and
// as Binaryen sees it on demand.

import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { change } from '../../engine/actions';
import { stageText } from '../../engine/compiler';
import type { CompiledFunction, TextAnswer } from '../../engine/core-types';
import { bestSimd } from '../../engine/probe';
import { needsWeights, optimise } from '../../engine/running';
import * as store from '../../engine/store';
import type { Simd } from '../../state/document';
import { strings } from '../../strings';
import { Badge, CodeView, plainCut } from '../code/code-view';
import { colourOf, linkOf } from '../code/links';
import { Banner, Empty, Pane, Segmented, Skeleton, StaleChip, Switch, Tabs } from '../controls';
import { OpenFileButton } from '../translate/json-pane';
import { dedented, functionOf, watOf } from './texts';

type WasmPane = 'functions' | 'primfunc' | 'wat' | 'binaryen';
const chosen = { name: '' };

export function WasmView() {
  const name = useSignal(chosen.name);
  const pane = useSignal<WasmPane>('wat');
  const module = useSignal<TextAnswer | null>(null);
  useSignalEffect(() => {
    if (store.good.value === null) return;
    void stageText('legalized').then((text) => (module.value = text));
  });
  const state = store.compiled.value;
  const functions = state.kind === 'done' ? state.value.answer.functions : [];
  const current = functions.find((f) => f.name === name.value) ?? functions[0];
  const choose = (next: string): void => {
    chosen.name = name.value = next;
  };
  return (
    <>
      <section class="panesel" aria-label={strings.panes.label}>
        <Tabs<WasmPane> class="paneTabs" label={strings.panes.label} value={pane.value}
          options={[
            { value: 'functions', label: strings.wasm.functions },
            { value: 'primfunc', label: strings.wasm.primFunc },
            { value: 'wat', label: strings.wasm.listing },
            { value: 'binaryen', label: strings.wasm.binaryen },
          ]}
          onChange={(value) => (pane.value = value)} />
      </section>
      <main class="main main--wasm" id="main">
        <Functions functions={functions} current={current} choose={choose}
          shown={pane.value === 'functions'} />
        <Bar current={current} />
        {state.kind === 'done' && current !== undefined
          ? (
            <>
              <PrimFunc current={current} module={module.value}
                shown={pane.value === 'primfunc'} />
              <Listing current={current} shown={pane.value === 'wat'} />
              <Binaryen current={current} shown={pane.value === 'binaryen'} />
            </>
          )
          : <Waiting />}
      </main>
    </>
  );
}

function Waiting() {
  const state = store.compiled.value;
  return (
    <section class="pane pane--wide shown" aria-label={strings.wasm.title}>
      <div class="pane__body" tabIndex={0} role="group" aria-label={strings.wasm.title}>
        {state.kind === 'failed'
          ? <Banner kind="err">{strings.wasm.failed} {state.message}</Banner>
          : needsWeights.value
            ? <NoWeights />
            : store.good.value === null && store.errors.value.length > 0
              ? <Empty title={strings.wasm.noGraph} />
              : <Skeleton lines={8} />}
      </div>
    </section>
  );
}

export function NoWeights() {
  const graph = store.good.value?.graph;
  const file = graph === undefined || graph.weightsFile === '' ? null : graph.weightsFile;
  return (
    <div class="sec">
      <Banner kind="warn">{strings.run.noWeights(file, graph?.missingWeights ?? [])}</Banner>
      <div class="row dlg__text"><OpenFileButton primary /></div>
    </div>
  );
}

function sizeOf({ codeBegin, codeEnd }: CompiledFunction): number {
  return codeEnd - codeBegin;
}

function Functions(props: {
  functions: CompiledFunction[];
  current: CompiledFunction | undefined;
  choose: (name: string) => void;
  shown: boolean;
}) {
  const { functions, current, choose, shown } = props;
  const state = store.compiled.value;
  const memory = state.kind === 'done' ? state.value.answer.memory : null;
  return (
    <Pane label={strings.wasm.functions} class={`passes ${shown ? 'shown' : ''}`}
      busy={state.kind === 'busy'}
      head={<><h2>{strings.wasm.functions}</h2>
        <span class="sub">{functions.length > 0 ? functions.length : ''}</span></>}>
      <div class="pl">
        <ol>
          {functions.map((item) => (
            <li key={item.name} class={item === current ? 'cur' : ''}
              {...linkOf(item.fxNodes)}>
              <button aria-current={item === current ? 'true' : undefined}
                onClick={() => choose(item.name)}>
                <span class="row row--tight">
                  {item.fxNodes.map((number) => <Badge key={number} number={number} />)}
                </span>
                <span class="nm ell">
                  <code>{item.name}</code>
                  {item.library !== null && <span class="pin">{strings.wasm.library}</span>}
                </span>
                <span class="d">{strings.bytes(sizeOf(item))}</span>
              </button>
            </li>
          ))}
        </ol>
        {memory !== null && (
          <>
            <h3>{strings.wasm.memory}</h3>
            <table class="tbl tbl--inset">
              <tbody>
                {([['weights', memory.weightBytes], ['arena', memory.arenaBytes],
                  ['total', memory.totalBytes]] as const).map(([key, bytes]) => (
                  <tr key={key}>
                    <td>{strings.wasm.memoryOf[key]}</td>
                    <td class="num">{strings.bytes(bytes)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
        <LibraryChoice />
      </div>
    </Pane>
  );
}

// Per node: code generated for it, or the hand-written kernel where there is one.
export function LibraryChoice() {
  const made = store.good.value;
  const { libraryNodes } = store.document_.value;
  const nodes = (made?.graph.nodes ?? []).filter(
    ({ name, op }) => op.startsWith('call_') && mayHaveLibrary(name),
  );
  if (nodes.length === 0) return null;
  return (
    <>
      <h3>{strings.wasm.byLibrary}</h3>
      <ul class="libs">
        {nodes.map(({ name, number }) => (
          <li key={name} class={`row ${colourOf(number)}`}>
            <Badge number={number} /><code class="ell grow">{name}</code>
            <Segmented small label={strings.wasm.nodeBy(name)}
              value={libraryNodes.includes(name) ? 'library' : 'generated'}
              options={[
                { value: 'generated', label: strings.wasm.generated },
                { value: 'library', label: strings.wasm.libraryKernel },
              ]}
              onChange={(value: 'generated' | 'library') => {
                const others = libraryNodes.filter((node) => node !== name);
                change({ libraryNodes: value === 'library' ? [...others, name] : others });
              }} />
          </li>
        ))}
      </ul>
    </>
  );
}

// Library kernels multiply by a weight matrix: a node that reads one parameter of two dimensions.
function mayHaveLibrary(node: string): boolean {
  const made = store.good.value;
  if (made === null) return false;
  const calls = made.steps.find((step) => step.node === node)?.events ?? [];
  return calls.some((event) => event.kind === 'parameter_mapped' &&
    made.graph.tensors.some(({ name, shape }) => name === event.tensor && shape.length === 2));
}

function Bar({ current }: { current: CompiledFunction | undefined }) {
  const { simd, schedule } = store.document_.value;
  const state = store.compiled.value;
  return (
    <div class="kbar">
      {current !== undefined && (
        <span class="row">
          {current.fxNodes.map((number) => <Badge key={number} number={number} size="n--m" />)}
          <code class="strong">{current.name}</code>
        </span>
      )}
      {current !== undefined && (
        <div class="kv">
          <b>{strings.bytes(sizeOf(current))}</b>
          <span>{strings.wasm.codeOf}</span>
        </div>
      )}
      {state.kind === 'done' && (
        <div class="kv hide-l">
          <b>{strings.bytes(state.value.bytes.length)}</b>
          <span>{strings.wasm.wholeModule}</span>
        </div>
      )}
      {store.stale.value && (
        <StaleChip label={strings.run.lastGood} title={strings.run.lastGoodTitle} />
      )}
      <span class="grow" />
      <Segmented<Simd> small label={strings.wasm.variant} value={simd ?? bestSimd()}
        options={[
          { value: 'relaxed', label: strings.wasm.variants.relaxed },
          { value: 'simd128', label: strings.wasm.variants.simd128 },
          { value: 'off', label: strings.wasm.variants.off },
        ]}
        onChange={(value) => change({ simd: value === bestSimd() ? null : value })} />
      <Switch checked={schedule} onChange={(on) => change({ schedule: on })}>
        {strings.wasm.schedule}
      </Switch>
    </div>
  );
}

function PrimFunc(props: {
  current: CompiledFunction;
  module: TextAnswer | null;
  shown: boolean;
}) {
  const { current, module, shown } = props;
  const text = module === null ? null : functionOf(module, current.name);
  return (
    <Pane label={strings.wasm.primFunc} class={`opt-l ${shown ? 'shown' : ''}`}
      head={<><h2>{strings.wasm.primFunc}</h2><span class="sub">{strings.wasm.primFuncSub}</span>
        </>}>
      {current.library !== null
        ? <Empty title={strings.wasm.isLibrary(current.library)} />
        : text === null
          ? <Empty title={strings.wasm.noPrimFunc} />
          : <CodeView code={plainCut(dedented(text))} language="tvmscript" small />}
    </Pane>
  );
}

function Listing({ current, shown }: { current: CompiledFunction; shown: boolean }) {
  const text = store.disassemblies.value[current.name];
  return (
    <Pane label={strings.wasm.listing} class={shown ? 'shown' : ''}
      head={
        <>
          <h2>{strings.wasm.listing}</h2>
          <span class="sub">{strings.wasm.offset(current.codeBegin)}</span>
          <span class="grow" />
          <span class="chip">{strings.bytes(sizeOf(current))}</span>
        </>
      }>
      {text === undefined ? <Skeleton />
        : <CodeView code={plainCut(text.text)} language="wat" small />}
    </Pane>
  );
}

function Binaryen({ current, shown }: { current: CompiledFunction; shown: boolean }) {
  const side = useSignal<'before' | 'after'>('after');
  const state = store.optimised.value;
  const wat = useComputed(() => {
    const done = store.optimised.value;
    return done.kind === 'done' ? done.value[side.value].wat : '';
  });
  const head = (
    <>
      <h2>{strings.wasm.binaryen}</h2>
      {state.kind === 'done' && (
        <>
          <span class={`chip ${state.value.valid ? 'chip--ok' : 'chip--err'}`}>
            {state.value.valid ? strings.wasm.valid : strings.wasm.invalid}
          </span>
          <span class="grow" />
          <Segmented<'before' | 'after'> small label={strings.wasm.beforeAfter}
            value={side.value}
            options={[
              { value: 'before',
                label: strings.wasm.before(state.value.before.bytes) },
              { value: 'after', label: strings.wasm.after(state.value.after.bytes) },
            ]}
            onChange={(value) => (side.value = value)} />
        </>
      )}
    </>
  );
  return (
    <Pane label={strings.wasm.binaryen} class={shown ? 'shown' : ''} head={head}
      busy={state.kind === 'busy'}>
      {state.kind === 'idle' && (
        <Empty title={strings.wasm.optimiseTitle}>
          <span>{strings.wasm.optimiseHint}</span>
          <button class="btn btn--primary" onClick={() => void optimise()}>
            {strings.wasm.optimise}
          </button>
        </Empty>
      )}
      {state.kind === 'busy' && (
        <Empty title={strings.wasm.optimising}><span class="spin" /></Empty>
      )}
      {state.kind === 'failed' && <Banner kind="err">{state.message}</Banner>}
      {state.kind === 'done' && (
        <>
          {state.value.problem !== '' && <Banner kind="err">{state.value.problem}</Banner>}
          <CodeView code={plainCut(watOf(wat.value, current.name) ?? strings.wasm.inlined)}
            language="wat" small />
        </>
      )}
    </Pane>
  );
}
