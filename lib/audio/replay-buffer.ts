// Stores the audio that was sent to a provider and is not covered by final text yet. If the provider is lost, it is
// sent to another one. Positions are bytes from the first sample of the session. The pieces are copied into blocks,
// because they are slices of larger buffers that they would keep alive.

export interface ReplayBuffer {
  add(piece: Uint8Array): void;
  /** Drops the audio before this position. */
  dropBefore(position: number): void;
  /** The position of the first stored byte. */
  start(): number;
  /** The position after the last byte. */
  end(): number;
  /** Returns a copy of the stored audio, in order; later changes do not affect it. */
  pieces(): Uint8Array[];
}

/** Small, because the first and the last block of a session are half empty on average. */
const BLOCK_BYTES = 4_096;
/** Large, so that blocks are not interleaved with socket buffers, which would fragment the memory. */
const SLAB_BYTES = 262_144;
const BLOCKS_OF_SLAB = SLAB_BYTES / BLOCK_BYTES;
/** 16 MB. The blocks that a few hundred sessions free during a pause are needed again when they resume. */
const MAX_SPARE_SLABS = 64;

/**
 * The spare blocks of all sessions. With many sessions, one session frees a block when another needs one, so blocks are
 * rarely allocated. They are pooled because buffers that a session drops are reclaimed only by a full GC, and make one
 * more likely.
 */
export interface BlockPool {
  /** The block still contains old data. */
  take(): Uint8Array;
  giveBack(block: Uint8Array): void;
}

export function createBlockPool(): BlockPool {
  /** Spare blocks by slab; only slabs that have some. */
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

export function createReplayBuffer(pool: BlockPool): ReplayBuffer {
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
