// A text that can be edited: plain lines until Monaco is there (and always on a phone), then Monaco
// with markers at the problems and the nodes' numbers in the margin.

import { type Signal, signal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Diagnostic } from '../../engine/core-types';
import * as store from '../../engine/store';
import * as ui from '../ui';
import { colourOf } from '../code/links';

type Monaco = typeof import('./monaco');
type CodeEditor = ReturnType<Monaco['monaco']['editor']['create']>;

export interface NodeMark {
  number: number;
  firstLine: number;
  lastLine: number;
  problem: boolean;
}

export interface Place {
  line: number;
  column: number;
}

export const monacoReady = signal<Monaco | null>(null);

let loading: Promise<void> | null = null;

// Called once the first view stands; what it brings is never needed for reading.
export function loadMonaco(): Promise<void> {
  loading ??= import('./monaco').then((loaded) => {
    loaded.applyTheme(ui.isDark.value);
    ui.isDark.subscribe((dark) => loaded.applyTheme(dark));
    monacoReady.value = loaded;
  });
  return loading;
}

const badgeRules = new Set<string>();
let badgeSheet: HTMLStyleElement | null = null;

// Monaco takes a class for its margin, no text: each badge's number is a rule of its own.
function badgeClass(number: number, problem: boolean): string {
  const name = `gm-${problem ? 'e' : ''}${number}`;
  if (!badgeRules.has(name)) {
    badgeRules.add(name);
    badgeSheet ??= document.head.appendChild(document.createElement('style'));
    badgeSheet.textContent += `.${name}::after{content:"${number}"}\n`;
  }
  return `gm ${problem ? 'gm--err' : colourOf(number)} ${name}`;
}

export function Editor(props: {
  label: string;
  language: 'fx-json' | 'small-python';
  value: string;
  onChange: (value: string) => void;
  diagnostics: readonly Diagnostic[];
  marks?: readonly NodeMark[];
  place?: Signal<Place | null>; // where the caret is asked to go
  onCaret?: (line: number) => void;
  children: ComponentChildren; // what stands here until Monaco does
}) {
  const loaded = monacoReady.value;
  if (loaded === null || ui.phone.value) return <>{props.children}</>;
  return <MonacoEditor {...props} loaded={loaded} />;
}

function MonacoEditor(props: Parameters<typeof Editor>[0] & { loaded: Monaco }) {
  const { loaded, label, language, value, diagnostics, marks = [], place } = props;
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<CodeEditor | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const { monaco } = loaded;

  useEffect(() => {
    if (host.current === null) return;
    const made = monaco.editor.create(host.current, {
      value: latest.current.value,
      language,
      ariaLabel: label,
      automaticLayout: true,
      fontSize: 12,
      lineHeight: 18,
      fontFamily: loaded.token('mono'),
      minimap: { enabled: false },
      wordWrap: 'on',
      wrappingIndent: 'deepIndent',
      glyphMargin: false,
      lineNumbersMinChars: 3,
      lineDecorationsWidth: language === 'fx-json' ? 26 : 10,
      bracketPairColorization: { enabled: false },
      guides: { indentation: false },
      folding: false,
      renderLineHighlight: 'none',
      scrollBeyondLastLine: false,
      overviewRulerLanes: 0,
      hideCursorInOverviewRuler: true,
      occurrencesHighlight: 'off',
      selectionHighlight: false,
      padding: { top: 6, bottom: 10 },
      tabSize: language === 'fx-json' ? 2 : 4,
      insertSpaces: true,
      scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
      fixedOverflowWidgets: true,
    });
    made.onDidChangeModelContent(() => {
      const text = made.getValue();
      if (text !== latest.current.value) latest.current.onChange(text);
    });
    made.onDidChangeCursorPosition(({ position }) =>
      latest.current.onCaret?.(position.lineNumber),
    );
    made.addCommand(
      monaco.KeyCode.Escape,
      () => host.current?.closest<HTMLElement>('.pane__body')?.focus(),
      '!findWidgetVisible',
    );
    made.onMouseMove(({ target }) => {
      const line = target.position?.lineNumber ?? 0;
      const mark = (latest.current.marks ?? []).find(
        (m) => m.firstLine <= line && line <= m.lastLine,
      );
      const next = mark === undefined ? [] : [mark.number];
      if (store.hovered.peek().join() !== next.join()) store.hovered.value = next;
    });
    made.onMouseLeave(() => (store.hovered.value = []));
    setEditor(made);
    return () => {
      made.getModel()?.dispose();
      made.dispose();
    };
  }, [loaded, language]);

  useEffect(() => {
    if (editor !== null && editor.getValue() !== value) editor.setValue(value);
  }, [editor, value]);

  useMarkers(editor, monaco, diagnostics);
  useNodeMarks(editor, monaco, marks);

  useSignalEffect(() => {
    const wanted = place?.value ?? null;
    if (wanted === null || editor === null) return;
    const position = { lineNumber: wanted.line, column: Math.max(1, wanted.column) };
    editor.setPosition(position);
    editor.revealPositionInCenterIfOutsideViewport(position);
    editor.focus();
  });

  return <div class="monaco-host" ref={host} />;
}

function useMarkers(
  editor: CodeEditor | null,
  { editor: api, MarkerSeverity }: Monaco['monaco'],
  diagnostics: readonly Diagnostic[],
): void {
  useEffect(() => {
    const model = editor?.getModel();
    if (editor === null || model === null || model === undefined) return undefined;
    const placed = diagnostics.filter((d) => d.line > 0 && d.line <= model.getLineCount());
    api.setModelMarkers(model, 'fx2wasm', placed.map((d) => ({
      severity: d.severity === 'error' ? MarkerSeverity.Error : MarkerSeverity.Warning,
      message: [d.message, ...d.notes].join('\n'),
      code: d.code,
      startLineNumber: d.line,
      startColumn: Math.max(1, d.column),
      endLineNumber: d.line,
      endColumn: endOf(model.getLineContent(d.line), d.column),
    })));
    const zones: string[] = [];
    editor.changeViewZones((accessor) => {
      for (const { line, message, severity } of placed) {
        if (severity !== 'error') continue;
        const domNode = document.createElement('div');
        domNode.className = 'inline-msg';
        domNode.textContent = message;
        zones.push(accessor.addZone({ afterLineNumber: line, heightInPx: 20, domNode }));
      }
    });
    return () =>
      editor.changeViewZones((accessor) => zones.forEach((id) => accessor.removeZone(id)));
  }, [editor, diagnostics]);
}

// Where the thing that begins at the column ends: a string's quote, a word, or the line.
function endOf(line: string, column: number): number {
  const rest = line.slice(Math.max(0, column - 1));
  const thing = /^(?:"(?:[^"\\]|\\.)*"|[\w.]+)/.exec(rest)?.[0] ?? rest.trimEnd();
  return Math.max(1, column) + Math.max(1, thing.length);
}

function useNodeMarks(
  editor: CodeEditor | null,
  { Range }: Monaco['monaco'],
  marks: readonly NodeMark[],
): void {
  const linked = store.linked.value;
  const key = linked.join();
  useEffect(() => {
    if (editor === null) return undefined;
    const collection = editor.createDecorationsCollection(marks.flatMap((mark) => {
      const { number, firstLine, lastLine, problem } = mark;
      const lit = linked.includes(number) && !problem;
      return [
        {
          range: new Range(firstLine, 1, firstLine, 1),
          options: { linesDecorationsClassName: badgeClass(number, problem) },
        },
        ...(lit || problem ? [{
          range: new Range(firstLine, 1, lastLine, 1),
          options: {
            isWholeLine: true,
            className: problem ? 'gm-bad' : `gm-line ${colourOf(number)}`,
          },
        }] : []),
      ];
    }));
    return () => collection.clear();
  }, [editor, marks, key]);
}
