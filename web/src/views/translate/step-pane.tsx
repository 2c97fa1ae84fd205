// One step: the FX node, the rule that ran and why, node_map before and after, the builder's calls,
// the tensor expression and PrimFunc that came of it.

import { useComputed } from '@preact/signals';
import { setNodeOps } from '../../engine/actions';
import { nodeMapAt, shapeOfType } from '../../engine/calls';
import type { GraphNode, StepEvent } from '../../engine/core-types';
import type { Station } from '../../state/cursor';
import type { Ops } from '../../state/document';
import * as store from '../../engine/store';
import { strings } from '../../strings';
import { Badge, CodeView, plainCut } from '../code/code-view';
import { colourOf, linkOf } from '../code/links';
import { Empty, Segmented, Skeleton } from '../controls';
import { paneClass } from '../panes';
import { rulesPlace } from '../places';
import { BuilderCalls } from './builder-calls';
import { PrimFuncs } from './prim-funcs';
import { RuleEditor, RuleSetChoice } from './rule-editor';

type RuleChosen = Extract<StepEvent, { kind: 'rule_chosen' }>;

function nodeAt(station: Station | undefined): GraphNode | undefined {
  return store.good.value?.graph.nodes.find(({ number }) => number === station?.number);
}

export function StepPane() {
  const station = store.station.value;
  const node = nodeAt(station);
  const made = store.good.value;
  if (made === null || station === undefined) {
    const empty = store.latest.value !== null && store.graphText.value.trim() === '';
    return (
      <section class={paneClass('step')} aria-label={strings.step.paneLabel}>
        {empty ? <Empty title={strings.step.empty} /> : <Skeleton />}
      </section>
    );
  }
  const name = node?.name ?? station.node;
  const calls = station.end - station.begin;
  const stale = store.stale.value ? 'is-stale' : '';
  return (
    <section class={`${paneClass('step')} ${stale}`} aria-label={strings.step.paneLabel} id="main">
      <div class={`step ${colourOf(station.number)}`}>
        {station.number > 0 && <Badge number={station.number} size="n--l" />}
        <div>
          <h2 class="mono step__name">{name}</h2>
          <p class="what">
            <code>{node?.op ?? ''}</code>
            {node !== undefined && ` · ${node.moduleType ?? node.target}`}
          </p>
        </div>
        <span class="chip hide-p">
          {strings.step.callOf(Math.max(0, store.cursor.value - station.begin), calls)}
        </span>
      </div>
      <div class="pane__body" tabIndex={0} role="group" aria-label={strings.step.bodyLabel(name)}>
        <Rule station={station} node={node} />
        <NodeMap station={station} />
        <BuilderCalls station={station} />
        <PrimFuncs station={station} />
      </div>
    </section>
  );
}

function Rule({ station, node }: { station: Station; node: GraphNode | undefined }) {
  const made = store.good.value;
  const calls = made?.calls.slice(station.begin, station.end) ?? [];
  const rule = calls.map(({ value }) => value)
    .find((value): value is RuleChosen => value.kind === 'rule_chosen');
  const open = store.rulesOpen.value;
  const changed = store.document_.value.rulesText !== null;
  return (
    <section class="sec">
      <h3>
        {strings.rule.title}{' '}
        {rule !== undefined && rule.map !== '' && (
          <span class="quiet ell"><code>{`${rule.map}[${rule.key}]`}</code></span>
        )}
        <span class="grow" />
        {changed && <span class="chip chip--warn">{strings.rule.changed}</span>}
        <button class="btn btn--quiet btn--s" aria-expanded={open}
          onClick={() => {
            store.rulesOpen.value = !open;
            if (!open && rule !== undefined && rule.sourceLine > 0) {
              rulesPlace.value = { line: rule.sourceLine, column: 1 };
            }
          }}>
          {open ? strings.rule.close : strings.rule.edit}
        </button>
      </h3>
      {rule === undefined
        ? <p class="why">{strings.rule.none(node?.op ?? '')}</p>
        : (
          <p class="why">
            {strings.sentence(rule.why)}{' '}
            {rule.map !== '' && rule.ruleSet !== store.document_.value.rules &&
              strings.rule.fallback(rule.ruleSet)}
          </p>
        )}
      {!open && rule !== undefined && rule.source !== '' && (
        <div class="rulebox" tabIndex={0} role="group" aria-label={strings.rule.source}>
          <CodeView code={plainCut(rule.source)} language="tvmscript" />
        </div>
      )}
      {open && <RuleEditor line={rule?.sourceLine ?? 0} />}
      <div class="row row--wrap rule__ways">
        <RuleSetChoice />
        {node?.op.startsWith('call_') === true && <NodeOps node={node} />}
      </div>
    </section>
  );
}

// How this one node is translated, where it differs from the whole graph.
function NodeOps({ node }: { node: GraphNode }) {
  const own = store.document_.value.opsByNode[node.name];
  const value: Ops | 'graph' = own ?? 'graph';
  return (
    <Segmented small label={strings.rule.nodeOps(node.name)} value={value}
      options={[
        { value: 'graph', label: strings.rule.asGraph },
        { value: 'emit_te', label: strings.modes.emit_te },
        { value: 'relax', label: strings.modes.relaxOne },
      ]}
      onChange={(ops: Ops | 'graph') => setNodeOps(node.name, ops === 'graph' ? null : ops)} />
  );
}

function NodeMap({ station }: { station: Station }) {
  const made = store.good.value;
  const rows = useComputed(() => {
    const calls = store.good.value?.calls ?? [];
    const begin = store.station.value?.begin ?? 0;
    return { before: nodeMapAt(calls, begin), after: nodeMapAt(calls, store.cursor.value) };
  });
  const { before, after } = rows.value;
  const nodes = made?.graph.nodes ?? [];
  const known = nodes.filter(({ name, number }) => after.has(name) || number === station.number);
  const later = nodes.filter((node) => !known.includes(node));
  return (
    <section class="sec">
      <h3>{strings.nodeMap.title} <span class="quiet">{strings.nodeMap.sub}</span></h3>
      <table class="tbl">
        <thead>
          <tr>
            <th scope="col">{strings.nodeMap.node}</th>
            <th scope="col">{strings.nodeMap.before}</th>
            <th scope="col">{strings.nodeMap.after}</th>
            <th scope="col" class="num">{strings.nodeMap.shape}</th>
          </tr>
        </thead>
        <tbody>
          {known.map(({ name, number }) => {
            const old = before.get(name);
            const now = after.get(name);
            return (
              <tr key={name} class={colourOf(number)} {...linkOf([number])}>
                <td><Badge number={number} />&ensp;<code>{name}</code></td>
                <td>{old === undefined
                  ? <span class="quiet">{strings.nodeMap.notYet}</span>
                  : <code>{old.value}</code>}</td>
                <td>
                  {now === undefined
                    ? <span class="quiet">{strings.nodeMap.notYet}</span>
                    : <code class={old === undefined ? 'strong' : ''}>{now.value}</code>}
                  {now !== undefined && old === undefined && (
                    <>&ensp;<span class="chip chip--new">{strings.nodeMap.new}</span></>
                  )}
                </td>
                <td class="num">
                  <code class="quiet">{now === undefined ? '' : shapeOfType(now.type)}</code>
                </td>
              </tr>
            );
          })}
          {later.length > 0 && (
            <tr class="todo">
              <td colSpan={4}>
                <span class="row row--gap">
                  {later.slice(0, 12).map(({ name, number }) => (
                    <span key={name} class="row row--tight" title={name}>
                      <i class="n n--off">{number}</i> <code>{name}</code>
                    </span>
                  ))}
                  {strings.nodeMap.notReached(later.length)}
                </span>
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

