// Quiet syntax colours, one line at a time. A piece's class is one of the design's six:
// k keyword, s string, m number, c comment, q quiet boilerplate, f name being defined.

export type Language = 'tvmscript' | 'json' | 'wat';

export interface Piece {
  begin: number; // column in the line
  end: number;
  style: '' | 'k' | 's' | 'm' | 'c' | 'q' | 'f';
}

interface Rule {
  pattern: RegExp; // sticky
  style: Piece['style'];
}

const kWat = 'func|param|result|local|loop|block|end|if|else|br|br_if|br_table|return|call';
const kWord =
  'def|class|for|in|with|as|return|if|else|and|or|not|lambda|import|from|True|False|None';

const rules: Record<Language, Rule[]> = {
  tvmscript: [
    { pattern: /#.*/y, style: 'c' },
    { pattern: /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/y, style: 's' },
    { pattern: /@[A-Z]\.[A-Za-z_.]+/y, style: 'q' },
    { pattern: /T\.u?int(?:8|16|32|64)\(/y, style: 'q' },
    { pattern: /(?<=\b(?:def|class) )[A-Za-z_]\w*/y, style: 'f' },
    { pattern: new RegExp(`\\b(?:${kWord})\\b`, 'y'), style: 'k' },
    { pattern: /\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/y, style: 'm' },
    { pattern: /[A-Za-z_]\w*/y, style: '' },
  ],
  json: [
    { pattern: /"(?:[^"\\]|\\.)*"(?=\s*:)/y, style: 'q' },
    { pattern: /"(?:[^"\\]|\\.)*"/y, style: 's' },
    { pattern: /\b(?:true|false|null)\b/y, style: 'k' },
    { pattern: /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y, style: 'm' },
  ],
  wat: [
    { pattern: /;;.*|\(;.*?;\)/y, style: 'c' },
    { pattern: /(?<=^\s*)[0-9a-f]{6}(?=\s)/y, style: 'c' }, // offset of our own listing
    { pattern: /"(?:[^"\\]|\\.)*"/y, style: 's' },
    { pattern: new RegExp(`\\b(?:${kWat})\\b(?![.\\w])`, 'y'), style: 'k' },
    { pattern: /\b(?:local|global)\.\w+/y, style: 'q' },
    { pattern: /\$[^\s()]+/y, style: '' },
    { pattern: /[a-z][\w.]*/y, style: '' },
    { pattern: /-?\b(?:0x[0-9a-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?)\b/y, style: 'm' },
  ],
};

export function piecesOf(line: string, language: Language): Piece[] {
  const pieces: Piece[] = [];
  const add = (begin: number, end: number, style: Piece['style']): void => {
    const last = pieces.at(-1);
    if (last !== undefined && last.style === style) last.end = end;
    else pieces.push({ begin, end, style });
  };
  let at = 0;
  let quietUntil = 0; // the bracket that closes a T.int64(
  while (at < line.length) {
    let end = at + 1;
    let style: Piece['style'] = '';
    for (const rule of rules[language]) {
      rule.pattern.lastIndex = at;
      const match = rule.pattern.exec(line);
      if (match === null) continue;
      end = at + match[0].length;
      style = rule.style;
      break;
    }
    if (style === 'q' && line[end - 1] === '(') quietUntil = line.indexOf(')', end);
    if (line[at] === ')' && at === quietUntil) style = 'q';
    add(at, end, style);
    at = end;
  }
  return pieces;
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
