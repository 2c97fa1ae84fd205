// The graph texts that were there before, for undo across examples, files and edits.

export interface Entry {
  example: string | null;
  graph: string | null;
}

export interface History {
  past: readonly Entry[];
}

export const kNoHistory: History = { past: [] };
const kKept = 50;

export function remember(history: History, entry: Entry): History {
  const last = history.past.at(-1);
  if (last !== undefined && last.example === entry.example && last.graph === entry.graph) {
    return history;
  }
  return { past: [...history.past, entry].slice(-kKept) };
}

export function undo(history: History): { history: History; entry: Entry | null } {
  const entry = history.past.at(-1) ?? null;
  return { history: { past: history.past.slice(0, -1) }, entry };
}
