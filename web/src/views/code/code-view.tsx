// Read-only code in the design's lines: number, badge, hanging indent, link marks, folds.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { indentOf, type Language, piecesOf } from './highlight';
import type { Cut, Fold, Line } from './lines';
import { colourOf, linkOf } from './links';
import { strings } from '../../strings';

const kLong = 600; // lines

export interface Chip {
  name: string;
  shape: string;
}

interface LineProps {
  line: Line;
  language: Language;
  chipOf: ((line: Line, at: number) => Chip | null) | null;
  fold: Fold | null; // what is folded behind this line
  onUnfold: (fold: Fold) => void;
  current: boolean;
}

export function Badge({ number, size = '' }: { number: number; size?: string }) {
  return <i class={`n ${colourOf(number)} ${size}`}>{number}</i>;
}

function Pieces({ line, language, chipOf }: Pick<LineProps, 'line' | 'language' | 'chipOf'>) {
  const out: ComponentChildren[] = [];
  const spans = line.spans.map((span) => ({
    span,
    begin: span.begin - line.begin,
    end: Math.min(span.end - line.begin, line.text.length),
  }));
  let skip = 0;
  for (const { begin, end, style } of piecesOf(line.text, language)) {
    let at = Math.max(begin, skip);
    while (at < end) {
      const inside = spans.find((s) => s.begin <= at && at < s.end);
      const next = spans.find((s) => s.begin > at && s.begin < end);
      const chip = inside && chipOf ? chipOf(line, inside.begin) : null;
      if (inside && chip) {
        out.push(
          <span class={`hand tkv ${colourOf(inside.span.fxNodes[0] ?? 0)}`}
            {...linkOf(inside.span.fxNodes)}>
            {chip.name} <small>{chip.shape}</small>
          </span>,
        );
        at = skip = inside.end;
        continue;
      }
      const stop = Math.min(end, inside?.end ?? end, next?.begin ?? end);
      const text = line.text.slice(at, stop);
      if (inside?.span.kind === 'var' && inside.span.fxNodes.length > 0) {
        const colour = colourOf(inside.span.fxNodes[0] ?? 0);
        out.push(<span class={`tkv ${colour}`} {...linkOf(inside.span.fxNodes)}>{text}</span>);
      } else {
        out.push(style === '' ? text : <span class={style}>{text}</span>);
      }
      at = stop;
    }
  }
  return <code>{out.length === 0 ? ' ' : out}</code>;
}

function PlainLine({ line, language, chipOf, fold, onUnfold, current }: LineProps) {
  const colour = colourOf(line.badge[0] ?? line.nodes[0] ?? 0);
  const marks = `${line.added ? 'add' : ''} ${current ? 'cur' : ''} ${line.body ? 'fn' : ''}`;
  return (
    <div class={`ln ${colour} ${marks}`} style={`--in:${indentOf(line.text)}`}
      {...linkOf(line.nodes)} data-line={line.number}>
      <span class="no">{line.number}</span>
      <span class="mk">{line.badge.map((number) => <Badge key={number} number={number} />)}</span>
      <Folded fold={fold} onUnfold={onUnfold}>
        <Pieces line={line} language={language} chipOf={chipOf} />
      </Folded>
    </div>
  );
}

function Folded(props: {
  fold: Fold | null;
  onUnfold: (fold: Fold) => void;
  children: ComponentChildren;
}) {
  const { fold, onUnfold, children } = props;
  if (fold === null) return <>{children}</>;
  const hidden = fold.last - fold.first;
  const label = fold.kind === 'imports' ? strings.code.moreImports(hidden)
    : strings.code.foldedLines(hidden);
  return (
    <div class="foldrow">
      {children}
      <button class="fold" onClick={() => onUnfold(fold)}
        aria-label={strings.code.unfold(label, fold.name)}>{label}</button>
    </div>
  );
}

export function CodeView(props: {
  code: Cut;
  language: Language;
  chipOf?: ((line: Line, at: number) => Chip | null) | null;
  small?: boolean;
  wrap?: boolean;
  currentLine?: number;
}) {
  const { code, language, chipOf = null, small = false, wrap = true, currentLine = 0 } = props;
  const opened = useSignal<ReadonlySet<string>>(new Set());
  const keyOf = (fold: Fold): string => `${fold.kind}${fold.name}`;
  const closed = code.folds.filter((fold) => !opened.value.has(keyOf(fold)));
  const unfold = (fold: Fold): void => {
    opened.value = new Set([...opened.value, keyOf(fold)]);
  };
  const visible = code.lines.filter(
    ({ number }) => !closed.some(({ first, last }) => number > first && number <= last),
  );
  const long = visible.length > kLong ? 'code--long' : '';
  return (
    <div class={`code ${small ? 'code--s' : ''} ${wrap ? '' : 'code--nowrap'} ${long}`}>
      {visible.map((line) => (
        <PlainLine key={line.number} line={line} language={language} chipOf={chipOf}
          fold={closed.find(({ first }) => first === line.number) ?? null}
          onUnfold={unfold} current={line.number === currentLine} />
      ))}
    </div>
  );
}

// Text that belongs to no node: rules, listings, JSON on a phone.
export function plainCut(text: string): Cut {
  let begin = 0;
  const lines = text.replace(/\n$/, '').split('\n').map((line, index) => {
    const made: Line = {
      number: index + 1, begin, text: line, badge: [], nodes: [], body: false, added: false,
      spans: [],
    };
    begin += line.length + 1;
    return made;
  });
  return { lines, folds: [], functions: 0, bindings: 0, added: 0 };
}
