// Holds the compiler core. Two sessions: one for the last good graph, which every question about
// text, steps and Wasm is asked of, and one for TE programs. A graph that does not translate never
// replaces the good one.

import createCore from '../generated/fx2wasm_core.mjs';
import coreUrl from '../generated/fx2wasm_core.wasm?url';
import type {
  CompileAnswer,
  CoreModule,
  OpenGraphAnswer,
  Session,
  TeAnswer,
  TextAnswer,
  TranslateAnswer,
  TranslateOptions,
} from './core-types';
import { fetchBytes } from './fetch-bytes';
import type { BuildAnswer, CompilerRequest, WeightsFile } from './messages';
import { messageOf, post, serve } from './serve';

let weights: WeightsFile[] = [];
let good: Session | null = null;
let program: Session | null = null;

async function loadCore(): Promise<CoreModule> {
  const bytes = await fetchBytes(coreUrl, (loaded, total) =>
    post({ kind: 'loading', loaded, total }),
  );
  let lastWords = '';
  const core = await createCore({
    instantiateWasm(imports, use) {
      WebAssembly.instantiate(bytes as BufferSource, imports)
        .then(({ instance, module }) => use(instance, module))
        .catch((error: unknown) => post({ kind: 'failed', id: 0, message: messageOf(error) }));
      return {};
    },
    print: () => undefined,
    printErr: (text: string) => (lastWords = text),
    onAbort: () => {
      throw new Error(lastWords || 'the compiler stopped');
    },
  });
  post({ kind: 'ready' });
  return core;
}

const loading = loadCore();

// An example's own weights need not fit any more once its graph is edited; a file that the reader
// opened must.
function withWeights(
  session: Session,
  opened: OpenGraphAnswer,
  { name, bytes, opened: mustFit }: WeightsFile,
): OpenGraphAnswer {
  const answer = JSON.parse(session.addWeights(bytes, name)) as OpenGraphAnswer;
  const said = answer.diagnostics.map((problem) =>
    mustFit ? problem : { ...problem, severity: 'warning' as const },
  );
  return {
    ok: opened.ok && (answer.ok || !mustFit),
    diagnostics: [...opened.diagnostics, ...said],
    graph: answer.graph ?? opened.graph,
  };
}

function build(
  core: CoreModule,
  text: string,
  file: string,
  options: TranslateOptions,
): BuildAnswer {
  const begun = performance.now();
  const session = new core.Session();
  let opened = JSON.parse(session.openGraph(text, file)) as OpenGraphAnswer;
  if (opened.graph !== null) {
    for (const file of weights) opened = withWeights(session, opened, file);
  }
  const translated =
    opened.graph === null || !opened.ok
      ? null
      : (JSON.parse(session.translate(JSON.stringify(options))) as TranslateAnswer);
  const kept = translated?.ok === true;
  if (kept) {
    good?.delete();
    good = session;
  } else {
    session.delete();
  }
  return { opened, translated, kept, milliseconds: performance.now() - begun };
}

function goodSession(): Session {
  if (good === null) throw new Error('no graph has been translated');
  return good;
}

async function answer(request: CompilerRequest): Promise<unknown> {
  const core = await loading;
  switch (request.kind) {
    case 'set_weights':
      weights = request.files;
      return null;
    case 'build':
      return build(core, request.text, request.file, request.options);
    case 'state_text':
      return JSON.parse(goodSession().stateText(request.steps, request.events)) as TextAnswer;
    case 'stage_text':
      return JSON.parse(goodSession().stageText(request.stage)) as TextAnswer;
    case 'event_text':
      return JSON.parse(goodSession().eventText(request.step, request.event)) as TextAnswer;
    case 'compile': {
      const begun = performance.now();
      const compiled = JSON.parse(
        goodSession().compile(JSON.stringify(request.options)),
      ) as CompileAnswer;
      const bytes = compiled.ok ? goodSession().wasmBytes().slice() : new Uint8Array();
      return { answer: compiled, bytes, milliseconds: performance.now() - begun };
    }
    case 'disassembly':
      return JSON.parse(goodSession().disassembly(request.name)) as TextAnswer;
    case 'run_program':
      program ??= new core.Session();
      return JSON.parse(program.runProgram(request.text, request.file)) as TeAnswer;
    case 'program_state_text':
      if (program === null) throw new Error('no program has run');
      return JSON.parse(program.programStateText(request.steps, request.events)) as TextAnswer;
    case 'rules_text': {
      const session = new core.Session();
      const text = session.rulesText(request.ops);
      session.delete();
      return text;
    }
    case 'supported': {
      const session = new core.Session();
      const list = JSON.parse(session.supportedOperators(request.rules)) as unknown;
      session.delete();
      return list;
    }
  }
}

loading.catch((error: unknown) => post({ kind: 'failed', id: 0, message: messageOf(error) }));
serve<CompilerRequest>(answer);
