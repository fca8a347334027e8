import type { UsageJson } from '../../../lib/contract/usage';

// The days, weeks and months of a report.

const DAY_MS = 86_400_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

type Interval = UsageJson['interval'];

const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Returns the first day of the period that contains a day; weeks begin on Monday. */
function startOf(day: string, interval: Interval): string {
  if (interval === 'month') return `${day.slice(0, 7)}-01`;
  if (interval === 'day') return day;
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  return isoDay(Date.parse(day) - weekday * DAY_MS);
}

/** Returns the last day of a period. */
export function periodEnd(start: string, interval: Interval): string {
  if (interval === 'day') return start;
  if (interval === 'week') return isoDay(Date.parse(start) + 6 * DAY_MS);
  return isoDay(Date.UTC(Number(start.slice(0, 4)), Number(start.slice(5, 7)), 0));
}

/** Returns the first days of all periods of a report, including those without usage. */
export function allPeriods({ from, to, interval }: Pick<UsageJson, 'from' | 'to' | 'interval'>): readonly string[] {
  const starts: string[] = [];
  for (
    let start = startOf(from, interval);
    start <= to;
    start = isoDay(Date.parse(periodEnd(start, interval)) + DAY_MS)
  )
    starts.push(start);
  return starts;
}

/** Returns a label such as `23 Nov` or `Nov 2026`. `isFull` adds the year, and `Week of` for a week. */
export function periodLabel(start: string, interval: Interval, isFull = false): string {
  const [year, month, day] = start.split('-').map(Number) as [number, number, number]; // Safe: an ISO date.
  const name = MONTHS[month - 1];
  if (interval === 'month') return `${name} ${year}`;
  if (!isFull) return `${day} ${name}`;
  return interval === 'week' ? `Week of ${day} ${name} ${year}` : `${day} ${name} ${year}`;
}
