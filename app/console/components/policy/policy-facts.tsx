import type { PolicyFieldsJson } from '../../../../lib/contract/policies';
import { policyRestrictions } from './policy-draft';

/** What a policy restricts, or that it allows everything. */
export function PolicyFacts({ of: policy }: { readonly of: PolicyFieldsJson }) {
  const restrictions = policyRestrictions(policy);
  if (restrictions.length === 0) return <p className="text-sm text-muted">It allows everything.</p>;
  return (
    <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[auto_1fr]">
      {restrictions.map(({ label, only }) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="min-w-0 font-mono text-xs leading-5 break-words">{only.join(', ')}</dd>
        </div>
      ))}
    </dl>
  );
}
