'use client';

import { ChevronRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import useSWR from 'swr';
import type { ProjectListJson } from '../../../lib/contract/projects';
import { errorOf, PolicyFields, type FormPart } from '../components/policy/policy-fields';
import { TextField } from '../components/ui/field';
import { SelectField } from '../components/ui/select';
import { ask } from '../console-api';
import { apiPaths } from '../api-paths';
import { keyLimitNames, limitRules } from '../../../lib/domain/limits';
import { isFurtherField, type KeyDraft } from './key-draft';

type Part = FormPart<KeyDraft>;

const EXPIRIES = [
  ['never', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
  ['date', 'On a date…'],
] as const;

/** Selects the expiry of a key. `keeps` is the label of the option that leaves it unchanged. */
export function ExpiryField({ draft, error, onChange, keeps }: Part & { readonly keeps?: string }) {
  const fieldError = errorOf(error, 'expires_at');
  const isDate = draft.expiry === 'date';
  return (
    <div className={isDate ? 'grid grid-cols-2 gap-3' : undefined}>
      <SelectField
        label="Expires"
        name={isDate ? 'expiry' : 'expires_at'}
        value={draft.expiry}
        onChange={(event) => onChange({ expiry: event.target.value })}
      >
        {keeps !== undefined && <option value="keep">{keeps}</option>}
        {EXPIRIES.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {isDate && (
        <TextField
          label="Last day, UTC"
          name="expires_at"
          type="date"
          required
          value={draft.expiryDate}
          onChange={(event) => onChange({ expiryDate: event.target.value })}
          error={fieldError}
        />
      )}
      {!isDate && fieldError && <p className="mt-1.5 text-xs text-bad">{fieldError}</p>}
    </div>
  );
}

/**
 * Selects the project of the key. `now` is the current project of an existing key; only owners and admins can change
 * it.
 */
export function ProjectField({
  draft,
  error,
  onChange,
  now = '',
  disabled = false,
}: Part & { readonly now?: string; readonly disabled?: boolean }) {
  const { data } = useSWR(apiPaths.projects(draft.mode), (path) => ask<ProjectListJson>(path));
  const projects = data?.data ?? [];
  // Without projects there is nothing to choose from.
  if (data && projects.length === 0) return null;
  return (
    <div>
      <SelectField
        label="Project"
        name="project"
        value={draft.project ?? now}
        disabled={disabled}
        onChange={(event) => onChange({ project: event.target.value })}
      >
        <option value="">No project</option>
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <p className={errorOf(error, 'project') ? 'mt-1.5 text-xs text-bad' : 'mt-1.5 text-xs text-muted'}>
        {errorOf(error, 'project') ??
          (disabled
            ? 'Only owners and admins can move a key.'
            : 'The key spends the budget of its project, and obeys its policy.')}
      </p>
    </div>
  );
}

/** Less common restrictions, collapsed until the user opens them or one of them has an error. */
export function FurtherFields({
  open: initiallyOpen = false,
  mayManage,
  ...part
}: Part & { readonly open?: boolean; readonly mayManage: boolean }) {
  const { draft, error, onChange } = part;
  const [open, setOpen] = useState(initiallyOpen);
  const isOpen = open || isFurtherField(error?.field);
  return (
    <div className="border-t border-line pt-3">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="-mx-1 flex min-h-8 items-center gap-1 rounded-md px-1 text-sm font-medium text-muted hover:text-ink max-sm:min-h-11"
      >
        <ChevronRight
          size={14}
          aria-hidden="true"
          className={isOpen ? 'rotate-90 transition-transform' : 'transition-transform'}
        />{' '}
        More options
      </button>
      {isOpen && (
        <div className="mt-3 flex flex-col gap-4">
          <fieldset>
            <legend className="mb-1.5 text-sm font-medium">Scopes</legend>
            <div className="flex flex-col gap-2.5">
              <Scope
                name="inference"
                label="Use models"
                hint="Scope “inference”: all endpoints below /v1."
                checked={draft.inference}
                onChange={(inference) => onChange({ inference })}
              />
              {draft.mode === 'live' && (
                <Scope
                  name="manage"
                  label="Manage this organisation"
                  hint={`Scope “manage”: keys, videos, webhook secret and deliveries, through the API.${mayManage ? '' : ' Only owners and admins can grant it.'}`}
                  checked={draft.manage}
                  disabled={!mayManage && !draft.manage}
                  onChange={(manage) => onChange({ manage })}
                />
              )}
            </div>
            {error?.field === 'scopes' && (
              <p role="alert" className="mt-1.5 text-xs text-bad">
                {error.message}
              </p>
            )}
          </fieldset>
          <PolicyFields {...part} />
          <RateFields {...part} />
        </div>
      )}
    </div>
  );
}

/** The key's own limits. If a field is empty, the limit of the organisation applies. */
function RateFields({ draft, error, onChange }: Part) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Limits of this key</legend>
      <p className="mb-3 text-xs text-muted">Within the limits of the organisation, which apply to empty fields.</p>
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        {keyLimitNames.map((name) => (
          <TextField
            key={name}
            label={limitRules[name].label}
            name={`limits.${name}`}
            inputMode={name === 'spend_per_minute' ? 'decimal' : 'numeric'}
            autoComplete="off"
            placeholder="No limit"
            value={draft.limits[name] ?? ''}
            onChange={(event) => onChange({ limits: { ...draft.limits, [name]: event.target.value } })}
            error={errorOf(error, `limits.${name}`)}
          />
        ))}
      </div>
    </fieldset>
  );
}

function Scope({
  name,
  label,
  hint,
  checked,
  disabled = false,
  onChange,
}: {
  readonly name: string;
  readonly label: ReactNode;
  readonly hint: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  onChange(checked: boolean): void;
}) {
  return (
    <label className="flex items-start gap-2.5 text-sm max-sm:min-h-11">
      <input
        type="checkbox"
        name={name === 'inference' ? 'scopes' : name}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-(--accent)"
      />
      <span>
        {label}
        <span className="block text-xs text-muted">{hint}</span>
      </span>
    </label>
  );
}
