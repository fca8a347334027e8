import type { SpendLimitJson } from '../../../../lib/contract/keys';
import type { PolicyFieldsJson } from '../../../../lib/contract/policies';
import { parseUsd } from '../../../../lib/domain/money';

// What the forms of keys, projects and the organisation have in common: a policy and a spend limit.

/** Empty lists and texts mean no restriction. */
export interface PolicyDraft {
  readonly models: readonly string[];
  readonly providers: readonly string[];
  readonly regions: readonly string[];
  readonly endpoints: readonly string[];
  readonly addresses: readonly string[];
  /** Dollars. */
  readonly maxRequest: string;
  readonly maxMinute: string;
}

export interface LimitDraft {
  readonly amount: string;
  readonly period: string;
}

export const openPolicyDraft: PolicyDraft = {
  models: [],
  providers: [],
  regions: [],
  endpoints: [],
  addresses: [],
  maxRequest: '',
  maxMinute: '',
};

export function policyDraftOf(policy: PolicyFieldsJson): PolicyDraft {
  return {
    models: policy.allowed_models ?? [],
    providers: policy.allowed_providers ?? [],
    regions: policy.allowed_regions ?? [],
    endpoints: policy.allowed_endpoints ?? [],
    addresses: policy.allowed_addresses ?? [],
    maxRequest: policy.max_price_per_request ?? '',
    maxMinute: policy.max_price_per_minute ?? '',
  };
}

export function limitDraftOf(limit: SpendLimitJson | null): LimitDraft {
  return { amount: limit ? withCents(limit.amount) : '', period: limit?.period ?? 'monthly' };
}

/** Pads an amount to cents: `0.1` → `0.10`. */
function withCents(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/** Returns the fields of the request that sets the policy. */
export function policyOf({ models, providers, regions, endpoints, addresses, maxRequest, maxMinute }: PolicyDraft) {
  const list = (values: readonly string[]) => (values.length === 0 ? null : values);
  return {
    allowed_models: list(models),
    allowed_providers: list(providers),
    allowed_regions: list(regions),
    allowed_endpoints: list(endpoints),
    allowed_addresses: list(addresses),
    max_price_per_request: dollarsOf(maxRequest),
    max_price_per_minute: dollarsOf(maxMinute),
  };
}

export function limitOf({ amount, period }: LimitDraft) {
  const dollars = dollarsOf(amount);
  return dollars === null ? null : { amount: dollars, period };
}

/** Returns the amount without blanks and dollar sign; null for an empty field. */
export function dollarsOf(text: string): string | null {
  return text.trim().replace(/^\$\s*/, '') || null;
}

/** Returns the form error for a text that the server would refuse as an amount; undefined for a valid or empty text. */
export function amountErrorOf(text: string): string | undefined {
  const dollars = dollarsOf(text);
  if (dollars === null) return undefined;
  try {
    return parseUsd(dollars) > MAX_AMOUNT ? 'Enter an amount of at most 1000000000.' : undefined;
  } catch {
    return 'Enter an amount such as 25.00.';
  }
}

const MAX_AMOUNT = parseUsd('1000000000');

/** The amount fields that a form may have. */
export interface AmountDraft extends Partial<PolicyDraft & LimitDraft> {
  readonly limits?: Readonly<Partial<Record<string, string>>>;
}

/**
 * Returns the first amount field that the server would refuse, with its error. The form checks amounts itself, because
 * the error of the server would name parameters that the form does not show.
 */
export function amountErrorIn(draft: AmountDraft): { readonly field: string; readonly message: string } | undefined {
  const amounts = {
    limit: draft.amount,
    max_price_per_request: draft.maxRequest,
    max_price_per_minute: draft.maxMinute,
    'limits.spend_per_minute': draft.limits?.spend_per_minute,
  };
  for (const [field, text = ''] of Object.entries(amounts)) {
    const message = amountErrorOf(text);
    if (message !== undefined) return { field, message };
  }
  return undefined;
}

/** Returns the form field of a policy or limit parameter; undefined for an error of the whole form. */
export function policyFieldOf(param: string | undefined): string | undefined {
  if (param === 'limit.period') return 'period';
  const name = param?.replace(/[.[].*$/, '');
  return FIELDS.find((field) => field === name);
}

const FIELDS = [
  'name',
  'limit',
  'allowed_models',
  'allowed_providers',
  'allowed_regions',
  'allowed_endpoints',
  'allowed_addresses',
  'max_price_per_request',
  'max_price_per_minute',
] as const;

export interface Restriction {
  readonly label: string;
  readonly only: readonly string[];
}

/** Returns what a policy restricts, in words; empty if it allows everything. */
export function policyRestrictions(policy: PolicyFieldsJson): readonly Restriction[] {
  const price = (amount: string | null, unit: string) => (amount === null ? null : [`$${withCents(amount)} ${unit}`]);
  const lists: readonly (readonly [string, readonly string[] | null])[] = [
    ['Only models', policy.allowed_models],
    ['Only providers', policy.allowed_providers],
    ['Only data regions', policy.allowed_regions],
    ['Only endpoints', policy.allowed_endpoints],
    ['Only from', policy.allowed_addresses],
    ['Price at most', price(policy.max_price_per_request, 'per request')],
    ['Transcription at most', price(policy.max_price_per_minute, 'per minute')],
  ];
  return lists.flatMap(([label, only]) => (only === null ? [] : [{ label, only }]));
}
