import { describe, expect, it } from 'vitest';
import { cursorFromPlace, moved, placeText, prefixOf, stationAt, stationsOf } from './cursor';

const step = (node: string, number: number, events: number) => ({
  node, number, events: new Array<number>(events).fill(0),
});

// The function's beginning and end belong to no node.
const steps = [step('', 0, 2), step('x', 1, 1), step('linear', 2, 5), step('', 0, 3)];
const stations = stationsOf(steps);

describe('stations', () => {
  it('take in the calls that belong to no node', () => {
    expect(stations.map(({ node, begin, end }) => [node, begin, end])).toEqual([
      ['x', 0, 3],
      ['linear', 3, 11],
    ]);
  });

  it('exist for calls without any node', () => {
    expect(stationsOf([step('', 0, 4)])).toEqual([
      { index: 0, node: '', number: 0, begin: 0, end: 4 },
    ]);
    expect(stationsOf([])).toEqual([]);
  });

  it('hold the cursor after their last call', () => {
    expect(stationAt(stations, 0)?.node).toBe('x');
    expect(stationAt(stations, 3)?.node).toBe('x');
    expect(stationAt(stations, 4)?.node).toBe('linear');
    expect(stationAt(stations, 99)?.node).toBe('linear');
  });
});

describe('a cursor', () => {
  it('is a prefix of the record', () => {
    expect(prefixOf(steps, 0)).toEqual({ steps: 0, events: 0 });
    expect(prefixOf(steps, 2)).toEqual({ steps: 1, events: 0 });
    expect(prefixOf(steps, 5)).toEqual({ steps: 2, events: 2 });
    expect(prefixOf(steps, 11)).toEqual({ steps: 4, events: 0 });
  });

  it('moves by call within the record', () => {
    expect(moved(stations, 3, 'call', 1)).toBe(4);
    expect(moved(stations, 0, 'call', -1)).toBe(0);
    expect(moved(stations, 11, 'call', 1)).toBe(11);
  });

  it('moves by node to a node’s end', () => {
    expect(moved(stations, 3, 'node', 1)).toBe(11);
    expect(moved(stations, 5, 'node', 1)).toBe(11);
    expect(moved(stations, 5, 'node', -1)).toBe(3);
    expect(moved(stations, 3, 'node', -1)).toBe(3);
    expect(moved([], 0, 'node', 1)).toBe(0);
  });

  it('has a place that a link can say', () => {
    expect(placeText(stations, 5)).toBe('2.2');
    expect(cursorFromPlace(stations, '2.2')).toBe(5);
    expect(cursorFromPlace(stations, '2')).toBe(11);
    expect(cursorFromPlace(stations, '2.99')).toBe(11);
    expect(cursorFromPlace(stations, '7.1')).toBeNull();
    expect(cursorFromPlace(stations, 'x')).toBeNull();
  });
});
