import type { UsageMeasuresJson } from './usage';

// In a file without zod, because the console computes it too.

/**
 * Returns the share of failures among the requests that say something about a provider; null if there are none.
 * Failures that the provider did not cause count neither as failures nor as requests.
 */
export function errorRateOf({
  requests,
  failed,
  excused,
}: Pick<UsageMeasuresJson, 'requests' | 'failed' | 'excused'>): number | null {
  return requests > excused ? (failed - excused) / (requests - excused) : null;
}
