// What can be taken away: the Wasm module, the module's text, the graph.

import { useSignal } from '@preact/signals';
import { stageText } from '../../engine/compiler';
import { compileForDownload } from '../../engine/running';
import * as store from '../../engine/store';
import { strings } from '../../strings';
import { Icon } from '../icons';
import { menuKeys, usePopup } from './header';

function save(name: string, content: string | Uint8Array, type: string): void {
  const url = URL.createObjectURL(new Blob([content as BlobPart], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function baseName(): string {
  const { example } = store.document_.value;
  return example ?? store.good.value?.graph.name ?? 'graph';
}

export function DownloadMenu() {
  const { open, root } = usePopup();
  const problem = useSignal('');
  const saveWasm = async (): Promise<void> => {
    const made = await compileForDownload();
    if (typeof made === 'string') {
      problem.value = made;
      return;
    }
    open.value = false;
    save(`${baseName()}.wasm`, made, 'application/wasm');
  };
  const saveScript = async (): Promise<void> => {
    const legalised = store.document_.value.mode === 'legalized';
    const text = await stageText(legalised ? 'legalized' : 'translated');
    if (text === null) return;
    open.value = false;
    save(`${baseName()}.py`, text.text, 'text/x-python');
  };
  const saveGraph = (): void => {
    open.value = false;
    save(`${baseName()}.fx.json`, store.graphText.value, 'application/json');
  };
  const nothing = store.good.value === null;
  const why = nothing ? strings.download.nothing : undefined;
  const state = store.compiled.value;
  const size = state.kind === 'done' ? strings.bytes(state.value.bytes.length) : '';
  const items = [
    { label: strings.download.wasm, note: `${baseName()}.wasm ${size}`, act: saveWasm, nothing },
    { label: strings.download.tvmscript, note: `${baseName()}.py`, act: saveScript, nothing },
    { label: strings.download.graph, note: `${baseName()}.fx.json`, act: saveGraph,
      nothing: false },
  ];
  return (
    <div class="popup hide-m" ref={root}>
      <button class="btn" aria-haspopup="menu" aria-expanded={open.value}
        onClick={() => {
          problem.value = '';
          open.value = !open.value;
        }}>
        <Icon name="download" /><span class="lbl">{strings.head.download}</span>
      </button>
      {open.value && (
        <ul class="menu menu--right" role="menu" aria-label={strings.head.download}
          onKeyDown={menuKeys}>
          {items.map(({ label, note, act, nothing: off }) => (
            <li key={label} role="none">
              <button role="menuitem" disabled={off} title={off ? why : undefined}
                onClick={() => void act()}>
                <span>{label}</span><span class="quiet">{note}</span>
              </button>
            </li>
          ))}
          {problem.value !== '' && <li class="menu__problem" role="none">{problem.value}</li>}
        </ul>
      )}
    </div>
  );
}
