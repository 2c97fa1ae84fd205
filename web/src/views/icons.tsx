// The page's few pictures, drawn on a 16-unit square in the text's colour.

interface Path {
  d: string;
  fill?: boolean;
  width?: number;
}

const kPaths = {
  first: [{ d: 'M4 3.5v9M12.5 3.5 6.5 8l6 4.5z', fill: true, width: 1.2 }],
  previous: [{ d: 'M10 3.5 5.5 8l4.5 4.5', width: 1.8 }],
  play: [{ d: 'M5 3.3 12.5 8 5 12.7z', fill: true }],
  pause: [{ d: 'M5 3.5v9M11 3.5v9', width: 2.6 }],
  next: [{ d: 'M6 3.5 10.5 8 6 12.5', width: 1.8 }],
  last: [{ d: 'M12 3.5v9M3.5 3.5 9.5 8l-6 4.5z', fill: true, width: 1.2 }],
  share: [{
    d: 'M6.5 9.5l3-3M7 4.8l1.2-1.2a2.9 2.9 0 0 1 4.2 4.2L11.2 9M9 11.2l-1.2' +
      ' 1.2a2.9 2.9 0 0 1-4.2-4.2L4.8 7',
  }],
  download: [{ d: 'M8 2.5v7M4.8 6.7 8 9.9l3.2-3.2M2.8 13h10.4' }],
  theme: [
    { d: 'M8 2.7a5.3 5.3 0 1 0 0 10.6A5.3 5.3 0 0 0 8 2.7z' },
    { d: 'M8 2.7a5.3 5.3 0 0 1 0 10.6z', fill: true },
  ],
  menu: [{ d: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11', width: 1.5 }],
  copy: [
    {
      d: 'M7 5.5h4.5A1.5 1.5 0 0 1 13 7v5a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1' +
        ' 5.5 12V7A1.5 1.5 0 0 1 7 5.5z',
    },
    { d: 'M10.5 3.2a1.5 1.5 0 0 0-1.4-.9H4.5A1.5 1.5 0 0 0 3 3.8v5.7c0 .6.3 1.1.8 1.3' },
  ],
  clock: [{ d: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z' }, { d: 'M8 4.8V8l2.2 1.5' }],
  chevron: [{ d: 'M4 6.2 8 10l4-3.8', width: 1.6 }],
  close: [{ d: 'M4 4l8 8M12 4l-8 8', width: 1.6 }],
  stop: [{ d: 'M4.5 4.5h7v7h-7z', fill: true }],
  check: [{ d: 'M3.3 8.4 6.6 11.700l6-6.600', width: 2 }],
  function: [{
    d: 'M10.800 3.200c-2-.8-2.800.5-3 2L6.200 12c-.3 1.300-1.200 1.700-2.700' +
      ' 1.200M5 7h5', width: 1.5,
  }],
  keyboard: [{
    d: 'M2.500 4.500h11v7h-11zM4.500 6.700h.1M7 6.700h.1M9.500 6.700h.1M11.500' +
      ' 6.700h.1M5 9.300h6',
  }],
  translate: [{
    d: 'M4 2.200a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600zM4 10.200' +
      'a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600zM4 5.800v4.400M8' +
      ' 4h6M8 8h4M8 12h6',
  }],
  wasm: [
    { d: 'M2.500 2.500h4a1.500 1.500 0 0 0 3 0h4v11h-11z' },
    { d: 'M5 8l1 3 1-2.400L8 11l1-3', width: 1.1 },
  ],
} satisfies Record<string, Path[]>;

export type IconName = keyof typeof kPaths;

export function Icon({ name }: { name: IconName }) {
  const paths: Path[] = kPaths[name];
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {paths.map(({ d, fill = false, width = 1.4 }) => (
        <path key={d} d={d} fill={fill ? 'currentColor' : 'none'} stroke="currentColor"
          stroke-width={width} stroke-linecap="round" stroke-linejoin="round" />
      ))}
    </svg>
  );
}

export function Logo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="5" cy="5" r="3" fill="none" stroke="currentColor" stroke-width="2" />
      <path d="M5 8v5a4 4 0 0 0 4 4h2" fill="none" stroke="currentColor" stroke-width="2" />
      <path d="M11 11h3.500a2 2 0 0 0 4 0H22v11H11z" fill="currentColor" />
    </svg>
  );
}
