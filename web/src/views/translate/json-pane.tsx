// The FX graph's text: pasted, edited, opened.

import { useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { copy, editGraph, openFiles, undo } from '../../engine/actions';
import * as store from '../../engine/store';
import { strings } from '../../strings';
import { CodeView, plainCut } from '../code/code-view';
import { Pane, Segmented } from '../controls';
import { Editor, type NodeMark } from '../editor/editor';
import { Icon } from '../icons';
import { graphPlace } from '../places';
import * as ui from '../ui';

export function OpenFileButton({ primary = false }: { primary?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const onChange = (): void => {
    const files = [...(input.current?.files ?? [])];
    if (input.current) input.current.value = '';
    void openFiles(files);
  };
  return (
    <>
      <input ref={input} type="file" multiple hidden accept=".json,.safetensors"
        aria-label={strings.json.openFileInput} onChange={onChange} />
      <button class={`btn btn--s ${primary ? 'btn--primary' : 'btn--quiet'}`}
        onClick={() => input.current?.click()}>
        {strings.json.openFile}
      </button>
    </>
  );
}

function nodeMarks(): NodeMark[] {
  const latest = store.latest.value;
  const wrong = new Set(store.errors.value.map(({ node }) => node));
  // After an unreadable edit the places would be those of an older text.
  if (!latest?.graph || latest.text !== store.graphText.value) return [];
  return latest.graph.nodes
    .filter(({ line }) => line > 0)
    .map(({ number, name, line, endLine }) => ({
      number, firstLine: line, lastLine: endLine, problem: wrong.has(name),
    }));
}

function StaticJson() {
  const code = plainCut(store.graphText.value);
  for (const { number, firstLine, lastLine } of nodeMarks()) {
    for (const line of code.lines.slice(firstLine - 1, lastLine)) line.nodes = [number];
    const head = code.lines[firstLine - 1];
    if (head !== undefined) head.badge = [number];
  }
  return <CodeView code={code} language="json" />;
}

export function JsonPane() {
  const marks = useComputed(nodeMarks);
  const nodes = store.latest.value?.graph?.nodes.length;
  const problems = store.errors.value.length;
  const text = store.graphText.value;
  const graphDiagnostics = useComputed(() =>
    (store.latest.value?.diagnostics ?? []).filter(({ file }) => file !== store.kRulesFile),
  );
  const head = (
    <>
      <h2>{strings.json.title}</h2>
      {problems > 0
        ? <span class="chip chip--err">{strings.problems.count(problems)}</span>
        : <span class="sub">{strings.json.sub(nodes)}</span>}
      <span class="grow" />
      <PaneChoice />
      {store.history.value.past.length > 0 && (
        <button class="btn btn--quiet btn--s" onClick={undo}>{strings.json.undo}</button>
      )}
      {problems === 0 && (
        <button class="btn btn--quiet btn--s hide-p" onClick={() => (ui.dialog.value = 'howto')}>
          {strings.json.howTo}
        </button>
      )}
      {ui.phone.value && (
        <button class="btn btn--quiet btn--s" onClick={() => (ui.dialog.value = 'paste')}>
          {strings.json.paste}
        </button>
      )}
      <OpenFileButton />
      <button class="icon icon--s" aria-label={strings.json.copy} title={strings.json.copy}
        onClick={() => void copy(text, strings.json.copied)}>
        <Icon name="copy" />
      </button>
    </>
  );
  return (
    <Pane label={strings.json.paneLabel} body={strings.json.bodyLabel} class="jsonpane" head={head}
      bodyClass={ui.phone.value ? '' : 'has-editor'} busy={store.building.value}>
      <Editor label={strings.json.bodyLabel} language="fx-json" value={text} onChange={editGraph}
        diagnostics={graphDiagnostics.value} marks={marks.value} place={graphPlace}>
        <StaticJson />
      </Editor>
      {text.trim() === '' && store.exampleText.value !== '' && <EmptyGraph />}
    </Pane>
  );
}

function EmptyGraph() {
  return (
    <div class="empty empty--over drop">
      <b>{strings.json.emptyTitle}</b>
      <span>{strings.json.emptyHint}</span>
      <span class="row">
        <OpenFileButton primary />
        <button class="btn btn--s" onClick={() => (ui.dialog.value = 'howto')}>
          {strings.json.howToLong}
        </button>
      </span>
    </div>
  );
}

// On a laptop the graph takes the JSON's place.
export function PaneChoice() {
  return (
    <Segmented small class="only-l" label={strings.panes.label}
      value={ui.pane.value === 'graph' ? 'graph' : 'json'}
      options={[
        { value: 'json', label: strings.panes.json },
        { value: 'graph', label: strings.panes.graph },
      ]}
      onChange={(value) => (ui.pane.value = value)} />
  );
}
