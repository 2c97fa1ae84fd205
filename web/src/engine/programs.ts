// TE and builder programs: run at every keystroke, the last good answer kept.

import { computed, effect } from '@preact/signals';
import { compiler, unlessCrashed } from './compiler';
import * as store from './store';

export const kProgramFile = 'program.py';

export interface Program {
  name: string;
  text: string;
}

// The lecture's programs, brought when the view is first opened.
export async function lecturePrograms(): Promise<Program[]> {
  return (await import('virtual:fx2wasm-programs')).programs;
}

export const programStale = computed(() => {
  const answer = store.programAnswer.value;
  return answer !== null && !answer.ok && store.programGood.value !== null;
});

let turn = 0;

export function followProgram(): void {
  effect(() => {
    const { text } = store.program.value;
    if (store.document_.value.view !== 'te' || text === '') return;
    turn += 1;
    const mine = turn;
    const asked = compiler.ask({ kind: 'run_program', text, file: kProgramFile });
    void unlessCrashed(asked).then((answer) => {
      if (answer === null || mine !== turn) return;
      store.programAnswer.value = answer;
      if (answer.ok) store.programGood.value = answer;
    });
  });
}
