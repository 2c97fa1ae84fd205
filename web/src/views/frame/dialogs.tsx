// The page's dialogs: share, how to get the JSON, keys, paste (on a phone).

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { copy, pasteGraph, shareLink } from '../../engine/actions';
import * as store from '../../engine/store';
import { kLongLink } from '../../state/link';
import { strings } from '../../strings';
import { CodeView, plainCut } from '../code/code-view';
import { Icon } from '../icons';
import { OpenFileButton } from '../translate/json-pane';
import * as ui from '../ui';

function Dialog({ title, children }: { title: string; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => element.current?.showModal(), []);
  const close = (): void => {
    ui.dialog.value = null;
  };
  return (
    <dialog ref={element} class="dlg" aria-label={title} onClose={close}
      onClick={(event) => event.target === element.current && close()}>
      <div class="dlg__head">
        <h2>{title}</h2>
        <span class="grow" />
        <button class="icon icon--s" aria-label={strings.dialogs.close} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      {children}
    </dialog>
  );
}

export function Dialogs() {
  switch (ui.dialog.value) {
    case 'share':
      return <Share />;
    case 'howto':
      return <HowTo />;
    case 'keys':
      return <Keys />;
    case 'paste':
      return <Paste />;
    case null:
      return null;
  }
}

function Share() {
  const link = useSignal('');
  useEffect(() => {
    void shareLink().then((text) => (link.value = text));
  }, [store.document_.value]);
  const long = link.value.length > kLongLink;
  const copied = store.notice.value === strings.share.copied;
  return (
    <Dialog title={strings.share.title}>
      <div class="row">
        <input class="field grow" readOnly value={link.value} aria-label={strings.share.link}
          onFocus={(event) => event.currentTarget.select()} />
        <button class="btn btn--primary"
          onClick={() => void copy(link.value, strings.share.copied)}>
          {copied ? strings.share.copied : strings.share.copy}
        </button>
      </div>
      <p class="second dlg__text">{strings.share.explain(link.value.length)}</p>
      {store.weights.value.length > 0 && (
        <p class="quiet dlg__text">{strings.share.weights}</p>
      )}
      {long && <p class="dlg__text chip--warn">{strings.share.long}</p>}
    </Dialog>
  );
}

function HowTo() {
  return (
    <Dialog title={strings.howTo.title}>
      <p class="second dlg__text">{strings.howTo.install}</p>
      <div class="rulebox" tabIndex={0} role="group" aria-label={strings.howTo.installLabel}>
        <CodeView code={plainCut(strings.howTo.installCode)} language="tvmscript" />
      </div>
      <p class="second dlg__text">{strings.howTo.then}</p>
      <div class="rulebox" tabIndex={0} role="group" aria-label={strings.howTo.codeLabel}>
        <CodeView code={plainCut(strings.howTo.code)} language="tvmscript" />
      </div>
      <div class="row dlg__text">
        <button class="btn btn--primary"
          onClick={() => void copy(strings.howTo.code, strings.howTo.copied)}>
          {store.notice.value === strings.howTo.copied
            ? strings.howTo.copied : strings.howTo.copy}
        </button>
        <OpenFileButton />
      </div>
      <p class="quiet dlg__text">{strings.howTo.weights}</p>
    </Dialog>
  );
}

function Keys() {
  return (
    <Dialog title={strings.keys.title}>
      <table class="tbl keys">
        <tbody>
          {strings.keys.list.map(([keys, what]) => (
            <tr key={keys}>
              <td>{keys.split(' ').map((key) => <kbd key={key}>{key}</kbd>)}</td>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

function Paste() {
  const text = useSignal('');
  return (
    <Dialog title={strings.paste.title}>
      <textarea class="plain-edit" aria-label={strings.paste.label} rows={12}
        onInput={(event) => (text.value = event.currentTarget.value)} />
      <div class="row dlg__text">
        <button class="btn btn--primary" disabled={text.value.trim() === ''}
          title={text.value.trim() === '' ? strings.paste.empty : undefined}
          onClick={() => {
            pasteGraph(text.value);
            ui.dialog.value = null;
          }}>
          {strings.paste.use}
        </button>
      </div>
    </Dialog>
  );
}
