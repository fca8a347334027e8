'use client';

import { useNow } from './now';
import { Tooltip } from './tooltip';

const HOUR = 3_600;
const HALF_A_MINUTE = 30;
const UNITS = [
  ['day', 86_400],
  ['hour', HOUR],
  ['minute', 60],
] as const;

/**
 * Formats a time relative to now: `3 min ago`, `in 30 days`; below a minute without a number. Past times are rounded
 * down, as an age is. Future times are rounded to the nearest, so that a key that was just given 24 hours ends in 24 h
 * and not in 23 h, and one with an hour in 1 h.
 */
export function relativeTime(atSeconds: number, nowMs: number): string {
  const seconds = atSeconds - Math.round(nowMs / 1000);
  const away = Math.abs(seconds);
  const isAlmostAnHour = seconds > 0 && away >= HOUR - HALF_A_MINUTE;
  const unit = UNITS.find(([name, length]) => away >= length || (name === 'hour' && isAlmostAnHour));
  if (!unit) return seconds > 5 ? 'in a moment' : 'just now';
  const [name, length] = unit;
  const count = seconds < 0 ? Math.floor(away / length) : Math.round(away / length);
  const word = name === 'minute' ? 'min' : name === 'hour' ? 'h' : count === 1 ? 'day' : 'days';
  return seconds < 0 ? `${count} ${word} ago` : `in ${count} ${word}`;
}

/** A relative time; hover and focus show the exact time in UTC and local time. */
export function TimeAgo({ at }: { readonly at: number }) {
  const date = new Date(at * 1000);
  return (
    <Tooltip content={<ExactTime date={date} />}>
      <time
        dateTime={date.toISOString()}
        className="whitespace-nowrap underline decoration-line-strong decoration-dotted underline-offset-4"
      >
        {relativeTime(at, useNow())}
      </time>
    </Tooltip>
  );
}

function ExactTime({ date }: { readonly date: Date }) {
  return (
    <span className="grid grid-cols-[auto_auto] gap-x-3 tabular-nums">
      <span className="opacity-70">UTC</span>
      <span>{date.toISOString().slice(0, 19).replace('T', ' ')}</span>
      <span className="opacity-70">Local</span>
      <span>{date.toLocaleString('sv-SE')}</span>
    </span>
  );
}
