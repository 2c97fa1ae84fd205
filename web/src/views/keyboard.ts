// The page's keys (see the list under "?"). Letters and arrows act only outside text fields.

import { goToNode, goToStation, play, step } from '../engine/actions';
import { runAll } from '../engine/running';
import * as store from '../engine/store';
import { goToProblem } from './places';
import * as ui from './ui';

const kDigitPause = 600; // milliseconds within which a second digit belongs to the first

function inText(target: EventTarget | null): boolean {
  return target instanceof Element &&
    target.closest('input:not([type=range]), textarea, select, [contenteditable], .monaco-editor')
      !== null;
}

let digits = '';
let digitTimer: ReturnType<typeof setTimeout> | undefined;

function digit(key: string): void {
  clearTimeout(digitTimer);
  digits += key;
  goToNode(Number(digits));
  digitTimer = setTimeout(() => (digits = ''), kDigitPause);
}

function nextPane(back: boolean): void {
  const panes = [...document.querySelectorAll<HTMLElement>('.pane .pane__body')]
    .filter((body) => body.offsetParent !== null);
  const here = panes.findIndex((body) => body.contains(document.activeElement));
  const next = here < 0 ? 0 : (here + (back ? -1 : 1) + panes.length) % panes.length;
  panes[next]?.focus();
}

// Jumps among the lines that belong to the node at hand.
function nextPartner(back: boolean): void {
  const number = store.linked.value[0] ?? 0;
  const partners = [...document.querySelectorAll<HTMLElement>(
    `.ln[data-n~="${number}"], .tbl tr[data-n~="${number}"], .graph g[data-n~="${number}"]`,
  )].filter((element) => element.getClientRects().length > 0);
  const here = partners.findIndex((element) => element === document.activeElement);
  const next = partners[(here + (back ? -1 : 1) + partners.length) % partners.length];
  next?.setAttribute('tabindex', '-1');
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

const letters: Record<string, (event: KeyboardEvent) => void> = {
  g: () => document.querySelector<HTMLElement>('.where .slider')?.focus(),
  l: (event) => nextPartner(event.shiftKey),
  '?': () => (ui.dialog.value = 'keys'),
};

function onPlainKey(event: KeyboardEvent): boolean {
  const other = store.stepBy.value === 'node' ? 'call' : 'node';
  const by = event.shiftKey ? other : store.stepBy.value;
  switch (event.key) {
    case 'ArrowLeft':
      step(-1, by);
      return true;
    case 'ArrowRight':
      step(1, by);
      return true;
    case 'Home':
      goToStation(0);
      return true;
    case 'End':
      goToStation((store.good.value?.stations.length ?? 1) - 1);
      return true;
    case ' ':
      play();
      return true;
    default:
      break;
  }
  if (/^[0-9]$/.test(event.key)) {
    digit(event.key);
    return true;
  }
  const act = letters[event.key.toLowerCase()];
  act?.(event);
  return act !== undefined;
}

// Keys that work everywhere, in the editor too, which would keep some of them for itself.
function followFunctionKeys(): void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'F8') {
      goToProblem(store.currentProblem.value + (event.shiftKey ? -1 : 1));
      event.preventDefault();
      return;
    }
    if (event.key === 'F6') {
      nextPane(event.shiftKey);
      event.preventDefault();
      return;
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      if (store.document_.value.view === 'run') void runAll();
      else store.document_.value = { ...store.document_.value, view: 'run' };
      event.preventDefault();
    }
  };
  addEventListener('keydown', onKey, { capture: true });
}

export function followKeys(): void {
  followFunctionKeys();
  addEventListener('keydown', (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return;
    if (event.ctrlKey || event.metaKey || inText(event.target)) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest('dialog, [role=menu], [type=range]')) return;
    // A button takes its own space bar.
    if (event.key === ' ' && target?.closest('button, a, [role=button]')) return;
    if (store.document_.value.view !== 'translate' && event.key !== '?') return;
    if (onPlainKey(event)) event.preventDefault();
  });
}
