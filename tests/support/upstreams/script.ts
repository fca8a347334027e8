// The transcript of every fake provider: fourteen words, one for each 300 ms of audio, whatever the audio contains. So
// a test knows the exact text and times, independent of when the audio was sent.

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

export interface ScriptWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** The transcript of a stream of audio as it arrives. */
export class ScriptedTranscript {
  bytes = 0;
  /** The number of words in final results so far. */
  finished = 0;

  constructor(private readonly bytesPerSecond: number) {}

  receive(bytes: number): void {
    this.bytes += bytes;
  }

  get seconds(): number {
    return this.bytes / this.bytesPerSecond;
  }

  get count(): number {
    return Math.min(scriptWords.length, Math.floor((this.seconds * 1000) / wordMs + 1e-6));
  }

  /** The words since the last final result. */
  get open(): ScriptWord[] {
    return scriptWords.slice(this.finished, this.count).map((text, index) => {
      const startMs = (this.finished + index) * wordMs;
      return { text, startMs: startMs + 20, endMs: startMs + wordMs - 20 };
    });
  }

  finish(): ScriptWord[] {
    const words = this.open;
    this.finished = this.count;
    return words;
  }
}

export const textOf = (words: readonly ScriptWord[], separator = ' ') => words.map(({ text }) => text).join(separator);

/** A tone of that duration; whole samples of s16le. */
export function makeSound(seconds: number, sampleRateHz = 16_000): Uint8Array {
  const samples = Math.round(seconds * sampleRateHz);
  const bytes = Buffer.alloc(samples * 2);
  for (let index = 0; index < samples; index++) bytes.writeInt16LE(Math.round(8_000 * Math.sin(index / 5)), index * 2);
  return bytes;
}
