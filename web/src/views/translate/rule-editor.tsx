// The rules' text, open for changes: the module follows every keystroke that still runs.

import { useComputed, useSignalEffect } from '@preact/signals';
import { change } from '../../engine/actions';
import { loadRules } from '../../engine/compiler';
import * as store from '../../engine/store';
import { opsOf, type RuleSet } from '../../state/document';
import { strings } from '../../strings';
import { Segmented } from '../controls';
import { Editor } from '../editor/editor';
import { rulesPlace } from '../places';

function builtIn(): string {
  return store.builtInRules.value[opsOf(store.document_.value.mode)];
}

export function RuleEditor({ line }: { line: number }) {
  useSignalEffect(() => {
    if (store.builtInRules.value.emit_te === '') void loadRules();
  });
  const problems = useComputed(() =>
    (store.latest.value?.diagnostics ?? []).filter(({ file }) => file === store.kRulesFile),
  );
  const text = store.document_.value.rulesText ?? builtIn();
  if (text === '') return null;
  const edit = (value: string): void =>
    change({ rulesText: value === builtIn() ? null : value, rules: 'lecture' });
  return (
    <div class="ruleedit">
      <div class="ruleedit__text">
        <Editor label={strings.rule.editorLabel} language="small-python" value={text}
          onChange={edit} diagnostics={problems.value} place={rulesPlace}>
          <textarea class="plain-edit" aria-label={strings.rule.editorLabel} value={text}
            spellcheck={false} onInput={(event) => edit(event.currentTarget.value)} />
        </Editor>
      </div>
      {problems.value.map((problem) => (
        <p key={problem.line} class="inline-msg inline-msg--own" role="alert">
          {strings.problems.at(problem.line, problem.column)} {problem.message}
        </p>
      ))}
      <div class="row">
        {line > 0 && (
          <button class="btn btn--s btn--quiet"
            onClick={() => (rulesPlace.value = { line, column: 1 })}>
            {strings.rule.showRule}
          </button>
        )}
        <button class="btn btn--s btn--quiet" disabled={store.document_.value.rulesText === null}
          title={store.document_.value.rulesText === null ? strings.rule.nothingToReset : undefined}
          onClick={() => change({ rulesText: null })}>
          {strings.rule.reset}
        </button>
      </div>
    </div>
  );
}

export function RuleSetChoice() {
  return (
    <Segmented small label={strings.rule.set} value={store.document_.value.rules}
      options={[
        { value: 'lecture', label: strings.rule.lecture, title: strings.rule.lectureTitle },
        { value: 'tvm', label: strings.rule.tvm, title: strings.rule.tvmTitle },
      ]}
      onChange={(rules: RuleSet) => change({ rules })} />
  );
}

