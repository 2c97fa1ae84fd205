// `./run conformance [group|group/name …]`: every case against every check it has something for.
// Prints a table, group by group, then each miss with its reason. Fails when a case that
// conformance/covered_cases.txt lists is wrong or was not run.
import { allCases, coveredIds } from './cases.mjs';
import { checks } from './checks.mjs';
import { requireTool } from './tool.mjs';

requireTool();

const wanted = process.argv.slice(2);
const chosen = allCases().filter(
  ({ id }) =>
    !wanted.length || wanted.some((word) => id === word || id.startsWith(`${word}/`)),
);
const covered = coveredIds();
const unknown = [...covered].filter((id) => !allCases().some((testCase) => testCase.id === id));
if (unknown.length) throw new Error(`covered_cases.txt names unknown cases: ${unknown.join(', ')}`);

/** @type {Map<string, {right: number, all: number}>} */
const counts = new Map();
const misses = [];
for (const testCase of chosen) {
  for (const [name, check] of checks) {
    let why;
    try {
      why = await check(testCase);
    } catch (error) {
      why = error.message;
    }
    if (why === undefined) continue;
    const key = `${testCase.group}\t${name}`;
    const count = counts.get(key) ?? { right: 0, all: 0 };
    counts.set(key, { right: count.right + (why === null ? 1 : 0), all: count.all + 1 });
    if (why !== null) misses.push({ testCase, name, why });
  }
}

const groups = [...new Set(chosen.map((testCase) => testCase.group))];
const width = Math.max(...[...checks.keys()].map((name) => name.length));
const head = groups.map((group) => group.padStart(9));
console.log(['check'.padEnd(width), ...head, '      all'].join(' '));
for (const name of checks.keys()) {
  let right = 0;
  let all = 0;
  const cells = groups.map((group) => {
    const count = counts.get(`${group}\t${name}`);
    right += count?.right ?? 0;
    all += count?.all ?? 0;
    return (count ? `${count.right}/${count.all}` : '').padStart(9);
  });
  if (all) console.log([name.padEnd(width), ...cells, `${right}/${all}`.padStart(9)].join(' '));
}

let failed = 0;
for (const { testCase, name, why } of misses) {
  const listed = covered.has(testCase.id);
  if (listed) ++failed;
  console.log(`${listed ? 'FAILED' : 'open  '} ${testCase.id} (${name}): ${why}`);
}
const run = new Set(chosen.map((testCase) => testCase.id));
const notRun = wanted.length ? [] : [...covered].filter((id) => !run.has(id));
for (const id of notRun) console.log(`FAILED ${id}: listed, but not run`);
process.exitCode = failed || notRun.length ? 1 : 0;
