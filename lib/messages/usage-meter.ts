import type { TokenCounts } from '../billing/message-cost';
import type { ContentDelta, Message, MessageEvent, MessagesUsage, MessagesUsageUpdate, RelayedEvents, StopReason } from '../domain/messages';

// What an answer has used so far. Totals on the wire are running ones, so the last value of each field wins; what was
// delivered and not yet counted is estimated from its text.

export interface UsageMeter {
  observe(event: MessageEvent): void;
  /** The same of events that were read along while they passed. */
  observeRelayed(relayed: RelayedEvents): void;
  /** An answer in one piece. */
  observeWhole(message: Message): void;
  /** At least as many tokens as were delivered; grows with the text. */
  outputTokens(): number;
  /** What is charged when the answer ends here. */
  counts(): TokenCounts;
  /** Some count is ours and not the provider's. */
  readonly isEstimated: boolean;
  readonly stopReason: StopReason | undefined;
  readonly isComplete: boolean;
  /** Something that the caller would miss has come: text, a thought, a tool call, a whole block, or the reason of the end. */
  readonly hasSaid: boolean;
}

/** Of text in Latin letters; every other letter counts as a token of its own. */
const CHARS_PER_TOKEN = 4;

export function createUsageMeter(estimatedInputTokens: number): UsageMeter {
  let usage: Partial<MessagesUsage> = {};
  let reported = 0;
  let estimated = 0;
  let blocks = 0;
  let stopReason: StopReason | undefined;
  let isComplete = false;
  let hasSaid = false;
  let isGuessed = false;

  function observeDelta(delta: ContentDelta): void {
    const text = textOf(delta);
    if (text === '') return;
    hasSaid = true;
    estimated += weigh(text);
  }

  /** The last value of each count is the true one. */
  function observeUsage({ output_tokens: output, estimated: guessed, ...others }: MessagesUsageUpdate): void {
    if (guessed) isGuessed = true;
    if (typeof output === 'number') reported = output;
    const counted: Record<string, unknown> = { ...usage };
    for (const [name, value] of Object.entries(others)) if (value !== undefined && value !== null) counted[name] = value;
    usage = counted;
  }

  function observe(event: MessageEvent): void {
    switch (event.type) {
      case 'message_start':
        usage = { ...event.message.usage };
        blocks += event.message.content.length;
        if (typeof event.message.stop_reason === 'string') stopReason = event.message.stop_reason;
        if (blocks > 0 || stopReason !== undefined) hasSaid = true;
        break;
      case 'content_block_start':
        blocks += 1;
        if (event.content_block.type !== 'text' && event.content_block.type !== 'thinking') hasSaid = true;
        break;
      case 'content_block_delta':
        observeDelta(event.delta);
        break;
      case 'message_delta':
        observeUsage(event.usage);
        if (typeof event.delta.stop_reason === 'string') {
          stopReason = event.delta.stop_reason;
          hasSaid = true;
        }
        break;
      case 'message_stop':
        isComplete = true;
    }
  }

  return {
    observe,
    observeRelayed({ events, letters }) {
      for (const event of events) observe(event);
      if (letters === 0) return;
      hasSaid = true;
      estimated += letters / CHARS_PER_TOKEN;
    },
    observeWhole(message) {
      blocks = message.content.length;
      stopReason = message.stop_reason ?? undefined;
      usage = message.usage;
      reported = message.usage.output_tokens;
      hasSaid = true;
      isComplete = true;
    },
    outputTokens: () => Math.max(reported, usage.output_tokens ?? 0, Math.ceil(estimated)),
    counts() {
      // The vendor does not bill a refusal before the first word.
      if (stopReason === 'refusal' && blocks === 0) return none;
      const written = usage.cache_creation_input_tokens ?? 0;
      const write1h = Math.min(written, usage.cache_creation?.ephemeral_1h_input_tokens ?? 0);
      const prefilled = usage.output_tokens ?? 0;
      const output = isComplete ? Math.max(reported, blocks > 0 && reported === 0 ? prefilled : 0) : Math.max(reported, prefilled, Math.ceil(estimated));
      return {
        input: usage.input_tokens ?? estimatedInputTokens,
        cacheRead: usage.cache_read_input_tokens ?? 0,
        cacheWrite5m: written - write1h,
        cacheWrite1h: write1h,
        output,
        webSearches: usage.server_tool_use?.web_search_requests ?? 0,
      };
    },
    get isEstimated() {
      return isGuessed || usage.input_tokens === undefined || (!isComplete && Math.ceil(estimated) > Math.max(reported, usage.output_tokens ?? 0));
    },
    get stopReason() {
      return stopReason;
    },
    get isComplete() {
      return isComplete;
    },
    get hasSaid() {
      return hasSaid;
    },
  };
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

/** Roughly the tokens of a text: bytes beyond one a letter tell how much of it is not Latin. */
export function weigh(text: string): number {
  const more = Buffer.byteLength(text) - text.length;
  const others = Math.min(text.length, more / 2);
  return (text.length - others) / CHARS_PER_TOKEN + others;
}
