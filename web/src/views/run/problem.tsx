// Why the last run gave nothing.

import * as store from '../../engine/store';
import { strings } from '../../strings';
import { Banner } from '../controls';

export function RunProblem() {
  return store.runProblem.value === '' ? null : (
    <div class="sec"><Banner kind="err">{strings.run.failed} {store.runProblem.value}</Banner></div>
  );
}
