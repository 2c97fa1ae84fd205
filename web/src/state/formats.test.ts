import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gunzip, pack, unpack } from './codec';
import { kNoHistory, remember, undo } from './history';
import { readIdx } from './idx';

const examples = resolve(import.meta.dirname, '../../../examples');
const bytesOf = (path: string): Uint8Array => new Uint8Array(readFileSync(`${examples}/${path}`));

describe('packed text', () => {
  it.each(['', 'x', '{"a": [1, 2]}', 'größe → 名前'.repeat(400)])('comes back', async (text) => {
    const packed = await pack(text);
    expect(packed).toMatch(/^[A-Za-z0-9_-]*$/);
    expect(await unpack(packed)).toBe(text);
  });

  it('of an FX graph is much shorter than the graph', async () => {
    const graph = new TextDecoder().decode(bytesOf('mlp/mlp.fx.json'));
    expect((await pack(graph)).length).toBeLessThan(graph.length / 1.8);
  });
});

describe('the examples’ files', () => {
  it('hold the test images and their labels', async () => {
    const images = readIdx(await gunzip(bytesOf('fashion-mnist/t10k-images-idx3-ubyte.gz')));
    const labels = readIdx(await gunzip(bytesOf('fashion-mnist/t10k-labels-idx1-ubyte.gz')));
    expect(images.shape).toEqual([10000, 28, 28]);
    expect(images.data.length).toBe(10000 * 28 * 28);
    expect(labels.shape).toEqual([10000]);
    expect(labels.data[0]).toBe(9); // the first test image is an ankle boot
  });

  it('are read although a server has undone the compression', async () => {
    const plain = await gunzip(bytesOf('fashion-mnist/t10k-labels-idx1-ubyte.gz'));
    expect(await gunzip(plain)).toEqual(plain);
  });

  it('that are none are refused', () => {
    expect(() => readIdx(new Uint8Array(16))).toThrow();
  });
});

describe('history', () => {
  it('gives back what was there before, last first', () => {
    const one = { example: 'mlp', graph: null };
    const two = { example: 'mlp', graph: '{}' };
    let history = remember(remember(kNoHistory, one), two);
    history = remember(history, two);
    expect(history.past).toEqual([one, two]);
    const back = undo(history);
    expect(back.entry).toEqual(two);
    expect(undo(back.history).entry).toEqual(one);
    expect(undo(kNoHistory).entry).toBeNull();
  });
});
