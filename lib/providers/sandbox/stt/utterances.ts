// Voice activity detection: cuts a stream of audio into utterances by loudness. The recogniser takes complete
// utterances, and invents words if it is given silence.

/** Continuous speech, with some audio before and after it. */
export interface Utterance {
  readonly samples: Float32Array<ArrayBuffer>;
  /** Start and end of the speech itself in the stream, in seconds. */
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Whether the utterance was cut because it became too long; the speech then continues without a pause. */
  readonly cut: boolean;
}

export interface UtteranceCutter {
  /** Takes samples at 16 kHz, from −1 to 1; returns the utterances that have ended. */
  push(samples: Float32Array): Utterance[];
  /** Returns the current utterance; undefined during silence. */
  current(): Utterance | undefined;
  /** Returns the utterance that the end of the stream completes. */
  flush(): Utterance[];
}

const RATE = 16_000;
const FRAME = 320;
const FRAME_SECONDS = FRAME / RATE;
/** Audio kept before the onset: the first consonant is quieter than the detection threshold. */
const LEAD_FRAMES = 15;
/** A pause this long ends an utterance. */
const HANGOVER_FRAMES = 30;
const KEPT_TAIL_FRAMES = 12;
const ONSET_FRAMES = 3;
/** A sound with fewer voiced frames is a click or a cough. */
const MIN_VOICED_FRAMES = 8;
const MAX_UTTERANCE_FRAMES = 10 / FRAME_SECONDS;
/** A long utterance is cut at the quietest position of its last part. */
const CUT_WITHIN_FRAMES = 2 / FRAME_SECONDS;
/** About −48 dB of full scale; rooms are quieter, voices louder. */
const MIN_LOUDNESS = 0.004;
const ABOVE_NOISE = 3;
/**
 * The noise level is the quietest moment of the last three seconds: speech always contains a pause within that time.
 */
const NOISE_BLOCK_FRAMES = 25;
const NOISE_BLOCKS = 6;

interface Frame {
  readonly samples: Float32Array;
  readonly loudness: number;
}

export function createUtteranceCutter(): UtteranceCutter {
  let rest = new Float32Array(0);
  let frames: Frame[] = [];
  /** Index in the stream of `frames[0]`. */
  let firstFrame = 0;
  const quietestOfBlocks: number[] = [];
  let block = { frames: 0, quietest: Infinity };
  let speaking: { onset: number; voiced: number; lastVoiced: number } | undefined;
  let loudInRow = 0;

  function take(frame: Frame): Utterance[] {
    frames.push(frame);
    const index = firstFrame + frames.length - 1;
    followNoise(frame.loudness);
    const loud = frame.loudness > threshold();
    if (!speaking) {
      loudInRow = loud ? loudInRow + 1 : 0;
      if (loudInRow >= ONSET_FRAMES)
        speaking = { onset: index - ONSET_FRAMES + 1, voiced: ONSET_FRAMES, lastVoiced: index };
      else forgetBefore(index - LEAD_FRAMES);
      return [];
    }
    if (loud) {
      speaking.voiced += 1;
      speaking.lastVoiced = index;
    }
    if (index - speaking.lastVoiced >= HANGOVER_FRAMES) return end(speaking.lastVoiced, false);
    if (frames.length >= MAX_UTTERANCE_FRAMES) return end(quietest(), true);
    return [];
  }

  /** Returns the loudness of speech: the minimum in the first second, because the noise level is unknown until then. */
  function threshold(): number {
    const noise = quietestOfBlocks.length < 2 ? 0 : Math.min(...quietestOfBlocks);
    return Math.max(MIN_LOUDNESS, noise * ABOVE_NOISE);
  }

  function followNoise(loudness: number): void {
    block = { frames: block.frames + 1, quietest: Math.min(block.quietest, loudness) };
    if (block.frames < NOISE_BLOCK_FRAMES) return;
    quietestOfBlocks.push(block.quietest);
    if (quietestOfBlocks.length > NOISE_BLOCKS) quietestOfBlocks.shift();
    block = { frames: 0, quietest: Infinity };
  }

  function end(at: number, cut: boolean): Utterance[] {
    const ended = describe(at, cut);
    // The noise level may be more precise now than at the onset.
    const isSpeech =
      (speaking?.voiced ?? 0) >= MIN_VOICED_FRAMES && frames.some(({ loudness }) => loudness > threshold());
    forgetBefore(at + 1);
    loudInRow = 0;
    // After a cut the speech continues: the rest is the start of the next utterance.
    speaking = cut
      ? { onset: at + 1, voiced: MIN_VOICED_FRAMES, lastVoiced: Math.max(at + 1, firstFrame + frames.length - 1) }
      : undefined;
    return ended && isSpeech ? [ended] : [];
  }

  function describe(at: number, cut: boolean): Utterance | undefined {
    if (!speaking) return undefined;
    const last = cut ? at : Math.min(at + KEPT_TAIL_FRAMES, firstFrame + frames.length - 1);
    const kept = frames.slice(0, last - firstFrame + 1);
    const samples = new Float32Array(kept.length * FRAME);
    for (const [index, frame] of kept.entries()) samples.set(frame.samples, index * FRAME);
    return { samples, startSeconds: speaking.onset * FRAME_SECONDS, endSeconds: (at + 1) * FRAME_SECONDS, cut };
  }

  function quietest(): number {
    const from = Math.max(0, frames.length - CUT_WITHIN_FRAMES);
    let best = frames.length - 1;
    for (let index = from; index < frames.length; index++)
      if ((frames[index]?.loudness ?? 1) < (frames[best]?.loudness ?? 1)) best = index;
    return firstFrame + best;
  }

  function forgetBefore(index: number): void {
    const count = Math.min(frames.length, index - firstFrame);
    if (count <= 0) return;
    frames = frames.slice(count);
    firstFrame += count;
  }

  return {
    push(samples) {
      const joined = new Float32Array(rest.length + samples.length);
      joined.set(rest);
      joined.set(samples, rest.length);
      const ended: Utterance[] = [];
      let at = 0;
      for (; at + FRAME <= joined.length; at += FRAME) {
        const frame = joined.slice(at, at + FRAME);
        ended.push(...take({ samples: frame, loudness: loudnessOf(frame) }));
      }
      rest = joined.slice(at);
      return ended;
    },
    current: () =>
      speaking && speaking.voiced >= MIN_VOICED_FRAMES ? describe(speaking.lastVoiced, false) : undefined,
    flush() {
      const padded = new Float32Array(FRAME);
      padded.set(rest);
      const ended = rest.length > 0 ? take({ samples: padded, loudness: loudnessOf(padded) }) : [];
      rest = new Float32Array(0);
      return speaking ? [...ended, ...end(speaking.lastVoiced, false)] : ended;
    },
  };
}

function loudnessOf(frame: Float32Array): number {
  let sum = 0;
  for (const sample of frame) sum += sample * sample;
  return Math.sqrt(sum / frame.length);
}
