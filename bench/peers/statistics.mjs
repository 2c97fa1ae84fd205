/** The p-quantile (0 to 1), linear between neighbours. */
export function quantile(values, p) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = p * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

export const spread = (values) => ({
  p10: quantile(values, 0.1),
  median: quantile(values, 0.5),
  p90: quantile(values, 0.9),
});

/**
 * The spread of ours/theirs, each quotient of one round: what slows the machine down for a while
 * slows both, so their quotient stays.
 */
export function pairedRatio(ours, theirs) {
  if (ours.length !== theirs.length) throw new Error('samples of different rounds');
  return spread(ours.map((time, round) => time / theirs[round]));
}
