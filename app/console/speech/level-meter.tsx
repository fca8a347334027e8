'use client';

import { useImperativeHandle, useRef, type Ref } from 'react';

export interface LevelMeterHandle {
  /** Adds the level of the next 50 ms, from 0 to 1. */
  push(level: number): void;
  clear(): void;
}

const BAR_PX = 3;
const GAP_PX = 2;
/** Scales the level so that loud speech fills the meter. */
const GAIN = 4;

/** Shows the levels of the last seconds as bars, the newest on the right. Draws only when a level arrives. */
export function LevelMeter({ ref }: { readonly ref: Ref<LevelMeterHandle> }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const levels = useRef<number[]>([]);
  useImperativeHandle(ref, () => ({
    push(level) {
      levels.current.push(level);
      if (canvas.current) draw(canvas.current, levels.current);
    },
    clear() {
      levels.current = [];
      if (canvas.current) draw(canvas.current, levels.current);
    },
  }));
  return (
    <div className="h-12 overflow-hidden rounded-lg bg-sunken px-2 py-1 text-accent">
      <canvas ref={canvas} aria-hidden="true" className="size-full" data-testid="level" />
    </div>
  );
}

function draw(canvas: HTMLCanvasElement, levels: number[]): void {
  const { width, height } = sized(canvas);
  const paint = canvas.getContext('2d');
  if (!paint) return;
  const count = Math.floor(width / (BAR_PX + GAP_PX));
  levels.splice(0, levels.length - count);
  // For tests and for anyone who inspects the markup: the meter has no text.
  canvas.dataset.level = (levels.at(-1) ?? 0).toFixed(3);
  paint.clearRect(0, 0, width, height);
  paint.fillStyle = getComputedStyle(canvas).color;
  for (const [index, level] of levels.entries()) {
    const bar = Math.max(2, Math.min(1, level * GAIN) * height);
    const x = width - (levels.length - index) * (BAR_PX + GAP_PX);
    paint.fillRect(x, (height - bar) / 2, BAR_PX, bar);
  }
}

/** Makes the canvas as sharp as the screen, and returns its size in CSS pixels. */
export function sized(canvas: HTMLCanvasElement): { readonly width: number; readonly height: number } {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = window.devicePixelRatio;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  canvas.getContext('2d')?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { width, height };
}
