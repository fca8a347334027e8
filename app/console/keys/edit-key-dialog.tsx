'use client';

import { useSWRConfig } from 'swr';
import type { KeyJson } from '../../../lib/contract/keys';
import { LimitFields, errorOfForm } from '../components/policy/policy-fields';
import { usePolicyForm } from '../components/policy/use-policy-form';
import { FormDialog } from '../components/ui/form-dialog';
import { relativeTime } from '../components/ui/time-ago';
import { useNow } from '../components/ui/now';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import { draftOf, fieldOf, updateOf } from './key-draft';
import { ExpiryField, FurtherFields, ProjectField } from './key-fields';
import { KeyLimitUse } from './key-limit-use';
import { restrictionsOf } from './key-restrictions';

/** Edits limit, expiry and rights of an existing key. Changes take effect within 5 seconds. */
export function EditKeyDialog({
  of: key,
  mayManage,
  onClose,
}: {
  readonly of: KeyJson;
  readonly mayManage: boolean;
  onClose(): void;
}) {
  const { mutate } = useSWRConfig();
  const nowMs = useNow();
  const form = usePolicyForm(draftOf(key), fieldOf, async (draft) => {
    await send('PATCH', apiPaths.key(key.id), updateOf(draft, new Date().getTime()));
    await mutate(apiPaths.keys());
    onClose();
  });
  const { error } = form;
  const part = { draft: form.draft, error, onChange: form.change };
  const keeps = key.expires_at === null ? 'Keep: never' : `Keep: ${relativeTime(key.expires_at, nowMs)}`;
  return (
    <FormDialog
      title={`Limit and access of “${key.name}”`}
      description="Changes take effect within 5 seconds, also for running apps."
      error={errorOfForm(error)}
      submitLabel="Save"
      busy={form.busy}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <LimitFields label="Spend limit in dollars" {...part} />
      <ProjectField {...part} now={key.project?.id ?? ''} disabled={!mayManage} />
      <ExpiryField {...part} keeps={keeps} />
      <FurtherFields
        {...part}
        mayManage={mayManage}
        open={restrictionsOf(key).length > 0 || key.scopes.includes('manage') || key.limits !== null}
      />
      <KeyLimitUse of={key} />
    </FormDialog>
  );
}
