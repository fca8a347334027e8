import { upstreamFailed } from '../../../domain/errors';
import { fieldsOf, type Fields } from '../../../domain/json';
import type {
  ContentBlock,
  ContentDelta,
  Message,
  MessageEvent,
  MessagesUsage,
  MessagesUsageUpdate,
  StopReason,
} from '../../../domain/messages';
import { withoutFalseCounts } from '../../../domain/token-count';
import { BlockOverflow, createBlockWriter } from '../../kit/messages/block-writer';
import type { AnswerTranslator } from '../../kit/messages/event-decoder';
import { parseErrorValue, upstreamRefusal } from '../../kit/http/upstream-error';

// Makes an event stream of this dialect well-formed. Imitating vendors send gaps in the numbering, duplicates,
// overlapping blocks, or streams without starts, stops or usage; official clients throw or lose tool calls in each of
// these cases. A well-formed stream is not changed. What cannot be repaired without inventing content is an error.

export interface EventNormalizerOptions {
  /** Whether this is the vendor that defines the dialect: its stop reasons, new event types and signatures are kept. */
  readonly native: boolean;
  /** The id for an answer without its own. */
  readonly messageId: string;
  readonly modelName: string;
  /** The input tokens to report if the upstream reports 0 or none. */
  readonly estimatedInputTokens: number;
  readonly sign?: (thinking: string, original: string) => string;
  readonly packToolId?: (id: string) => string;
  /** The HTTP status for each error code of the vendor. */
  readonly statusOfCode?: Readonly<Record<string, number>>;
}

/** To estimate output tokens that the upstream did not count. */
const CHARS_PER_TOKEN = 4;

export function createEventNormalizer(options: EventNormalizerOptions): AnswerTranslator {
  const { native, messageId, modelName, estimatedInputTokens, sign, packToolId, statusOfCode = {} } = options;
  const writer = createBlockWriter(sign ? { sign } : {});
  let events: MessageEvent[] = [];
  let phase: 'before' | 'content' | 'stopped' | 'ended' = 'before';
  let hasPrefilledTool = false;
  let isPrefilled = false;
  let hasCountedInput = false;
  let lastKey = 0;
  /** Usage totals that arrived before the stop reason. */
  let runningUsage: Fields = {};
  /** Sent at the end: some vendors send the reason once, and later the usage with the reason again. */
  let stopDelta: Fields = {};
  /** Other fields of message_delta, which gains new ones every year. */
  let stopExtras: Fields = {};

  function collect(): void {
    for (const event of writer.take()) events.push(event);
  }

  function start(message: Fields): void {
    if (phase !== 'before') return;
    phase = 'content';
    const content = Array.isArray(message.content) ? message.content : [];
    isPrefilled = typeof message.stop_reason === 'string';
    hasPrefilledTool = content.some((block) => fieldsOf(block).type === 'tool_use');
    events.push({
      type: 'message_start',
      // Safe: every field that the type requires is filled in if the upstream omitted it.
      message: {
        ...message,
        id: typeof message.id === 'string' && message.id !== '' ? message.id : messageId,
        type: 'message',
        role: 'assistant',
        model: typeof message.model === 'string' ? message.model : modelName,
        content,
        stop_reason: message.stop_reason ?? null,
        stop_sequence: message.stop_sequence ?? null,
        usage: startUsage(withoutFalseCounts(fieldsOf(message.usage))),
      } as Message,
    });
  }

  function startUsage(usage: Fields): MessagesUsage {
    hasCountedInput = hasInput(usage);
    const input = hasCountedInput ? {} : { input_tokens: estimatedInputTokens };
    // Safe: both counts are numbers now, and the other fields are passed on unchanged.
    return {
      ...usage,
      ...input,
      output_tokens: typeof usage.output_tokens === 'number' ? usage.output_tokens : 0,
    } as MessagesUsage;
  }

  function openBlock(event: Fields): void {
    const block = fieldsOf(event.content_block);
    if (typeof block.type !== 'string') return;
    lastKey = typeof event.index === 'number' ? event.index : lastKey + 1;
    const mended = packToolId && typeof block.id === 'string' ? { ...block, id: packToolId(block.id) } : block;
    // Safe: the writer fills in what a text, a thinking block or a tool call must have; other types are passed on
    // without being read.
    writer.open(lastKey, mended as unknown as ContentBlock);
  }

  function feedBlock(event: Fields): void {
    const delta = asDelta(fieldsOf(event.delta));
    if (!delta) return;
    const key = typeof event.index === 'number' ? event.index : lastKey;
    if (writer.feed(key, delta) || delta.type !== 'input_json_delta') return;
    throw invalid('The answer has arguments of a tool call that was not started.');
  }

  function stop(event: Fields): void {
    const { type: _type, delta: _delta, usage: _usage, ...extras } = event;
    const delta = fieldsOf(event.delta);
    const usage = withoutFalseCounts(fieldsOf(event.usage));
    runningUsage = { ...runningUsage, ...(hasInput(usage) ? usage : withoutInput(usage)) };
    if (native) stopExtras = { ...stopExtras, ...extras };
    if (typeof delta.stop_reason !== 'string') return emitRunningTotal({ ...event, usage });
    writer.stopAll();
    collect();
    phase = 'stopped';
    stopDelta = delta;
  }

  /** Emits a total before the stop reason, so that a client that disconnects now is charged the reported cost. */
  function emitRunningTotal(event: Fields): void {
    if (!native || phase !== 'content' || writer.hasOpen || typeof fieldsOf(event.usage).output_tokens !== 'number')
      return;
    collect();
    // Safe: it has usage, and its delta is that of an unfinished answer.
    events.push({
      ...event,
      delta: { stop_reason: null, stop_sequence: null, ...fieldsOf(event.delta) },
    } as unknown as MessageEvent);
  }

  function finalUsage(): MessagesUsageUpdate {
    const estimate = Math.ceil(writer.chars / CHARS_PER_TOKEN);
    const counted =
      typeof runningUsage.output_tokens === 'number' && (runningUsage.output_tokens > 0 || estimate === 0)
        ? runningUsage.output_tokens
        : undefined;
    const isEstimated = counted === undefined || !(hasCountedInput || hasInput(runningUsage));
    return { ...runningUsage, output_tokens: counted ?? estimate, ...(isEstimated && { estimated: true }) };
  }

  function stopReason(reason: string): string {
    if (native) return reason;
    const hasTool = writer.hasToolUse || hasPrefilledTool;
    const meant = chatReasons[reason] ?? reason;
    if (meant === 'end_turn' && hasTool) return 'tool_use';
    return meant === 'tool_use' && !hasTool ? 'end_turn' : meant;
  }

  function end(): void {
    if (phase === 'ended') return;
    const isComplete = phase === 'stopped' || (isPrefilled && phase === 'content' && writer.chars === 0);
    if (!isComplete) throw invalid('The stream ended before its stop reason.');
    writer.stopAll();
    collect();
    phase = 'ended';
    const { stop_reason: reason, stop_sequence: sequence } = stopDelta;
    if (typeof reason === 'string') {
      // Safe: the reason is a string.
      const delta = {
        ...stopDelta,
        stop_reason: stopReason(reason) as StopReason,
        stop_sequence: typeof sequence === 'string' ? sequence : null,
      };
      events.push({ type: 'message_delta', delta, usage: finalUsage(), ...stopExtras });
    }
    events.push({ type: 'message_stop' });
  }

  function take(event: Fields): void {
    const { type } = event;
    if (type === 'error' || (type === undefined && event.error !== undefined)) {
      // The answer is complete; later errors do not concern the client.
      if (phase === 'stopped') return end();
      throw refusalOfEvent(event, statusOfCode);
    }
    if (type === 'message_start') return start(fieldsOf(event.message));
    if (type === 'ping' || typeof type !== 'string') return;
    const isKnown = type.startsWith('content_block_') || type.startsWith('message_');
    if (!isKnown && !native) return;
    if (phase === 'before') start({});
    switch (type) {
      case 'content_block_start':
        if (phase === 'content') openBlock(event);
        break;
      case 'content_block_delta':
        if (phase === 'content') feedBlock(event);
        break;
      case 'content_block_stop':
        if (phase === 'content') writer.stop(typeof event.index === 'number' ? event.index : lastKey);
        break;
      case 'message_delta':
        stop(event);
        break;
      case 'message_stop':
        end();
        break;
      default:
        collect();
        // Safe: an unlisted type may have any fields.
        if (native) events.push(event as unknown as MessageEvent);
    }
  }

  return {
    push(event) {
      if (phase === 'ended') return;
      try {
        take(fieldsOf(event));
      } catch (error) {
        throw error instanceof BlockOverflow
          ? invalid('Too many events arrived before a tool call was complete.')
          : error;
      } finally {
        collect();
      }
    },
    // Ignores the end mark of another dialect, which some imitators also send.
    done() {},
    end,
    take() {
      const taken = events;
      events = [];
      return taken;
    },
    get isComplete() {
      return phase === 'stopped' || phase === 'ended';
    },
    get isEnded() {
      return phase === 'ended';
    },
  };
}

/** Creates the error for an event or an answer of type `error`; `statusOfCode` as in `EventNormalizerOptions`. */
export function refusalOfEvent(event: Fields, statusOfCode: Readonly<Record<string, number>> = {}): Error {
  const refusal = parseErrorValue(event);
  const code = refusal.code ?? '';
  return upstreamRefusal({
    ...refusal,
    status: statusOfCode[code] ?? statusOfType[code] ?? statusOfType[String(fieldsOf(event.error).type)] ?? 500,
  });
}

/** The HTTP status that an error event would have as a response. */
const statusOfType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** Stop reasons of another dialect that some imitators pass through. */
const chatReasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

/** Returns a delta whose text is a string; deltas of other types unchanged. */
export function asDelta(delta: Fields): ContentDelta | undefined {
  if (typeof delta.type !== 'string') return undefined;
  const field = deltaFields[delta.type];
  if (field !== undefined && typeof delta[field] !== 'string') return undefined;
  // Safe: the one field that the listed types require is a string; a citation is any JSON.
  return delta as unknown as ContentDelta;
}

const deltaFields: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
};

function hasInput(usage: Fields): boolean {
  return [usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens].some(
    (count) => typeof count === 'number' && count > 0,
  );
}

/** No request has an input of 0 tokens, so these counts must not replace what the start has reported. */
function withoutInput(usage: Fields): Fields {
  const {
    input_tokens: _input,
    cache_read_input_tokens: _read,
    cache_creation_input_tokens: _written,
    cache_creation: _writtenByLifetime,
    ...others
  } = usage;
  return others;
}

function invalid(detail: string): Error {
  return upstreamFailed({ retry: 'later', started: 'maybe' }, detail);
}
