import { liesWithin, parseRange, type AddressRange } from './address-range';
import type { BindingIdentity } from './binding';
import type { ErrorCode } from './error-rules';
import type { ProviderId } from './ids';
import { usdText, type NanoUsd } from './money';

// What an organisation, a project and a key allow. The levels narrow each other: each of them must allow everything
// that a request uses. `decide` is the only place that compares a request with a policy; admission, routing, the list
// of models and the simulator call it.

/** What one level allows. An absent list allows everything; an absent price means no ceiling. */
export interface PolicyRules {
  /** Catalog ids. */
  readonly allowedModels?: readonly string[];
  readonly allowedProviders?: readonly ProviderId[];
  /** Where providers process data, as the operator states it (PROVIDER_REGIONS), such as `eu`. */
  readonly allowedRegions?: readonly string[];
  /** Path prefixes below `/v1`, such as `/v1/videos`. */
  readonly allowedEndpoints?: readonly string[];
  readonly allowedAddresses?: readonly AddressRange[];
  /** The highest price of one video, message or spoken text. */
  readonly maxRequestNanoUsd?: NanoUsd;
  /** The highest price of a minute of transcription. */
  readonly maxMinuteNanoUsd?: NanoUsd;
}

/** From the widest to the narrowest. If several levels refuse a request, the first one is named. */
export const policyLevels = ['organization', 'project', 'key'] as const;
export type PolicyLevelName = (typeof policyLevels)[number];

export interface PolicyLevel {
  readonly level: PolicyLevelName;
  /** The name of the project. */
  readonly name?: string;
  readonly rules: PolicyRules;
}

/** In the order in which a request is compared with them. */
export const policyRules = ['address', 'endpoint', 'model', 'provider', 'region', 'price'] as const;
export type PolicyRule = (typeof policyRules)[number];

export interface Price {
  /** Transcriptions have a price per minute, all other work one per request. */
  readonly per: 'request' | 'minute';
  readonly amount: NanoUsd;
}

/** The known facts of a request; an absent fact is not compared. */
export interface RequestFacts {
  /** The path, such as `/v1/videos/video_…`. */
  readonly endpoint?: string;
  /** The client's network address. */
  readonly address?: string;
  /** The catalog id, not an alias. */
  readonly model?: string;
  readonly provider?: ProviderId;
  /** The region of the provider; absent if the operator has stated none. Compared together with `provider`. */
  readonly region?: string | undefined;
  readonly price?: Price;
}

export interface PolicyRefusal {
  readonly rule: PolicyRule;
  readonly level: PolicyLevelName;
  readonly sentence: string;
}

/** The error code of each rule. */
export const refusalCodes = {
  endpoint: 'endpoint_not_allowed',
  address: 'ip_not_allowed',
  model: 'model_not_allowed',
  provider: 'provider_not_allowed',
  region: 'provider_not_allowed',
  price: 'price_not_allowed',
} as const satisfies Readonly<Record<PolicyRule, ErrorCode>>;

/** Returns the first rule that does not allow the request; undefined if all levels allow it. */
export function decide(levels: readonly PolicyLevel[], facts: RequestFacts): PolicyRefusal | undefined {
  for (const rule of policyRules)
    for (const level of levels)
      if (!allows(level.rules, rule, facts))
        return { rule, level: level.level, sentence: sentenceOf(level, rule, facts) };
  return undefined;
}

function allows(
  rules: PolicyRules,
  rule: PolicyRule,
  { endpoint, address, model, provider, region, price }: RequestFacts,
): boolean {
  switch (rule) {
    case 'endpoint':
      return endpoint === undefined || (rules.allowedEndpoints?.some((prefix) => covers(prefix, endpoint)) ?? true);
    case 'address':
      return address === undefined || !rules.allowedAddresses || liesWithin(rules.allowedAddresses, address);
    case 'model':
      return model === undefined || (rules.allowedModels?.includes(model) ?? true);
    case 'provider':
      return provider === undefined || (rules.allowedProviders?.includes(provider) ?? true);
    case 'region':
      // An unknown region is not allowed.
      return provider === undefined || !rules.allowedRegions || rules.allowedRegions.includes(region ?? '');
    case 'price': {
      if (!price) return true;
      const max = ceilingOf(rules, price.per);
      return max === undefined || price.amount <= max;
    }
  }
}

/** Whether the prefix covers the path by whole segments: `/v1/video` does not cover `/v1/videos`. */
export function covers(prefix: string, path: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

function ceilingOf(rules: PolicyRules, per: Price['per']): NanoUsd | undefined {
  return per === 'request' ? rules.maxRequestNanoUsd : rules.maxMinuteNanoUsd;
}

/** Whether any level has a ceiling for prices of this kind. */
export function hasCeiling(levels: readonly PolicyLevel[], per: Price['per']): boolean {
  return levels.some(({ rules }) => ceilingOf(rules, per) !== undefined);
}

/** The bindings of a model that the levels allow, and the refusals of the others, in the same order. */
export interface ProviderChoice<B> {
  readonly allowed: readonly B[];
  readonly refused: readonly { readonly binding: B; readonly refusal: PolicyRefusal }[];
  /** Present if there are bindings and none is allowed: the level that excludes the last of them. */
  readonly refusal?: PolicyRefusal;
}

/** Returns the bindings that every level allows, and the first refusal of each other binding. */
export function chooseProviders<B extends Pick<BindingIdentity, 'providerId' | 'region'>>(
  levels: readonly PolicyLevel[],
  bindings: readonly B[],
): ProviderChoice<B> {
  if (levels.every(({ rules }) => !rules.allowedProviders && !rules.allowedRegions))
    return { allowed: bindings, refused: [] };
  const refused: { binding: B; refusal: PolicyRefusal }[] = [];
  let allowed = bindings;
  let last: { readonly level: PolicyLevel; readonly rule: PolicyRule } | undefined;
  for (const level of levels) {
    const left = allowed.filter((binding) => {
      const refusal = decide([level], { provider: binding.providerId, region: binding.region });
      if (refusal) refused.push({ binding, refusal });
      return !refusal;
    });
    if (left.length === 0 && allowed.length > 0) last = { level, rule: refused.at(-1)?.refusal.rule ?? 'provider' };
    allowed = left;
  }
  if (!last) return { allowed, refused };
  return {
    allowed,
    refused,
    refusal: { rule: last.rule, level: last.level.level, sentence: sentenceOf(last.level, last.rule, {}) },
  };
}

/** The console's names for the settings of each rule. */
const settings = {
  address: 'allowed addresses',
  endpoint: 'allowed endpoints',
  model: 'allowed models',
  provider: 'allowed providers',
  region: 'allowed data regions',
  price: 'price ceiling',
} as const satisfies Readonly<Record<PolicyRule, string>>;

/** Returns a sentence that says which level does not allow what, and where to change it. */
function sentenceOf({ level, name }: PolicyLevel, rule: PolicyRule, facts: RequestFacts): string {
  const setting = settings[rule];
  switch (level) {
    case 'key':
      return `This key ${notAllowed(rule, facts)}. Use another key, or change its ${setting} in the console under API keys.`;
    case 'project':
      return `The project “${name ?? ''}” ${notAllowed(rule, facts)}. Use a key of another project, or ask an owner or admin to change the project's ${setting} in the console under Projects.`;
    case 'organization':
      return `Your organisation ${notAllowed(rule, facts)}. Ask an owner or admin to change its ${setting} in the console under Policies.`;
  }
}

function notAllowed(rule: PolicyRule, { model, provider, region, price }: RequestFacts): string {
  switch (rule) {
    case 'endpoint':
      return 'may not be used for this endpoint';
    case 'address':
      return 'may not be used from your network address';
    case 'model':
      return `may not use the model ${model ?? ''}`;
    case 'provider':
      return provider === undefined
        ? 'may not use any provider that serves this model'
        : `may not use the provider ${provider}`;
    case 'region':
      return provider === undefined
        ? 'may not use the data region of any provider that serves this model'
        : region === undefined
          ? `may not use the provider ${provider}, whose data region is not stated`
          : `may not use the provider ${provider}, whose data region is ${region}`;
    case 'price': {
      const amount = `$${usdText(price?.amount ?? 0n)}`;
      return price?.per === 'minute'
        ? `may not pay ${amount} per minute of audio, which is above its price ceiling`
        : `may not pay ${amount} for one request, which is above its price ceiling`;
    }
  }
}

/** The columns of a level in the database. */
export interface PolicyColumns {
  readonly allowedModels: string[] | null;
  readonly allowedProviders: string[] | null;
  readonly allowedRegions: string[] | null;
  readonly allowedEndpoints: string[] | null;
  readonly allowedAddresses: string[] | null;
  readonly maxRequestNanoUsd: NanoUsd | null;
  readonly maxMinuteNanoUsd: NanoUsd | null;
}

/** Returns the rules in a row. A column that is null allows everything. */
export function rulesOf(row: PolicyColumns): PolicyRules {
  return {
    ...(row.allowedModels && { allowedModels: row.allowedModels }),
    ...(row.allowedProviders && { allowedProviders: row.allowedProviders }),
    ...(row.allowedRegions && { allowedRegions: row.allowedRegions }),
    ...(row.allowedEndpoints && { allowedEndpoints: row.allowedEndpoints }),
    ...(row.allowedAddresses && { allowedAddresses: row.allowedAddresses.map(parseRange) }),
    ...(row.maxRequestNanoUsd !== null && { maxRequestNanoUsd: row.maxRequestNanoUsd }),
    ...(row.maxMinuteNanoUsd !== null && { maxMinuteNanoUsd: row.maxMinuteNanoUsd }),
  };
}

/** Returns the levels of a key, widest first, without those that allow everything. */
export function levelsOf(rows: {
  readonly organization: PolicyColumns;
  readonly project?: (PolicyColumns & { readonly name: string }) | null;
  readonly key?: PolicyColumns;
}): readonly PolicyLevel[] {
  const { organization, project, key } = rows;
  const levels: PolicyLevel[] = [{ level: 'organization', rules: rulesOf(organization) }];
  if (project) levels.push({ level: 'project', name: project.name, rules: rulesOf(project) });
  if (key) levels.push({ level: 'key', rules: rulesOf(key) });
  return levels.filter(({ rules }) => Object.keys(rules).length > 0);
}
