// One image's ten scores beside PyTorch's.

import { useSignal } from '@preact/signals';
import { classNames } from '../../engine/catalogue';
import { pixelsNow } from '../../engine/running';
import * as store from '../../engine/store';
import { strings } from '../../strings';
import { Segmented, Skeleton, StaleChip } from '../controls';
import { Icon } from '../icons';
import { Activations, TensorTable } from './activations';
import { DrawBoard } from './draw-board';
import { GreyImage } from './pixels';
import { RunProblem } from './problem';

const kTolerance = 1e-5; // absolute and relative

function probabilitiesOf(scores: readonly number[]): number[] {
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

function largestIndex(values: readonly number[]): number {
  return values.indexOf(Math.max(...values));
}

export function FashionResult() {
  const show = useSignal<'scores' | 'probabilities'>('scores');
  const drawn = store.drawing.value !== null;
  const index = store.document_.value.image ?? 0;
  const state = store.images.value;
  const label = state.kind === 'done' && !drawn
    ? classNames[state.value.labels[index] ?? 0] ?? '' : '';
  const title = drawn ? strings.result.drawing : strings.result.image(index);
  return (
    <section class="pane" aria-label={strings.result.label} id="main">
      <div class="pane__head">
        <h2>{title}</h2>
        {label !== '' && <span class="sub">{strings.result.labelled(label)}</span>}
        {store.stale.value && (
          <StaleChip label={strings.run.lastGood} title={strings.run.lastGoodTitle} />
        )}
        <span class="grow" />
        <Segmented<'scores' | 'probabilities'> small class="hide-p" label={strings.result.show}
          value={show.value}
          options={[
            { value: 'scores', label: strings.result.scores },
            { value: 'probabilities', label: strings.result.probabilities },
          ]}
          onChange={(value) => (show.value = value)} />
        <button class="btn btn--s btn--quiet" aria-pressed={drawn}
          onClick={() => (store.drawing.value = drawn ? null : new Uint8Array(784))}>
          {drawn ? strings.result.backToImages : strings.result.draw}
        </button>
      </div>
      <div
        class="pane__body"
        tabIndex={0}
        role="group"
        aria-label={strings.result.bodyLabel(title)}
      >
        <RunProblem />
        <Hero label={label} probabilities={show.value === 'probabilities'} />
        <Activations />
        <TensorTable />
      </div>
    </section>
  );
}

function Hero({ label, probabilities }: { label: string; probabilities: boolean }) {
  const pixels = pixelsNow.value;
  const run = store.oneRun.value;
  const drawn = store.drawing.value !== null;
  const index = store.document_.value.image ?? 0;
  const ours = run?.outputs[0] === undefined ? null : Array.from(run.outputs[0].values);
  const recorded = drawn ? undefined : store.recorded.value?.first_scores[index];
  const winner = ours === null ? -1 : largestIndex(ours);
  const sure = ours === null ? 0 : probabilitiesOf(ours)[winner] ?? 0;
  const name = classNames[winner] ?? '';
  return (
    <div class="hero">
      <div>
        <div class="hero__img">
          {drawn
            ? <DrawBoard />
            : pixels !== null && (
              <GreyImage pixels={pixels} label={strings.result.picture(index, label)} />
            )}
        </div>
        <div class="legend hide-p hero__legend"><span>{strings.result.scale}</span></div>
      </div>
      <div class="hero__r">
        <div class="hero__head">
          <h3 class="verdict">{name}</h3>
          <p class="second">
            {ours !== null && strings.result.sure(sure, label === '' ? null : name === label)}{' '}
            {ours !== null && <Agreement ours={ours} recorded={recorded} />}
          </p>
        </div>
        <div class="hero__scores">
          {ours === null ? <Skeleton lines={8} />
            : <Scores ours={ours} recorded={recorded ?? null} probabilities={probabilities} />}
        </div>
      </div>
    </div>
  );
}

function close(a: number, b: number): boolean {
  return Math.abs(a - b) <= kTolerance + kTolerance * Math.abs(b);
}

function Agreement(props: { ours: number[]; recorded: number[] | undefined }) {
  const { ours, recorded } = props;
  if (recorded === undefined) {
    return store.drawing.value === null
      ? <span class="chip">{strings.result.notRecorded}</span> : null;
  }
  return ours.every((value, i) => close(value, recorded[i] ?? NaN))
    ? <span class="chip chip--ok"><Icon name="check" />{strings.result.equal}</span>
    : <span class="chip chip--err">{strings.result.differs}</span>;
}

function Scores(props: { ours: number[]; recorded: number[] | null; probabilities: boolean }) {
  const { probabilities } = props;
  const ours = probabilities ? probabilitiesOf(props.ours) : props.ours;
  const recorded = props.recorded === null || !probabilities
    ? props.recorded : probabilitiesOf(props.recorded);
  const all = [...ours, ...(recorded ?? []), 0];
  const low = Math.min(...all);
  const span = Math.max(...all) - low || 1;
  const at = (value: number): number => 4 + (92 * (value - low)) / span;
  const zero = at(0);
  const winner = largestIndex(ours);
  const differences = ours.map((value, i) => Math.abs(value - (recorded?.[i] ?? value)));
  const worst = recorded === null ? -1 : largestIndex(differences);
  return (
    <>
      <table class="scores">
        <thead>
          <tr>
            <th scope="col">{strings.scores.class}</th>
            <th scope="col" class="bar">
              {probabilities ? strings.scores.probability : strings.scores.score}
            </th>
            <th scope="col">{strings.scores.here}</th>
            <th scope="col" class="opt-p">{strings.scores.pytorch}</th>
            <th scope="col">{strings.scores.difference}</th>
          </tr>
        </thead>
        <tbody>
          {ours.map((value, i) => (
            <tr key={i} class={i === winner ? 'win' : ''}>
              <td>{classNames[i] ?? i}</td>
              <td class="bar">
                <span class="sb" aria-hidden="true">
                  <i class="axis" style={`left:${zero}%`} />
                  <i class={`ours ${value < 0 ? 'neg' : ''}`}
                    style={`left:${Math.min(zero, at(value))}%;` +
                      `width:${Math.abs(at(value) - zero)}%`} />
                  {recorded !== null && (
                    <i class="ref" style={`left:calc(${at(recorded[i] ?? 0)}% - 1px)`} />
                  )}
                </span>
              </td>
              <td>{strings.score(value)}</td>
              <td class="opt-p">{recorded === null ? '' : strings.score(recorded[i] ?? 0)}</td>
              <td>
                <span class={i === worst ? 'max' : ''}>
                  {recorded === null ? '' : strings.difference(differences[i] ?? 0)}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="legend">
        <span><i class="key key--ours" />{strings.scores.here}</span>
        {recorded !== null && (
          <>
            <span><i class="key key--ref" />{strings.scores.recorded}</span>
            <span>
              {strings.scores.largest} <b>{strings.difference(differences[worst] ?? 0)}</b>,{' '}
              {strings.scores.allowed}</span>
          </>
        )}
      </p>
    </>
  );
}
