// How the usage pages write numbers.

/** `1234567` → `1,234,567`. */
export function grouped(count: number): string {
  return count.toLocaleString('en');
}

/** A share as percent: `0.0123` → `1.2 %`. */
export function percent(share: number): string {
  return `${(share * 100).toLocaleString('en', { maximumFractionDigits: share < 0.1 ? 1 : 0 })} %`;
}

/** Seconds: `0.042` → `42 ms`, `1.26` → `1.3 s`, `75` → `1 min 15 s`. */
export function seconds(value: number): string {
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 60) return `${value < 10 ? value.toFixed(1) : Math.round(value)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}
