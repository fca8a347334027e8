import type { SKRSContext2D } from '@napi-rs/canvas';

/** The position in a video. Everything that moves is a function of this alone. */
export interface Frame {
  readonly index: number;
  readonly count: number;
  /** Seconds since the first frame. */
  readonly seconds: number;
  /** 0 on the first frame, 1 on the last. */
  readonly progress: number;
}

/** Paints the frames of a video. `paint` covers the whole canvas with opaque colour. */
export interface Scene {
  paint(brush: SKRSContext2D, frame: Frame): void | Promise<void>;
  /** Releases the scene's resources. */
  close?(): void;
}

export interface Stage {
  readonly width: number;
  readonly height: number;
  /** 1/720 of the shorter side: a length in units looks the same at every size. */
  readonly unit: number;
  readonly fps: number;
  readonly seconds: number;
}

/** Eases from 0 before `from` to 1 after `to`. */
export function ease(value: number, from: number, to: number): number {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share * share * (3 - 2 * share);
}
