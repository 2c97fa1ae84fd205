// Ten scores: a gallery, the result beside PyTorch's, what each node saw, how fast.

import { measure, needsWeights } from '../../engine/running';
import * as store from '../../engine/store';
import { strings } from '../../strings';
import { Banner, Empty, Pane, Skeleton } from '../controls';
import { NoWeights } from '../wasm/wasm-view';
import { Activations, TensorTable } from './activations';
import { AllImages, Gallery } from './gallery';
import { RunProblem } from './problem';
import { FashionResult } from './result';
import { Speed } from './speed';
import { TensorResult } from './tensor-result';

export function RunView() {
  return (
    <main class={`main main--run ${hasImages() ? '' : 'main--tensors'}`}>
      {hasImages() && <Images />}
      <Result />
      <Pane label={strings.speed.title}
        head={
          <>
            <h2>{strings.speed.title}</h2>
            <span class="sub">{strings.speed.sub}</span>
            <span class="grow" />
            <button class="btn btn--s" onClick={() => void measure()}
              disabled={store.compiled.value.kind !== 'done' ||
                store.timing.value.kind === 'busy'}
              title={store.compiled.value.kind === 'done' ? undefined : strings.speed.notYet}>
              {strings.speed.again}
            </button>
          </>
        }>
        <Speed />
      </Pane>
    </main>
  );
}

function hasImages(): boolean {
  return store.recorded.value !== null;
}

function Images() {
  return (
    <section class="pane" aria-label={strings.gallery.title}>
      <Gallery />
      <AllImages />
    </section>
  );
}

function Result() {
  const state = store.compiled.value;
  if (store.recorded.value !== null && state.kind === 'done') return <FashionResult />;
  return (
    <section class="pane" aria-label={strings.result.label} id="main">
      <div class="pane__head"><h2>{strings.result.title}</h2></div>
      <div class="pane__body" tabIndex={0} role="group" aria-label={strings.result.label}>
        <Body />
      </div>
    </section>
  );
}

function Body() {
  const state = store.compiled.value;
  if (needsWeights.value) return <NoWeights />;
  if (state.kind === 'failed') {
    return <div class="sec"><Banner kind="err">{strings.wasm.failed} {state.message}</Banner></div>;
  }
  if (store.good.value === null) {
    return store.errors.value.length > 0 ? <Empty title={strings.run.noGraph} /> : <Skeleton />;
  }
  if (state.kind !== 'done') return <Skeleton lines={8} />;
  if (store.recordedTensors.value.length === 0) return <Empty title={strings.run.noInputs} />;
  return (
    <>
      <RunProblem />
      <TensorResult />
      <Activations />
      <TensorTable />
    </>
  );
}
