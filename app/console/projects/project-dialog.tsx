'use client';

import type { ProjectJson } from '../../../lib/contract/projects';
import type { Mode } from '../../../lib/domain/video';
import {
  limitDraftOf,
  limitOf,
  openPolicyDraft,
  policyDraftOf,
  policyFieldOf,
  policyOf,
  type LimitDraft,
  type PolicyDraft,
} from '../components/policy/policy-draft';
import { LimitFields, PolicyFields, errorOf, errorOfForm } from '../components/policy/policy-fields';
import { usePolicyForm } from '../components/policy/use-policy-form';
import { FormDialog } from '../components/ui/form-dialog';
import { TextField } from '../components/ui/field';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

interface ProjectDraft extends LimitDraft, PolicyDraft {
  readonly name: string;
}

/** Creates a project, or changes one. */
export function ProjectDialog({
  mode,
  of: project,
  onSaved,
  onClose,
}: {
  readonly mode: Mode;
  /** The project to change; absent to create one. */
  readonly of?: ProjectJson;
  onSaved(): Promise<unknown>;
  onClose(): void;
}) {
  const initial: ProjectDraft = {
    name: project?.name ?? '',
    ...limitDraftOf(project?.limit ?? null),
    ...(project ? policyDraftOf(project) : openPolicyDraft),
  };
  const { draft, error, busy, change, submit } = usePolicyForm(initial, policyFieldOf, async (wanted) => {
    const body = { name: wanted.name.trim(), limit: limitOf(wanted), ...policyOf(wanted) };
    if (project) await send('PATCH', apiPaths.project(project.id, mode), body);
    else await send('POST', apiPaths.projects(mode), body);
    await onSaved();
    onClose();
  });
  const part = { draft, error, onChange: change };
  return (
    <FormDialog
      title={project ? `Edit “${project.name}”` : 'Create a project'}
      description={
        project
          ? 'Changes take effect within 5 seconds, also for running apps.'
          : 'Its keys share one budget and obey its policy.'
      }
      error={errorOfForm(error)}
      submitLabel={project ? 'Save' : 'Create project'}
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        required
        maxLength={100}
        data-first
        autoComplete="off"
        placeholder="An app or a team"
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
        error={errorOf(error, 'name')}
      />
      <LimitFields label="Budget in dollars" {...part} />
      <p className="-mt-2 text-xs text-muted">Live and test credits are counted separately.</p>
      <PolicyFields {...part} />
    </FormDialog>
  );
}
