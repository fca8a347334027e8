/** Formats a duration: `0.4 s`, `12 s`, `3 min 05 s`, `2 h 10 min`. */
export function elapsed(seconds: number): string {
  if (seconds < 1) return `${Math.max(0, Math.round(seconds * 10) / 10)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** The time between two events in milliseconds precision: `+0.412 s`. */
export function since(seconds: number): string {
  return seconds < 60 ? `+${seconds.toFixed(3)} s` : `+${elapsed(seconds)}`;
}
