// How long the texts of a transcription take, measured from the level of the sound that was sent: when speech began, and
// when it paused. Times are those at which the frames were sent, so that a recording that is sent faster than it was
// spoken has right figures too.

/** The root mean square of a frame with speech in it. Noise of a quiet room is below. */
const SPEECH_LEVEL = 0.012;
/** Quiet frames of 50 ms after which speech has paused. */
const PAUSE_FRAMES = 6;

export interface Latencies {
  /** From the beginning of speech to the first interim text, in milliseconds. */
  readonly firstInterimMs?: number;
  /** From the end of speech to its final text, in milliseconds: of the last final text. */
  readonly finalMs?: number;
}

export interface LatencyMeter {
  /** A frame was sent. `level` is from 0 to 1. */
  frame(level: number): void;
  /** A text has arrived; the figures so far. */
  transcript(isFinal: boolean): Latencies;
  /** No frame had speech so far, for this many frames. */
  silentFrames(): number;
}

export function createLatencyMeter(nowMs: () => number): LatencyMeter {
  let figures: Latencies = {};
  let beganAt: number | undefined;
  let lastLoudAt: number | undefined;
  let pausedAt: number | undefined;
  let quietFrames = 0;
  let frames = 0;
  return {
    frame(level) {
      frames += 1;
      if (level < SPEECH_LEVEL) {
        quietFrames += 1;
        if (quietFrames === PAUSE_FRAMES) pausedAt = lastLoudAt;
        return;
      }
      quietFrames = 0;
      beganAt ??= nowMs();
      lastLoudAt = nowMs();
    },
    transcript(isFinal) {
      if (!isFinal) {
        if (beganAt !== undefined && figures.firstInterimMs === undefined)
          figures = { ...figures, firstInterimMs: nowMs() - beganAt };
        return figures;
      }
      // During speech the final text is of the speech before the last pause. Without a pause there was no end to measure.
      const endedAt = quietFrames > 0 && quietFrames < PAUSE_FRAMES ? lastLoudAt : pausedAt;
      if (endedAt !== undefined) figures = { ...figures, finalMs: nowMs() - endedAt };
      pausedAt = undefined;
      return figures;
    },
    silentFrames: () => (beganAt === undefined ? frames : 0),
  };
}
