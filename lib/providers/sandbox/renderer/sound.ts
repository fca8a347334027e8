import { createRandom, pick } from './random';

// Generates a soft chord with chimes, so that a video with audio has something unobtrusive to play.

export const sampleRateHz = 48_000;
export const channelCount = 2;

// Pentatonic scales on a low root: any two of their notes sound well together, so the chimes may be random.
const scale = [0, 2, 4, 7, 9, 12, 14, 16, 19, 21];
const roots: readonly [number, ...number[]] = [174.61, 196, 220, 233.08];

interface Chime {
  readonly at: number;
  readonly hertz: number;
  readonly loudness: number;
  /** -1 left, 1 right. */
  readonly side: number;
}

/**
 * Returns interleaved stereo samples of one section of the video, the same for the same seed: `startFrame` and `frames`
 * count samples per channel from the video's start.
 */
export function createSound(
  seed: string,
  seconds: number,
): (startFrame: number, frames: number) => Float32Array<ArrayBuffer> {
  const random = createRandom(`sound ${seed}`);
  const root = pick(random, roots);
  const chimes: Chime[] = [];
  for (let at = 0.15; at < seconds - 0.3; at += 0.35 + random() * 0.55) {
    const step = scale[Math.floor(random() * scale.length)] ?? 0;
    chimes.push({
      at,
      hertz: root * 2 * 2 ** (step / 12),
      loudness: 0.05 + random() * 0.06,
      side: random() * 1.4 - 0.7,
    });
  }
  const chord = [0, 7, 16].map((step, voice) => ({ hertz: (root / 2) * 2 ** (step / 12), sway: 0.11 + voice * 0.05 }));

  return (startFrame, frames) => {
    const samples = new Float32Array(frames * channelCount);
    const from = startFrame / sampleRateHz;
    const to = from + frames / sampleRateHz;
    const heard = chimes.filter((chime) => chime.at < to && chime.at > from - 2.5);
    for (let frame = 0; frame < frames; frame++) {
      const t = (startFrame + frame) / sampleRateHz;
      let left = 0;
      let right = 0;
      for (const voice of chord) {
        const tone = Math.sin(2 * Math.PI * voice.hertz * t) * (0.045 + 0.02 * Math.sin(2 * Math.PI * voice.sway * t));
        left += tone;
        right += tone;
      }
      for (const chime of heard) {
        const age = t - chime.at;
        if (age < 0) continue;
        const ring = Math.exp(-age * 2.2) * Math.min(1, age * 400) * chime.loudness;
        const tone =
          ring * (Math.sin(2 * Math.PI * chime.hertz * age) + 0.25 * Math.sin(2 * Math.PI * chime.hertz * 2.76 * age));
        left += tone * (1 - chime.side);
        right += tone * (1 + chime.side);
      }
      // No click at either end.
      const fade = Math.min(1, t / 0.25, Math.max(0, seconds - t) / 0.4);
      samples[frame * 2] = left * fade;
      samples[frame * 2 + 1] = right * fade;
    }
    return samples;
  };
}
