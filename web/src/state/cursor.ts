// Where the reader stands in the builder's record. A cursor counts the builder's calls that have
// been made, 0 to all; a station is one FX node's share of them. Calls that belong to no node (the
// function's beginning and end) are shown at the station beside them.

// What is needed of the core's steps: whose they are and how many calls each holds.
export interface StepLike {
  node: string;
  number: number; // of the FX node, 0 for none
  events: readonly unknown[];
}

export interface Station {
  index: number;
  node: string; // '' when no node has any call
  number: number; // of the FX node, 0 for none
  begin: number; // calls [begin, end)
  end: number;
}

export function stationsOf(steps: readonly StepLike[]): Station[] {
  const stations: Station[] = [];
  let calls = 0;
  let waiting = 0; // calls before the next node that belong to none
  for (const step of steps) {
    const count = step.events.length;
    const last = stations.at(-1);
    if (step.number > 0) {
      stations.push({
        index: stations.length,
        node: step.node,
        number: step.number,
        begin: calls - waiting,
        end: calls + count,
      });
      waiting = 0;
    } else if (last !== undefined && waiting === 0) {
      last.end += count;
    } else {
      waiting += count;
    }
    calls += count;
  }
  if (stations.length === 0 && calls > 0) {
    stations.push({ index: 0, node: '', number: 0, begin: 0, end: calls });
  }
  return stations;
}

export function callCount(steps: readonly StepLike[]): number {
  return steps.reduce((sum, step) => sum + step.events.length, 0);
}

// The station whose call was made last.
export function stationAt(stations: Station[], cursor: number): Station | undefined {
  return stations.find((s) => cursor <= s.end) ?? stations.at(-1);
}

// What Session.stateText wants: whole steps, then events of the next one.
export function prefixOf(
  steps: readonly StepLike[],
  cursor: number,
): { steps: number; events: number } {
  let left = Math.max(0, cursor);
  let whole = 0;
  for (const step of steps) {
    if (left < step.events.length) break;
    left -= step.events.length;
    whole += 1;
  }
  return { steps: whole, events: whole === steps.length ? 0 : left };
}

export type StepBy = 'node' | 'call';

export function moved(
  stations: Station[],
  cursor: number,
  by: StepBy,
  direction: 1 | -1,
): number {
  const total = stations.at(-1)?.end ?? 0;
  if (by === 'call') return Math.min(total, Math.max(0, cursor + direction));
  const here = stationAt(stations, cursor);
  if (here === undefined) return 0;
  if (direction === 1 && cursor < here.end) return here.end;
  return stations[here.index + direction]?.end ?? here.end;
}

// "2.19": the station's place and the calls made in it; what a link says and a title shows.
export function placeText(stations: Station[], cursor: number): string {
  const here = stationAt(stations, cursor);
  return here === undefined ? '' : `${here.index + 1}.${cursor - here.begin}`;
}

export function cursorFromPlace(stations: Station[], place: string): number | null {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(place);
  const station = match ? stations[Number(match[1]) - 1] : undefined;
  if (!match || station === undefined) return null;
  if (match[2] === undefined) return station.end;
  return Math.min(station.end, station.begin + Number(match[2]));
}
