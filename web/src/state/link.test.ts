import { describe, expect, it } from 'vitest';
import { type Document, newDocument } from './document';
import { fromFragment, toFragment } from './link';

const known = ['mlp', 'cnn', 'matmul_relu'];

const everything: Document = {
  example: 'cnn',
  graph: '{"fx_graph": 1, "nodes": [{"op": "placeholder", "name": "größe"}]}',
  mode: 'legalized',
  rules: 'tvm',
  opsByNode: { linear0: 'emit_te', relu: 'relax' },
  rulesText: 'def map_relu(bb, node_map, node):\n    return node_map[node.args[0]]\n',
  view: 'run',
  step: '2.19',
  image: 7,
  simd: 'simd128',
  schedule: false,
  libraryNodes: ['linear0', 'linear1'],
  program: 'A = te.placeholder((2, 2))\nARGS = [A]\n',
};

describe('a link', () => {
  it('is empty for a new document', async () => {
    expect(await toFragment(newDocument('mlp'), 'mlp')).toBe('');
  });

  it('is short and readable for an unchanged example', async () => {
    const document = { ...newDocument('cnn'), step: '2.19', image: 0 };
    expect(await toFragment(document, 'mlp')).toBe('#v1.ex=cnn&step=2.19&img=0');
  });

  it('restores everything but the weights', async () => {
    const { document, problems } = await fromFragment(await toFragment(everything, 'mlp'), known);
    expect(problems).toEqual([]);
    expect(document).toEqual(everything);
  });

  // Links that have been given out: each must open for ever.
  const released: [string, Partial<Document>][] = [
    ['', {}],
    ['#v1.ex=cnn&step=2.19&img=0', { example: 'cnn', step: '2.19', image: 0 }],
    ['#v1.mode=relax&rules=tvm&view=wasm&sched=off', {
      mode: 'relax', rules: 'tvm', view: 'wasm', schedule: false,
    }],
    ['#v1.ops=relu:relax,linear0:emit_te&lib=linear0', {
      opsByNode: { relu: 'relax', linear0: 'emit_te' }, libraryNodes: ['linear0'],
    }],
    ['#v1.ex=none&g=q1ZKq4hPL0osyFCyUjCsBQA', { example: null, graph: '{"fx_graph": 1}' }],
  ];
  it.each(released)('of version 1 opens: %s', async (fragment, fields) => {
    const { document, problems } = await fromFragment(fragment, known);
    expect(problems).toEqual([]);
    expect(document).toEqual({ ...newDocument('mlp'), ...fields });
  });

  it.each([
    ['#v9.ex=mlp', 'unknown_version'],
    ['#nonsense', 'unknown_version'],
    ['#v1.ex=lost', 'bad_field'],
    ['#v1.mode=fast', 'bad_field'],
    ['#v1.step=two', 'bad_field'],
    ['#v1.ops=relu', 'bad_field'],
    ['#v1.whatever=1', 'bad_field'],
    ['#v1.g=%%%', 'broken_text'],
    ['#v1.g=AAAA', 'broken_text'],
  ])('that is broken says so and still opens: %s', async (fragment, kind) => {
    const { document, problems } = await fromFragment(fragment, known);
    expect(problems.map((problem) => problem.kind)).toEqual([kind]);
    expect(document).toEqual(newDocument('mlp'));
  });

  it('cut off in the middle of its graph is reported', async () => {
    const graph = 'abc '.repeat(5) + everything.graph;
    const whole = await toFragment({ ...newDocument('mlp'), graph }, 'mlp');
    const { problems } = await fromFragment(whole.slice(0, whole.length - 12), known);
    expect(problems.map((problem) => problem.kind)).toEqual(['broken_text']);
  });
});
