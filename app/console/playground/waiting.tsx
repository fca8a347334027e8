'use client';

import { useEffect, useState } from 'react';
import { clockWords } from './waiting-time';

/** Placeholder of a video in progress, with its aspect ratio and the elapsed time. Providers report no progress. */
export function Waiting({
  startedAt,
  width,
  height,
  description,
  word,
}: {
  readonly startedAt: number;
  readonly width: number;
  readonly height: number;
  readonly description: string;
  readonly word: string;
}) {
  const elapsed = useElapsedSeconds(startedAt);
  return (
    <div
      style={{ aspectRatio: `${width} / ${height}` }}
      className="mx-auto grid max-h-[56dvh] min-h-56 w-full place-items-center overflow-hidden rounded-xl border border-line bg-sunken"
    >
      <div className="flex flex-col items-center px-6 text-center">
        <Cables />
        <p className="mt-4 text-base font-medium">
          {word} · <span className="tabular-nums">{clockWords(elapsed)}</span>
        </p>
        <p className="mt-1 text-sm text-muted">{description}</p>
      </div>
    </div>
  );
}

/** Returns the seconds since a Unix time, updated every second; 0 during server rendering. */
export function useElapsedSeconds(startedAt: number): number {
  const [elapsed, setElapsed] = useState(0);
  useEffect(() => {
    const tick = () => setElapsed(Math.max(0, Math.round(new Date().getTime() / 1000) - startedAt));
    tick();
    const timer = window.setInterval(tick, 1_000);
    return () => window.clearInterval(timer);
  }, [startedAt]);
  return elapsed;
}

/** Animation: two sockets with a signal travelling between them. */
function Cables() {
  return (
    <svg width="120" height="48" viewBox="0 0 120 48" fill="none" aria-hidden="true">
      <path d="M16 16c0 40 88 -8 88 16" stroke="var(--line-strong)" strokeWidth="4" strokeLinecap="round" />
      <path
        d="M16 16c0 40 88 -8 88 16"
        pathLength={100}
        stroke="var(--accent)"
        strokeWidth="4"
        strokeLinecap="round"
        strokeDasharray="18 200"
        className="animate-travel"
      />
      {[
        [16, 16],
        [104, 32],
      ].map(([x, y]) => (
        <g key={x}>
          <circle cx={x} cy={y} r="9" fill="var(--surface)" stroke="var(--line-strong)" strokeWidth="2" />
          <circle cx={x} cy={y} r="3.5" fill="var(--accent)" />
        </g>
      ))}
    </svg>
  );
}
