// How the console writes counts, shares and days.

/** Groups the digits of a count: `1234567` → `1,234,567`. */
export function grouped(count: number): string {
  return count.toLocaleString('en');
}

/** Formats a share as percent: `0.0123` → `1.2 %`. */
export function percent(share: number): string {
  return `${(share * 100).toLocaleString('en', { maximumFractionDigits: share < 0.1 ? 1 : 0 })} %`;
}

/** Formats a number of days: `30` → `30 days`. */
export function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}
