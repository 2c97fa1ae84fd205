// The design's small controls, each with its keyboard and its role.

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

export interface Option<T extends string> {
  value: T;
  label: string;
  title?: string;
}

function arrowStep(key: string): number {
  if (key === 'ArrowRight' || key === 'ArrowDown') return 1;
  return key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 0;
}

export function Segmented<T extends string>(props: {
  label: string;
  options: readonly Option<T>[];
  value: T;
  onChange: (value: T) => void;
  small?: boolean;
  mono?: boolean;
  class?: string;
}) {
  const { label, options, value, onChange, small = false, mono = false } = props;
  const group = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent): void => {
    const delta = arrowStep(event.key);
    if (delta === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const here = options.findIndex((option) => option.value === value);
    const index = (here + delta + options.length) % options.length;
    const next = options[index];
    if (next === undefined) return;
    onChange(next.value);
    group.current?.querySelectorAll('button')[index]?.focus();
  };
  return (
    <div ref={group} role="radiogroup" aria-label={label} onKeyDown={onKey}
      class={`seg ${small ? 'seg--s' : ''} ${mono ? 'seg--mono' : ''} ${props.class ?? ''}`}>
      {options.map((option) => (
        <button key={option.value} role="radio" aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1} title={option.title}
          onClick={() => onChange(option.value)}>
          {option.label}
        </button>
      ))}
    </div>
  );
}

export function Tabs<T extends string>(props: {
  label: string;
  options: readonly Option<T>[];
  value: T;
  onChange: (value: T) => void;
  class?: string;
}) {
  const { label, options, value, onChange } = props;
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent): void => {
    const delta = arrowStep(event.key);
    if (delta === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const here = options.findIndex((option) => option.value === value);
    const index = (here + delta + options.length) % options.length;
    const next = options[index];
    if (next === undefined) return;
    onChange(next.value);
    list.current?.querySelectorAll('button')[index]?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} class={props.class ?? 'tabs'}
      onKeyDown={onKey}>
      {options.map((option) => (
        <button key={option.value} role="tab" aria-selected={option.value === value}
          tabIndex={option.value === value ? 0 : -1} onClick={() => onChange(option.value)}>
          {option.label}
        </button>
      ))}
    </div>
  );
}

export function Switch(props: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ComponentChildren;
  class?: string;
  disabled?: boolean;
  title?: string;
}) {
  const { checked, onChange, children, disabled = false, title } = props;
  return (
    <button class={`switch ${props.class ?? ''}`} role="switch" aria-checked={checked}
      disabled={disabled} title={title} onClick={() => onChange(!checked)}>
      <i />
      {children}
    </button>
  );
}

// A pane: a section with a head and a body that scrolls.
export function Pane(props: {
  label: string;
  class?: string;
  head: ComponentChildren;
  body?: string; // the body's name, when it differs from the pane's
  bar?: ComponentChildren; // between head and body
  foot?: ComponentChildren;
  busy?: boolean;
  bodyClass?: string;
  children: ComponentChildren;
}) {
  return (
    <section class={`pane ${props.class ?? ''}`} aria-label={props.label}>
      <div class="pane__head">{props.head}</div>
      {props.busy === true && <div class="busyline" />}
      {props.bar}
      <div class={`pane__body ${props.bodyClass ?? ''}`} tabIndex={0} role="group"
        aria-label={props.body ?? props.label}>
        {props.children}
      </div>
      {props.foot}
    </section>
  );
}

export function Banner(props: { kind: 'err' | 'warn'; children: ComponentChildren }) {
  return (
    <div class={`banner banner--${props.kind}`} role={props.kind === 'err' ? 'alert' : 'note'}>
      <i class={`x ${props.kind === 'warn' ? 'x--warn' : ''}`} aria-hidden="true">!</i>
      <span class="grow">{props.children}</span>
    </div>
  );
}

// Says that what is shown is of an earlier text.
export function StaleChip({ label, title }: { label: string; title: string }) {
  return <span class="chip chip--stale" title={title}>{label}</span>;
}

export function Empty(props: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <b>{props.title}</b>
      {props.children}
    </div>
  );
}

export function Skeleton({ lines = 6 }: { lines?: number }) {
  const widths = [60, 88, 78, 44, 80, 70, 52, 84];
  return (
    <div class="skeleton" aria-hidden="true">
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} class="skel" style={`width:${widths[i % widths.length]}%`} />
      ))}
    </div>
  );
}
