import { createHash } from 'node:crypto';
import type {
  Effort,
  MessagesBinding,
  MessagesBody,
  OutputConfig,
  Thinking,
  ThinkingSigner,
  ToolChoice,
} from '../../../domain/messages';
import type { ProviderId } from '../../../domain/ids';
import type { MessageRules } from '../../../domain/provider';
import { plainTools } from '../../kit/messages/client-tools';
import { ignoredFields } from '../../kit/messages/ignored-fields';
import { nearestEffort } from '../../kit/messages/effort';
import { portableMessage } from '../../kit/messages/portable-message';
import { systemText, type PortableRules } from '../../kit/messages/portable-turns';
import { chatMessages } from './messages';
import { createToolNames, type ToolNames } from './tool-names';

// Writes a request in the chat completions format. By default it contains only fields that every upstream of this
// dialect accepts; vendor extensions are declared in ChatFacts.

export interface ChatFacts {
  readonly providerId: ProviderId;
  readonly outputLimit: 'max_tokens' | 'max_completion_tokens';
  /** How thinking is requested. `switch`: `thinking: {type}` · `effort`: `reasoning_effort` · `none`: not at all. */
  readonly thinking: 'switch' | 'effort' | 'none';
  /** Values of `reasoning_effort`, in ascending order. */
  readonly efforts: readonly Effort[];
  /** Maximum number of `stop` sequences; 0: none are accepted. */
  readonly maxStops: number;
  /** Whether system messages are allowed in the middle of the conversation. */
  readonly systemTurns: boolean;
  readonly structured: 'json_schema' | 'json_object' | 'none';
  readonly topK?: true;
  readonly pdf?: true;
  /** Whether the upstream rejects `tool_choice: required` while the model thinks. */
  readonly noForcedToolsWhileThinking?: true;
}

export interface ChatRequest {
  readonly body: string;
  readonly names: ToolNames;
}

/** Writes a request. Without `thinking` if the upstream has rejected the thinking of earlier turns. */
export function chatRequest(
  body: MessagesBody,
  binding: MessagesBinding,
  facts: ChatFacts,
  thinkingSigner: ThinkingSigner | undefined,
): ChatRequest {
  const withoutThinking = thinkingSigner === undefined;
  const turns = portableMessage(body, { ...portableRules(facts), ...(thinkingSigner && { thinkingSigner }) });
  const tools = plainTools(body.tools);
  const called = turns.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_use' ? [block.name] : [])),
  );
  const names = createToolNames([...tools.map(({ name }) => name), ...called]);
  const thinks = thinkingFields(body, facts, withoutThinking);
  const format = formatFields(body, facts);
  const system = [systemText(body.system), format.instruction].filter(Boolean).join('\n\n');
  const maxOutputTokens = Math.max(1, body.max_tokens ?? 1);
  return {
    names,
    body: JSON.stringify({
      model: binding.modelName,
      [facts.outputLimit]: maxOutputTokens,
      stream: true,
      stream_options: { include_usage: true },
      ...(body.stop_sequences &&
        body.stop_sequences.length > 0 &&
        facts.maxStops > 0 && { stop: body.stop_sequences.slice(0, facts.maxStops) }),
      messages: [
        ...(system === '' ? [] : [{ role: 'system', content: system }]),
        ...chatMessages(turns, {
          names,
          replay: binding.thinkingReplay === true && !withoutThinking,
          mustReplay: mustReplay(binding, body, withoutThinking),
        }),
      ],
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, input_schema: parameters, strict }) => ({
          type: 'function',
          function: {
            name: names.short(name),
            ...(description !== undefined && { description }),
            parameters,
            ...(strict && { strict }),
          },
        })),
        ...choiceFields(body, binding, facts, names),
      }),
      ...thinks,
      ...(format.field && { response_format: format.field }),
      ...(typeof body.temperature === 'number' && { temperature: body.temperature }),
      ...(typeof body.top_p === 'number' && { top_p: body.top_p }),
      ...(typeof body.top_k === 'number' && facts.topK && { top_k: body.top_k }),
      // Sent as a digest, because it is long and personal: upstreams accept 64 characters.
      ...(typeof body.metadata?.user_id === 'string' && {
        user: createHash('sha256').update(body.metadata.user_id).digest('hex'),
      }),
    }),
  };
}

function portableRules({ providerId, pdf, systemTurns }: ChatFacts): PortableRules {
  return { providerId, pdf: pdf === true, systemTurns };
}

/** Returns the rules for the fields that an upstream is not sent, by the facts of a binding. */
export function chatRules(factsOf: (binding: MessagesBinding) => ChatFacts): MessageRules {
  return {
    check: (body, binding) => void portableMessage(body, portableRules(factsOf(binding))),
    ignoredParams: (body, binding) => ignoredByChat(body, factsOf(binding)),
  };
}

/** Returns the names of body fields that an upstream with these facts does not receive. */
function ignoredByChat(body: MessagesBody, facts: ChatFacts): string[] {
  const stops = body.stop_sequences?.length ?? 0;
  const sent = new Set([
    'tool_choice',
    'temperature',
    'top_p',
    'output_config',
    'output_format',
    'metadata',
    ...(facts.topK ? ['top_k'] : []),
    ...(facts.thinking === 'none' ? [] : ['thinking']),
    ...(stops <= facts.maxStops ? ['stop_sequences'] : []),
  ]);
  return ignoredFields(body, sent);
}

function mustReplay(binding: MessagesBinding, { thinking }: MessagesBody, withoutThinking: boolean): boolean {
  return binding.thinkingReplay === true && !withoutThinking && thinking?.type !== 'disabled';
}

function choiceFields(
  { tool_choice: choice, thinking }: MessagesBody,
  binding: MessagesBinding,
  facts: ChatFacts,
  names: ToolNames,
): object {
  if (!choice) return {};
  const mayForce = !facts.noForcedToolsWhileThinking || !isThinking(thinking);
  const single = choice.type !== 'none' && choice.disable_parallel_tool_use && binding.parallelTools;
  return { tool_choice: chatChoice(choice, mayForce, names), ...(single && { parallel_tool_calls: false }) };
}

function chatChoice(choice: ToolChoice, mayForce: boolean, names: ToolNames): unknown {
  if (choice.type === 'none') return 'none';
  if (choice.type === 'auto' || !mayForce) return 'auto';
  return choice.type === 'tool' ? { type: 'function', function: { name: names.short(choice.name) } } : 'required';
}

function isThinking(thinking: Thinking | undefined): boolean {
  return thinking !== undefined && thinking.type !== 'disabled';
}

function thinkingFields(
  { thinking, output_config: output }: MessagesBody,
  facts: ChatFacts,
  withoutThinking: boolean,
): object {
  if (facts.thinking === 'switch') {
    if (withoutThinking) return { thinking: { type: 'disabled' } };
    return thinking ? { thinking: { type: isThinking(thinking) ? 'enabled' : 'disabled' } } : {};
  }
  if (facts.thinking === 'none') return {};
  const wanted = output?.effort ?? effortOf(thinking);
  const effort = nearestEffort(wanted, facts.efforts);
  return effort === undefined ? {} : { reasoning_effort: effort };
}

/**
 * Converts a thinking budget to an effort level. `adaptive` leaves it to the model; the lowest level is closest to no
 * thinking.
 */
function effortOf(thinking: Thinking | undefined): Effort | undefined {
  if (thinking?.type === 'disabled') return 'low';
  const budget = thinking?.type === 'enabled' ? thinking.budget_tokens : undefined;
  if (budget === undefined) return undefined;
  if (budget < 2_000) return 'low';
  if (budget < 8_000) return 'medium';
  return budget < 24_000 ? 'high' : 'xhigh';
}

function formatFields(
  body: MessagesBody,
  { structured }: ChatFacts,
): { readonly field?: object; readonly instruction?: string } {
  // Safe: older clients send the same object at the top level.
  const format = body.output_config?.format ?? (body.output_format as OutputConfig['format']);
  if (!format?.schema) return {};
  if (structured === 'json_schema')
    return { field: { type: 'json_schema', json_schema: { name: 'output', schema: format.schema, strict: true } } };
  const instruction = `Answer with one JSON value and nothing else. It must match this JSON schema: ${JSON.stringify(format.schema)}`;
  return structured === 'none' ? { instruction } : { field: { type: 'json_object' }, instruction };
}
