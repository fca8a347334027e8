'use client';

import useSWR from 'swr';
import type { ModelPageJson } from '../../../../lib/contract/models';
import { ask } from '../../console-api';
import { apiPaths } from '../../api-paths';
import { DollarField } from '../ui/field';
import { SelectField } from '../ui/select';
import { TokenField } from '../ui/token-field';
import type { LimitDraft, PolicyDraft } from './policy-draft';
import { policyNamesOf, unknownNames } from './unknown-names';
import type { PolicyFormError } from './use-policy-form';

/** What the fields of a form share. */
export interface FormPart<Draft> {
  readonly draft: Draft;
  readonly error: PolicyFormError | undefined;
  onChange(changes: Partial<Draft>): void;
}

export const errorOf = (error: PolicyFormError | undefined, field: string) =>
  error?.field === field ? error.message : undefined;

/** Returns the message of an error that belongs to no field. */
export const errorOfForm = (error: PolicyFormError | undefined) =>
  error && error.field === undefined ? error.message : undefined;

const ENDPOINTS = [
  '/v1/videos',
  '/v1/messages',
  '/v1/audio/speech',
  '/v1/audio/transcriptions',
  '/v1/models',
  '/v1/credits',
];

/** Models, providers and regions are suggested from the catalog, which is loaded when the fields are shown. */
export function PolicyFields({ draft, error, onChange }: FormPart<PolicyDraft>) {
  const { data } = useSWR(apiPaths.catalog(), (path) => ask<ModelPageJson>(path), { revalidateOnFocus: false });
  const known = data && policyNamesOf(data.data);
  return (
    <>
      <TokenField
        label="Allowed models"
        name="allowed_models"
        values={draft.models}
        onChange={(chosen) => onChange({ models: chosen })}
        suggestions={known?.models ?? []}
        placeholder="All models"
        hint="Model ids, such as sandbox-t2v."
        error={errorOf(error, 'allowed_models')}
        warning={unknownNames('models', draft.models, known)}
      />
      <TokenField
        label="Allowed providers"
        name="allowed_providers"
        values={draft.providers}
        onChange={(chosen) => onChange({ providers: chosen })}
        suggestions={known?.providers ?? []}
        placeholder="All providers"
        hint="Provider ids, such as sandbox. Each model is served only by its providers that are listed here."
        error={errorOf(error, 'allowed_providers')}
        warning={unknownNames('providers', draft.providers, known)}
      />
      <TokenField
        label="Allowed data regions"
        name="allowed_regions"
        values={draft.regions}
        onChange={(chosen) => onChange({ regions: chosen })}
        suggestions={known?.regions ?? []}
        placeholder="All regions"
        hint="Where providers process data, as the operator states it. A provider without a region is not used."
        error={errorOf(error, 'allowed_regions')}
        warning={unknownNames('regions', draft.regions, known)}
      />
      <TokenField
        label="Allowed endpoints"
        name="allowed_endpoints"
        values={draft.endpoints}
        onChange={(endpoints) => onChange({ endpoints })}
        suggestions={ENDPOINTS}
        placeholder="All endpoints"
        hint="Path prefixes, such as /v1/videos."
        error={errorOf(error, 'allowed_endpoints')}
      />
      <TokenField
        label="Allowed addresses"
        name="allowed_addresses"
        values={draft.addresses}
        onChange={(addresses) => onChange({ addresses })}
        placeholder="All addresses"
        hint="IP addresses or ranges, such as 203.0.113.7 or 203.0.113.0/24."
        error={errorOf(error, 'allowed_addresses')}
      />
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <DollarField
          label="Highest price of a request, in dollars"
          name="max_price_per_request"
          placeholder="No ceiling"
          hint="A video, a message or a spoken text."
          value={draft.maxRequest}
          onChange={(event) => onChange({ maxRequest: event.target.value })}
          error={errorOf(error, 'max_price_per_request')}
        />
        <DollarField
          label="Highest price of a minute, in dollars"
          name="max_price_per_minute"
          placeholder="No ceiling"
          hint="Of a transcription."
          value={draft.maxMinute}
          onChange={(event) => onChange({ maxMinute: event.target.value })}
          error={errorOf(error, 'max_price_per_minute')}
        />
      </div>
    </>
  );
}

const PERIODS = [
  ['monthly', 'month'],
  ['weekly', 'week'],
  ['daily', 'day'],
  ['total', 'in total'],
] as const;

/** An amount and its period. */
export function LimitFields({ label, draft, error, onChange }: FormPart<LimitDraft> & { readonly label: string }) {
  return (
    <div className="grid grid-cols-[1fr_auto] gap-3">
      <DollarField
        label={label}
        name="limit"
        placeholder="No limit"
        value={draft.amount}
        onChange={(event) => onChange({ amount: event.target.value })}
        error={errorOf(error, 'limit')}
      />
      <SelectField
        label="Per"
        name="period"
        value={draft.period}
        onChange={(event) => onChange({ period: event.target.value })}
      >
        {PERIODS.map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
