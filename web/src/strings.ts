// Every word that the page shows. Sentence case; TVM's and FX's own names are spelt as they spell
// them; numbers with units and a space, a true minus, thousands commas.

import type { StepEvent } from './engine/core-types';
import { bytes, count, minus, plural, time } from './numbers';
import type { LinkProblem } from './state/link';
import { runStrings } from './strings-run';

const callLabels: Record<StepEvent['kind'], string> = {
  rule_chosen: 'choose rule',
  argument_looked_up: 'look up',
  parameter_mapped: 'map_param',
  evaluated: 'evaluate',
  emit_te_begun: 'emit_te',
  placeholder_made: 'placeholder',
  compute_made: 'compute',
  prim_func_created: 'create_prim_func',
  prim_func_reused: 'reuse',
  function_inserted: 'insert',
  call_emitted: 'emit',
  function_begun: 'function',
  dataflow_begun: 'dataflow',
  variable_bound: 'bind',
  node_map_added: 'remember',
  dataflow_ended: 'emit_output',
  function_ended: 'emit_func_output',
  diagnostic: 'problem',
};

function linkProblem(problem: LinkProblem): string {
  switch (problem.kind) {
    case 'unknown_version':
      return `It begins with “${problem.text}”, which is no version that this page knows.`;
    case 'bad_field':
      return `Its part “${problem.field}” says “${problem.value}”, which means nothing here.`;
    case 'broken_text':
      return `Its part “${problem.field}” is damaged; the link may have been cut off.`;
  }
}

export const strings = {
  name: 'fx2wasm',
  title: 'fx2wasm: every step from a PyTorch graph to WebAssembly',
  version: '0.1.0',
  count,
  bytes,
  time,
  percent: (part: number): string => `${(100 * part).toFixed(2)} %`,
  score: (value: number): string => minus(value.toFixed(4)),
  difference: (value: number): string =>
    value === 0 ? '0' : Number.isNaN(value) ? 'NaN' : minus(value.toExponential(1)),
  short: (value: number): string =>
    Number.isInteger(value) ? minus(count(value)) : minus(value.toFixed(3)),
  tuple: (items: readonly (string | number)[]): string =>
    items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`,
  // The core's messages begin small and end without a point, as a compiler's do.
  sentence: (text: string): string => {
    const first = /^[a-z]+(?= )/.test(text) ? (text[0] ?? '').toUpperCase() + text.slice(1) : text;
    return /[.!?]$/.test(first) ? first : `${first}.`;
  },
  listSeparator: (index: number, length: number): string =>
    index === 0 ? '' : index === length - 1 ? ' and ' : ', ',

  ...runStrings,

  head: {
    start: 'fx2wasm, start',
    skip: 'Skip to the compiler',
    example: 'Example',
    examples: 'Examples',
    ownGraph: 'Your own graph',
    edited: 'edited',
    reset: 'Reset',
    views: 'Views',
    mode: 'Translate to',
    te: 'TE',
    share: 'Share',
    download: 'Download',
    menu: 'Menu',
    theme: (now: string): string =>
      ({ auto: 'Theme: as the system', light: 'Theme: light', dark: 'Theme: dark' })[now] ??
      'Theme',
  },
  views: { translate: 'Translate', wasm: 'Wasm', run: 'Run', te: 'TE' },
  modes: {
    emit_te: 'emit_te',
    emitTeTitle: 'Each operator becomes a PrimFunc, called by R.call_tir',
    relax: 'Relax ops',
    relaxOne: 'Relax op',
    relaxTitle: 'Each operator stays a Relax operator',
    legalized: 'Legalised',
    legalizedTitle: 'Relax operators, then LegalizeOps',
  },
  panes: {
    label: 'Panes',
    json: 'JSON',
    graph: 'Graph',
    step: 'Step',
    module: 'Module',
    handle: (which: number): string =>
      which === 0 ? 'Width of the graph pane' : 'Width of the step pane',
  },
  code: {
    moreImports: (lines: number): string => plural(lines, 'more import'),
    foldedLines: (lines: number): string => plural(lines, 'line'),
    unfold: (label: string, name: string): string => `Show ${label}${name && ` of ${name}`}`,
  },

  json: {
    title: 'FX graph',
    paneLabel: 'FX graph, JSON',
    bodyLabel: 'FX graph JSON',
    sub: (nodes: number | undefined): string =>
      nodes === undefined ? 'JSON' : `JSON, ${plural(nodes, 'node')}`,
    undo: 'Undo',
    openFile: 'Open file',
    openFileInput: 'Open an .fx.json or .safetensors file',
    howTo: 'Get JSON',
    howToLong: 'How to get this JSON',
    paste: 'Paste',
    copy: 'Copy JSON',
    copied: 'JSON copied',
    emptyTitle: 'Paste an FX graph as JSON',
    emptyHint: 'or drop a file here: .fx.json, .safetensors',
    dropHere: 'Drop an .fx.json or .safetensors file',
  },
  graph: {
    paneLabel: 'FX graph, picture',
    tabs: 'Graph as',
    graph: 'Graph',
    table: 'Table',
    describe: (nodes: number): string => `FX graph, ${plural(nodes, 'node')}`,
    node: (number: number, name: string, kind: string, problem: string | undefined): string =>
      `Node ${number}, ${name}, ${problem === undefined ? kind : `problem: ${problem}`}`,
    problem: 'problem',
    columns: ['name', 'op', 'target', 'args', 'shape'],
  },
  step: {
    paneLabel: 'Step',
    bodyLabel: (name: string): string => `Step of ${name}`,
    callOf: (done: number, all: number): string => `call ${done} of ${all}`,
    empty: 'No graph yet',
  },
  rule: {
    title: 'Rule',
    edit: 'Edit rule',
    close: 'Close editor',
    changed: 'edited rules',
    source: 'Source of the rule',
    none: (op: string): string =>
      op === 'placeholder' ? 'A placeholder needs no rule: it becomes a parameter of the function.'
        : op === 'output' ? 'The output needs no rule: it ends the dataflow block and the function.'
          : op === 'get_attr' ? 'A get_attr needs no rule: its tensor is looked up by name.'
            : 'No rule has been chosen yet.',
    fallback: (set: string): string => `It comes from the ${set} rules.`,
    set: 'Rules',
    lecture: 'Lecture rules',
    lectureTitle: 'The lecture’s translator: rules in Python that you can edit',
    tvm: 'TVM rules',
    tvmTitle: 'What TVM 0.27’s from_fx does',
    asGraph: 'As the graph',
    nodeOps: (node: string): string => `Translate ${node} to`,
    editorLabel: 'Rules, Python',
    reset: 'Back to the built-in rules',
    nothingToReset: 'These are the built-in rules',
    showRule: 'Show this node’s rule',
  },
  nodeMap: {
    title: 'node_map',
    sub: 'what each FX node has become',
    node: 'FX node',
    before: 'before',
    after: 'after',
    shape: 'shape',
    notYet: 'not yet',
    new: 'new',
    notReached: (nodes: number): string => (nodes > 12 ? `… ${count(nodes)} ` : '') +
      'not reached yet',
  },
  calls: {
    title: 'Builder calls',
    sub: 'in order',
    goTo: 'Go to this call',
    count: (size: number): string => plural(size, 'call'),
    show: (size: number): string => `show ${plural(size, 'call')}`,
    hide: (size: number): string => `hide ${plural(size, 'call')}`,
    gives: (value: string): string => `→ ${value}`,
    asInput: 'input',
    asConstant: 'constant',
    newFunction: 'new function',
    reused: 'equal, reused',
    labels: callLabels,
  },
  primFunc: {
    title: 'TE and PrimFunc',
    sub: 'what emit_te made',
    choose: 'PrimFunc',
    expression: 'Tensor expression',
    text: 'PrimFunc as TVMScript',
  },
  module: {
    title: 'IRModule',
    paneLabel: 'IRModule',
    bodyLabel: 'IRModule as TVMScript',
    stale: 'stale',
    added: (lines: number): string => `+${plural(lines, 'line')}`,
    sub: (functions: number, bindings: number): string =>
      `${plural(functions, 'function')}, ${plural(bindings, 'binding')}`,
    nameWeights: 'Name weights',
    wrap: 'Wrap',
    copy: 'Copy TVMScript',
    copied: 'TVMScript copied',
    nothingYet: 'Nothing has been translated yet',
    staleTitle: 'From your last good graph',
    staleSince: (seconds: number): string =>
      `${plural(seconds, 'second')} ago. It does not show the edits on the left.`,
    back: 'Back to that graph',
    open: (next: string): string => `The dataflow block is still open. Next: ${next}`,
    became: 'became',
    seeWasm: 'See its loops and Wasm',
  },
  problems: {
    title: 'Problems',
    paneLabel: 'Problems',
    listLabel: 'List of problems',
    sub: 'all of them, in graph order',
    count: (problems: number): string => plural(problems, 'problem'),
    copy: 'Copy as text',
    copied: 'Problems copied',
    at: (line: number, column: number): string => `${line}:${column}`,
    goTo: (line: number, column: number): string => `Go to line ${line}, column ${column}`,
    worked: 'What still worked',
    fine: (names: string[]): string =>
      `${names.slice(0, 8).join(', ')}${names.length > 8 ? ' and others' : ''} ` +
      `${names.length === 1 ? 'has' : 'have'} no problem.`,
    lastGood: 'The last good module stays on the right and still runs.',
    noGood: 'There is no earlier module to show.',
    showSupported: 'Show the operators that are supported',
    supported: (names: number): string => `${plural(names, 'supported operator')}`,
  },
  scrub: {
    label: 'Steps',
    first: 'First step (Home)',
    previous: 'Previous step (←)',
    play: 'Play (Space)',
    pause: 'Pause (Space)',
    next: 'Next step (→)',
    last: 'Last step (End)',
    node: (index: number): string => `Node ${index}`,
    call: (calls: number): string => `call ${count(calls)}`,
    of: (all: number): string => `of ${count(all)}`,
    slider: 'Builder calls made',
    valueText: (node: string, calls: number, all: number): string =>
      `call ${calls} of ${all}, ${node}`,
    stepBy: 'Step by',
    byNode: 'By node',
    byCall: 'By call',
    calls: 'calls',
    announce: (index: number, all: number, node: string, calls: number): string =>
      `Step ${index} of ${all}, ${node}. ${plural(calls, 'call')} made.`,
  },

  share: {
    title: 'Share',
    link: 'Link',
    copy: 'Copy link',
    copied: 'Link copied',
    explain: (length: number): string =>
      `${plural(length, 'character')}. It opens this graph at this step, in this mode, with this ` +
      'image chosen. Nothing is stored on a server.',
    weights: 'Weights never travel in a link.',
    long: 'Some chat tools cut links as long as this. Download the FX JSON and send the file.',
  },
  download: {
    wasm: 'Wasm module',
    tvmscript: 'TVMScript',
    graph: 'FX JSON',
    nothing: 'Nothing has been translated yet',
  },
  howTo: {
    title: 'How to get this JSON',
    install: 'The package is in the repository’s python folder:',
    installLabel: 'Command',
    installCode: 'pip install ./python',
    then: 'Then, with your model and an input of the right shape:',
    codeLabel: 'Three lines of Python',
    code: 'import fx2wasm\n' +
      'graph = fx2wasm.export(model, [(1, 784)], "model.fx.json", weights="model.safetensors")\n' +
      'print(graph)',
    copy: 'Copy the code',
    copied: 'Code copied',
    weights: 'Drop both files on the page: the graph, then its weights. Nothing leaves this page.',
  },
  keys: {
    title: 'Keys',
    list: [
      ['← →', 'previous, next step; with Shift: by call instead of by node'],
      ['Home End', 'first, last step'],
      ['Space', 'play or pause'],
      ['G', 'the slider of calls'],
      ['1 … 9', 'select a node by its number'],
      ['L', 'next partner of the node; with Shift: the one before'],
      ['F8', 'next problem; with Shift: the one before'],
      ['Ctrl Enter', 'run'],
      ['F6', 'next pane; with Shift: the one before'],
      ['Esc', 'leave the editor, close a menu or a dialog'],
      ['?', 'this list'],
    ] as [string, string][],
  },
  paste: {
    title: 'Paste an FX graph',
    label: 'FX graph JSON',
    use: 'Use this graph',
    empty: 'Nothing has been pasted yet',
  },
  dialogs: { close: 'Close' },

  status: {
    crashed: 'The compiler has stopped',
    problems: (problems: number): string => `${plural(problems, 'problem')}: nothing was replaced`,
    compiled: (milliseconds: number, functions: number, size: number): string =>
      `Compiled in ${time(milliseconds)}: ${plural(functions, 'function')}, ${bytes(size)}`,
    loading: (loaded: number, total: number): string =>
      total === 0 ? 'Loading the compiler'
        : `Loading the compiler, ${bytes(loaded)} of ${bytes(total)}`,
    nothing: 'Ready',
    translated: (milliseconds: number, nodes: number, functions: number): string =>
      `Translated in ${time(milliseconds)}: ${plural(nodes, 'node')}, ` +
      `${plural(functions, 'function')} so far`,
    keys: 'Keys',
    dialect: 'TVMScript as TVM 0.27 prints it',
    simd: { relaxed: 'simd128 + relaxed', simd128: 'simd128', off: 'no SIMD' },
    offline: 'Works offline',
    privacy: 'Nothing leaves this page',
  },
  crash: {
    text: (message: string): string => `The compiler stopped: ${message}. Your text is safe.`,
    short: 'The compiler stopped.',
    restart: 'Start it again',
  },
  link: {
    title: 'This link could not be read in full.',
    problem: linkProblem,
    fresh: 'Start from the first example',
    dismiss: 'Dismiss',
  },
};
