// Asks the layout worker, and gives up on what has been overtaken.

import { WorkerClient } from './client';
import { unlessCrashed } from './compiler';
import type { Laid, LayoutAnswers, LayoutEdge, LayoutNode, LayoutRequest } from './messages';

const layouter = new WorkerClient<LayoutRequest, LayoutAnswers>(
  () => new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' }),
);

let turn = 0;
let lastKey = '';
let last: Promise<Laid | null> = Promise.resolve(null);

export function layoutOf(nodes: LayoutNode[], edges: LayoutEdge[]): Promise<Laid | null> {
  const key = JSON.stringify([nodes, edges]);
  if (key === lastKey) return last;
  turn += 1;
  const mine = turn;
  lastKey = key;
  last = unlessCrashed(layouter.ask({ kind: 'layout', nodes, edges })).then((laid) =>
    mine === turn ? laid : last,
  );
  return last;
}
