/** Formats a list of lengths: `1–15 s`, or `4, 6, 8 s` if not every second in between is allowed. */
export function secondsWords(seconds: readonly number[]): string {
  const [first] = seconds;
  const last = seconds.at(-1);
  if (first === undefined || last === undefined) return '';
  if (seconds.length > 2 && last - first === seconds.length - 1) return `${first}–${last} s`;
  return `${seconds.join(', ')} s`;
}
