// The frame around the views.

import { useSignal } from '@preact/signals';
import { openFiles } from '../engine/actions';
import * as store from '../engine/store';
import { strings } from '../strings';
import { Tabs } from './controls';
import { Dialogs } from './frame/dialogs';
import { Header, ViewLinks } from './frame/header';
import { PageBanners, Status } from './frame/status';
import { RunView } from './run/run-view';
import { TeView } from './te/te-view';
import { Scrubber } from './translate/scrubber';
import { TranslateView } from './translate/translate-view';
import * as ui from './ui';
import { WasmView } from './wasm/wasm-view';

export function App() {
  const over = useSignal(false);
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    over.value = false;
    void openFiles([...(event.dataTransfer?.files ?? [])]);
  };
  const hasFiles = (event: DragEvent): boolean =>
    event.dataTransfer?.types.includes('Files') === true;
  return (
    <div class="app" onDrop={onDrop}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        over.value = true;
      }}
      onDragLeave={(event) => {
        if (event.relatedTarget === null) over.value = false;
      }}>
      <a class="skip" href="#main" onClick={(event) => {
        event.preventDefault();
        document.querySelector<HTMLElement>('#main .pane__body, #main[tabindex]')?.focus();
      }}>{strings.head.skip}</a>
      <Header />
      <PageBanners />
      <View />
      <Status />
      <ViewLinks class="bottomnav" icons />
      <p class="vh" aria-live="polite">{store.announcement.value}</p>
      {over.value && <div class="dropover"><b>{strings.json.dropHere}</b></div>}
      <Dialogs />
    </div>
  );
}

function View() {
  switch (store.document_.value.view) {
    case 'translate':
      return (
        <>
          <section class="panesel" aria-label={strings.panes.label}>
            <Tabs<ui.PaneName> class="paneTabs" label={strings.panes.label} value={ui.pane.value}
              options={[
                { value: 'json', label: strings.panes.json },
                { value: 'graph', label: strings.panes.graph },
                { value: 'step', label: strings.panes.step },
                { value: 'module', label: strings.panes.module },
              ]}
              onChange={(value) => (ui.pane.value = value)} />
          </section>
          <TranslateView />
          <Scrubber />
        </>
      );
    case 'wasm':
      return <WasmView />;
    case 'run':
      return <RunView />;
    case 'te':
      return <TeView />;
  }
}
