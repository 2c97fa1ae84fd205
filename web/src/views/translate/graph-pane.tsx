// The FX graph drawn, and the same as a table.

import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { goToNode } from '../../engine/actions';
import { shapeOfType } from '../../engine/calls';
import type { GraphNode } from '../../engine/core-types';
import { layoutOf } from '../../engine/layout';
import type { Laid } from '../../engine/messages';
import * as store from '../../engine/store';
import { strings } from '../../strings';
import { Badge } from '../code/code-view';
import { colourOf, linkOf } from '../code/links';
import { Pane, Tabs } from '../controls';
import * as ui from '../ui';
import { PaneChoice } from './json-pane';

const kHeight = 36;
const kLetter = 7.3; // width of one in the box's font

export function kindOf({ op, moduleType, target }: GraphNode): string {
  if (op === 'placeholder' || op === 'output') return op;
  return (moduleType ?? target).split('.').at(-1) ?? target;
}

// "(1, 128)" for each node that has been given a type.
export function shapes(): Map<string, string> {
  const found = new Map<string, string>();
  for (const node of store.latest.value?.graph?.nodes ?? []) {
    if (node.shape !== null) found.set(node.name, strings.tuple(node.shape));
  }
  for (const { value } of store.good.value?.calls ?? []) {
    if (value.kind === 'node_map_added') found.set(value.node, shapeOfType(value.type));
  }
  return found;
}

function stateOf(node: GraphNode, wrong: Map<string, string>): string {
  if (wrong.has(node.name)) return 'bad';
  const station = store.good.value?.stations.find(({ number }) => number === node.number);
  return station !== undefined && store.cursor.value <= station.begin ? 'next' : '';
}

function problemsByNode(): Map<string, string> {
  const found = new Map<string, string>();
  for (const { node, message } of store.errors.value) if (node !== null) found.set(node, message);
  return found;
}

export function GraphPane() {
  const nodes = store.latest.value?.graph?.nodes ?? store.good.value?.graph.nodes ?? [];
  const head = (
    <>
      <Tabs label={strings.graph.tabs} value={ui.graphTab.value}
        options={[
          { value: 'graph', label: strings.graph.graph },
          { value: 'table', label: strings.graph.table },
        ]}
        onChange={(value) => (ui.graphTab.value = value)} />
      <span class="grow" />
      <PaneChoice />
    </>
  );
  return (
    <Pane label={strings.graph.paneLabel} class="graphpane" head={head}
      body={ui.graphTab.value === 'graph' ? strings.graph.graph : strings.graph.table}>
      {ui.graphTab.value === 'graph' ? <Drawing nodes={nodes} /> : <Table nodes={nodes} />}
    </Pane>
  );
}

function widthOf(node: GraphNode): number {
  return Math.max(150, 58 + kLetter * node.name.length + 6.2 * kindOf(node).length);
}

function Drawing({ nodes }: { nodes: GraphNode[] }) {
  const laid = useSignal<Laid | null>(null);
  const shown = useComputed(
    () => store.latest.value?.graph?.nodes ?? store.good.value?.graph.nodes ?? [],
  );
  useSignalEffect(() => {
    const known = new Set(shown.value.map(({ name }) => name));
    const boxes = shown.value.map((node) => ({
      id: node.name, width: widthOf(node), height: kHeight,
    }));
    const edges = shown.value.flatMap(({ name, inputs }) =>
      inputs.filter((from) => known.has(from)).map((from) => ({ from, to: name })),
    );
    if (boxes.length === 0) return;
    void layoutOf(boxes, edges).then((value) => {
      if (value !== null) laid.value = value;
    });
  });
  const root = useRef<SVGSVGElement>(null);
  const wrong = problemsByNode();
  const sizes = shapes();
  if (laid.value === null || nodes.length === 0) return null;
  const { width, height, edges } = laid.value;
  const current = store.station.value?.number ?? 0;
  const places = laid.value.nodes;

  // Up and down follow edges, left and right go among siblings.
  const onKey = (event: KeyboardEvent, node: GraphNode): void => {
    if (event.shiftKey) return;
    const here = places[node.name];
    const beside = nodes.filter(
      (n) => n !== node && Math.abs((places[n.name]?.y ?? 0) - (here?.y ?? 0)) < kHeight,
    );
    const siblings = (side: number): GraphNode | undefined =>
      beside.find((n) => ((places[n.name]?.x ?? 0) - (here?.x ?? 0)) * side > 0);
    const next: Record<string, () => GraphNode | undefined> = {
      ArrowUp: () => nodes.find((n) => n.name === node.inputs[0]),
      ArrowDown: () => nodes.find((n) => n.inputs.includes(node.name)),
      ArrowLeft: () => siblings(-1),
      ArrowRight: () => siblings(1),
      Enter: () => node,
      ' ': () => node,
    };
    const found = next[event.key];
    if (found === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const to = found();
    if (to === undefined) return;
    if (to === node) goToNode(node.number);
    root.current?.querySelector<SVGGElement>(`[data-node="${CSS.escape(to.name)}"]`)?.focus();
  };

  return (
    <svg ref={root} class="graph" viewBox={`0 0 ${width} ${height}`} role="group"
      preserveAspectRatio="xMidYMid meet" aria-label={strings.graph.describe(nodes.length)}
      style={`width:min(100%, ${width}px);height:clamp(${0.72 * height}px, 100%, ${height}px)`}>
      {edges.map(({ from, to, points }) => (
        <Edge key={`${from} ${to}`} points={points} shape={sizes.get(from) ?? ''} />
      ))}
      {nodes.map((node) => {
        const at = places[node.name];
        if (at === undefined) return null;
        const why = wrong.get(node.name);
        const w = widthOf(node);
        const x = at.x - w / 2;
        const y = at.y - kHeight / 2;
        const selected = node.number === current;
        const state = `${stateOf(node, wrong)} ${selected ? 'sel' : ''}`;
        return (
          <g key={node.name} class={`${colourOf(node.number)} ${state}`}
            {...linkOf([node.number])} data-node={node.name} role="button"
            tabindex={selected || (current === 0 && node.number === 1) ? 0 : -1}
            aria-label={strings.graph.node(node.number, node.name, kindOf(node), why)}
            aria-pressed={selected}
            onClick={() => goToNode(node.number)} onKeyDown={(event) => onKey(event, node)}>
            <rect class="box" x={x} y={y} width={w} height={kHeight} rx={7} />
            <rect class="bdg" x={x + 9} y={y + 9} width={18} height={18}
              rx={why === undefined ? 4 : 9} />
            <text class="bdgt" x={x + 18} y={y + 22}>{node.number}</text>{' '}
            <text x={x + 36} y={y + 22}>{node.name}</text>{' '}
            <text class={why === undefined ? 'kind' : 'why'} x={x + w - 11}
              y={y + 22} text-anchor="end">
              {why === undefined ? kindOf(node) : strings.graph.problem}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

function Edge({ points, shape }: { points: { x: number; y: number }[]; shape: string }) {
  const [first, ...rest] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return null;
  const middle = points[Math.floor(points.length / 2)] ?? last;
  // Straight pieces through the layout's points, bent at each of them.
  const d = rest.reduce((path, point, i) => {
    const before = points[i] ?? first;
    const half = (before.y + point.y) / 2;
    return `${path}C${before.x} ${half} ${point.x} ${half} ${point.x} ${point.y}`;
  }, `M${first.x} ${first.y}`);
  return (
    <>
      <path class="edge" d={d} />
      <path class="tip" d={`M${last.x - 3.5} ${last.y - 5.5}h7l-3.5 5.5z`} />
      <text class="shape" x={middle.x + 8} y={middle.y + 4}>{shape}</text>
    </>
  );
}

function Table({ nodes }: { nodes: GraphNode[] }) {
  const sizes = shapes();
  const current = store.station.value?.number;
  return (
    <table class="tbl tbl--graph">
      <thead>
        <tr>
          {strings.graph.columns.map((name) => <th key={name} scope="col">{name}</th>)}
        </tr>
      </thead>
      <tbody>
        {nodes.map((node) => (
          <tr key={node.name} class={colourOf(node.number)} {...linkOf([node.number])}>
            <td>
              <button class="bare" aria-current={node.number === current ? 'step' : undefined}
                onClick={() => goToNode(node.number)}>
                <Badge number={node.number} /> <code>{node.name}</code>
              </button>
            </td>
            <td><code>{node.op}</code></td>
            <td><code>{node.moduleType ?? node.target}</code></td>
            <td><code>{strings.tuple(node.inputs)}</code></td>
            <td class="num"><code class="quiet">{sizes.get(node.name) ?? ''}</code></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
