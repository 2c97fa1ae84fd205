// Monaco's own worker (word lists, differences); made here because workers are engine's business.
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';

export function makeEditorWorker(): Worker {
  return new EditorWorker();
}
