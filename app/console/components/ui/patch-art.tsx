// A grid of sockets with a few cables, drawn as SVG so that it is sharp and follows the theme.

const STEP = 64;
const COLUMNS = 14;
const ROWS = 16;

interface Cable {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  /** Sag of the cable, in grid steps. */
  readonly sag: number;
  readonly colour: string;
}

const CABLES: readonly Cable[] = [
  { from: [2, 3], to: [8, 5], sag: 3.4, colour: 'var(--accent)' },
  { from: [4, 2], to: [11, 3], sag: 4.6, colour: 'var(--ink)' },
  { from: [1, 7], to: [6, 9], sag: 2.8, colour: 'var(--info)' },
  { from: [9, 7], to: [5, 11], sag: 1.6, colour: 'var(--warn)' },
  { from: [3, 11], to: [10, 10], sag: 3, colour: 'var(--accent)' },
];

const at = ([column, row]: readonly [number, number]) => [STEP * (column + 0.5), STEP * (row + 0.5)] as const;

export function PatchArt() {
  const plugged = new Map(
    CABLES.flatMap(({ from, to, colour }) => [[String(from), colour] as const, [String(to), colour] as const]),
  );
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${COLUMNS * STEP} ${ROWS * STEP}`}
      preserveAspectRatio="xMidYMid slice"
      className="absolute inset-0 size-full"
    >
      {Array.from({ length: COLUMNS * ROWS }, (_, index) => {
        const place = [index % COLUMNS, Math.floor(index / COLUMNS)] as const;
        const [x, y] = at(place);
        const colour = plugged.get(String(place));
        return (
          <g key={index}>
            <circle
              cx={x}
              cy={y}
              r={11}
              fill="var(--surface)"
              stroke={colour ?? 'var(--line-strong)'}
              strokeWidth={colour ? 2 : 1.25}
            />
            <circle cx={x} cy={y} r={4} fill={colour ?? 'var(--line)'} />
          </g>
        );
      })}
      {CABLES.map(({ from, to, sag, colour }) => {
        const [x1, y1] = at(from);
        const [x2, y2] = at(to);
        const hang = sag * STEP;
        return (
          <path
            key={String(from)}
            d={`M${x1} ${y1} C${x1} ${y1 + hang} ${x2} ${y2 + hang} ${x2} ${y2}`}
            fill="none"
            stroke={colour}
            strokeWidth={5}
            strokeLinecap="round"
            opacity={0.92}
          />
        );
      })}
    </svg>
  );
}
