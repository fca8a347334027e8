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
/** Large, so that blocks do not lie among what sockets read, where they would leave holes that nothing fits in. */
const SLAB_BYTES = 262_144;
const BLOCKS_OF_SLAB = SLAB_BYTES / BLOCK_BYTES;
/** 16 MB: what a pause of a few hundred sessions sets free is needed again when they go on. */
const MAX_SPARE_SLABS = 64;

/**
 * The blocks that no session needs now. One pool for all of them: where many listen, one drops a block when another begins one,
 * so that hardly any is ever made. What a session throws away lives until all of the heap is looked through, and makes that come.
 */
export interface BlockPool {
  /** What lies in it is from before. */
  take(): Uint8Array;
  giveBack(block: Uint8Array): void;
}

export function createBlockPool(): BlockPool {
  /** Of each slab that has some. */
  const spare = new Map<ArrayBufferLike, Uint8Array[]>();

  function cutSlab(): Uint8Array[] {
    const slab = new ArrayBuffer(SLAB_BYTES);
    const blocks = Array.from(
      { length: BLOCKS_OF_SLAB },
      (_, index) => new Uint8Array(slab, index * BLOCK_BYTES, BLOCK_BYTES),
    );
    spare.set(slab, blocks);
    return blocks;
  }

  return {
    take() {
      const [found] = spare.values();
      const blocks = found ?? cutSlab();
      // Safe: a slab without spare blocks is not in the map.
      const block = blocks.pop()!;
      if (blocks.length === 0) spare.delete(block.buffer);
      return block;
    },
    giveBack(block) {
      const blocks = spare.get(block.buffer);
      if (!blocks) return void spare.set(block.buffer, [block]);
      blocks.push(block);
      if (blocks.length === BLOCKS_OF_SLAB && spare.size > MAX_SPARE_SLABS) spare.delete(block.buffer);
    },
  };
}

export function createSoundStore(pool: BlockPool): SoundStore {
  const blocks: Uint8Array[] = [];
  /** Position of the first byte of the first block. */
  let blocksFrom = 0;
  let start = 0;
  let end = 0;

  return {
    add(piece) {
      for (let from = 0; from < piece.byteLength;) {
        const at = end - blocksFrom;
        if (at === blocks.length * BLOCK_BYTES) blocks.push(pool.take());
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
      for (const block of blocks.splice(0, whole)) pool.giveBack(block);
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
