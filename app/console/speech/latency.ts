// Measures how long the texts of a transcription take, from the level of the sent audio: when speech began, and when it
// paused. Times are those at which the frames were sent, so the figures are also right for a recording that is sent
// faster than it was spoken.

/** The minimum root mean square of a frame with speech. The noise of a quiet room is below it. */
const SPEECH_LEVEL = 0.012;
/** The number of quiet frames, of 50 ms each, after which speech counts as paused. */
const PAUSE_FRAMES = 6;

export interface Latencies {
  /** From the beginning of speech to the first interim text, in milliseconds. */
  readonly firstInterimMs?: number;
  /** From the end of speech to its final text, in milliseconds, for the latest final text. */
  readonly finalMs?: number;
}

export interface LatencyMeter {
  /** Call for each frame that is sent. `level` is from 0 to 1. */
  frame(level: number): void;
  /** Call for each text that arrives. Returns the figures so far. */
  transcript(isFinal: boolean): Latencies;
  /** Returns the number of frames that were sent without any speech; 0 once there was speech. */
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
      // A final text that arrives during speech belongs to the speech before the last pause. Without a pause there is
      // no end to measure from.
      const endedAt = quietFrames > 0 && quietFrames < PAUSE_FRAMES ? lastLoudAt : pausedAt;
      if (endedAt !== undefined) figures = { ...figures, finalMs: nowMs() - endedAt };
      pausedAt = undefined;
      return figures;
    },
    silentFrames: () => (beganAt === undefined ? frames : 0),
  };
}
