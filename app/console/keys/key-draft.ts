import type { KeyJson } from '../../../lib/contract/keys';
import { keyLimitNames, type KeyLimitName } from '../../../lib/domain/limits';
import type { Mode } from '../../../lib/domain/video';

// The state of the forms for new and existing keys, and the request that they send.

/** Empty lists mean no restriction. */
export interface KeyDraft {
  readonly name: string;
  readonly mode: Mode;
  /** `keep` (an existing key), `never`, `date`, or a number of days. */
  readonly expiry: string;
  /** For `date`: YYYY-MM-DD, the last day of the key. */
  readonly expiryDate: string;
  readonly amount: string;
  readonly period: string;
  readonly inference: boolean;
  readonly manage: boolean;
  readonly models: readonly string[];
  readonly providers: readonly string[];
  readonly endpoints: readonly string[];
  readonly addresses: readonly string[];
  /** The text of each limit; empty: none of its own. */
  readonly limits: Readonly<Partial<Record<KeyLimitName, string>>>;
}

const DAY_SECONDS = 86_400;

export function newDraft(mode: Mode, name: string): KeyDraft {
  return {
    name,
    mode,
    expiry: 'never',
    expiryDate: '',
    amount: '',
    period: 'monthly',
    inference: true,
    manage: false,
    models: [],
    providers: [],
    endpoints: [],
    addresses: [],
    limits: {},
  };
}

export function draftOf(key: KeyJson): KeyDraft {
  return {
    name: key.name,
    mode: key.mode,
    expiry: 'keep',
    expiryDate: '',
    amount: key.limit ? withCents(key.limit.amount) : '',
    period: key.limit?.period ?? 'monthly',
    inference: key.scopes.includes('inference'),
    manage: key.scopes.includes('manage'),
    models: key.allowed_models ?? [],
    providers: key.allowed_providers ?? [],
    endpoints: key.allowed_endpoints ?? [],
    addresses: key.allowed_addresses ?? [],
    limits: Object.fromEntries(Object.entries(key.limits ?? {}).map(([name, value]) => [name, String(value)])),
  };
}

/** `0.1` → `0.10`. */
function withCents(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/** The body of `POST keys`, without fields at their default. */
export function creationOf(draft: KeyDraft, nowMs: number): Readonly<Record<string, unknown>> {
  const restricted = Object.fromEntries(Object.entries(listsOf(draft)).filter(([, list]) => list !== null));
  return {
    name: draft.name.trim(),
    mode: draft.mode,
    scopes: scopesOf(draft),
    limit: limitOf(draft),
    limits: limitsOf(draft),
    expires_at: expiryOf(draft, nowMs) ?? null,
    ...restricted,
  };
}

/** The body of `PATCH keys/{id}`: all fields of the form. */
export function updateOf(draft: KeyDraft, nowMs: number): Readonly<Record<string, unknown>> {
  const expiry = expiryOf(draft, nowMs);
  return {
    scopes: scopesOf(draft),
    limit: limitOf(draft),
    limits: limitsOf(draft),
    ...listsOf(draft),
    ...(expiry === undefined ? {} : { expires_at: expiry }),
  };
}

function scopesOf({ inference, manage, mode }: KeyDraft): readonly string[] {
  return [...(inference ? ['inference'] : []), ...(manage && mode === 'live' ? ['manage'] : [])];
}

function limitOf({ amount, period }: KeyDraft) {
  const dollars = amount.trim().replace(/^\$\s*/, '');
  return dollars === '' ? null : { amount: dollars, period };
}

/** A text that is no number is sent as it is, so that the server names the field and what it accepts. */
function limitsOf({ limits }: KeyDraft): Readonly<Record<string, number | string>> | null {
  const values = keyLimitNames.flatMap((name) => {
    const text = (limits[name] ?? '').trim();
    if (text === '') return [];
    const isNumber = name !== 'spend_per_minute' && /^\d+$/.test(text);
    return [[name, isNumber ? Number(text) : text.replace(/^\$\s*/, '')] as const];
  });
  return values.length === 0 ? null : Object.fromEntries(values);
}

/** Undefined: unchanged. */
function expiryOf({ expiry, expiryDate }: KeyDraft, nowMs: number): number | string | null | undefined {
  if (expiry === 'keep') return undefined;
  if (expiry === 'never') return null;
  // The key is valid until the end of that day.
  if (expiry === 'date') return `${expiryDate}T23:59:59Z`;
  return Math.floor(nowMs / 1000) + Number(expiry) * DAY_SECONDS;
}

function listsOf({ models, providers, endpoints, addresses }: KeyDraft) {
  const list = (values: readonly string[]) => (values.length === 0 ? null : values);
  return {
    allowed_models: list(models),
    allowed_providers: list(providers),
    allowed_endpoints: list(endpoints),
    allowed_addresses: list(addresses),
  };
}

/** The form field of a request parameter; undefined for an error of the whole form. */
export function fieldOf(param: string | undefined): string | undefined {
  if (param === undefined) return undefined;
  if (param.startsWith('limits.')) return param;
  const name = param.replace(/[.[].*$/, '');
  if (param === 'limit.period') return 'period';
  return FIELDS.has(name) ? name : undefined;
}

const FIELDS: ReadonlySet<string> = new Set([
  'name',
  'limit',
  'expires_at',
  'scopes',
  'allowed_models',
  'allowed_providers',
  'allowed_endpoints',
  'allowed_addresses',
]);

/** The fields below "More options". */
export function isFurtherField(field: string | undefined): boolean {
  return field === 'scopes' || /^(?:allowed_|limits\.)/.test(field ?? '');
}
