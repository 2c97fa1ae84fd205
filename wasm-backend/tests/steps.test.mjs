// The record of the lecture's network, event by event, as a golden file: what the page shows must
// not change unseen. (That replaying it rebuilds the module is tested natively, on every case.)
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { COMPILER, ROOT } from './cases.mjs';

const golden = join(ROOT, 'conformance/golden/fx_mlp.steps.jsonl');
const graph = join(ROOT, 'conformance/cases/lecture/fx_mlp/graph.fx.json');
const options = ['--rules', 'lecture', '--ops', 'emit_te'];

const parse = (text) => text.trim().split('\n').map((line) => JSON.parse(line));

test('the steps of the lecture network are those of the golden file', () => {
  const printed = execFileSync(COMPILER, ['steps', graph, ...options], { encoding: 'utf8' });
  assert.deepEqual(parse(printed), parse(readFileSync(golden, 'utf8')));
});

test('each step begins with its rule and the text of it, and ends with what node_map holds', () => {
  const rules = readFileSync(join(ROOT, 'conformance/lecture_programs/rules_te.py'), 'utf8');
  const called = parse(readFileSync(golden, 'utf8')).filter(({ node }) => /linear|relu/.test(node));
  assert.equal(called.length, 3);
  for (const { node, events } of called) {
    const [first] = events;
    assert.equal(first.kind, 'rule_chosen');
    assert.equal(first.ruleSet, 'lecture');
    assert.ok(rules.includes(first.source) && first.source.startsWith(`def ${first.rule}(`));
    const added = events.find(({ kind }) => kind === 'node_map_added');
    assert.equal(added.node, node);
  }
});
