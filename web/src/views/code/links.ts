// Link colours. Which elements are linked changes with every movement of the pointer, so it is one
// style sheet that changes, not the elements: they say with `data-n` which nodes they belong to.

import { effect } from '@preact/signals';
import * as store from '../../engine/store';

export function colourOf(number: number): string {
  return number > 0 ? `l${((number - 1) % 8) + 1}` : '';
}

// The attributes of whatever belongs to FX nodes.
export function linkOf(numbers: readonly number[]): { 'data-n'?: string } {
  return numbers.length === 0 ? {} : { 'data-n': numbers.join(' ') };
}

function rulesFor(number: number, lines: string): string {
  const one = `[data-n~="${number}"]`;
  return (
    `${lines}${one}{background:var(--tint)}` +
    `${lines}${one}::before{content:"";position:absolute;inset:0 auto 0 0;width:3px;` +
    `background:var(--lk)}` +
    `.tkv${one}{background:var(--tint);box-shadow:inset 0 -2px 0 var(--lk)}` +
    `.graph g${one}:not(.bad) .box{fill:var(--tint);stroke:var(--lk);stroke-width:2}` +
    `.tbl tr${one}{background:var(--tint);box-shadow:inset 3px 0 0 var(--lk)}` +
    `.st${one}{background:var(--tint);border-color:var(--lk)}` +
    `.act${one} .pic{border-color:var(--lk);box-shadow:inset 0 0 0 1px var(--lk)}`
  );
}

// Tints every partner of the linked nodes, and tells the store what the pointer is on.
export function followLinks(root: HTMLElement): void {
  const sheet = document.createElement('style');
  document.head.append(sheet);
  effect(() => {
    sheet.textContent = store.linked.value
      .filter((number) => number > 0)
      .map((number) => rulesFor(number, store.hovered.value.length > 0 ? '.ln' : '.ln:not(.fn)'))
      .join('\n');
  });
  root.addEventListener('pointerover', (event) => {
    if (event.pointerType === 'touch') return;
    const target = event.target instanceof Element ? event.target.closest('[data-n]') : null;
    const numbers = (target?.getAttribute('data-n') ?? '').split(' ').filter((n) => n !== '');
    const next = numbers.map(Number);
    if (next.join() !== store.hovered.peek().join()) store.hovered.value = next;
  });
  root.addEventListener('pointerleave', () => (store.hovered.value = []));
}
