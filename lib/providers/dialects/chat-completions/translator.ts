import { upstreamFailed } from '../../../domain/errors';
import { fieldsOf, type Fields } from '../../../domain/json';
import type { MessageEvent, StopReason } from '../../../domain/messages';
import { BlockOverflow, createBlockWriter, type Key } from '../../kit/messages/block-writer';
import { createThinkTagParser } from '../../kit/messages/think-tags';
import type { AnswerTranslator } from '../../kit/messages/event-decoder';
import { packToolId } from '../../kit/messages/tool-id';
import { parseErrorValue, upstreamRefusal } from '../../kit/http/upstream-error';
import { chatUsage } from './usage';

// Translates chat chunks into message events. Upstreams agree on the shape of a chunk and on little else: tools come
// with or without an index, with repeated or missing ids, with arguments before names; reasoning has several field
// names; usage comes at the end, with every chunk, or never.

export interface ChatTranslatorOptions {
  readonly messageId: string;
  readonly modelName: string;
  readonly estimatedInputTokens: number;
  /** Returns the client's name of a tool. */
  fullToolName(name: string): string;
  readonly sign: (thinking: string, original: string) => string;
}

interface ToolCall {
  readonly key: Key;
  id: string;
  name: string;
  /** Arguments that arrived before the name. */
  early: string;
}

const CHARS_PER_TOKEN = 4;

export function createChatTranslator(options: ChatTranslatorOptions): AnswerTranslator {
  const writer = createBlockWriter({ sign: options.sign });
  const thinkTags = createThinkTagParser();
  const tools = new Map<unknown, ToolCall>();
  const toolsById = new Map<string, ToolCall>();
  let events: MessageEvent[] = [];
  let isStarted = false;
  let isEnded = false;
  let finish: string | undefined;
  let hasRefusal = false;
  let usage: unknown;
  let blocks = 0;
  let current: { readonly kind: string; readonly key: Key } | undefined;
  let lastTool: unknown = 'only';

  /** Starts with the first real output: until then another provider can still take over. */
  function start(): void {
    if (isStarted) return;
    isStarted = true;
    events.push({
      type: 'message_start',
      message: {
        id: options.messageId,
        type: 'message',
        role: 'assistant',
        model: options.modelName,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: options.estimatedInputTokens,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
          output_tokens: 0,
        },
      },
    });
  }

  function collect(): void {
    const written = writer.take();
    if (written.length === 0) return;
    start();
    for (const event of written) events.push(event);
  }

  function append(kind: 'text' | 'thinking', text: string): void {
    if (text === '') return;
    if (current?.kind !== kind) {
      current = { kind, key: `${kind}-${blocks++}` };
      writer.open(
        current.key,
        kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' },
      );
    }
    writer.feed(
      current.key,
      kind === 'text' ? { type: 'text_delta', text } : { type: 'thinking_delta', thinking: text },
    );
  }

  function appendParts({ thinking, text }: { readonly thinking: string; readonly text: string }): void {
    append('thinking', thinking);
    append('text', text);
  }

  function findTool(call: Fields, name: string): ToolCall {
    const id = textOf(call.id);
    const place = typeof call.index === 'number' ? call.index : id || lastTool;
    // Some upstreams number every call 0: the id then identifies the call, and a new id with a name starts a new one.
    const known = (id === '' ? undefined : toolsById.get(id)) ?? tools.get(place);
    const isOther = known !== undefined && id !== '' && known.id !== '' && known.id !== id && name !== '';
    const tool: ToolCall = known && !isOther ? known : { key: `tool-${blocks++}`, id, name: '', early: '' };
    tools.set(place, tool);
    if (id !== '') toolsById.set(id, tool);
    return tool;
  }

  function feedTool(call: Fields): void {
    const described = fieldsOf(call.function);
    const name = textOf(described.name);
    const tool = findTool(call, name);
    lastTool = typeof call.index === 'number' ? call.index : textOf(call.id) || lastTool;
    if (tool.id === '') tool.id = textOf(call.id);
    const fragment =
      typeof described.arguments === 'string'
        ? described.arguments
        : described.arguments == null
          ? ''
          : JSON.stringify(described.arguments);
    if (tool.name === '') {
      tool.early += fragment;
      if (name === '') return;
      tool.name = name;
      current = undefined;
      writer.open(tool.key, { type: 'tool_use', id: packToolId(tool.id), name: options.fullToolName(name), input: {} });
      if (tool.early !== '') writer.feed(tool.key, { type: 'input_json_delta', partial_json: tool.early });
    } else if (fragment !== '') writer.feed(tool.key, { type: 'input_json_delta', partial_json: fragment });
  }

  function take(chunk: Fields): void {
    if (chunk.error !== undefined && chunk.error !== null) throw refusalOf(chunk);
    const choice = fieldsOf(Array.isArray(chunk.choices) ? chunk.choices[0] : undefined);
    usage = chunk.usage ?? choice.usage ?? usage;
    const delta = fieldsOf(choice.delta ?? choice.message);
    append(
      'thinking',
      textOf(delta.reasoning_content) || textOf(delta.reasoning) || partsText(delta.reasoning_details),
    );
    const content = textOf(delta.content) || partsText(delta.content);
    if (content !== '') appendParts(thinkTags.push(content));
    const refusal = textOf(delta.refusal);
    if (refusal !== '') hasRefusal = true;
    append('text', refusal);
    for (const call of Array.isArray(delta.tool_calls) ? delta.tool_calls : []) feedTool(fieldsOf(call));
    if (delta.function_call) feedTool({ id: 'function_call', function: delta.function_call });
    const reason = textOf(choice.finish_reason);
    if (failedReasons.has(reason)) throw invalid('The upstream gave up.');
    finish = reason || finish;
  }

  function end(isDone: boolean): void {
    if (isEnded) return;
    if (!isDone && finish === undefined) throw invalid('The stream ended before its finish reason.');
    appendParts(thinkTags.end());
    writer.stopAll();
    collect();
    start();
    isEnded = true;
    const reason = stopReason();
    const outputTokens = Math.ceil(writer.chars / CHARS_PER_TOKEN);
    events.push({
      type: 'message_delta',
      delta: {
        stop_reason: reason,
        stop_sequence: null,
        ...(reason === 'refusal' && { stop_details: { type: 'refusal', category: null, explanation: null } }),
      },
      usage: chatUsage(usage, { inputTokens: options.estimatedInputTokens, outputTokens }),
    });
    events.push({ type: 'message_stop' });
  }

  // The content outweighs the stated reason: some upstreams report `stop` after a tool call.
  function stopReason(): StopReason {
    const reported = hasRefusal ? 'refusal' : (stopReasons[finish ?? ''] ?? 'end_turn');
    if (reported === 'end_turn' && writer.hasToolUse) return 'tool_use';
    return reported === 'tool_use' && !writer.hasToolUse ? 'end_turn' : reported;
  }

  return {
    push(chunk) {
      if (isEnded) return;
      try {
        take(fieldsOf(chunk));
      } catch (error) {
        throw error instanceof BlockOverflow
          ? invalid('Too many events arrived before a tool call was complete.')
          : error;
      } finally {
        collect();
      }
    },
    done: () => end(true),
    end: () => end(false),
    take() {
      const taken = events;
      events = [];
      return taken;
    },
    get isComplete() {
      return finish !== undefined;
    },
    get isEnded() {
      return isEnded;
    },
  };
}

const stopReasons: Readonly<Record<string, StopReason>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  repetition_truncation: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
  sensitive: 'refusal',
  model_context_window_exceeded: 'model_context_window_exceeded',
};

const failedReasons = new Set(['insufficient_system_resource', 'error']);

/** Returns the error of a stream that started with status 200. Its code, if any, contains the intended status. */
function refusalOf(chunk: Fields): Error {
  const parsed = parseErrorValue(chunk);
  const error = fieldsOf(chunk.error);
  const status = Number(error.status ?? error.code ?? parsed.code);
  return upstreamRefusal({
    ...parsed,
    status: status >= 400 && status < 600 ? status : (statusOfType[parsed.code ?? ''] ?? 500),
  });
}

const statusOfType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  insufficient_quota: 402,
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  server_overloaded: 529,
  overloaded_error: 529,
};

function partsText(parts: unknown): string {
  if (!Array.isArray(parts)) return '';
  return parts.map((part) => textOf(fieldsOf(part).text)).join('');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function invalid(detail: string): Error {
  return upstreamFailed({ retry: 'later', started: 'maybe' }, detail);
}
