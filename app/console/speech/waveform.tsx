'use client';

import { useEffect, useEffectEvent, useRef } from 'react';
import { sized } from './level-meter';

const BAR_PX = 2;
const GAP_PX = 1;

/**
 * The waveform of a spoken text, drawn while its audio arrives. The part that was not played is pale. While
 * `isPlaying`, `heardSeconds` is read for each animation frame.
 */
export function Waveform({
  peaks,
  seconds,
  isPlaying,
  heardSeconds,
}: {
  /** The levels of equal periods of time, from 0 to 1. */
  readonly peaks: readonly number[];
  /** The total duration of the peaks. */
  readonly seconds: number;
  readonly isPlaying: boolean;
  heardSeconds(): number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const readHeard = useEffectEvent(heardSeconds);
  useEffect(() => {
    if (!canvas.current) return;
    const element = canvas.current;
    const bars = highest(peaks, Math.max(1, Math.floor(element.clientWidth / (BAR_PX + GAP_PX))));
    let frame = 0;
    const paint = () => {
      draw(element, bars, readHeard() / seconds);
      if (isPlaying) frame = requestAnimationFrame(paint);
    };
    paint();
    return () => cancelAnimationFrame(frame);
  }, [peaks, seconds, isPlaying]);
  return <canvas ref={canvas} aria-hidden="true" className="h-10 w-full text-accent" data-testid="waveform" />;
}

/** Returns the loudest of every `length` samples. The last group may have fewer. */
export function peaksOf(samples: Float32Array, length: number): readonly number[] {
  const peaks = Array.from({ length: Math.ceil(samples.length / length) }, () => 0);
  for (const [at, sample] of samples.entries()) {
    const part = Math.floor(at / length);
    peaks[part] = Math.max(peaks[part] ?? 0, Math.abs(sample));
  }
  return peaks;
}

/** Returns the highest peak of each of `count` equal parts. */
function highest(peaks: readonly number[], count: number): readonly number[] {
  return Array.from({ length: count }, (_, part) => {
    const from = Math.floor((part * peaks.length) / count);
    return Math.max(...peaks.slice(from, Math.max(from + 1, Math.floor(((part + 1) * peaks.length) / count))), 0);
  });
}

function draw(canvas: HTMLCanvasElement, peaks: readonly number[], heardShare: number): void {
  const { width, height } = sized(canvas);
  const paint = canvas.getContext('2d');
  if (!paint) return;
  paint.fillStyle = getComputedStyle(canvas).color;
  paint.clearRect(0, 0, width, height);
  for (const [index, peak] of peaks.entries()) {
    paint.globalAlpha = index < heardShare * peaks.length ? 1 : 0.3;
    const bar = Math.max(2, peak * height);
    paint.fillRect(index * (BAR_PX + GAP_PX), (height - bar) / 2, BAR_PX, bar);
  }
}
