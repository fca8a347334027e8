import { GatewayError, upstreamFailed } from '../domain/errors';
import { pcmSeconds, sampleBytes, type PcmFormat } from '../domain/pcm';
import { createAudioQueue, type AudioQueue } from './audio-queue';
import type { MessageBudget } from './message-budget';
import { checkIsRaw, partialSample } from './transcription-wire';

// The audio of a transcription on its way from the client to the queue of the upstream. The socket is not read while
// the client sends too fast, or while the upstream takes the audio more slowly than it arrives.

/** Maximum audio queued while the upstream opens. */
const EARLY_SECONDS = 5;
const EARLY_BYTES = 1_048_576;
/**
 * Maximum audio queued for the upstream before backpressure is applied, and the level at which the client may resume.
 */
const AHEAD_SECONDS = 2;
const RESUME_SECONDS = 1;
/** An upstream that has taken no audio for this long is stuck. */
const STUCK_MS = 10_000;

export interface AudioIntake {
  /** The audio that was taken from the client. */
  readonly queue: AudioQueue;
  /**
   * Takes a frame; a frame after the end of the audio is only counted. Throws if it is not raw audio in whole samples,
   * and `upstream_timeout` if too much came while the upstream opens.
   */
  take(piece: Uint8Array, isOpening: boolean): void;
  /** Ends the audio. The upstream takes the rest, and the socket is read in the meantime. */
  finish(): void;
}

interface IntakeStart {
  readonly format: PcmFormat;
  readonly budget: Pick<MessageBudget, 'countAudio'>;
  /** Starts a timer that ends with the session. */
  after(ms: number, run: () => void): void;
  /** Pauses reading of the socket, or resumes it. */
  wait(isWaiting: boolean): void;
  /** Whether audio waits for a credit hold in our ledger, and not for the upstream. */
  waitsForCredit(): boolean;
  /** Called if the upstream is stuck. */
  fail(error: GatewayError): void;
}

export function createAudioIntake(start: IntakeStart): AudioIntake {
  return new Intake(start);
}

/** A class, so that its state is contiguous in memory: fifty frames per second and session pass through it. */
class Intake implements AudioIntake {
  readonly queue: AudioQueue;
  readonly #start: IntakeStart;
  readonly #budget: IntakeStart['budget'];
  readonly #format: PcmFormat;
  #hasSound = false;
  /** Whether the upstream is too slow. */
  #isBackpressured = false;
  /** Whether the client sends too fast. */
  #isSlowedDown = false;

  constructor(start: IntakeStart) {
    this.#start = start;
    this.#budget = start.budget;
    this.#format = start.format;
    this.queue = createAudioQueue(() => this.#pulled());
  }

  take(piece: Uint8Array, isOpening: boolean): void {
    const pauseMs = this.#budget.countAudio(piece.byteLength);
    if (pauseMs > 0) this.#slowDown(pauseMs);
    const { queue } = this;
    if (queue.isFinished() || piece.byteLength === 0) return;
    const format = this.#format;
    if (!this.#hasSound) {
      this.#hasSound = true;
      checkIsRaw(piece);
    }
    if (piece.byteLength % sampleBytes(format) !== 0) throw partialSample(piece.byteLength, sampleBytes(format));
    queue.push(piece);
    const waiting = queue.bytes();
    // Usually the piece was pulled synchronously.
    if (waiting === 0) return;
    if (isOpening) {
      if (waiting > EARLY_BYTES || pcmSeconds(waiting, format) > EARLY_SECONDS) {
        throw new GatewayError(
          'upstream_timeout',
          `More than ${EARLY_SECONDS} seconds of audio came before the provider was ready. Wait for "session_started" before you send.`,
        );
      }
    } else if (!this.#isBackpressured && pcmSeconds(waiting, format) > AHEAD_SECONDS) this.#applyBackpressure();
  }

  finish(): void {
    this.queue.finish();
    this.#releaseBackpressure();
  }

  #applyBackpressure(): void {
    this.#isBackpressured = true;
    this.#readOrWait();
    this.#failWhenStuck();
  }

  #failWhenStuck(): void {
    const { after, waitsForCredit, fail } = this.#start;
    const left = this.queue.bytes();
    after(STUCK_MS, () => {
      if (!this.#isBackpressured || this.queue.bytes() < left) return;
      if (waitsForCredit()) this.#failWhenStuck();
      else fail(upstreamFailed({ retry: 'later', started: 'maybe' }, 'the provider takes no more audio'));
    });
  }

  #pulled(): void {
    if (this.#isBackpressured && pcmSeconds(this.queue.bytes(), this.#format) <= RESUME_SECONDS)
      this.#releaseBackpressure();
  }

  #releaseBackpressure(): void {
    if (!this.#isBackpressured) return;
    this.#isBackpressured = false;
    this.#readOrWait();
  }

  #slowDown(ms: number): void {
    if (this.#isSlowedDown) return;
    this.#isSlowedDown = true;
    this.#readOrWait();
    this.#start.after(ms, () => {
      this.#isSlowedDown = false;
      this.#readOrWait();
    });
  }

  #readOrWait(): void {
    this.#start.wait(this.#isBackpressured || this.#isSlowedDown);
  }
}
