// The page's head: example, views, mode, share, download, theme.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { change, openExample, reset } from '../../engine/actions';
import { examples, exampleOf } from '../../engine/catalogue';
import * as store from '../../engine/store';
import type { Mode, View } from '../../state/document';
import { strings } from '../../strings';
import { Segmented } from '../controls';
import { Icon, type IconName, Logo } from '../icons';
import * as ui from '../ui';
import { DownloadMenu } from './download-menu';

export function Header() {
  return (
    <header class="head">
      <h1 class="vh">{strings.title}</h1>
      <a class="brand" href="./" aria-label={strings.head.start}>
        <Logo />
        <span class="hide-p">{strings.name}</span>
      </a>
      <ExamplePicker />
      {(store.edited.value || store.document_.value.rulesText !== null) && (
        <button class="btn btn--quiet hide-m" onClick={reset}>{strings.head.reset}</button>
      )}
      <span class="rule-v hide-m" />
      <ViewLinks class="nav hide-p" arrows />
      <span class="grow" />
      <span class="second hide-l" aria-hidden="true">{strings.head.mode}</span>
      <ModeChoice class="hide-p" />
      <span class="rule-v hide-m" />
      <button class="btn btn--quiet hide-m" aria-pressed={store.document_.value.view === 'te'}
        onClick={() => change({ view: store.document_.value.view === 'te' ? 'translate' : 'te' })}>
        <Icon name="function" /><span class="lbl">{strings.head.te}</span>
      </button>
      <button class="btn hide-m" aria-haspopup="dialog" onClick={() => (ui.dialog.value = 'share')}>
        <Icon name="share" /><span class="lbl">{strings.head.share}</span>
      </button>
      <DownloadMenu />
      <button class="icon hide-p" onClick={ui.nextTheme}
        aria-label={strings.head.theme(ui.theme.value)}
        title={strings.head.theme(ui.theme.value)}>
        <Icon name="theme" />
      </button>
      <PhoneMenu />
    </header>
  );
}

export function ModeChoice(props: { class?: string }) {
  return (
    <Segmented<Mode> label={strings.head.mode} value={store.document_.value.mode}
      class={props.class ?? ''}
      options={[
        { value: 'emit_te', label: strings.modes.emit_te, title: strings.modes.emitTeTitle },
        { value: 'relax', label: strings.modes.relax, title: strings.modes.relaxTitle },
        { value: 'legalized', label: strings.modes.legalized, title: strings.modes.legalizedTitle },
      ]}
      onChange={(mode) => change({ mode })} />
  );
}

const kViews: { view: View; icon: IconName }[] = [
  { view: 'translate', icon: 'translate' },
  { view: 'wasm', icon: 'wasm' },
  { view: 'run', icon: 'play' },
  { view: 'te', icon: 'function' },
];

export function ViewLinks(props: { class: string; arrows?: boolean; icons?: boolean }) {
  const { arrows = false, icons = false } = props;
  const shown = icons ? kViews : kViews.slice(0, 3);
  return (
    <nav class={props.class} aria-label={strings.head.views}>
      {shown.map(({ view, icon }, index) => (
        <>
          {arrows && index > 0 && <span class="arrow" aria-hidden="true">→</span>}
          <a key={view} href={`#${view}`}
            aria-current={store.document_.value.view === view ? 'page' : undefined}
            onClick={(event) => {
              event.preventDefault();
              change({ view });
            }}>
            {icons && <Icon name={icon} />}
            {strings.views[view]}
          </a>
        </>
      ))}
    </nav>
  );
}

// Closes on Escape and on a press elsewhere.
export function usePopup() {
  const open = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  const shown = open.value;
  useEffect(() => {
    if (!shown) return;
    const items = root.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [];
    const checked = [...items].find((item) => item.getAttribute('aria-checked') === 'true');
    (checked ?? items[0])?.focus();
  }, [shown]);
  useEffect(() => {
    const outside = (event: Event): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) open.value = false;
    };
    const key = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || !open.value) return;
      open.value = false;
      root.current?.querySelector('button')?.focus();
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('keydown', key);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('keydown', key);
    };
  }, []);
  return { open, root };
}

// Up and down go among a menu's items.
export function menuKeys(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  event.stopPropagation();
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  const here = items.indexOf(document.activeElement as HTMLElement);
  const delta = event.key === 'ArrowDown' ? 1 : -1;
  items[(here + delta + items.length) % items.length]?.focus();
}

function ExamplePicker() {
  const { open, root } = usePopup();
  const current = exampleOf(store.document_.value.example);
  return (
    <div class="popup popup--pick" ref={root}>
      <button class="pick" aria-haspopup="menu" aria-expanded={open.value}
        onClick={() => (open.value = !open.value)}>
        <span class="quiet hide-l">{strings.head.example}</span>
        <span class="ell">{current?.title ?? strings.head.ownGraph}</span>
        {store.edited.value && <span class="chip">{strings.head.edited}</span>}
        <Icon name="chevron" />
      </button>
      {open.value && (
        <ul class="menu" role="menu" aria-label={strings.head.examples} onKeyDown={menuKeys}>
          {examples.map((example) => (
            <li key={example.id} role="none">
              <button role="menuitemradio" aria-checked={example.id === current?.id}
                onClick={() => {
                  open.value = false;
                  void openExample(example.id);
                }}>
                <b>{example.title}</b>
                <span class="quiet">{example.description}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function PhoneMenu() {
  const { open, root } = usePopup();
  const then = (act: () => void) => () => {
    open.value = false;
    act();
  };
  return (
    <div class="popup phone-only" ref={root}>
      <button class="icon" aria-label={strings.head.menu} aria-haspopup="true"
        aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
        <Icon name="menu" />
      </button>
      {open.value && (
        <div class="menu menu--phone">
          <p class="quiet">{strings.head.mode}</p>
          <ModeChoice />
          <button class="btn btn--quiet" onClick={then(() => (ui.dialog.value = 'share'))}>
            <Icon name="share" />{strings.head.share}
          </button>
          <button class="btn btn--quiet" onClick={then(() => (ui.dialog.value = 'howto'))}>
            {strings.json.howToLong}
          </button>
          <button class="btn btn--quiet" onClick={ui.nextTheme}>
            <Icon name="theme" />{strings.head.theme(ui.theme.value)}
          </button>
        </div>
      )}
    </div>
  );
}
