import { effect } from '@preact/signals';
import { render } from 'preact';
import { followLink, openFragment } from './engine/actions';
import { compiler, followCursor, followDocument } from './engine/compiler';
import { followProgram } from './engine/programs';
import { followCompile } from './engine/running';
import * as store from './engine/store';
import { strings } from './strings';
import './styles/tokens.css';
import './styles/components.css';
import './styles/app.css';
import { App } from './views/app';
import { followLinks } from './views/code/links';
import { loadMonaco } from './views/editor/editor';
import { followKeys } from './views/keyboard';
import { followTheme, phone } from './views/ui';

function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: 3000 });
  else setTimeout(act, 200);
}

function announceSteps(): void {
  let last = '';
  effect(() => {
    const here = store.station.value;
    const made = store.good.value;
    if (here === undefined || made === null) return;
    const calls = store.cursor.value - here.begin;
    const text = strings.scrub.announce(here.index + 1, made.stations.length, here.node, calls);
    if (text !== last) store.announcement.value = text;
    last = text;
  });
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no root');

followTheme();
compiler.start();
void openFragment(location.hash).then(() => {
  followLink();
  // The event's own URL: by now followLink may have written the earlier place into the bar again.
  window.addEventListener('hashchange', ({ newURL }) => void openFragment(new URL(newURL).hash));
});
followDocument();
followCursor();
followCompile();
followProgram();
render(<App />, root);
followLinks(root);
followKeys();
announceSteps();

// What is heavy comes after the first module has been shown.
const stop = effect(() => {
  if (store.moduleText.value === null && store.errors.value.length === 0 &&
    store.document_.value.view === 'translate') return;
  queueMicrotask(() => stop());
  whenIdle(() => {
    if (!phone.value) void loadMonaco();
  });
});
phone.subscribe((now) => {
  if (!now && store.good.peek() !== null) void loadMonaco();
});

if ('serviceWorker' in navigator && import.meta.env.PROD) {
  addEventListener('load', () => void navigator.serviceWorker.register('./sw.js'));
}
