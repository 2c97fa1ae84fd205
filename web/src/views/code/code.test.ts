import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Span, TextAnswer } from '../../engine/core-types';
import { dedented, functionOf, watOf } from '../wasm/texts';
import { piecesOf } from './highlight';
import { cut } from './lines';

const styled = (line: string, language: 'tvmscript' | 'json' | 'wat'): [string, string][] =>
  piecesOf(line, language)
    .filter(({ style }) => style !== '')
    .map(({ begin, end, style }) => [line.slice(begin, end), style]);

describe('highlighting', () => {
  it('quietens boilerplate in TVMScript', () => {
    expect(styled('    for i in T.grid(T.int64(1), 2):  # loop', 'tvmscript')).toEqual([
      ['for', 'k'], ['in', 'k'], ['T.int64(', 'q'], ['1', 'm'], [')', 'q'], ['2', 'm'],
      ['# loop', 'c'],
    ]);
    expect(styled('@T.prim_func(private=True)', 'tvmscript')).toEqual([
      ['@T.prim_func', 'q'], ['True', 'k'],
    ]);
    expect(styled('def in_for(format):', 'tvmscript')).toEqual([['def', 'k'], ['in_for', 'f']]);
  });

  it('tells keys from strings in JSON', () => {
    expect(styled('{"op": "a\\"b", "n": -1.5e3, "t": true}', 'json')).toEqual([
      ['"op"', 'q'], ['"a\\"b"', 's'], ['"n"', 'q'], ['-1.5e3', 'm'], ['"t"', 'q'], ['true', 'k'],
    ]);
  });

  it('reads WAT', () => {
    expect(styled('(func $f (local.get 0)) ;; end', 'wat')).toEqual([
      ['func', 'k'], ['local.get', 'q'], ['0', 'm'], [';; end', 'c'],
    ]);
  });

  it('covers every character of a real text once', () => {
    const text = readFileSync(
      resolve(import.meta.dirname, '../../../../conformance/cases/lecture/fx_mlp_te',
        'expected.module.py'), 'utf8');
    for (const line of text.split('\n')) {
      const pieces = piecesOf(line, 'tvmscript');
      expect(pieces.map(({ begin, end }) => line.slice(begin, end)).join('')).toBe(line);
    }
  });
});

const text = [
  '# from tvm.script import ir as I',
  '# from tvm.script import tirx as T',
  '# from tvm.tirx.layout import Axis',
  '# from tvm.script import relax as R',
  '',
  'class Module:',
  '    @T.prim_func(private=True)',
  '    def relu(x):',
  '        pass',
  '        pass',
  '',
  '    @R.function',
  '    def main(x):',
  '        lv = R.call_tir(cls.relu, (x,))',
].join('\n');

function spanOf(kind: Span['kind'], name: string, from: string, to: string): Span {
  const begin = text.indexOf(from);
  return {
    begin, end: text.indexOf(to, begin) + to.length, kind, function: 'main', index: 0, name,
    fxNodes: [2],
  };
}

const answer: TextAnswer = {
  ok: true,
  diagnostics: [],
  text,
  spans: [
    spanOf('function', 'relu', '@T.prim_func', 'pass\n        pass'),
    spanOf('binding', 'lv', 'lv = ', '(x,))'),
  ],
};

describe('a text cut into lines', () => {
  it('marks what was not there before', () => {
    const fresh = cut(answer, { ...answer, spans: [] });
    expect(fresh.lines.filter(({ added }) => added).map(({ number }) => number))
      .toEqual([7, 8, 9, 10, 14]);
    expect([fresh.functions, fresh.bindings, fresh.added]).toEqual([1, 1, 5]);
    expect(fresh.lines[6]?.badge).toEqual([2]);
  });

  it('folds imports and functions that are not new', () => {
    const known = cut(answer, answer);
    expect(known.lines.some(({ added }) => added)).toBe(false);
    expect(known.folds.map(({ first, last, kind }) => [first, last, kind])).toEqual([
      [8, 10, 'function'],
      [1, 4, 'imports'],
    ]);
  });
});

describe('one function of a longer text', () => {
  it('is found by its span', () => {
    const found = functionOf(answer, 'relu');
    expect(found && dedented(found)).toBe(
      '@T.prim_func(private=True)\ndef relu(x):\n    pass\n    pass');
    expect(functionOf(answer, 'other')).toBeNull();
  });

  it('is found in WAT by its brackets', () => {
    const wat = '(module\n  (func $a (param i32))\n  (func $ab\n    (nop))\n)';
    expect(watOf(wat, 'a')).toBe('(func $a (param i32))');
    expect(watOf(wat, 'ab')).toBe('(func $ab\n  (nop))');
    expect(watOf(wat, 'c')).toBeNull();
  });
});
