import type { ProjectJson } from '../../../lib/contract/projects';
import { LimitBar } from '../components/ui/limit-bar';
import { LimitPeriod } from '../components/ui/limit-period';

/** Shows the budget as a bar, or that there is none. */
export function Budget({ of: { name, limit } }: { readonly of: ProjectJson }) {
  if (!limit) return <span className="whitespace-nowrap text-muted">No budget</span>;
  return (
    <LimitBar
      label={`Spend of ${name}`}
      spent={limit.spent}
      amount={limit.amount}
      description={<LimitPeriod of={limit} />}
    />
  );
}
