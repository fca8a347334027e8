import type { Account } from '../../lib/domain/caller';
import { newId } from '../../lib/domain/ids';
import type { Gateway } from '../../lib/gateway';

/**
 * Moves credits of an account, as the operator does: a grant, unless `change` names another `kind`. `change` has the
 * other fields of the request too; `amount` is in dollars.
 */
export function transfer(
  { gateway }: { readonly gateway: Pick<Gateway, 'operator'> },
  { orgId, mode }: Account,
  change: Readonly<Record<string, unknown>>,
) {
  return gateway.operator.transfer({
    organization: orgId,
    mode,
    kind: 'grant',
    reference: newId('request'),
    reason: 'A test',
    ...change,
  });
}
