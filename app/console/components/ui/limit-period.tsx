import type { SpendLimitJson } from '../../../../lib/contract/keys';
import { TimeAgo } from './time-ago';

const PERIODS: Readonly<Record<SpendLimitJson['period'], string>> = {
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
  total: 'Total',
};

/** The period of a spend limit, and when it resets. */
export function LimitPeriod({ of: limit }: { readonly of: SpendLimitJson }) {
  return (
    <>
      {PERIODS[limit.period]}
      {limit.resets_at !== undefined && (
        <>
          , resets <TimeAgo at={limit.resets_at} />
        </>
      )}
    </>
  );
}
