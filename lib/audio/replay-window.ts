import type { Clock } from '../domain/clock';
import { pcmBytes, pcmSeconds, type PcmFormat } from '../domain/pcm';
import type { SttModel } from '../domain/model';
import type { Transcript } from '../domain/transcription';
import { createReplayBuffer, type BlockPool, type ReplayBuffer } from './replay-buffer';

// Decides which audio of a transcription is kept for another provider: all audio after the last final text, except
// silence, up to a maximum. If audio without final text is no longer stored, no other provider can continue.

/** Without interim text, audio sent longer ago than this was silence and need not be kept. */
const QUIET_KEEP_MS = 1_000;
const MARK_MS = 100;
const LOOK_SECONDS = 0.05;
/** Applies while there is interim text. Utterances are rarely longer, and the memory per session has a maximum. */
const SPEAKING_KEEP_SECONDS = 15;
const KEEP_MAX_BYTES = 1_048_576;

export interface ReplayWindow {
  /** Adds audio that goes to the provider now. */
  add(piece: Uint8Array): void;
  /** Takes a text of the provider, with times relative to the session. Audio before a final text is dropped. */
  said(transcript: Transcript): void;
  /** Returns the latest interim text if no final text has followed it. */
  interim(): Transcript | undefined;
  /** Whether all audio without final text is stored. */
  isComplete(): boolean;
  /** The stored audio, in order, and the position of its first sample in the session. */
  pieces(): Uint8Array[];
  startSeconds(): number;
  /** The duration of all audio that was added. */
  endSeconds(): number;
  /** Drops all audio. */
  clear(): void;
}

interface WindowStart {
  readonly blocks: BlockPool;
  readonly clock: Clock;
  readonly format: PcmFormat;
  readonly wordTimes: SttModel['stt']['wordTimes'];
}

export function createReplayWindow(start: WindowStart): ReplayWindow {
  return new Window(start);
}

/** A class, so that its state is contiguous in memory: fifty pieces per second and session pass through it. */
class Window implements ReplayWindow {
  readonly #clock: Clock;
  readonly #format: PcmFormat;
  readonly #hasWordTimes: boolean;
  readonly #buffer: ReplayBuffer;
  /** Audio to drop is looked for once per this many bytes: a check for each piece would cost as much as storing it. */
  readonly #lookBytes: number;
  readonly #maxBytes: number;
  /** The same as `#buffer.end()`, copied because every piece reads it. */
  #end = 0;
  #interim: Transcript | undefined;
  /** The end of the last final text, in bytes of the session. */
  #finalUntil = 0;
  /**
   * How many bytes had been sent at which time, newest last, two numbers per mark; only as many marks as
   * `QUIET_KEEP_MS` needs. Plain numbers rather than objects: ten objects per second and session would live just long
   * enough to be promoted out of the young generation.
   */
  readonly #marks: number[] = [];
  #lastMarkAt = 0;
  /** The position at which droppable audio is checked for again. */
  #nextLook = 0;

  constructor({ blocks, clock, format, wordTimes }: WindowStart) {
    this.#clock = clock;
    this.#format = format;
    this.#hasWordTimes = wordTimes !== 'none';
    this.#buffer = createReplayBuffer(blocks);
    this.#lookBytes = pcmBytes(LOOK_SECONDS, format);
    this.#maxBytes = Math.min(pcmBytes(SPEAKING_KEEP_SECONDS, format), KEEP_MAX_BYTES);
  }

  add(piece: Uint8Array): void {
    this.#buffer.add(piece);
    this.#end += piece.byteLength;
    if (this.#end >= this.#nextLook) this.#dropUnneeded();
  }

  said(transcript: Transcript): void {
    if (!transcript.isFinal) {
      this.#interim = transcript;
      return;
    }
    this.#interim = undefined;
    const last = transcript.words?.at(-1);
    const until = last ? Math.min(this.#end, pcmBytes(last.endSeconds, this.#format)) : this.#end;
    this.#finalUntil = Math.max(this.#finalUntil, until);
    this.#buffer.dropBefore(this.#finalUntil);
  }

  interim(): Transcript | undefined {
    return this.#interim;
  }

  isComplete(): boolean {
    if (this.#buffer.start() <= this.#finalUntil) return true;
    if (!this.#hasWordTimes) return false;
    // The dropped audio was silence.
    if (!this.#interim) return true;
    const [first] = this.#interim.words ?? [];
    return first !== undefined && pcmBytes(first.startSeconds, this.#format) >= this.#buffer.start();
  }

  pieces(): Uint8Array[] {
    return this.#buffer.pieces();
  }

  startSeconds(): number {
    return pcmSeconds(this.#buffer.start(), this.#format);
  }

  endSeconds(): number {
    return pcmSeconds(this.#end, this.#format);
  }

  clear(): void {
    this.#buffer.dropBefore(this.#end);
  }

  #dropUnneeded(): void {
    this.#nextLook = this.#end + this.#lookBytes;
    if (!this.#interim && this.#hasWordTimes) this.#dropOld();
    this.#buffer.dropBefore(this.#end - this.#maxBytes);
  }

  #dropOld(): void {
    const at = this.#clock.nowMs();
    if (at - this.#lastMarkAt < MARK_MS) return;
    this.#lastMarkAt = at;
    const marks = this.#marks;
    let old = 0;
    for (; old < marks.length && at - (marks[old] ?? 0) >= QUIET_KEEP_MS; old += 2)
      this.#buffer.dropBefore(marks[old + 1] ?? 0);
    if (old > 0) marks.splice(0, old);
    marks.push(at, this.#end);
  }
}
