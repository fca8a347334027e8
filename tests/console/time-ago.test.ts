import { describe, expect, it } from 'vitest';
import { relativeTime } from '../../app/console/components/ui/time-ago';

const NOW_MS = Date.UTC(2026, 10, 28, 12);
const HOUR = 3_600;
const DAY = 24 * HOUR;

/** The words for a time that is so many seconds from now. */
const words = (...seconds: readonly number[]) => seconds.map((each) => relativeTime(NOW_MS / 1000 + each, NOW_MS));

describe('a relative time', () => {
  it('of an end that was just chosen is what was chosen, seconds later too', () => {
    expect(words(HOUR - 2, DAY - 2, 7 * DAY - 2, 30 * DAY - 90)).toEqual([
      'in 1 h',
      'in 24 h',
      'in 7 days',
      'in 30 days',
    ]);
  });

  it('in the future is the nearest whole one', () => {
    expect(words(59.4 * 60, 90 * 60 - 1, 1.4 * DAY, 1.6 * DAY)).toEqual([
      'in 59 min',
      'in 1 h',
      'in 1 day',
      'in 2 days',
    ]);
  });

  it('in the past counts what has passed', () => {
    expect(words(-119, -2 * HOUR + 1, -DAY, -2 * DAY + 1)).toEqual(['1 min ago', '1 h ago', '1 day ago', '1 day ago']);
  });

  it('below a minute has no number', () => {
    expect(words(-59, 0, 5, 30)).toEqual(['just now', 'just now', 'just now', 'in a moment']);
  });
});
