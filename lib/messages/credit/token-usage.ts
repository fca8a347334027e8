import type { TokenCounts } from '../../billing/message-cost';
import type {
  AnswerChunk,
  ContentBlock,
  ContentDelta,
  Message,
  MessageEvent,
  MessagesUsageUpdate,
  StopReason,
} from '../../domain/messages';
import { fieldsOf, type Fields } from '../../domain/json';
import { tokenCount } from '../../domain/token-count';

// Counts the tokens of an answer so far. Counts on the wire are cumulative, so the last value of each field wins.
// Output that was delivered but not yet counted by the provider is estimated from its text. Every answer passes here,
// also one whose bytes are passed on, so this is where a count that cannot be true is left out of the charge.

export interface TokenUsage {
  /** Observes a part of a streamed answer. */
  observe(chunk: AnswerChunk): void;
  /** Observes a non-streamed answer. */
  observeBuffered(message: Message): void;
  /** At least the number of delivered tokens; grows with the text. */
  outputTokens(): number;
  /** The counts to charge if the answer ends now. */
  counts(): TokenCounts;
  /** Whether at least one count is our estimate instead of the provider's number. */
  readonly isEstimated: boolean;
  readonly stopReason: StopReason | undefined;
  readonly isComplete: boolean;
  /**
   * Whether content has arrived that must not be lost: text, a thinking block, a tool call, another complete block, or
   * the stop reason.
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
  #usage: Fields = {};
  /** The output tokens that `message_start` reported. */
  #prefilled = 0;
  #reported = 0;
  /** Whether the last reported count of output tokens is impossible. */
  #isOutputFalse = false;
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
        this.#usage = fieldsOf(event.message.usage);
        this.#prefilled = tokenCount(this.#usage.output_tokens) ?? 0;
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
    this.#usage = fieldsOf(message.usage);
    this.#readOutput(this.#usage.output_tokens);
    if (this.#isOutputFalse) for (const block of message.content) this.#estimated += weigh(textOfBlock(block));
    this.#hasSaid = true;
    this.#isComplete = true;
  }

  outputTokens(): number {
    return Math.max(this.#reported, this.#prefilled, Math.ceil(this.#estimated));
  }

  counts(): TokenCounts {
    const usage = this.#usage;
    // The vendor does not bill a refusal before the first token.
    if (this.#stopReason === 'refusal' && this.#blocks === 0) return none;
    const written = tokenCount(usage.cache_creation_input_tokens) ?? 0;
    const write1h = Math.min(written, tokenCount(fieldsOf(usage.cache_creation).ephemeral_1h_input_tokens) ?? 0);
    return {
      input: tokenCount(usage.input_tokens) ?? this.#estimatedInputTokens,
      cacheRead: tokenCount(usage.cache_read_input_tokens) ?? 0,
      cacheWrite5m: written - write1h,
      cacheWrite1h: write1h,
      output: this.#isComplete && !this.#isOutputFalse ? this.#countedOutput() : this.outputTokens(),
      webSearches: tokenCount(fieldsOf(usage.server_tool_use).web_search_requests) ?? 0,
    };
  }

  #countedOutput(): number {
    return this.#reported === 0 && this.#blocks > 0 ? this.#prefilled : this.#reported;
  }

  get isEstimated(): boolean {
    return (
      this.#isGuessed ||
      this.#isOutputFalse ||
      tokenCount(this.#usage.input_tokens) === undefined ||
      (!this.#isComplete && Math.ceil(this.#estimated) > Math.max(this.#reported, this.#prefilled))
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

  #readOutput(value: unknown): void {
    if (typeof value !== 'number') return;
    const count = tokenCount(value);
    this.#isOutputFalse = count === undefined;
    if (count !== undefined) this.#reported = count;
  }

  /** Takes over reported counts. The last value of each count is the valid one. */
  #observeUsage({ output_tokens: output, estimated: guessed, ...others }: MessagesUsageUpdate): void {
    if (guessed) this.#isGuessed = true;
    this.#readOutput(output);
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

function textOfBlock(block: ContentBlock): string {
  const { text, thinking, input }: Fields = { ...block };
  if (typeof text === 'string') return text;
  return typeof thinking === 'string' ? thinking : (JSON.stringify(input) ?? '');
}

/**
 * Estimates the tokens of a text. The number of UTF-8 bytes beyond one per letter shows how much of it is not Latin.
 */
export function weigh(text: string): number {
  const more = Buffer.byteLength(text) - text.length;
  const others = Math.min(text.length, more / 2);
  return (text.length - others) / CHARS_PER_TOKEN + others;
}
