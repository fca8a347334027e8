import type { BindingIdentity } from './binding';
import type { Call } from './call';
import type { ProviderId } from './ids';
import type { Json } from './json';
import type { UnitPrice } from './money';

// The types of the messages API. Blocks, bodies, usage and events keep their names on the wire: providers of the same
// dialect forward them, and other names would need a translation in both directions. Our own types (requests, facts,
// prices) follow the usual naming.

/**
 * Any `type` that this file does not list. An enum that exists only for the compiler: TypeScript narrows a union only
 * by types with a single value, so with `string` here `switch (block.type)` would not narrow to the listed types.
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

/** Bound by its signature to the model that produced it, so it may be sent back only to that model. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  /** Clients also send null, or leave it out. */
  readonly signature?: string | null;
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
  /** Absent: the tool returned nothing. */
  readonly content?: string | readonly ContentBlock[];
  readonly is_error?: boolean;
}

/** Server tools, their results, and block types newer than this file: forwarded without being read. */
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
  /** `system` within a conversation: only newer models. */
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string | readonly ContentBlock[];
}

/** A tool of the caller (no `type`, or `custom`), or one that the vendor defines by a dated `type` and a fixed name. */
export interface Tool extends Markable {
  readonly name: string;
  readonly type?: string | null;
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

/** A validated body: the fields below have these types, all others are as the caller sent them. */
export interface MessagesBody {
  /** As the caller sent it, with pin or alias; the provider receives `binding.modelName`. */
  readonly model: string;
  readonly messages: readonly [Turn, ...Turn[]];
  /** Absent only for count_tokens. */
  readonly max_tokens?: number;
  readonly system?: string | readonly TextBlock[];
  /** Clients also send null, which means the vendor's default. */
  readonly temperature?: number | null;
  readonly top_p?: number | null;
  readonly top_k?: number | null;
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

/** The input of a provider for answering one message or counting its tokens. */
export interface MessagesRequest {
  readonly body: MessagesBody;
  /**
   * The bytes that `body` was parsed from. A provider of the same dialect sends these, so that its prompt cache still
   * matches.
   */
  readonly source: Uint8Array;
  /** The fields of `body` that differ from `source`. */
  readonly changed: readonly string[];
  /** `anthropic-version`, exactly one value; `2023-06-01` if the caller sent none. */
  readonly version: string;
  /** `anthropic-beta`, split at its commas; each provider keeps the values it knows. */
  readonly betas: readonly string[];
  /** The id of the answer, for providers that produce none in this dialect. */
  readonly messageId: string;
  /** For `message_start` of a provider that reports its input tokens only at the end; the final usage corrects it. */
  readonly estimatedInputTokens: number;
  /** A test scenario of the sandbox; real providers never receive one. */
  readonly scenario?: string;
}

/**
 * Tokens as in the API: `input_tokens` excludes tokens read from or written to a cache, so the billable input is the
 * sum of the three input fields. Thinking is part of `output_tokens`.
 */
export interface MessagesUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  /** `cache_creation_input_tokens` by lifetime; absent: all five minutes. */
  readonly cache_creation?: {
    readonly ephemeral_5m_input_tokens: number;
    readonly ephemeral_1h_input_tokens: number;
  } | null;
  readonly output_tokens: number;
  readonly output_tokens_details?: { readonly thinking_tokens?: number } | null;
  readonly server_tool_use?: { readonly web_search_requests?: number; readonly web_fetch_requests?: number } | null;
}

/** Running totals, not increments. The last value of each field is valid, even if it differs from the first. */
export type MessagesUsageUpdate = Partial<MessagesUsage> &
  Pick<MessagesUsage, 'output_tokens'> & {
    /** Whether some of these numbers are our estimates, because the provider reported no count. */
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

/** An answer; in `message_start`, `content` is empty and `stop_reason` null. */
export interface Message {
  readonly id: string;
  readonly type: 'message';
  readonly role: 'assistant';
  /** A provider sets its own name of the model; the use case replaces it by the catalog id. */
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
 * One event of a streamed answer. Import it by name: the DOM has a global of the same name. There is no `ping` and no
 * `error`: pings are made where the response is written, and a provider's error is a rejection.
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

/**
 * Signs the thinking of providers that do not sign it themselves, so that it comes back unchanged and only to its
 * provider.
 */
export interface ThinkingSigner {
  /**
   * The signature that the caller receives for a provider's thinking; `original` is the provider's own signature, which
   * may be empty.
   */
  sign(providerId: ProviderId, thinking: string, original: string): string;
  /**
   * The provider's own signature; undefined if the thinking is from another provider, was changed, or was never signed
   * here.
   */
  open(providerId: ProviderId, thinking: string, signature: string): string | undefined;
}

/** A non-streaming answer in JSON, and its parsed form. */
export interface BufferedAnswer {
  /** The bytes from the provider. */
  readonly text: string;
  readonly message: Message;
}

/** A part of a streamed answer: the complete events of one upstream read. */
export interface AnswerChunk {
  /** The events in the provider's own bytes, which are forwarded unchanged. Absent: `events` are serialised. */
  readonly bytes?: Buffer;
  /** With `bytes`: without pings, and without deltas that are counted in `letters`. Otherwise every event. */
  readonly events: readonly MessageEvent[];
  /** Latin letters in deltas of text, thinking and arguments that are only in `bytes`. */
  readonly letters?: number;
}

export interface MessagesProvider {
  /** Whether the provider verifies its own thinking signatures. If so, a signature that we did not make is its own. */
  readonly native?: true;
  /**
   * The answer as it arrives, also for a caller who did not request a stream: only a stream can be stopped when the
   * credit is used up. Each chunk is one upstream read, so that one read becomes one write; no chunk is empty. If
   * `body.stream` is not true the answer is collected, so no chunk has `bytes`.
   *
   * Order: `message_start` once and first; blocks numbered from 0 without gaps, one open at a time, started before
   * their deltas and stopped after them; `message_delta` with usage; `message_stop` last. `tool_use` starts with
   * `input: {}`, `text`, `thinking` and `signature` start empty. Two answers of native upstreams are also valid: a
   * refusal without blocks, and a `message_start` that already has its content and is followed only by `message_stop`.
   *
   * Rejects with a GatewayError whose `upstream` outcome says what may follow. A stream that ends before its stop
   * reason rejects; an end is never invented. Ending the iteration, or the signal, closes the upstream connection.
   */
  stream(request: MessagesRequest, binding: MessagesBinding, call: Call): AsyncIterable<AnswerChunk>;
  /**
   * A short non-streaming answer as the provider's bytes. Called only if the answer need not be stopped halfway.
   * Rejects as `stream` does. Absent: the answer is collected from `stream`.
   */
  complete?(request: MessagesRequest, binding: MessagesBinding, call: Call): Promise<BufferedAnswer>;
  /**
   * Returns the fields of the body that the provider does not receive, by their names in `X-Ignored-Params`. Absent: it
   * receives all.
   */
  ignoredParams?(body: MessagesBody, binding: MessagesBinding): readonly string[];
  /**
   * Returns the provider's own count of the input tokens. Absent: the provider has none, and the count is estimated.
   */
  countTokens?(request: MessagesRequest, binding: MessagesBinding, call: Call): Promise<number>;
}

/** What is known of a model's tokenizer. */
export interface TokenizerFacts {
  readonly encoding: 'claude' | 'o200k';
  /** Tokens of the model per token of the encoding. */
  readonly multiplier: number;
  /** The multiplier for non-Latin scripts, if different. */
  readonly otherScriptsMultiplier?: number;
  /** Tokens that the provider adds for tools, by whether a tool call is required; absent: almost none. */
  readonly toolPreambleTokens?: { readonly free: number; readonly forced: number };
}

/** The capabilities of a text model, for any provider. Used by validation, the estimate and the catalog. */
export interface MessagesFacts {
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly tokenizer: TokenizerFacts;
  /** `temperature`, `top_p`, `top_k` are accepted. */
  readonly sampling: boolean;
  /** `tool_choice` of `any` and `tool` is accepted. */
  readonly forcedTools: boolean;
  /** Whether the last turn may be the assistant's, which the model then continues. */
  readonly prefill: boolean;
  /** Empty: the model has no thinking. */
  readonly thinkingTypes: readonly ThinkingType[];
  /** From lowest to highest; empty: effort cannot be chosen. */
  readonly efforts: readonly Effort[];
  readonly structuredOutputs: boolean;
  /** The longest edge of an image after the model's scaling, for the estimate; absent: no images. */
  readonly imageMaxEdgePixels?: number;
}

/** How one provider serves one text model. */
export interface MessagesBinding extends BindingIdentity {
  readonly price: MessagesPrice;
  /** This provider's output limit, if lower than the model's own. */
  readonly maxOutputTokens?: number;
  readonly parallelTools: boolean;
  readonly webSearch: boolean;
  /** Whether thinking of earlier turns with tools must be sent back. Otherwise the provider refuses the request. */
  readonly thinkingReplay?: true;
  /** The provider does not moderate content. */
  readonly unmoderated?: true;
  /** The provider continues, and bills, after a disconnect. */
  readonly keepsRunning?: true;
}

/**
 * The price of a message. The tier with the highest `fromInputTokens` that the input reaches applies to the whole
 * message.
 */
export interface MessagesPrice {
  readonly tiers: readonly [MessagesRate, ...MessagesRate[]];
  /** For one web search by the provider. */
  readonly webSearch?: UnitPrice;
  /** The source of the numbers, with the date. */
  readonly source: string;
  /** False: not offered for live use until the operator confirms the price (CONFIRMED_PRICES). */
  readonly verified: boolean;
}

/** Per token. An absent cache price is the price of `input`. */
export interface MessagesRate {
  /** The total input, cached or not; 0 in the first tier. */
  readonly fromInputTokens: number;
  readonly input: UnitPrice;
  readonly output: UnitPrice;
  readonly cacheRead?: UnitPrice;
  readonly cacheWrite5m?: UnitPrice;
  readonly cacheWrite1h?: UnitPrice;
}
