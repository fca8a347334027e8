// A generated icon per model family, derived from its name.

const CELLS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
  [0, 2],
  [1, 2],
] as const;

/** Hashes a name with FNV-1a, so that it always has the same icon. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}

export function FamilyMark({ family, size = 32 }: { readonly family: string; readonly size?: 24 | 32 | 44 }) {
  const hash = hashOf(family);
  // 1 to 62: at least one dot and never all.
  const pattern = ((hash >>> 8) % 62) + 1;
  const hue = (hash % 24) * 15;
  const colour = `light-dark(oklch(0.52 0.13 ${hue}), oklch(0.78 0.11 ${hue}))`;
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      aria-hidden="true"
      className="shrink-0 rounded-lg"
      style={{ color: colour, background: `color-mix(in oklch, ${colour} 11%, transparent)` }}
    >
      <path d={dots(pattern, false)} fill="currentColor" opacity={0.4} />
      <path d={dots(pattern, true)} fill="currentColor" />
    </svg>
  );
}

/** Returns all dots of one kind as a single path, because long lists render many icons while scrolling. */
function dots(pattern: number, on: boolean): string {
  const radius = on ? 2.6 : 1.1;
  return CELLS.flatMap(([column, row], index) => {
    if (((pattern >>> index) % 2 === 1) !== on) return [];
    // The left column is mirrored on the right, for symmetry.
    return (column === 0 ? [8, 24] : [16]).map(
      (x) =>
        `M${x - radius} ${8 + row * 8}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`,
    );
  }).join('');
}
