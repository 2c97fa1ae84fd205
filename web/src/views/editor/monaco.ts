// Monaco with the few features that the page uses, loaded after the first view. Colours come from
// the page's tokens, so a theme is made of what the style sheet says at the moment.

import * as monaco from 'monaco-editor/editor/editor.api';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/linesOperations/register';
import 'monaco-editor/features/clipboard/register';
import { makeEditorWorker } from '../../engine/editor-worker';

self.MonacoEnvironment = { getWorker: makeEditorWorker };

const kKeywords = ['def', 'class', 'for', 'in', 'with', 'as', 'return', 'if', 'elif', 'else', 'and',
  'or', 'not', 'lambda', 'True', 'False', 'None'];

monaco.languages.register({ id: 'small-python' });
monaco.languages.setLanguageConfiguration('small-python', {
  comments: { lineComment: '#' },
  brackets: [['(', ')'], ['[', ']'], ['{', '}']],
  autoClosingPairs: [
    { open: '(', close: ')' },
    { open: '[', close: ']' },
    { open: '{', close: '}' },
    { open: '"', close: '"', notIn: ['string'] },
  ],
  onEnterRules: [
    { beforeText: /:\s*$/, action: { indentAction: monaco.languages.IndentAction.Indent } },
  ],
});
monaco.languages.setMonarchTokensProvider('small-python', {
  keywords: kKeywords,
  tokenizer: {
    root: [
      [/#.*$/, 'comment'],
      [/"([^"\\]|\\.)*"|'([^'\\]|\\.)*'/, 'string'],
      [/\d+(\.\d+)?(e[+-]?\d+)?/, 'number'],
      [/(def|class)(\s+)([A-Za-z_]\w*)/, ['keyword', 'white', 'function']],
      [/[A-Za-z_]\w*/, { cases: { '@keywords': 'keyword', '@default': 'identifier' } }],
    ],
  },
});

monaco.languages.register({ id: 'fx-json' });
monaco.languages.setLanguageConfiguration('fx-json', {
  brackets: [['[', ']'], ['{', '}']],
  autoClosingPairs: [
    { open: '[', close: ']' },
    { open: '{', close: '}' },
    { open: '"', close: '"', notIn: ['string'] },
  ],
});
monaco.languages.setMonarchTokensProvider('fx-json', {
  tokenizer: {
    root: [
      [/"([^"\\]|\\.)*"(?=\s*:)/, 'key'],
      [/"([^"\\]|\\.)*"/, 'string'],
      [/\b(true|false|null)\b/, 'keyword'],
      [/-?\d+(\.\d+)?([eE][+-]?\d+)?/, 'number'],
    ],
  },
});

export function token(name: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  // The build shortens #ffffff to #fff, which Monaco does not take.
  return /^#[0-9a-f]{3}$/i.test(value) ? value.replace(/[0-9a-f]/gi, '$&$&') : value;
}

export function applyTheme(dark: boolean): void {
  const plain = (name: string): string => token(name).replace('#', '');
  monaco.editor.defineTheme('fx2wasm', {
    base: dark ? 'vs-dark' : 'vs',
    inherit: false,
    rules: [
      { token: '', foreground: plain('ink') },
      { token: 'key', foreground: plain('sx-quiet') },
      { token: 'comment', foreground: plain('sx-quiet') },
      { token: 'string', foreground: plain('sx-str') },
      { token: 'number', foreground: plain('sx-num') },
      { token: 'keyword', foreground: plain('sx-key'), fontStyle: 'bold' },
      { token: 'function', foreground: plain('ink'), fontStyle: 'bold' },
    ],
    colors: {
      'editor.background': token('panel'),
      'editor.foreground': token('ink'),
      'editorLineNumber.foreground': token('ink-3'),
      'editorLineNumber.activeForeground': token('ink'),
      'editor.lineHighlightBorder': token('line'),
      'editorError.foreground': token('err'),
      'editorWarning.foreground': token('warn'),
      'editorCursor.foreground': token('ink'),
      'editorWidget.background': token('panel'),
      'editorHoverWidget.background': token('panel'),
      'editorHoverWidget.border': token('line-strong'),
      'editorBracketMatch.border': token('line-strong'),
      'editorBracketMatch.background': token('hover'),
      'scrollbar.shadow': '#00000000',
      focusBorder: token('focus'),
      ...Object.fromEntries(
        [1, 2, 3, 4, 5, 6].map((n) => [`editorBracketHighlight.foreground${n}`, token('ink')]),
      ),
    },
  });
  monaco.editor.setTheme('fx2wasm');
}

export { monaco };
