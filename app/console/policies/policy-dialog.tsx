'use client';

import type { OrganizationPolicyJson } from '../../../lib/contract/policies';
import { policyDraftOf, policyFieldOf, policyOf } from '../components/policy/policy-draft';
import { PolicyFields, errorOfForm } from '../components/policy/policy-fields';
import { usePolicyForm } from '../components/policy/use-policy-form';
import { FormDialog } from '../components/ui/form-dialog';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

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
    <FormDialog
      title="Policy of the organisation"
      description="Applies within 5 seconds to all keys and open connections. Addresses apply to API keys, including those of scripts that manage the organisation; people can always sign in."
      error={errorOfForm(error)}
      submitLabel="Save"
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <PolicyFields draft={draft} error={error} onChange={change} />
    </FormDialog>
  );
}
