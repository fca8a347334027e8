/** A longer request or answer is not kept. It is 250,000 words, or one large picture. */
export const MAX_KEPT_BYTES = 1_500_000;

/** Collects the answer of one message, for an organisation that keeps it. */
export class ContentRecorder {
  #parts: Buffer[] = [];
  #bytes = 0;

  /** Forgets what an earlier provider began to answer: it was not delivered. */
  begin(): void {
    this.#parts = [];
    this.#bytes = 0;
  }

  /** Adds what is sent to the client. */
  add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes <= MAX_KEPT_BYTES) this.#parts.push(part);
    else this.#parts = [];
  }

  /** The answer as it was sent; null if nothing was sent, or too much. */
  text(): string | null {
    return this.#bytes === 0 || this.#bytes > MAX_KEPT_BYTES ? null : Buffer.concat(this.#parts).toString();
  }
}
