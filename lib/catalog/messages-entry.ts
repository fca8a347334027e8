import type { MessagesBinding, MessagesFacts, MessagesRate } from '../domain/messages';
import type { MessagesModel, Modality } from '../domain/model';
import type { Stability } from '../domain/binding';
import type { ProviderId } from '../domain/ids';
import { parsePrice } from '../domain/money';

// How a family's file declares a text model: prices as decimal strings of dollars for a million tokens, as vendors
// publish them, with one binding for each provider.

export interface MessagesModelEntry {
  readonly id: string;
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Facts only: one or two sentences. */
  readonly description: string;
  readonly family: string;
  /** Unix seconds. */
  readonly created: number;
  /** Absent: text only. */
  readonly inputModalities?: readonly Modality[];
  readonly facts: MessagesFacts;
  readonly bindings: readonly MessagesBindingEntry[];
  readonly stability?: Stability;
  readonly deprecatedAt?: string;
  readonly deactivatedAt?: string;
  readonly replacements?: readonly string[];
}

export interface MessagesBindingEntry extends Pick<
  MessagesBinding,
  'maxOutputTokens' | 'thinkingReplay' | 'unmoderated' | 'keepsRunning'
> {
  readonly providerId: ProviderId;
  readonly modelName: string;
  readonly price: MessagesPriceEntry;
  /** Absent: true. */
  readonly parallelTools?: boolean;
  /** Absent: false. */
  readonly webSearch?: boolean;
}

/** Dollars for a million tokens, such as `"0.25"`. An absent cache price is the price of `input`. */
export interface MessagesRateEntry {
  readonly input: string;
  readonly output: string;
  readonly cacheRead?: string;
  readonly cacheWrite5m?: string;
  readonly cacheWrite1h?: string;
}

export interface MessagesPriceEntry extends MessagesRateEntry {
  /** Prices of the whole request from this many input tokens on, ascending. */
  readonly longer?: readonly (MessagesRateEntry & { readonly fromInputTokens: number })[];
  /** Dollars for one web search by the provider, such as `"0.01"`. */
  readonly webSearch?: string;
  readonly source: string;
  readonly verified: boolean;
}

/**
 * A text model of the catalog. An unverified price makes the binding experimental, and the model if all of its prices
 * are unverified.
 */
export function messagesModel(entry: MessagesModelEntry): MessagesModel {
  const stability = entry.stability ?? 'stable';
  return {
    id: entry.id,
    name: entry.name,
    aliases: entry.aliases ?? [],
    created: entry.created,
    description: entry.description,
    family: entry.family,
    capability: 'messages',
    inputModalities: entry.inputModalities ?? ['text'],
    outputModalities: ['text'],
    stability: entry.bindings.some(({ price }) => price.verified) ? stability : 'experimental',
    free: false,
    ...(entry.deprecatedAt !== undefined && { deprecatedAt: entry.deprecatedAt }),
    ...(entry.deactivatedAt !== undefined && { deactivatedAt: entry.deactivatedAt }),
    ...(entry.replacements && { replacements: entry.replacements }),
    messages: entry.facts,
    bindings: entry.bindings.map(({ price, parallelTools, webSearch, ...binding }) => ({
      ...binding,
      stability: price.verified ? stability : 'experimental',
      parallelTools: parallelTools ?? true,
      webSearch: webSearch ?? false,
      price: {
        tiers: [rateOf(0, price), ...(price.longer ?? []).map((rate) => rateOf(rate.fromInputTokens, rate))],
        ...(price.webSearch !== undefined && { webSearch: parsePrice(price.webSearch) }),
        source: price.source,
        verified: price.verified,
      },
    })),
  };
}

function rateOf(fromInputTokens: number, rate: MessagesRateEntry): MessagesRate {
  return {
    fromInputTokens,
    input: perToken(rate.input),
    output: perToken(rate.output),
    ...(rate.cacheRead !== undefined && { cacheRead: perToken(rate.cacheRead) }),
    ...(rate.cacheWrite5m !== undefined && { cacheWrite5m: perToken(rate.cacheWrite5m) }),
    ...(rate.cacheWrite1h !== undefined && { cacheWrite1h: perToken(rate.cacheWrite1h) }),
  };
}

function perToken(perMillion: string): bigint {
  const price = parsePrice(perMillion);
  if (price % 1_000_000n !== 0n)
    throw new RangeError(`"${perMillion}" for a million tokens is no whole price for one.`);
  return price / 1_000_000n;
}
