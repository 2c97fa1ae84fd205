// fx2wasm beside onnxruntime-web and TensorFlow.js, in one Chromium; `./run bench` calls it.
//
//   node bench/peers/run.mjs [--peers-only] [--rounds 21] [--ms 20] [--record]
//
// --rounds, --ms   how many rounds, and how long a contender's sample in each
// --peers-only     without fx2wasm: does the comparison itself work?
// --record         puts the tables into docs/performance.md
//
// build/bench must hold what models.py writes. Raw samples stay in build/bench/samples.json. The
// exit status is 1 when a contender failed or its answers are not PyTorch's, never for a time.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { contendersFor, peers } from './contenders.mjs';
import { compilerTable, digits, modelTable } from './report.mjs';
import { roofModule } from './roof.mjs';
import { serve } from './server.mjs';
import { quantile } from './statistics.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = join(root, 'bench/peers');
const models = join(root, 'build/bench');
const examples = ['mlp', 'cnn'];
// |a − b| ≤ tolerance · (1 + |b|): float32 may sum in any order.
const tolerance = 1e-5;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '21' },
    ms: { type: 'string', default: '20' },
    'peers-only': { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});

const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const readJson = async (...path) => JSON.parse(await readFile(join(...path), 'utf8'));

async function launch() {
  const { chromium } = createRequire(join(root, 'web/package.json'))('@playwright/test');
  const args = ['--disable-gpu', '--disable-background-networking', '--disable-component-update'];
  // Chromium's sandbox refuses to start for root, whom containers run as.
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  return chromium.launch({ executablePath: chromiumPath, headless: true, args });
}

/** One page for one example: all contenders in it, interleaved. */
async function measure(browser, origin, name, contenders) {
  const page = await browser.newPage();
  try {
    page.on('pageerror', (error) => console.error(`in the page: ${error}`));
    await page.goto(`${origin}/page/index.html`);
    await page.waitForFunction('globalThis.bench');
    const settings = { rounds: Number(options.rounds), sampleMs: Number(options.ms) };
    return await page.evaluate(
      ([model, entries, how]) => globalThis.bench(model, entries, how),
      [name, contenders, settings]);
  } finally {
    await page.close();
  }
}

/** What the figures belong to, as Markdown list entries. */
async function circumstances(browser) {
  const versions = await Promise.all(peers.map(async ({ id, package: name }) => {
    const { version } = await readJson(here, 'node_modules', name, 'package.json');
    return `${id} ${version}`;
  }));
  const commit = execFileSync('git', ['-C', root, 'describe', '--always', '--dirty'], {
    encoding: 'utf8',
  }).trim();
  const cpus = os.cpus();
  const load = os.loadavg()[0];
  const busy = load > cpus.length ? ', BUSY: take only the ratios, and those with care' : '';
  const today = new Date().toISOString().slice(0, 10);
  return [
    `machine: ${cpus[0].model}, ${cpus.length} CPUs, ${os.type()} ${os.release()}, `
      + `load ${load.toFixed(1)}${busy}`,
    `browser: Chromium ${browser.version()}, headless; Node ${process.versions.node} drives it`,
    `fx2wasm at ${commit}; ${versions.join(', ')}; one thread each`,
    `${options.rounds} rounds, samples of ${options.ms} ms; ${today}`,
  ].map((line) => `- ${line}`).join('\n');
}

function modelSection(name, result) {
  const roof = digits(quantile(result.roof, 0.5));
  return `### ${name}\n\n${digits(result.flop / 1e6)} Mflop a call; roof ${roof} GFLOP/s\n\n`
    + modelTable(result, peers.map(({ id }) => id));
}

/** Complaints: who failed, whose answers are wrong, and a page whose clock is too coarse. */
function complaints(name, { isolated, contenders }) {
  const found = isolated ? [] : [`${name}: the page is not isolated, its clock too coarse`];
  for (const [id, { failure, error }] of Object.entries(contenders)) {
    if (failure) found.push(`${name}: ${id}: ${failure}`);
    else if (!(error <= tolerance)) {
      found.push(`${name}: ${id} is ${error} off PyTorch's scores; at most ${tolerance}`);
    }
  }
  return found;
}

async function record(text) {
  const path = join(root, 'docs/performance.md');
  const [begin, end] = ['<!-- figures: ./run bench --record -->', '<!-- end of figures -->'];
  const page = await readFile(path, 'utf8');
  const [before, after] = [page.indexOf(begin), page.indexOf(end)];
  if (before < 0 || after < before) throw new Error('docs/performance.md has lost its marks');
  await writeFile(path, `${page.slice(0, before)}${begin}\n\n${text}\n\n${page.slice(after)}`);
}

async function main() {
  await writeFile(join(models, 'roof.wasm'), await roofModule(join(root, 'web')));
  const server = await serve({
    '/page/': join(here, 'page'),
    '/models/': models,
    '/examples/': join(root, 'examples'),
    '/runtime/': join(root, 'web/runtime'),
    '/library/': join(root, 'build/release'),
    '/peers/': join(here, 'node_modules'),
  });
  const browser = await launch();
  try {
    const results = {};
    for (const name of examples) {
      const contenders = options['peers-only']
        ? peers
        : await contendersFor(name, { root, models });
      results[name] = await measure(browser, server.origin, name, contenders);
    }
    const sections = [await circumstances(browser)];
    for (const name of examples) sections.push(modelSection(name, results[name]));
    if (existsSync(join(models, 'compiler.json'))) {
      const phases = compilerTable(await readJson(models, 'compiler.json'));
      sections.push(`### The compiler itself, native\n\n${phases}`);
    }
    const text = sections.join('\n\n');
    console.log(text);
    await writeFile(join(models, 'samples.json'), JSON.stringify(results, null, 1));
    const found = examples.flatMap((name) => complaints(name, results[name]));
    for (const complaint of found) console.error(complaint);
    if (found.length > 0) process.exitCode = 1;
    else if (options.record) await record(text);
  } finally {
    await browser.close();
    await server.close();
  }
}

await main();
