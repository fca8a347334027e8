import { parseUsd, usdText } from './money';
import { tryAgain } from './phrases';

// The limits that keep one tenant from taking what others need. This table is the only list of them: the counters
// (lib/limits), the configuration, the API of keys, the operator's command and the console read it.

interface LimitRule {
  /** The length of the windows in which a rate is counted. Absent: the limit is for what is in use at the same time. */
  readonly windowMs?: number;
  /** The name in the console. */
  readonly label: string;
  /** What is counted. In a sentence it follows the number. */
  readonly noun: string;
  /** The noun after the number 1. Absent if it is the same. */
  readonly one?: string;
  /** What a refused caller can do. Absent for a rate, where waiting is enough. */
  readonly advice?: string;
  /** Counted in billionths of a dollar, and shown in dollars. */
  readonly money?: true;
  /** Whether a key may set its own value. The other limits of keys are set only by the operator. */
  readonly ofKeys?: true;
  /** Whether the limit is for requests by signed links, which have no key. */
  readonly ofLinks?: true;
}

export const limitRules = {
  requests_per_second: {
    label: 'Requests per second',
    windowMs: 1_000,
    noun: 'requests per second',
    one: 'request per second',
    ofKeys: true,
  },
  submits_per_minute: {
    label: 'Submitted videos per minute',
    windowMs: 60_000,
    noun: 'submitted videos per minute',
    one: 'submitted video per minute',
    ofKeys: true,
  },
  spend_per_minute: {
    label: 'Spending per minute in dollars',
    windowMs: 60_000,
    noun: 'of spending per minute',
    money: true,
    ofKeys: true,
  },
  running_videos: {
    label: 'Running videos',
    noun: 'running videos',
    one: 'running video',
    advice: 'Wait until one has finished, or cancel one.',
    ofKeys: true,
  },
  open_streams: {
    label: 'Open streams and sockets',
    noun: 'open streams and sockets',
    one: 'open stream or socket',
    advice: 'Wait until one has ended, or close one.',
    ofKeys: true,
  },
  body_mebibytes: {
    label: 'Request bodies in MiB',
    noun: 'MiB of request bodies at the same time',
    advice: 'Send fewer large requests at the same time, or media as https URLs.',
    ofKeys: true,
  },
  link_requests_per_second: {
    label: 'Requests by signed links per second',
    windowMs: 1_000,
    noun: 'requests by signed links per second',
    one: 'request by signed link per second',
    ofLinks: true,
  },
  open_links: {
    label: 'Downloads by signed links at the same time',
    noun: 'downloads by signed links at the same time',
    one: 'download by signed link at the same time',
    advice: 'Wait until one has ended.',
    ofLinks: true,
  },
  token_counts_per_minute: {
    label: 'Token counts per minute',
    windowMs: 60_000,
    noun: 'count_tokens requests per minute',
    one: 'count_tokens request per minute',
  },
  counted_characters_per_minute: {
    label: 'Counted characters per minute',
    windowMs: 60_000,
    noun: 'characters per minute for count_tokens',
    one: 'character per minute for count_tokens',
  },
} as const satisfies Record<string, LimitRule>;

export type LimitName = keyof typeof limitRules;
export type RateName = {
  [Name in LimitName]: (typeof limitRules)[Name] extends { readonly windowMs: number } ? Name : never;
}[LimitName];
export type KeyLimitName = {
  [Name in LimitName]: (typeof limitRules)[Name] extends { readonly ofKeys: true } ? Name : never;
}[LimitName];

// Safe: the keys of a literal.
export const limitNames = Object.keys(limitRules) as LimitName[];
// Safe: the names are filtered by the property that defines the type.
export const keyLimitNames = limitNames.filter((name) => 'ofKeys' in limitRules[name]) as KeyLimitName[];

export const linkLimitNames = limitNames.filter((name) => 'ofLinks' in limitRules[name]);

/** Whose use is counted. Live and test requests of an organisation are counted separately. */
export type LimitScope = 'key' | 'organization' | 'installation';

/** Limits by name: positive whole numbers, spending in billionths of a dollar. An absent name is not limited. */
export type LimitValues = Readonly<Partial<Record<LimitName, number>>>;

/** Changes to the limits of an organisation: null switches one off, an absent name keeps the configured limit. */
export type LimitOverrides = Readonly<Partial<Record<LimitName, number | null>>>;

/** The limits of a key and of its organisation that differ from the configured ones. */
export interface OwnLimits {
  readonly key?: LimitValues | null;
  readonly organization?: LimitOverrides | null;
}

const MAX_VALUE = 1_000_000_000;

/** Parses one limit (`100`, or dollars such as `2.50` for spending); returns undefined if the text is invalid. */
export function parseLimit(name: LimitName, text: string): number | undefined {
  if (isMoney(name)) {
    if (!/^\d{1,6}(?:\.\d{1,9})?$/.test(text)) return undefined;
    return Number(parseUsd(text)) || undefined;
  }
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= MAX_VALUE ? value : undefined;
}

/** Describes what `parseLimit` accepts, to complete "… must be". */
export function limitForm(name: LimitName): string {
  return isMoney(name)
    ? 'an amount of dollars such as 2.50, at most 999999'
    : `a whole number from 1 to ${MAX_VALUE.toLocaleString('en')}`;
}

/** Returns the value of a limit as the API shows it: a number, or dollars as a decimal string. */
export function shownLimit(name: LimitName, value: number): number | string {
  return isMoney(name) ? usdText(BigInt(Math.round(value))) : value;
}

/**
 * Parses a list such as `requests_per_second=50,open_streams=off`; `off` becomes null. For an invalid list, returns a
 * text that completes "… must be".
 */
export function parseLimitList(text: string): LimitOverrides | string {
  const values: Partial<Record<LimitName, number | null>> = {};
  for (const part of text.split(',').map((each) => each.trim())) {
    if (part === '') continue;
    const [name = '', value = ''] = part.split('=', 2).map((each) => each.trim());
    if (!isLimitName(name))
      return `a list such as requests_per_second=50,open_streams=off, with these names: ${limitNames.join(', ')}`;
    const parsed = value === 'off' ? null : parseLimit(name, value);
    if (parsed === undefined) return `a list in which ${name} is ${limitForm(name)}, or off`;
    values[name] = parsed;
  }
  return values;
}

/** Returns the limits with the changes applied. */
export function withOverrides(limits: LimitValues, overrides: LimitOverrides | null | undefined): LimitValues {
  const values: Partial<Record<LimitName, number>> = {};
  for (const name of limitNames) {
    const value = overrides?.[name] === undefined ? limits[name] : overrides[name];
    if (value !== undefined && value !== null) values[name] = value;
  }
  return values;
}

/** The scopes of a limit of signed links. Their requests have no key. */
export type LinkLimitScope = 'video' | Exclude<LimitScope, 'key'>;

const OWNERS: Readonly<Record<LimitScope | LinkLimitScope, string>> = {
  video: 'This video',
  key: 'This key',
  organization: 'Your organisation',
  installation: 'This installation',
};

/** Returns what follows the value of a limit in a sentence, such as `running videos`, or `running video` for 1. */
export function limitNoun(name: LimitName, value: number): string {
  const { noun, one = noun }: LimitRule = limitRules[name];
  return value === 1 ? one : noun;
}

/** Returns a sentence such as "This key reached its limit of 50 requests per second. Try again in 1 second." */
export function limitSentence(
  name: LimitName,
  scope: LimitScope | LinkLimitScope,
  value: number,
  retryAfterSeconds?: number,
): string {
  const rule: LimitRule = limitRules[name];
  const advice = rule.advice ?? tryAgain(retryAfterSeconds);
  return `${OWNERS[scope]} reached its limit of ${shownWithUnit(name, value)} ${limitNoun(name, value)}. ${advice}`;
}

/**
 * Returns the error message for a price that is above the whole limit, so that waiting does not help. Only videos check
 * spending before they start.
 */
export function priceAboveLimit(price: number, scope: LimitScope, value: number): string {
  const [cost, limit] = [price, value].map((amount) => shownWithUnit('spend_per_minute', amount));
  const owner = OWNERS[scope].replace(/^./, (letter) => letter.toLowerCase());
  return `This video costs ${cost}, more than the ${limit} that ${owner} may spend a minute. Choose a cheaper one, or have the limit raised.`;
}

function shownWithUnit(name: LimitName, value: number): string {
  return isMoney(name) ? `$${shownLimit(name, value)}` : value.toLocaleString('en');
}

export function isLimitName(text: string): text is LimitName {
  return Object.hasOwn(limitRules, text);
}

function isMoney(name: LimitName): boolean {
  return 'money' in limitRules[name];
}
