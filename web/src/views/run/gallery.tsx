// The test images, and all of them at once.

import { useComputed, useSignal } from '@preact/signals';
import { change } from '../../engine/actions';
import { classNames } from '../../engine/catalogue';
import { runAll, stopAll } from '../../engine/running';
import * as store from '../../engine/store';
import { strings } from '../../strings';
import { Banner, Skeleton } from '../controls';
import { Icon } from '../icons';
import { GreyImage } from './pixels';

const kPage = 60; // images added at a time

function predictionOf(index: number): string {
  return classNames[Number(store.recorded.value?.predictions[index] ?? -1)] ?? '';
}

export function Gallery() {
  const only = useSignal(-1); // a class, -1 for all
  const count = useSignal(kPage);
  const indices = useComputed(() => {
    const state = store.images.value;
    if (state.kind !== 'done') return [];
    const found: number[] = [];
    const { labels } = state.value;
    for (let i = 0; i < labels.length && found.length < count.value; i += 1) {
      if (only.value < 0 || labels[i] === only.value) found.push(i);
    }
    return found;
  });
  const state = store.images.value;
  return (
    <>
      <div class="pane__head">
        <h2>{strings.gallery.title}</h2>
        <span class="sub">{state.kind === 'done' && strings.gallery.sub(state.value.count)}</span>
        <span class="grow" />
        <select class="field field--s" aria-label={strings.gallery.filter} value={only.value}
          onChange={(event) => {
            only.value = Number(event.currentTarget.value);
            count.value = kPage;
          }}>
          <option value={-1}>{strings.gallery.allClasses}</option>
          {classNames.map((name, index) => <option key={name} value={index}>{name}</option>)}
        </select>
      </div>
      <div class="pane__body" tabIndex={0} role="group" aria-label={strings.gallery.label}>
        {state.kind === 'failed' && <Banner kind="err">{state.message}</Banner>}
        {(state.kind === 'idle' || state.kind === 'busy') && <Skeleton lines={8} />}
        {state.kind === 'done' && (
          <>
            <div class="gal">
              {indices.value.map((index) => {
                const { images, labels, pixels } = state.value;
                const label = classNames[labels[index] ?? 0] ?? '';
                const read = predictionOf(index);
                const pressed = store.drawing.value === null &&
                  (store.document_.value.image ?? 0) === index;
                return (
                  <button key={index} aria-pressed={pressed}
                    aria-label={strings.gallery.image(index, label, read)}
                    onClick={() => {
                      store.drawing.value = null;
                      change({ image: index });
                    }}>
                    <GreyImage label=""
                      pixels={images.subarray(index * pixels, (index + 1) * pixels)} />
                    {read !== label && <i class="wrong" aria-hidden="true">✕</i>}
                  </button>
                );
              })}
            </div>
            <div class="gal__more">
              <button class="btn btn--s" onClick={() => (count.value += kPage)}>
                {strings.gallery.more}
              </button>
            </div>
          </>
        )}
      </div>
    </>
  );
}

export function AllImages() {
  const all = store.allRun.value;
  const recorded = store.recorded.value;
  const total = recorded?.images ?? 0;
  const ready = store.compiled.value.kind === 'done' && store.images.value.kind === 'done';
  const percent = all === null ? 0 : (100 * all.done) / Math.max(1, total);
  return (
    <div class="sec runall">
      <div class="row">
        <span class="strong">{strings.all.title}</span>
        <span class="grow" />
        <span class="second">{all !== null && strings.all.of(all.done, total)}</span>
      </div>
      <div class="prog" role="progressbar" aria-label={strings.all.progress} aria-valuemin={0}
        aria-valuemax={100} aria-valuenow={Math.round(percent)}>
        <i style={`width:${percent}%`} />
      </div>
      <div class="row runall__foot">
        <div class="grow">
          {all !== null && all.done > 0 && (
            <div class="big">
              {strings.percent(all.correct / all.done)}{' '}
              <small>{all.running ? strings.all.soFar : strings.all.right}</small>
            </div>
          )}
          <Verdict />
        </div>
        {all?.running === true
          ? (
            <button class="btn" onClick={stopAll}><Icon name="stop" />{strings.all.stop}</button>
          )
          : (
            <button class="btn" disabled={!ready} title={ready ? undefined : strings.all.notReady}
              onClick={() => void runAll()}>
              {strings.all.run(total)}
            </button>
          )}
      </div>
    </div>
  );
}

function Verdict() {
  const all = store.allRun.value;
  const recorded = store.recorded.value;
  if (recorded === null) return null;
  if (all === null) return <p class="quiet small">{strings.all.recorded(recorded.correct)}</p>;
  const finished = !all.running && !all.stopped;
  return (
    <div class="small" role="status">
      {finished && (
        <p>
          {strings.all.correct(all.correct, all.done)}{' '}
          {all.correct === recorded.correct
            ? <span class="chip chip--ok">{strings.all.sameCount(recorded.correct)}</span>
            : <span class="chip chip--err">{strings.all.otherCount(recorded.correct)}</span>}
        </p>
      )}
      {all.stopped && (
        <span class="chip chip--warn">{strings.all.stopped(all.done, recorded.images)}</span>
      )}
      <p class="quiet">
        {strings.all.sameClass(all.sameClass, all.done)}
        {all.done > 0 && ` · ${strings.all.each(all.milliseconds / all.done)}`}
      </p>
    </div>
  );
}
