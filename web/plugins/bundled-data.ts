// Brings the repository's examples and lecture programs into the page: the examples' files as
// static files under `examples/`, their index and the first graph inside the first script.

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Plugin } from 'vite';

const root = resolve(import.meta.dirname, '../..');
const examplesFolder = join(root, 'examples');
const programsFolder = join(root, 'conformance/lecture_programs');

interface Index {
  fashion_mnist: { images: string; labels: string; licence: string };
  examples: { graph: string; weights: string | null; expected: string; io?: string }[];
}

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

function readIndex(): Index {
  return JSON.parse(readFileSync(join(examplesFolder, 'index.json'), 'utf8')) as Index;
}

// The files that the page may fetch, relative to the examples folder.
function servedFiles(): string[] {
  const { fashion_mnist, examples } = readIndex();
  const files = [fashion_mnist.images, fashion_mnist.labels, fashion_mnist.licence];
  for (const { graph, weights, expected, io } of examples) {
    files.push(...[graph, weights, expected, io].filter((file) => typeof file === 'string'));
  }
  return files;
}

function examplesModule(): string {
  const index = readIndex();
  // An example that has not been made yet is not offered.
  index.examples = index.examples.filter(({ graph }) => exists(join(examplesFolder, graph)));
  const first = index.examples[0];
  const text = first ? readFileSync(join(examplesFolder, first.graph), 'utf8') : '';
  return (
    `export const catalogue = ${JSON.stringify(index)};\n` +
    `export const firstGraph = ${JSON.stringify(text)};\n`
  );
}

function programsModule(): string {
  const programs = readdirSync(programsFolder)
    .filter((name) => /^(te|builder)_.*\.py$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(programsFolder, name), 'utf8') }))
    // TE programs before builder programs, short before long.
    .sort((a, b) => b.name.slice(0, 2).localeCompare(a.name.slice(0, 2)) ||
      a.text.length - b.text.length);
  return `export const programs = ${JSON.stringify(programs)};\n`;
}

const modules: Record<string, () => string> = {
  'virtual:fx2wasm-examples': examplesModule,
  'virtual:fx2wasm-programs': programsModule,
};

export function bundledData(): Plugin {
  return {
    name: 'fx2wasm-bundled-data',
    resolveId: (id) => (id in modules ? `\0${id}` : undefined),
    load: (id) => modules[id.replace('\0', '')]?.(),
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const path = decodeURIComponent((request.url ?? '').split('?')[0] ?? '');
        const file = path.startsWith('/examples/') ? path.slice('/examples/'.length) : null;
        if (file === null || !servedFiles().includes(file)) return next();
        response.end(readFileSync(join(examplesFolder, file)));
      });
    },
    generateBundle() {
      for (const file of servedFiles()) {
        const path = join(examplesFolder, file);
        if (!exists(path)) {
          this.warn(`${relative(root, path)} is not there: its example is left out`);
          continue;
        }
        this.emitFile({
          type: 'asset',
          fileName: `examples/${file}`,
          source: readFileSync(path),
        });
      }
    },
  };
}
