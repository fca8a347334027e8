import type { HangUp } from '../io/hang-up';
import type { Json } from './json';
import type { ProviderId, Stability } from './model';
import type { UnitPrice } from './money';
import type { Call } from './provider';

// The words of the messages API. Blocks, bodies, usage and events keep the names that they have on the wire: providers of
// the same dialect pass them through, and a second set of names would have to be translated twice for nothing. What is ours
// (requests, facts, prices) is named as everywhere in the house.

/**
 * Any `type` that this page does not list. An enum that exists for the compiler alone: TypeScript narrows a union only by
 * types with a single value, so `string` here would blind `switch (block.type)` to the types that are listed.
 */
declare enum Unlisted {
  type = 'unlisted',
}
export type UnlistedType = Unlisted.type;

export interface CacheControl {
  readonly type: 'ephemeral';
  /** Absent: five minutes. */
  readonly ttl?: '5m' | '1h';
}

interface Markable {
  readonly cache_control?: CacheControl | null;
}

export interface TextBlock extends Markable {
  readonly type: 'text';
  readonly text: string;
  readonly citations?: Json;
}

export type ImageSource =
  | {
      readonly type: 'base64';
      readonly media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
      readonly data: string;
    }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'file'; readonly file_id: string };

export interface ImageBlock extends Markable {
  readonly type: 'image';
  readonly source: ImageSource;
}

export type DocumentSource =
  | { readonly type: 'base64'; readonly media_type: 'application/pdf'; readonly data: string }
  | { readonly type: 'text'; readonly media_type: 'text/plain'; readonly data: string }
  | { readonly type: 'content'; readonly content: string | readonly (TextBlock | ImageBlock)[] }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'file'; readonly file_id: string };

export interface DocumentBlock extends Markable {
  readonly type: 'document';
  readonly source: DocumentSource;
  readonly title?: string | null;
  readonly context?: string | null;
  readonly citations?: { readonly enabled?: boolean } | null;
}

export interface SearchResultBlock extends Markable {
  readonly type: 'search_result';
  readonly source: string;
  readonly title: string;
  readonly content: readonly TextBlock[];
  readonly citations?: { readonly enabled?: boolean };
}

/** Bound by its signature to the model that produced it: it may go back there and nowhere else. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature: string;
}

export interface RedactedThinkingBlock {
  readonly type: 'redacted_thinking';
  readonly data: string;
}

export interface ToolUseBlock extends Markable {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: { readonly [key: string]: Json };
  readonly caller?: Json;
}

export interface ToolResultBlock extends Markable {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  /** Absent: the tool had nothing to say. */
  readonly content?: string | readonly ContentBlock[];
  readonly is_error?: boolean;
}

/** Tools that the provider runs itself, their results, and blocks newer than this page: carried, never looked into. */
export interface UnlistedBlock {
  readonly type: UnlistedType;
  readonly [field: string]: unknown;
}

export type ContentBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | SearchResultBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | UnlistedBlock;

export interface Turn {
  /** `system` in the middle of a conversation: newer models only. */
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string | readonly ContentBlock[];
}

/** A tool of the caller's (no `type`, or `custom`), or one that the vendor defines by a dated `type` and a fixed name. */
export interface Tool extends Markable {
  readonly name: string;
  readonly type?: string;
  readonly description?: string;
  readonly input_schema?: { readonly [key: string]: Json };
  readonly strict?: boolean;
  readonly [field: string]: unknown;
}

export type ToolChoice =
  | { readonly type: 'auto' | 'any'; readonly disable_parallel_tool_use?: boolean }
  | { readonly type: 'tool'; readonly name: string; readonly disable_parallel_tool_use?: boolean }
  | { readonly type: 'none' };

export type ThinkingType = 'enabled' | 'adaptive' | 'disabled' | 'between_tools';
export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export interface Thinking {
  readonly type: ThinkingType;
  /** With `enabled`: at least 1024 and below `max_tokens`. */
  readonly budget_tokens?: number;
  readonly display?: 'summarized' | 'omitted';
}

export interface OutputConfig {
  readonly effort?: Effort | null;
  readonly format?: { readonly type: 'json_schema'; readonly schema: { readonly [key: string]: Json } } | null;
}

/** A checked body: the fields below are what they say, all others are as the caller sent them. */
export interface MessagesBody {
  /** As the caller wrote it, with pin or alias; upstream goes `binding.modelName`. */
  readonly model: string;
  readonly messages: readonly [Turn, ...Turn[]];
  /** Absent only when tokens are counted. */
  readonly max_tokens?: number;
  readonly system?: string | readonly TextBlock[];
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly stop_sequences?: readonly string[];
  readonly tools?: readonly Tool[];
  readonly tool_choice?: ToolChoice;
  readonly thinking?: Thinking;
  readonly output_config?: OutputConfig;
  readonly metadata?: { readonly user_id?: string | null };
  readonly stream?: boolean;
  readonly cache_control?: CacheControl | null;
  readonly [field: string]: unknown;
}

/** Everything a provider gets to answer one message or to count its tokens. */
export interface MessagesRequest {
  readonly body: MessagesBody;
  /** The bytes that `body` was parsed from: a provider of the same dialect sends these, so that its prompt cache still matches. */
  readonly source: Uint8Array;
  /** The members of `body` that are no longer as in `source`. */
  readonly changed: readonly string[];
  /** `anthropic-version` as sent, exactly one; `2023-06-01` when the caller sent none. */
  readonly version: string;
  /** `anthropic-beta`, split at its commas; each provider keeps those that it knows. */
  readonly betas: readonly string[];
  /** The id of the answer where the provider has none of this dialect. */
  readonly messageId: string;
  /** For `message_start` where the provider tells its input only at the end; the final usage corrects it. */
  readonly estimatedInputTokens: number;
  /** A word of the sandbox's scenarios; real providers never see one. */
  readonly scenario?: string;
}

/**
 * Tokens as the wire counts them: `input_tokens` is only what neither came from a cache nor went into one, so the billable
 * input is the sum of the three input fields. Thinking is part of `output_tokens`.
 */
export interface MessagesUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  /** How `cache_creation_input_tokens` divides by lifetime; absent: all five minutes. */
  readonly cache_creation?: {
    readonly ephemeral_5m_input_tokens: number;
    readonly ephemeral_1h_input_tokens: number;
  } | null;
  readonly output_tokens: number;
  readonly output_tokens_details?: { readonly thinking_tokens?: number } | null;
  readonly server_tool_use?: { readonly web_search_requests?: number; readonly web_fetch_requests?: number } | null;
}

/** Running totals, not increments: the last value of each field is the true one, also where it differs from the first. */
export type MessagesUsageUpdate = Partial<MessagesUsage> &
  Pick<MessagesUsage, 'output_tokens'> & {
    /** The upstream did not count, so some of these numbers are ours. */
    readonly estimated?: true;
  };

export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded'
  | UnlistedType;

/** An answer; while it is streamed, `content` is empty and `stop_reason` null. */
export interface Message {
  readonly id: string;
  readonly type: 'message';
  readonly role: 'assistant';
  /** From a provider its own name of the model; the use case puts the catalog id in its place. */
  readonly model: string;
  readonly content: readonly ContentBlock[];
  readonly stop_reason: StopReason | null;
  readonly stop_sequence: string | null;
  readonly stop_details?: Json;
  readonly usage: MessagesUsage;
}

export type ContentDelta =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'input_json_delta'; readonly partial_json: string }
  | { readonly type: 'thinking_delta'; readonly thinking: string }
  | { readonly type: 'signature_delta'; readonly signature: string }
  | { readonly type: 'citations_delta'; readonly citation: Json }
  | { readonly type: UnlistedType; readonly [field: string]: unknown };

/**
 * One event of a streamed answer. Import it by name: the DOM has a global of the same name. Neither `ping` nor `error` is
 * here: pings are made where the answer leaves us, and an upstream's error is a rejection.
 */
export type MessageEvent =
  | { readonly type: 'message_start'; readonly message: Message }
  | { readonly type: 'content_block_start'; readonly index: number; readonly content_block: ContentBlock }
  | { readonly type: 'content_block_delta'; readonly index: number; readonly delta: ContentDelta }
  | { readonly type: 'content_block_stop'; readonly index: number }
  | {
      readonly type: 'message_delta';
      readonly delta: {
        readonly stop_reason: StopReason | null;
        readonly stop_sequence: string | null;
        readonly stop_details?: Json;
      };
      readonly usage: MessagesUsageUpdate;
    }
  | { readonly type: 'message_stop' }
  | { readonly type: UnlistedType; readonly [field: string]: unknown };

/** Marks the thinking of providers that do not do it themselves, so that they come back unchanged and to nobody else. */
export interface ThinkingSigner {
  /** The signature under which a provider's thinking goes to the caller; `original` is what the provider had signed it with, perhaps an empty text. */
  sign(providerId: ProviderId, thinking: string, original: string): string;
  /** What the provider had signed with; undefined when the thinking is not its own, was changed, or was never signed here. */
  open(providerId: ProviderId, thinking: string, signature: string): string | undefined;
}

/** A non-streaming answer: its JSON and the parsed message. */
export interface BufferedAnswer {
  /** As the provider wrote it. */
  readonly text: string;
  readonly message: Message;
}

/** The complete events of one read as bytes, and the facts that the gateway needs. */
export interface RelayedEvents {
  readonly bytes: Buffer;
  /** Every event but pings and those whose text was already counted in `letters`. */
  readonly events: readonly MessageEvent[];
  /** Latin letters in deltas of text, of thinking and of arguments that are not among `events`. */
  readonly letters: number;
}

export interface RelaySink {
  take(relayed: RelayedEvents): void;
  /** The answer is complete: its last event was `message_stop`, or one was added. Nothing follows. */
  end(): void;
  /** The rejection of `stream`; what came before it was told. Nothing follows. */
  fail(error: unknown): void;
}

export interface AnswerRelay {
  pause(): void;
  resume(): void;
  /** Closes the upstream connection unless the answer is over. Nothing follows. */
  stop(): void;
}

export interface MessagesProvider {
  /** It verifies the signatures of its thinking itself; those that we did not sign are its own. */
  readonly native?: true;
  /**
   * The answer as it arrives, also for a caller who did not ask for a stream: only so can it be stopped when the credit ends.
   * Each batch holds the events of one upstream read, so that one read becomes one write; no batch is empty.
   *
   * Order: `message_start` once and first; blocks numbered from 0 without gaps, one open at a time, started before their
   * deltas and stopped after them; `message_delta` with usage; `message_stop` last. `tool_use` starts with `input: {}`,
   * `text`, `thinking` and `signature` start empty. Two answers of native upstreams are in order too: a refusal without
   * blocks, and a `message_start` that already has its content and is followed by `message_stop` alone.
   *
   * Rejects with a GatewayError whose `upstream` outcome says what may follow; an upstream that ends before its stop reason
   * rejects, and is never completed by invention. Ending the iteration, or the signal, closes the upstream connection.
   */
  stream(
    request: MessagesRequest,
    binding: MessagesBinding,
    call: Call,
  ): AsyncIterable<readonly [MessageEvent, ...MessageEvent[]]>;
  /**
   * Requests a short non-streaming answer, which is passed on in its own bytes. Used only if the answer never has to be
   * stopped. Rejects as `stream` does. Absent: the answer is collected from `stream`.
   */
  complete?(
    request: MessagesRequest,
    binding: MessagesBinding,
    call: Pick<Call, 'log'> & { readonly hangUp: HangUp },
  ): Promise<BufferedAnswer>;
  /**
   * Relays a streamed answer in its own bytes to `sink`, at the earliest in the next turn of the event loop. Absent: the
   * events are read from `stream` and serialized again.
   */
  relay?(request: MessagesRequest, binding: MessagesBinding, call: Pick<Call, 'log'>, sink: RelaySink): AnswerRelay;
  /** What of the body it does not send on, by the names of `X-Ignored-Params`. Absent: it sends everything. */
  ignoredParams?(body: MessagesBody, binding: MessagesBinding): readonly string[];
  /** The provider's own count of the input, in tokens. Absent: it has none, and the count is estimated. */
  countTokens?(request: MessagesRequest, binding: MessagesBinding, call: Call): Promise<number>;
}

/** How a model counts, as far as it is known. */
export interface TokenizerFacts {
  readonly encoding: 'claude' | 'o200k';
  /** Tokens of the model for each token of the encoding. */
  readonly multiplier: number;
  /** The same for scripts other than the Latin one, where it differs. */
  readonly otherScriptsMultiplier?: number;
  /** What is put before the tools, by whether one of them must be called; absent: next to nothing. */
  readonly toolPreambleTokens?: { readonly free: number; readonly forced: number };
}

/** What a text model can do, whoever serves it. The validator, the estimate and the catalog read this. */
export interface MessagesFacts {
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly tokenizer: TokenizerFacts;
  /** `temperature`, `top_p`, `top_k` are taken. */
  readonly sampling: boolean;
  /** `tool_choice` of `any` and `tool` is taken. */
  readonly forcedTools: boolean;
  /** The last turn may be the assistant's, to be continued. */
  readonly prefill: boolean;
  /** Empty: the model does not reason. */
  readonly thinkingTypes: readonly ThinkingType[];
  /** From least to most; empty: effort cannot be chosen. */
  readonly efforts: readonly Effort[];
  readonly structuredOutputs: boolean;
  /** The longest edge of a picture as the model sees it, for the estimate; absent: no pictures. */
  readonly imageMaxEdgePixels?: number;
}

/** How one provider serves one text model. */
export interface MessagesBinding {
  readonly providerId: ProviderId;
  /** The provider's own name of the model. */
  readonly modelName: string;
  readonly stability: Stability;
  readonly price: MessagesPrice;
  /** The most that this provider lets the model write, where it is less than the model's own. */
  readonly maxOutputTokens?: number;
  readonly parallelTools: boolean;
  readonly webSearch: boolean;
  /** Thinking of earlier turns with tools must be sent back, or the provider refuses the request. */
  readonly thinkingReplay?: true;
  /** The provider looks at no content before or after it works. */
  readonly unmoderated?: true;
  /** The provider goes on, and bills, after we hang up. */
  readonly keepsRunning?: true;
}

/** The price of a message. The tier with the highest `fromInputTokens` that the whole input reaches holds for all of it. */
export interface MessagesPrice {
  readonly tiers: readonly [MessagesRate, ...MessagesRate[]];
  /** For one search that the provider ran. */
  readonly webSearch?: UnitPrice;
  /** Where the numbers come from, with the date. */
  readonly source: string;
  /** False: not offered for live use until the operator confirms the price (CONFIRMED_PRICES). */
  readonly verified: boolean;
}

/** For one token each. A cache price that is absent is the price of `input`. */
export interface MessagesRate {
  /** Of all input, cached or not; 0 in the first tier. */
  readonly fromInputTokens: number;
  readonly input: UnitPrice;
  readonly output: UnitPrice;
  readonly cacheRead?: UnitPrice;
  readonly cacheWrite5m?: UnitPrice;
  readonly cacheWrite1h?: UnitPrice;
}
