import type { VideoFacts } from '../domain/video';

// In a file of its own, so that a page that only lists durations does not load the validation of requests.

/** Returns the durations that a model allows at a tier, ascending. */
export function allowedSeconds(facts: Pick<VideoFacts, 'seconds' | 'rules'>, resolution: string): readonly number[] {
  const rules = facts.rules.filter((rule) => rule.resolutions.includes(resolution));
  return facts.seconds.filter((seconds) => rules.every((rule) => rule.seconds.includes(seconds)));
}

/** Returns every integer from `first` to `last`, inclusive; an empty list if `first` is greater. */
export function wholeSeconds(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
