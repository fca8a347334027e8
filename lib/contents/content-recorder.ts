/** A longer request or answer is not kept. This is about 250,000 words, or one large image. */
export const MAX_KEPT_BYTES = 1_500_000;

/** Converts a text for storage; null if it is too long. */
export function keepable(text: Uint8Array): string | null {
  return text.length > MAX_KEPT_BYTES ? null : Buffer.from(text.buffer, text.byteOffset, text.length).toString();
}

/** Collects the answer of a message or the text of a session, for an organisation that keeps it. */
export class ContentRecorder {
  #parts: Buffer[] = [];
  #bytes = 0;

  /** Discards what an earlier provider began to answer, because it was not delivered. */
  begin(): void {
    this.#parts = [];
    this.#bytes = 0;
  }

  /** Adds a part that is sent to the client. */
  add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes <= MAX_KEPT_BYTES) this.#parts.push(part);
    else this.#parts = [];
  }

  /** Returns the whole text; null if nothing was sent, or too much. */
  text(): string | null {
    return this.#bytes === 0 || this.#bytes > MAX_KEPT_BYTES ? null : Buffer.concat(this.#parts).toString();
  }
}
