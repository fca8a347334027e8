// What every fake upstream hears: fourteen words, one for each 300 ms of sound, whatever the sound is. So a test knows the
// exact text and times of what it sent, and never depends on when it was sent.

export const scriptWords = [
  'The',
  'ship',
  'left',
  'the',
  'harbour',
  'at',
  'dawn',
  'and',
  'nobody',
  'saw',
  'it',
  'come',
  'back',
  'again',
] as const;
export const wordMs = 300;

export interface HeardWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** A stream of sound, measured as it comes. */
export class Hearing {
  bytes = 0;
  /** Words that a final result has named. */
  finished = 0;

  constructor(private readonly bytesPerSecond: number) {}

  hear(bytes: number): void {
    this.bytes += bytes;
  }

  get seconds(): number {
    return this.bytes / this.bytesPerSecond;
  }

  get count(): number {
    return Math.min(scriptWords.length, Math.floor((this.seconds * 1000) / wordMs + 1e-6));
  }

  /** The words since the last final one. */
  get open(): HeardWord[] {
    return scriptWords.slice(this.finished, this.count).map((text, index) => {
      const startMs = (this.finished + index) * wordMs;
      return { text, startMs: startMs + 20, endMs: startMs + wordMs - 20 };
    });
  }

  finish(): HeardWord[] {
    const words = this.open;
    this.finished = this.count;
    return words;
  }
}

export const textOf = (words: readonly HeardWord[], separator = ' ') => words.map(({ text }) => text).join(separator);

/** A tone that lasts that long; whole samples of s16le. */
export function makeSound(seconds: number, sampleRateHz = 16_000): Uint8Array {
  const samples = Math.round(seconds * sampleRateHz);
  const bytes = Buffer.alloc(samples * 2);
  for (let index = 0; index < samples; index++) bytes.writeInt16LE(Math.round(8_000 * Math.sin(index / 5)), index * 2);
  return bytes;
}
