// Samples to tables. Markdown, padded so that a terminal shows it well.
import { pairedRatio, quantile, spread } from './statistics.mjs';

/** Three significant digits, no exponent. */
export function digits(value) {
  if (value === 0) return '0';
  return value.toFixed(Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))));
}

/** Rows of text to a Markdown table; the first row is the head, the first column names the row. */
export function table(rows) {
  const widths = rows[0].map((_, column) => (
    Math.max(...rows.map((row) => [...row[column]].length))));
  const line = (row) => `| ${row.map((cell, column) => {
    const gap = ' '.repeat(widths[column] - [...cell].length);
    return column === 0 ? cell + gap : gap + cell;
  }).join(' | ')} |`;
  const rule = `|${widths.map((w, column) => '-'.repeat(w + 1) + (column === 0 ? '-' : ':'))
    .join('|')}|`;
  return [line(rows[0]), rule, ...rows.slice(1).map(line)].join('\n');
}

const range = ({ p10, p90 }) => `${digits(p10)} – ${digits(p90)}`;

/** One model's samples (page/main.mjs) as a table; `peers` are the ids that ratios are taken to. */
export function modelTable({ flop, roof, contenders }, peers) {
  const head = ['one image a call', 'median µs', 'p10 – p90', 'GFLOP/s', '% of roof',
    ...peers.map((peer) => `time / ${peer}`), 'max error'];
  const rows = Object.entries(contenders).map(([id, { times, error, failure }]) => {
    if (failure) return [id, 'failed', ...head.slice(2).map(() => '')];
    const micros = spread(times.map((ms) => ms * 1000));
    const rates = times.map((ms) => flop / ms / 1e6);
    const ofRoof = quantile(rates.map((rate, round) => (100 * rate) / roof[round]), 0.5);
    const ratios = peers.map((peer) => {
      const theirs = contenders[peer]?.times;
      if (!theirs || peer === id) return '';
      const ratio = pairedRatio(times, theirs);
      return `${digits(ratio.median)} (${range(ratio)})`;
    });
    return [id, digits(micros.median), range(micros), digits(quantile(rates, 0.5)),
      digits(ofRoof), ...ratios, error.toExponential(1)];
  });
  return table([head, ...rows]);
}

/** google-benchmark's JSON as a table. */
export function compilerTable({ benchmarks }) {
  const perMillisecond = { ns: 1e6, us: 1e3, ms: 1, s: 1e-3 };
  const rows = benchmarks
    .filter(({ run_type: type }) => type !== 'aggregate')
    .map(({ name, real_time: time, time_unit: unit }) => [
      name, digits(time / perMillisecond[unit])]);
  return table([['phase', 'ms'], ...rows]);
}
