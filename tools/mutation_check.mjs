// Are the tests awake? Disturbs one kernel, one printing rule and one translation rule in a copy
// of the sources, one at a time, and says which suites notice. Fails when a fault passes unnoticed
// or a suite complains about the undisturbed sources. By hand (it builds the compiler anew):
//   node tools/mutation_check.mjs [kernel|printing|translation]
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `before` stands once in the file. `suites` are the names of those that must notice. */
const MUTATIONS = [
  {
    what: 'kernel: four lanes add where they subtract',
    file: 'wasm-backend/lower/vector_expr.cpp',
    before: 'floats ? Op::F32x4Sub',
    after: 'floats ? Op::F32x4Add',
    suites: ['random graphs', 'conformance'],
  },
  {
    what: 'printing: // prints as /',
    file: 'core/print/expr.cpp',
    before: '{"//", Precedence::Product, "FloorDiv"}',
    after: '{"/", Precedence::Product, "FloorDiv"}',
    suites: ['conformance'],
  },
  {
    what: 'translation: transpose swaps nothing',
    file: 'core/translate/permute.cpp',
    before: 'std::swap(axes[first], axes[second]);',
    after: '(void)first, (void)second;',
    suites: ['random graphs', 'conformance'],
  },
];

// A few cases for each of the mutations and beside them; the whole set takes minutes.
const CASES = [
  'function/sub',
  'function/softmax',
  'function/transpose',
  'function/reshape',
  'function/flatten',
  'module/Linear',
  'module/Conv2d',
  'module/LayerNorm',
  'method/transpose',
  'composed/mlp_small',
];
/** @type {Record<string, string[]>} */
const SUITES = {
  'random graphs': ['tools/random_graphs/main.mjs', '--count', '120'],
  conformance: ['tools/conformance/main.mjs', ...CASES],
};

const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 1 << 26 });
mkdirSync(join(root, 'build'), { recursive: true });
const copy = mkdtempSync(join(root, 'build/mutation-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));
for (const name of `${listed}`.split('\0')) {
  if (!name || !existsSync(join(root, name))) continue;
  mkdirSync(dirname(join(copy, name)), { recursive: true });
  cpSync(join(root, name), join(copy, name), { verbatimSymlinks: true });
}
// What `./run` fetched is not in git.
for (const name of ['build/deps', 'web/node_modules']) {
  if (!existsSync(join(root, name))) continue;
  mkdirSync(dirname(join(copy, name)), { recursive: true });
  symlinkSync(join(root, name), join(copy, name));
}

const objects = join(copy, 'build/dev');
const compiler = join(objects, 'wasm-backend/cli/fx2wasm');

/** @param {string} command @param {string[]} args */
function orFail(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: copy, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed\n${stdout}${stderr}`);
}

/** Builds, runs every suite; the names of those that complain, each with its first complaint. */
function complaints() {
  orFail('ninja', ['-C', objects, 'fx2wasm']);
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const [name, args] of Object.entries(SUITES)) {
    const env = { ...process.env, FX2WASM: compiler };
    const options = { cwd: copy, env, encoding: /** @type {const} */ ('utf8'), maxBuffer: 1 << 26 };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    if (status === 0) continue;
    const lines = `${stdout}\n${stderr}`.split('\n');
    found.set(name, lines.find((line) => /^(FAILED|seed )/.test(line)) ?? lines.join('\n'));
  }
  return found;
}

let unnoticed = 0;
const flags = ['-DCMAKE_BUILD_TYPE=None', '-DCMAKE_CXX_FLAGS=-O0', '-DFX2WASM_UNITY=OFF'];
orFail('cmake', ['-G', 'Ninja', '-S', copy, '-B', objects, ...flags]);
for (const [name, complaint] of complaints()) {
  throw new Error(`the sources as they are: ${name} complains: ${complaint}`);
}
console.log('the sources as they are: no suite complains');

const wanted = process.argv[2] ?? '';
for (const { what, file, before, after, suites } of MUTATIONS) {
  if (!what.startsWith(wanted)) continue;
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(before).length !== 2) throw new Error(`${file} has "${before}" not once: ${what}`);
  writeFileSync(path, text.replace(before, after));
  const found = complaints();
  writeFileSync(path, text);
  console.log(what);
  for (const name of suites) {
    if (!found.has(name)) ++unnoticed;
    console.log(`  ${name}: ${found.get(name)?.slice(0, 160) ?? 'NOT NOTICED'}`);
  }
}
process.exitCode = unnoticed ? 1 : 0;
