// A TE or builder program on the left, its PrimFunc or IRModule on the right at every keystroke.

import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { change, copy } from '../../engine/actions';
import { lecturePrograms, type Program, programStale } from '../../engine/programs';
import * as store from '../../engine/store';
import { strings } from '../../strings';
import { CodeView, plainCut } from '../code/code-view';
import { cut } from '../code/lines';
import { Pane, Skeleton, Tabs } from '../controls';
import { Editor } from '../editor/editor';
import { Icon } from '../icons';
import { programPlace } from '../places';

type TePane = 'program' | 'result';

export function TeView() {
  const programs = useSignal<Program[]>([]);
  const pane = useSignal<TePane>('program');
  useEffect(() => {
    void lecturePrograms().then((list) => {
      programs.value = list;
      const asked = store.document_.value.program;
      if (store.program.value.text !== '' && asked === null) return;
      const first = list[0];
      if (asked !== null) store.program.value = { name: nameOf(list, asked), text: asked };
      else if (first !== undefined) store.program.value = first;
    });
  }, []);
  const edit = (text: string): void => {
    const list = programs.value;
    store.program.value = { name: store.program.value.name, text };
    change({ program: text === list[0]?.text ? null : text });
  };
  const pick = (name: string): void => {
    const picked = programs.value.find((program) => program.name === name);
    if (picked === undefined) return;
    store.program.value = picked;
    change({ program: picked === programs.value[0] ? null : picked.text });
  };
  return (
    <>
      <section class="panesel" aria-label={strings.panes.label}>
        <Tabs<TePane> class="paneTabs" label={strings.panes.label} value={pane.value}
          options={[
            { value: 'program', label: strings.te.program },
            { value: 'result', label: strings.te.result },
          ]}
          onChange={(value) => (pane.value = value)} />
      </section>
      <main class="main main--te" id="main">
        <ProgramPane programs={programs.value} edit={edit} pick={pick}
          shown={pane.value === 'program'} />
        <ResultPane shown={pane.value === 'result'} />
      </main>
    </>
  );
}

function nameOf(list: Program[], text: string): string {
  return list.find((program) => program.text === text)?.name ?? '';
}

function ProgramPane(props: {
  programs: Program[];
  edit: (text: string) => void;
  pick: (name: string) => void;
  shown: boolean;
}) {
  const { programs, edit, pick, shown } = props;
  const { name, text } = store.program.value;
  const diagnostics = useComputed(() => store.programAnswer.value?.diagnostics ?? []);
  const original = programs.find((program) => program.name === name);
  const changed = original !== undefined && original.text !== text;
  const problems = diagnostics.value.filter(({ severity }) => severity === 'error');
  const head = (
    <>
      <h2>{strings.te.program}</h2>
      {problems.length > 0 && (
        <span class="chip chip--err">{strings.problems.count(problems.length)}</span>
      )}
      {changed && <span class="chip">{strings.head.edited}</span>}
      <span class="grow" />
      {changed && (
        <button class="btn btn--quiet btn--s" onClick={() => pick(name)}>
          {strings.head.reset}
        </button>
      )}
      <select class="field field--s" aria-label={strings.te.pick} value={name}
        onChange={(event) => pick(event.currentTarget.value)}>
        {name === '' && <option value="">{strings.te.own}</option>}
        {programs.map((program) => (
          <option key={program.name} value={program.name}>
            {strings.te.titleOf(program.name)}
          </option>
        ))}
      </select>
    </>
  );
  return (
    <Pane label={strings.te.programLabel} class={shown ? 'shown' : ''} head={head}
      bodyClass="has-editor" foot={problems.length > 0 && (
        <ol class="probs probs--foot" aria-label={strings.problems.listLabel}>
          {problems.map((problem, i) => (
            <li key={i}>
              <i class="x" role="img" aria-label={problem.severity}>!</i>
              <span class="code0">{problem.code}</span>
              <p class="msg">{[problem.message, ...problem.notes].join(' ')}</p>
              <button class="bare at"
                onClick={() => (programPlace.value = { line: problem.line,
                  column: problem.column })}
                aria-label={strings.problems.goTo(problem.line, problem.column)}>
                {strings.problems.at(problem.line, problem.column)}
              </button>
            </li>
          ))}
        </ol>
      )}>
      {text === '' ? <Skeleton />
        : (
          <Editor label={strings.te.editorLabel} language="small-python" value={text}
            onChange={edit} diagnostics={diagnostics.value} place={programPlace}>
            <textarea class="plain-edit plain-edit--full" aria-label={strings.te.editorLabel}
              spellcheck={false} value={text}
              onInput={(event) => edit(event.currentTarget.value)} />
          </Editor>
        )}
    </Pane>
  );
}

function ResultPane({ shown }: { shown: boolean }) {
  const good = store.programGood.value;
  const code = useComputed(() => {
    const answer = store.programGood.value;
    if (answer === null) return null;
    const text = { ok: true, diagnostics: [], text: answer.text, spans: answer.spans };
    return answer.kind === 'module' ? { ...cut(text, null), folds: [] } : plainCut(answer.text);
  });
  const stale = programStale.value;
  const title = good?.kind === 'module' ? strings.te.module : strings.te.primFunc;
  return (
    <Pane
      label={strings.te.resultLabel}
      class={`${shown ? 'shown' : ''} ${stale ? 'is-stale' : ''}`}
      bar={stale && (
        <div class="stalebar">
          <Icon name="clock" />
          <span class="grow"><b>{strings.te.stale}</b></span>
        </div>
      )}
      head={
        <>
          <h2>{good === null ? strings.te.result : title}</h2>
          <span class="sub">{strings.te.dialect}</span>
          <span class="grow" />
          <button class="icon icon--s" aria-label={strings.module.copy} title={strings.module.copy}
            onClick={() => void copy(good?.text ?? '', strings.module.copied)}>
            <Icon name="copy" />
          </button>
        </>
      }>
      {code.value === null ? <Skeleton lines={8} />
        : <CodeView code={code.value} language="tvmscript" />}
    </Pane>
  );
}
