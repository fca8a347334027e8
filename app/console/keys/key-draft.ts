import type { KeyJson } from '../../../lib/contract/keys';
import { keyLimitNames, type KeyLimitName } from '../../../lib/domain/limits';
import type { Mode } from '../../../lib/domain/video';
import {
  dollarsOf,
  limitDraftOf,
  limitOf,
  openPolicyDraft,
  policyDraftOf,
  policyFieldOf,
  policyOf,
  type LimitDraft,
  type PolicyDraft,
} from '../components/policy/policy-draft';

// The state of the forms for new and existing keys, and the request that they send.

export interface KeyDraft extends PolicyDraft, LimitDraft {
  readonly name: string;
  readonly mode: Mode;
  /** `keep` (an existing key), `never`, `date`, or a number of days. */
  readonly expiry: string;
  /** For `date`: YYYY-MM-DD, the last day of the key. */
  readonly expiryDate: string;
  /** The id of a project, or empty; undefined leaves the project of an existing key as it is. */
  readonly project: string | undefined;
  readonly inference: boolean;
  readonly manage: boolean;
  /** The text of each limit; empty if the key has none of its own. */
  readonly limits: Readonly<Partial<Record<KeyLimitName, string>>>;
}

const DAY_SECONDS = 86_400;

export function newDraft(mode: Mode, name: string): KeyDraft {
  return {
    name,
    mode,
    expiry: 'never',
    expiryDate: '',
    ...limitDraftOf(null),
    project: '',
    inference: true,
    manage: false,
    ...openPolicyDraft,
    limits: {},
  };
}

export function draftOf(key: KeyJson): KeyDraft {
  return {
    name: key.name,
    mode: key.mode,
    expiry: 'keep',
    expiryDate: '',
    ...limitDraftOf(key.limit),
    project: undefined,
    inference: key.scopes.includes('inference'),
    manage: key.scopes.includes('manage'),
    ...policyDraftOf(key),
    limits: Object.fromEntries(Object.entries(key.limits ?? {}).map(([name, value]) => [name, String(value)])),
  };
}

/** Returns the body that creates the key. Unset restrictions are omitted. */
export function creationOf(draft: KeyDraft, nowMs: number): Readonly<Record<string, unknown>> {
  const restricted = Object.fromEntries(Object.entries(policyOf(draft)).filter(([, value]) => value !== null));
  return {
    name: draft.name.trim(),
    mode: draft.mode,
    scopes: scopesOf(draft),
    limit: limitOf(draft),
    limits: limitsOf(draft),
    expires_at: expiryOf(draft, nowMs) ?? null,
    ...(draft.project ? { project: draft.project } : {}),
    ...restricted,
  };
}

/** Returns the body that updates the key, with all fields of the form. */
export function updateOf(draft: KeyDraft, nowMs: number): Readonly<Record<string, unknown>> {
  const expiry = expiryOf(draft, nowMs);
  return {
    scopes: scopesOf(draft),
    limit: limitOf(draft),
    limits: limitsOf(draft),
    ...policyOf(draft),
    ...(draft.project === undefined ? {} : { project: draft.project || null }),
    ...(expiry === undefined ? {} : { expires_at: expiry }),
  };
}

function scopesOf({ inference, manage, mode }: KeyDraft): readonly string[] {
  return [...(inference ? ['inference'] : []), ...(manage && mode === 'live' ? ['manage'] : [])];
}

/**
 * Returns the limits of the form; null if it has none. Text that is not a number is sent as it is, so that the error of
 * the server names the field and what it accepts.
 */
function limitsOf({ limits }: KeyDraft): Readonly<Record<string, number | string>> | null {
  const values = keyLimitNames.flatMap((name) => {
    const text = dollarsOf(limits[name] ?? '');
    if (text === null) return [];
    const isNumber = name !== 'spend_per_minute' && /^\d+$/.test(text);
    return [[name, isNumber ? Number(text) : text] as const];
  });
  return values.length === 0 ? null : Object.fromEntries(values);
}

/** Returns Unix seconds or an ISO time; null for never, undefined to leave the expiry unchanged. */
function expiryOf({ expiry, expiryDate }: KeyDraft, nowMs: number): number | string | null | undefined {
  if (expiry === 'keep') return undefined;
  if (expiry === 'never') return null;
  // The key is valid until the end of that day.
  if (expiry === 'date') return `${expiryDate}T23:59:59Z`;
  return Math.floor(nowMs / 1000) + Number(expiry) * DAY_SECONDS;
}

/** Returns the form field of a request parameter; undefined for an error of the whole form. */
export function fieldOf(param: string | undefined): string | undefined {
  if (param === undefined) return undefined;
  if (param.startsWith('limits.')) return param;
  return FIELDS.find((field) => param === field) ?? policyFieldOf(param);
}

const FIELDS = ['expires_at', 'scopes', 'project'] as const;

/** Whether the field is below "More options". */
export function isFurtherField(field: string | undefined): boolean {
  return field === 'scopes' || /^(?:allowed_|max_price_|limits\.)/.test(field ?? '');
}
