import type { TokenCounts } from '../../billing/message-cost';
import type {
  AnswerChunk,
  ContentDelta,
  Message,
  MessageEvent,
  MessagesUsage,
  MessagesUsageUpdate,
  StopReason,
} from '../../domain/messages';

// Counts the tokens of an answer so far. Counts on the wire are cumulative, so the last value of each field wins.
// Output that was delivered but not yet counted by the provider is estimated from its text.

export interface TokenUsage {
  /** Observes a part of a streamed answer. */
  observe(chunk: AnswerChunk): void;
  /** Observes a non-streamed answer. */
  observeBuffered(message: Message): void;
  /** At least the number of delivered tokens; grows with the text. */
  outputTokens(): number;
  /** The counts to charge if the answer ends now. */
  counts(): TokenCounts;
  /** At least one count is our estimate rather than the provider's number. */
  readonly isEstimated: boolean;
  readonly stopReason: StopReason | undefined;
  readonly isComplete: boolean;
  /**
   * Content has arrived that the client would miss: text, a thinking block, a tool call, another complete block, or the
   * stop reason.
   */
  readonly hasSaid: boolean;
}

/** For Latin text; every other letter counts as one token. */
const CHARS_PER_TOKEN = 4;

export function createTokenUsage(estimatedInputTokens: number): TokenUsage {
  return new Meter(estimatedInputTokens);
}

/** A class, because one is created per answer: an object literal with getters takes two microseconds to create. */
class Meter implements TokenUsage {
  readonly #estimatedInputTokens: number;
  #usage: Partial<MessagesUsage> = {};
  #reported = 0;
  #estimated = 0;
  #blocks = 0;
  #stopReason: StopReason | undefined;
  #isComplete = false;
  #hasSaid = false;
  #isGuessed = false;

  constructor(estimatedInputTokens: number) {
    this.#estimatedInputTokens = estimatedInputTokens;
  }

  observe({ events, letters = 0 }: AnswerChunk): void {
    for (const event of events) this.#observeEvent(event);
    if (letters === 0) return;
    this.#hasSaid = true;
    this.#estimated += letters / CHARS_PER_TOKEN;
  }

  #observeEvent(event: MessageEvent): void {
    switch (event.type) {
      case 'message_start':
        this.#usage = { ...event.message.usage };
        this.#blocks += event.message.content.length;
        if (typeof event.message.stop_reason === 'string') this.#stopReason = event.message.stop_reason;
        if (this.#blocks > 0 || this.#stopReason !== undefined) this.#hasSaid = true;
        break;
      case 'content_block_start':
        this.#blocks += 1;
        if (event.content_block.type !== 'text' && event.content_block.type !== 'thinking') this.#hasSaid = true;
        break;
      case 'content_block_delta':
        this.#observeDelta(event.delta);
        break;
      case 'message_delta':
        this.#observeUsage(event.usage);
        if (typeof event.delta.stop_reason === 'string') {
          this.#stopReason = event.delta.stop_reason;
          this.#hasSaid = true;
        }
        break;
      case 'message_stop':
        this.#isComplete = true;
    }
  }

  observeBuffered(message: Message): void {
    this.#blocks = message.content.length;
    this.#stopReason = message.stop_reason ?? undefined;
    this.#usage = message.usage;
    this.#reported = message.usage.output_tokens;
    this.#hasSaid = true;
    this.#isComplete = true;
  }

  outputTokens(): number {
    return Math.max(this.#reported, this.#usage.output_tokens ?? 0, Math.ceil(this.#estimated));
  }

  counts(): TokenCounts {
    const usage = this.#usage;
    // The vendor does not bill a refusal before the first token.
    if (this.#stopReason === 'refusal' && this.#blocks === 0) return none;
    const written = usage.cache_creation_input_tokens ?? 0;
    const write1h = Math.min(written, usage.cache_creation?.ephemeral_1h_input_tokens ?? 0);
    const prefilled = usage.output_tokens ?? 0;
    const output = this.#isComplete
      ? Math.max(this.#reported, this.#blocks > 0 && this.#reported === 0 ? prefilled : 0)
      : this.outputTokens();
    return {
      input: usage.input_tokens ?? this.#estimatedInputTokens,
      cacheRead: usage.cache_read_input_tokens ?? 0,
      cacheWrite5m: written - write1h,
      cacheWrite1h: write1h,
      output,
      webSearches: usage.server_tool_use?.web_search_requests ?? 0,
    };
  }

  get isEstimated(): boolean {
    return (
      this.#isGuessed ||
      this.#usage.input_tokens === undefined ||
      (!this.#isComplete && Math.ceil(this.#estimated) > Math.max(this.#reported, this.#usage.output_tokens ?? 0))
    );
  }

  get stopReason(): StopReason | undefined {
    return this.#stopReason;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  get hasSaid(): boolean {
    return this.#hasSaid;
  }

  #observeDelta(delta: ContentDelta): void {
    const text = textOf(delta);
    if (text === '') return;
    this.#hasSaid = true;
    this.#estimated += weigh(text);
  }

  /** The last value of each count is the valid one. */
  #observeUsage({ output_tokens: output, estimated: guessed, ...others }: MessagesUsageUpdate): void {
    if (guessed) this.#isGuessed = true;
    if (typeof output === 'number') this.#reported = output;
    const counted: Record<string, unknown> = { ...this.#usage };
    for (const [name, value] of Object.entries(others))
      if (value !== undefined && value !== null) counted[name] = value;
    this.#usage = counted;
  }
}

const none: TokenCounts = { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, webSearches: 0 };

function textOf(delta: ContentDelta): string {
  switch (delta.type) {
    case 'text_delta':
      return delta.text;
    case 'thinking_delta':
      return delta.thinking;
    case 'input_json_delta':
      return delta.partial_json;
    default:
      return '';
  }
}

/**
 * Estimates the tokens of a text. The number of UTF-8 bytes beyond one per letter shows how much of it is not Latin.
 */
export function weigh(text: string): number {
  const more = Buffer.byteLength(text) - text.length;
  const others = Math.min(text.length, more / 2);
  return (text.length - others) / CHARS_PER_TOKEN + others;
}
