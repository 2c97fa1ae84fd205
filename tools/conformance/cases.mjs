// The conformance cases as data: what each folder holds and what its index entry says.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = path.join(root, 'conformance', 'cases');
const moreFolder = path.join(root, 'conformance', 'more', 'cases');

/**
 * @typedef {object} Case
 * @property {string} id        "module/Linear"
 * @property {string} group
 * @property {string} name
 * @property {string} dir
 * @property {(file: string) => boolean} has
 * @property {(file: string) => string} read
 * @property {boolean} text           TVM's from_fx text counts
 * @property {boolean} legalizedText  TVM's legalised text counts
 * @property {string[]} options       of the tool
 * @property {{rtol: number, atol: number}} tolerance
 */

function toolOptions(options = {}) {
  const words = [];
  if (options.no_bind_return_tuple) words.push('--no-bind-return-tuple');
  if (options.unwrap_unit_return_tuple) words.push('--unwrap-unit-return-tuple');
  if (options.default_image_layout) {
    words.push('--default-image-layout', options.default_image_layout);
  }
  return words;
}

/** @returns {Case} */
function makeCase(entry) {
  const dir = entry.dir ?? path.join(folder, entry.group, entry.name);
  const has = (file) => existsSync(path.join(dir, file));
  const read = (file) => readFileSync(path.join(dir, file), 'utf8');
  const tuned = entry.group === 'reports' || entry.group === 'more';
  const own = tuned && has('expected.json') ? JSON.parse(read('expected.json')) : {};
  const deep = entry.group === 'vision' || entry.group === 'gpt' ? 1e-4 : 1e-5;
  return {
    id: `${entry.group}/${entry.name}`,
    group: entry.group,
    name: entry.name,
    dir,
    has,
    read,
    text: entry.text !== false,
    legalizedText: entry.text !== false && entry.legalized_text !== false,
    options: toolOptions(entry.options),
    tolerance: { rtol: own.rtol ?? deep, atol: own.atol ?? deep },
  };
}

// The cases of conformance/more, each named FAMILY/CASE; all of them must be right.
function moreEntries() {
  const families = readdirSync(moreFolder).sort();
  return families.flatMap((family) => readdirSync(path.join(moreFolder, family)).sort()
    .map((name) => ({
      group: 'more',
      name: `${family}/${name}`,
      dir: path.join(moreFolder, family, name),
    })));
}

/** All cases; `reports` and `more` follow those of the index. @returns {Case[]} */
export function allCases() {
  const index = JSON.parse(readFileSync(path.join(folder, 'index.json'), 'utf8'));
  const reports = readdirSync(path.join(folder, 'reports')).map((name) => ({
    group: 'reports',
    name,
  }));
  return [...index.cases, ...reports, ...moreEntries()].map(makeCase);
}

/**
 * The ids that the compiler must get right: the graphs that conformance/covered_cases.txt lists,
 * every program of the lecture and of tensor expressions, the refusals, and conformance/more.
 */
export function coveredIds() {
  const text = readFileSync(path.join(root, 'conformance', 'covered_cases.txt'), 'utf8');
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  const whole = allCases().filter(
    ({ group }) => ['lecture', 'te', 'invalid', 'more'].includes(group),
  );
  return new Set([...lines.filter(Boolean), ...whole.map(({ id }) => id)]);
}
