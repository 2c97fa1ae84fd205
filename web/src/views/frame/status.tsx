// One line of what is the case, and messages of the page itself.

import { openFragment } from '../../engine/actions';
import { restart } from '../../engine/compiler';
import { bestSimd } from '../../engine/probe';
import * as store from '../../engine/store';
import { strings } from '../../strings';
import { Banner } from '../controls';
import { Icon } from '../icons';
import * as ui from '../ui';

function summary(): { dot: string; text: string } {
  const engine = store.engine.value;
  if (engine.kind === 'crashed') return { dot: 'dot--err', text: strings.status.crashed };
  if (store.notice.value !== '') return { dot: 'dot--ok', text: store.notice.value };
  const problems = store.errors.value.length;
  if (problems > 0) {
    return { dot: 'dot--err', text: strings.status.problems(problems) };
  }
  const { view } = store.document_.value;
  const compiled = store.compiled.value;
  if ((view === 'wasm' || view === 'run') && compiled.kind === 'done') {
    const { bytes, answer, milliseconds } = compiled.value;
    return {
      dot: 'dot--ok',
      text: strings.status.compiled(milliseconds, answer.functions.length, bytes.length),
    };
  }
  const made = store.good.value;
  if (made === null) {
    return engine.kind === 'loading'
      ? { dot: '', text: strings.status.loading(engine.loaded, engine.total) }
      : { dot: '', text: strings.status.nothing };
  }
  const spans = store.moduleText.value?.text.spans ?? [];
  const functions = spans.filter(({ kind }) => kind === 'function').length;
  return {
    dot: 'dot--ok',
    text: strings.status.translated(made.milliseconds, made.graph.nodes.length, functions),
  };
}

export function Status() {
  const { dot, text } = summary();
  return (
    <footer class="status">
      <span role="status"><span class={`dot ${dot}`} />{text}</span>
      <span class="grow" />
      <button class="bare hide-m" onClick={() => (ui.dialog.value = 'keys')}>
        {strings.status.keys} <kbd>?</kbd>
      </button>
      <span class="hide-m">{strings.status.dialect}</span>
      <span class="hide-l">{strings.status.simd[bestSimd()]}</span>
      <span class="hide-l">{strings.status.offline}</span>
      <span>{strings.status.privacy}</span>
      <span class="quiet">{strings.version}</span>
    </footer>
  );
}

// What the page itself has to say stands above the panes: a broken link, a crash.
export function PageBanners() {
  const engine = store.engine.value;
  const problems = store.linkProblems.value;
  if (engine.kind !== 'crashed' && problems.length === 0) return null;
  const dismiss = (): void => {
    store.linkProblems.value = [];
  };
  return (
    <div class="pagebanners">
      {engine.kind === 'crashed' && (
        <div class="row row--wrap">
          <Banner kind="err">{strings.crash.text(engine.message)}</Banner>
          <button class="btn btn--s btn--primary" onClick={restart}>{strings.crash.restart}</button>
        </div>
      )}
      {problems.length > 0 && (
        <div class="row row--wrap">
          <Banner kind="warn">
            <b>{strings.link.title}</b>{' '}
            {problems.map((problem) => strings.link.problem(problem)).join(' ')}
          </Banner>
          <button class="btn btn--s" onClick={() => {
            dismiss();
            void openFragment('');
          }}>{strings.link.fresh}</button>
          <button class="icon icon--s" aria-label={strings.link.dismiss} onClick={dismiss}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}
