import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairedRatio, quantile, spread } from './statistics.mjs';

test('quantiles lie between neighbours', () => {
  assert.equal(quantile([3, 1, 2], 0.5), 2);
  assert.equal(quantile([4, 1, 2, 3], 0.5), 2.5);
  assert.equal(quantile([7], 0.9), 7);
  assert.deepEqual(spread([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]), {
    p10: 10,
    median: 50,
    p90: 90,
  });
});

test('a paired ratio does not see what slows both', () => {
  const theirs = [1, 1, 8, 3, 1];
  const ours = theirs.map((time) => time / 2);
  assert.deepEqual(pairedRatio(ours, theirs), { p10: 0.5, median: 0.5, p90: 0.5 });
});

test('ratios of different rounds are refused', () => {
  assert.throws(() => pairedRatio([1], [1, 2]), /rounds/);
});
