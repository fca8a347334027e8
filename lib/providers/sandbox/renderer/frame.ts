import type { SKRSContext2D } from '@napi-rs/canvas';

/** Where a video is: everything that moves is a function of this alone. */
export interface Frame {
  readonly index: number;
  readonly count: number;
  /** Seconds since the first frame. */
  readonly seconds: number;
  /** 0 on the first frame, 1 on the last. */
  readonly progress: number;
}

/** What a video looks like. `paint` covers the whole canvas with opaque colour. */
export interface Scene {
  paint(brush: SKRSContext2D, frame: Frame): void | Promise<void>;
  /** Frees what the scene opened. */
  close?(): void;
}

export interface Stage {
  readonly width: number;
  readonly height: number;
  /** One seven-hundred-and-twentieth of the shorter side: a length in units looks alike at every size. */
  readonly unit: number;
  readonly fps: number;
  readonly seconds: number;
}

/** 0 before `from`, 1 after `to`, without a corner in between. */
export function ease(value: number, from: number, to: number): number {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share * share * (3 - 2 * share);
}
