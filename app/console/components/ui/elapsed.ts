// How the console writes durations.

/** Formats a duration: `0.4 s`, `12 s`, `3 min 05 s`, `2 h 10 min`. */
export function elapsed(seconds: number): string {
  if (seconds < 1) return `${Math.max(0, Math.round(seconds * 10) / 10)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** Formats a measured time: `412 ms`; from one second on `1.4 s`; from ten seconds on as `elapsed` does. */
export function milliseconds(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 9_950 ? `${(ms / 1_000).toFixed(1)} s` : elapsed(ms / 1_000);
}

/** Formats the time between two events to the millisecond: `+0.412 s`. */
export function since(seconds: number): string {
  return seconds < 60 ? `+${seconds.toFixed(3)} s` : `+${elapsed(seconds)}`;
}
