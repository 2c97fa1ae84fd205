// Time, for all panes at once: a station for each node, as wide as its work, a tick for each call.

import { useEffect, useRef } from 'preact/hooks';
import { goToCall, goToStation, play, step } from '../../engine/actions';
import * as store from '../../engine/store';
import type { Station, StepBy } from '../../state/cursor';
import { strings } from '../../strings';
import { colourOf, linkOf } from '../code/links';
import { Segmented } from '../controls';
import { Icon, type IconName } from '../icons';

const kMostTicks = 40; // more than this are drawn as one bar

export function Scrubber() {
  const stations = store.good.value?.stations ?? [];
  const total = stations.at(-1)?.end ?? 0;
  const here = store.station.value;
  const cursor = store.cursor.value;
  const playing = store.playing.value;
  return (
    <section class="scrub" aria-label={strings.scrub.label}>
      <div class="transport">
        <Transport icon="first" label={strings.scrub.first} onClick={() => goToStation(0)} />
        <Transport icon="previous" label={strings.scrub.previous} onClick={() => step(-1)} />
        <Transport icon={playing ? 'pause' : 'play'} class="play" onClick={play}
          label={playing ? strings.scrub.pause : strings.scrub.play} />
        <Transport icon="next" label={strings.scrub.next} onClick={() => step(1)} />
        <Transport icon="last" label={strings.scrub.last}
          onClick={() => goToStation(stations.length - 1)} />
      </div>
      <div class="track">
        {stations.map((station) => <StationButton key={station.index} station={station} />)}
      </div>
      <div class="where hide-m">
        <span>
          <b>{strings.scrub.node(here === undefined ? 0 : here.index + 1)}</b>
          {' '}{strings.scrub.of(stations.length)} ·{' '}
          <b>{strings.scrub.call(cursor)}</b> {strings.scrub.of(total)}
        </span>
        <input type="range" class="slider" min={0} max={total} value={cursor}
          aria-label={strings.scrub.slider}
          aria-valuetext={strings.scrub.valueText(here?.node ?? '', cursor, total)}
          onInput={(event) => goToCall(Number(event.currentTarget.value))} />
        <Segmented<StepBy> small label={strings.scrub.stepBy} value={store.stepBy.value}
          options={[
            { value: 'node', label: strings.scrub.byNode },
            { value: 'call', label: strings.scrub.byCall },
          ]}
          onChange={(by) => (store.stepBy.value = by)} />
      </div>
    </section>
  );
}

function Transport(props: {
  icon: IconName;
  label: string;
  class?: string;
  onClick: () => void;
}) {
  const disabled = store.good.value === null;
  return (
    <button class={`icon ${props.class ?? ''}`} aria-label={props.label} title={props.label}
      disabled={disabled} onClick={props.onClick}>
      <Icon name={props.icon} />
    </button>
  );
}

function StationButton({ station }: { station: Station }) {
  const button = useRef<HTMLButtonElement>(null);
  const cursor = store.cursor.value;
  const current = station.index === store.station.value?.index;
  const wrong = store.stale.value && store.errors.value.some(({ node }) => node === station.node);
  const calls = station.end - station.begin;
  const done = Math.min(calls, Math.max(0, cursor - station.begin));
  const state = done === 0 ? 'todo' : done === calls ? 'done' : '';
  useEffect(() => {
    if (current) button.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  const badge = wrong ? 'n--err' : done === 0 && !current ? 'n--off' : '';
  return (
    <button ref={button} class={`st ${colourOf(station.number)} ${state}`}
      style={`--w:${(calls ** 0.62).toFixed(2)}`} aria-current={current ? 'step' : undefined}
      {...linkOf(station.number > 0 ? [station.number] : [])}
      onClick={() => goToStation(station.index)}>
      <span class="nm">
        {station.number > 0 && (
          <i class={`n n--m ${colourOf(station.number)} ${badge}`}>{station.number}</i>
        )}
        <span class="ell">{station.node}</span>
        <small>{calls}<span class="vh"> {strings.scrub.calls}</span></small>
      </span>
      <span class="tick" aria-hidden="true">
        {calls <= kMostTicks
          ? Array.from({ length: calls }, (_, i) => (
            <i key={i} class={`${i < done ? 'd' : ''} ${current && i === done - 1 ? 'h' : ''}`} />
          ))
          : <i class={`bar ${done > 0 ? 'd' : ''}`} style={`flex:${done} 1 0`} />}
      </span>
    </button>
  );
}
