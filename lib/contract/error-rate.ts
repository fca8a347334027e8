import type { UsageMeasuresJson } from './usage';

// Without zod, because the console computes it too.

/**
 * The share of failures among the requests that say something about a provider; null without any. Failures that the
 * provider did not cause count neither as failures nor as requests.
 */
export function errorRateOf({
  requests,
  failed,
  excused,
}: Pick<UsageMeasuresJson, 'requests' | 'failed' | 'excused'>): number | null {
  return requests > excused ? (failed - excused) / (requests - excused) : null;
}
