'use client';

import type { OrganizationPolicyJson } from '../../../lib/contract/policies';
import { policyDraftOf, policyFieldOf, policyOf } from '../components/policy/policy-draft';
import { PolicyFields } from '../components/policy/policy-fields';
import { usePolicyForm } from '../components/policy/use-policy-form';
import { Button } from '../components/ui/button';
import { Dialog, DialogBody, DialogFooter } from '../components/ui/dialog';
import { FormError } from '../components/ui/field';
import { send } from '../console-api';
import { apiPaths } from '../paths';

/** Changes the policy of the organisation. */
export function PolicyDialog({
  of: policy,
  onSaved,
  onClose,
}: {
  readonly of: OrganizationPolicyJson;
  onSaved(): Promise<unknown>;
  onClose(): void;
}) {
  const { draft, error, busy, change, submit } = usePolicyForm(policyDraftOf(policy), policyFieldOf, async (wanted) => {
    await send('PATCH', apiPaths.organizationPolicy(), policyOf(wanted));
    await onSaved();
    onClose();
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Policy of the organisation"
      description="Applies within 5 seconds to all keys and open connections. Addresses concern API keys, also those with which scripts manage the organisation; people can always sign in."
    >
      <form onSubmit={submit} className="flex min-h-0 flex-col">
        <DialogBody>
          <FormError>{error && error.field === undefined ? error.message : undefined}</FormError>
          <PolicyFields draft={draft} error={error} onChange={change} />
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy}>
            Save
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
