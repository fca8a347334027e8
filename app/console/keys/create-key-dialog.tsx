'use client';

import { useState } from 'react';
import { useSWRConfig } from 'swr';
import type { CreatedKeyJson } from '../../../lib/contract/keys';
import type { Mode } from '../../../lib/domain/video';
import { LimitFields, errorOf, errorOfForm } from '../components/policy/policy-fields';
import { usePolicyForm } from '../components/policy/use-policy-form';
import { ChoiceCards } from '../components/ui/choice-cards';
import { FormDialog } from '../components/ui/form-dialog';
import { TextField } from '../components/ui/field';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import { creationOf, fieldOf, newDraft } from './key-draft';
import { ExpiryField, FurtherFields, ProjectField } from './key-fields';
import { RevealKeyDialog } from './reveal-key-dialog';

/**
 * The form for a new key, followed by the dialog that shows the key once. `mode` is preselected. Enter creates the key.
 */
export function CreateKeyDialog({
  mode,
  baseUrl,
  mayManage,
  project = '',
  onClose,
}: {
  /** The id of the preselected project. */
  readonly project?: string;
  readonly mode: Mode;
  readonly baseUrl: string;
  readonly mayManage: boolean;
  onClose(): void;
}) {
  const { mutate } = useSWRConfig();
  const [made, setMade] = useState<CreatedKeyJson>();
  const initial = { ...newDraft(mode, nameFor(mode)), project };
  const form = usePolicyForm(initial, fieldOf, async (draft) => {
    setMade(await send<CreatedKeyJson>('POST', apiPaths.keys(), creationOf(draft, new Date().getTime())));
    await mutate(apiPaths.keys());
  });

  if (made) return <RevealKeyDialog made={made} baseUrl={baseUrl} onClose={onClose} />;
  const { draft, error, change } = form;
  const part = { draft, error, onChange: change };
  return (
    <FormDialog
      title="Create an API key"
      description="The key is shown only once, after you create it."
      error={errorOfForm(error)}
      submitLabel="Create key"
      busy={form.busy}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        required
        maxLength={100}
        data-first
        autoComplete="off"
        placeholder="What will use it?"
        value={draft.name}
        // The default name is selected: Enter accepts it, typing replaces it.
        onFocus={(event) => event.target.select()}
        onChange={(event) => change({ name: event.target.value })}
        error={errorOf(error, 'name')}
      />
      <ChoiceCards<Mode>
        legend="Mode"
        name="mode"
        value={draft.mode}
        onChange={(chosen) =>
          change({ mode: chosen, ...(draft.name === nameFor(draft.mode) ? { name: nameFor(chosen) } : {}) })
        }
        choices={[
          { value: 'test', title: 'Test', description: 'Free, runs in the sandbox' },
          { value: 'live', title: 'Live', description: 'Real providers, real credits' },
        ]}
      />
      <ExpiryField {...part} />
      <LimitFields label="Spend limit in dollars" {...part} />
      <ProjectField {...part} />
      <FurtherFields {...part} mayManage={mayManage} />
    </FormDialog>
  );
}

function nameFor(mode: Mode): string {
  const day = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
  return `${mode === 'test' ? 'Test' : 'Live'} key, ${day}`;
}
