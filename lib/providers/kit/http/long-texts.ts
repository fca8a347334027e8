const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Creates a filter for the bytes of one JSON text. It gets the chunks in their order, and returns them without the
 * content of strings of more than `maxBytes`, which become empty. A string that has begun is held back until it ends.
 */
export function createLongTextFilter(maxBytes: number): (chunk: Buffer) => readonly Buffer[] {
  let isInText = false;
  /** Whether the first byte of the next chunk follows a backslash. */
  let isEscaped = false;
  /** The open string in earlier chunks; without its bytes if it is too long. */
  let held: Buffer[] = [];
  let heldBytes = 0;

  /** Yields the places of the quotes that begin or end a string. Searches no byte twice for the same character. */
  function* quotesIn(chunk: Buffer): Generator<number> {
    let at = isEscaped ? 1 : 0;
    isEscaped = false;
    let quote = chunk.indexOf(QUOTE, at);
    let backslash = chunk.indexOf(BACKSLASH, at);
    for (;;) {
      if (isInText && backslash >= 0 && (quote < 0 || backslash < quote)) {
        at = backslash + 2;
        isEscaped = at > chunk.length;
        if (isEscaped) return;
      } else {
        if (quote < 0) return;
        yield quote;
        at = quote + 1;
      }
      if (quote >= 0 && quote < at) quote = chunk.indexOf(QUOTE, at);
      if (backslash >= 0 && backslash < at) backslash = chunk.indexOf(BACKSLASH, at);
    }
  }

  return (chunk) => {
    const kept: Buffer[] = [];
    /** The first byte that is not in `kept` yet. */
    let from = 0;
    /** The beginning of the open string in this chunk. */
    let start = 0;
    for (const quote of quotesIn(chunk)) {
      if (isInText && heldBytes + quote - start > maxBytes) {
        kept.push(chunk.subarray(from, start));
        from = quote;
      } else if (isInText) kept.push(...held);
      else start = quote + 1;
      held = [];
      heldBytes = 0;
      isInText = !isInText;
    }
    if (!isInText) return [...kept, chunk.subarray(from)];
    heldBytes += chunk.length - start;
    held = heldBytes > maxBytes ? [] : [...held, chunk.subarray(start)];
    return [...kept, chunk.subarray(from, start)];
  };
}
