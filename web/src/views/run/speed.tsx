// Time an image, and what the schedule and the library change.

import { change } from '../../engine/actions';
import { bestSimd } from '../../engine/probe';
import * as store from '../../engine/store';
import type { Simd } from '../../state/document';
import { strings } from '../../strings';
import { Banner, Segmented, Skeleton, Switch } from '../controls';
import { LibraryChoice } from '../wasm/wasm-view';

const kBars = 36;

export function Speed() {
  const state = store.timing.value;
  const { simd, schedule } = store.document_.value;
  return (
    <>
      <section class="sec">
        {state.kind === 'failed' && <Banner kind="err">{state.message}</Banner>}
        {(state.kind === 'idle' || state.kind === 'busy') && <Skeleton lines={3} />}
        {state.kind === 'done' && (
          <>
            <div class="big">
              {strings.time(state.value.median)} <small>{strings.speed.perImage}</small>
            </div>
            <Histogram timing={state.value} />
            <p class="quiet small">
              {strings.speed.samples(state.value.samples.length, state.value.calls,
                strings.time(state.value.p95))}
            </p>
          </>
        )}
      </section>
      <section class="sec">
        <h3>{strings.speed.how}</h3>
        <div class="row row--wrap">
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
      </section>
      <section class="sec pl"><LibraryChoice /></section>
    </>
  );
}

function Histogram({ timing }: { timing: store.Timing }) {
  const sorted = timing.samples.slice().sort();
  const low = sorted[0] ?? 0;
  const high = sorted[Math.floor(0.95 * (sorted.length - 1))] ?? low;
  const width = (high - low) / kBars || 1;
  const counts = new Array<number>(kBars).fill(0);
  for (const sample of sorted) {
    const bar = Math.min(kBars - 1, Math.floor((sample - low) / width));
    counts[bar] = (counts[bar] ?? 0) + 1;
  }
  const most = Math.max(...counts);
  const x = 340 * ((timing.median - low) / (high - low || 1));
  return (
    <svg class="hist" viewBox="0 0 340 92" role="img"
      aria-label={strings.speed.histogram(strings.time(timing.median))}>
      {counts.map((count, i) => (
        <rect key={i} x={(i * 340) / kBars + 0.5} width={340 / kBars - 1}
          y={70 - (54 * count) / most} height={(54 * count) / most} />
      ))}
      <path class="ax" d="M0 70.5H340" />
      <path class="med" d={`M${x} 12V70`} />
      <text x="0" y="86">{strings.time(low)}</text>
      <text x="340" y="86" text-anchor="end">{strings.time(high)}</text>
      <text class="medt" x={Math.min(x + 5, 280)} y="12">{strings.speed.median}</text>
    </svg>
  );
}
