// The sound that a provider has been given and has not answered with final text: what another one must hear again when the
// first is lost. Positions are bytes from the first sample of the session. Copied into blocks, because the pieces themselves
// are parts of larger buffers, which they would keep alive.

export interface SoundStore {
  add(piece: Uint8Array): void;
  /** The position up to which nothing is needed any more. */
  dropBefore(position: number): void;
  /** The position of the first byte that is kept. */
  start(): number;
  /** The position behind the last byte. */
  end(): number;
  /** What is kept, in order; a copy, which later changes leave alone. */
  pieces(): Uint8Array[];
}

/** Small, because the first and the last of a session are half empty. */
const BLOCK_BYTES = 4_096;
const MOST_SPARE = 3;

export function createSoundStore(): SoundStore {
  const blocks: Uint8Array[] = [];
  /** Used again: in a silence, one block is dropped for each that is begun. */
  const spare: Uint8Array[] = [];
  /** Position of the first byte of the first block. */
  let blocksFrom = 0;
  let start = 0;
  let end = 0;

  return {
    add(piece) {
      for (let from = 0; from < piece.byteLength; ) {
        const at = end - blocksFrom;
        if (at === blocks.length * BLOCK_BYTES) blocks.push(spare.pop() ?? new Uint8Array(BLOCK_BYTES));
        const room = blocks.length * BLOCK_BYTES - at;
        const part = from === 0 && piece.byteLength <= room ? piece : piece.subarray(from, from + room);
        blocks.at(-1)?.set(part, BLOCK_BYTES - room);
        from += part.byteLength;
        end += part.byteLength;
      }
    },
    dropBefore(position) {
      start = Math.min(Math.max(start, position), end);
      const whole = Math.floor((start - blocksFrom) / BLOCK_BYTES);
      if (whole === 0) return;
      for (const block of blocks.splice(0, whole)) if (spare.length < MOST_SPARE) spare.push(block);
      blocksFrom += whole * BLOCK_BYTES;
    },
    start: () => start,
    end: () => end,
    pieces() {
      return blocks
        .map((block, index) => {
          const from = blocksFrom + index * BLOCK_BYTES;
          return block.slice(Math.max(0, start - from), Math.max(0, Math.min(BLOCK_BYTES, end - from)));
        })
        .filter((piece) => piece.byteLength > 0);
    },
  };
}
