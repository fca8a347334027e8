import type {
  Effort,
  MessagesBinding,
  MessagesBody,
  MessagesRequest,
  Thinking,
  ThinkingType,
  ThinkingSigner,
  ToolChoice,
} from '../../../domain/messages';
import type { ProviderId } from '../../../domain/ids';
import type { MessageRules } from '../../../domain/provider';
import { plainTools } from '../../kit/messages/client-tools';
import { ignoredFields } from '../../kit/messages/ignored-fields';
import { nearestEffort } from '../../kit/messages/effort';
import { portableMessage } from '../../kit/messages/portable-message';
import {
  isAttribution,
  type PortableBlock,
  type PortableRules,
  type PortableTurn,
} from '../../kit/messages/portable-turns';
import type { WrittenRequest } from '../../kit/messages/upstream-request';

// Writes a request for a vendor that imitates the dialect. It contains only what the vendor documents; the differences
// between vendors are the data below.

export interface CompatibleFacts {
  readonly providerId: ProviderId;
  /** The kinds of `thinking` that the vendor accepts; for another kind the nearest one is sent, or none. */
  readonly thinkingTypes: readonly ThinkingType[];
  /** The effort levels in ascending order; empty if the vendor has none. */
  readonly efforts: readonly Effort[];
  /** Accepts documents in base64. */
  readonly pdf?: true;
  /** Requires the id of the call in `id` too, in addition to `tool_use_id` (status 500 without it). */
  readonly repeatsResultId?: true;
  /** `temperature` must be above 0. */
  readonly positiveTemperature?: true;
  readonly structuredOutputs?: true;
  /** Rejects `tool_choice` of `any` or `tool` while the model thinks. */
  readonly noForcedToolsWhileThinking?: true;
}

/** The version that all these vendors implement. */
const VERSION = '2023-06-01';
const MIN_TEMPERATURE = 0.01;
/** The minimum budget of the dialect. */
const MIN_BUDGET_TOKENS = 1_024;

/** Creates a function that writes requests for a vendor with these facts. */
export function compatibleRequest(facts: CompatibleFacts, thinkingSigner: ThinkingSigner) {
  return ({ body }: MessagesRequest, binding: MessagesBinding, withoutThinking: boolean): WrittenRequest => {
    const turns = portableMessage(body, {
      ...portableRules(facts),
      ...(!withoutThinking && { thinkingSigner }),
    });
    const thinking = withoutThinking ? disabledThinking(facts) : thinkingFor(body, facts);
    const mustReplay = binding.thinkingReplay === true && thinking?.type !== 'disabled' && !withoutThinking;
    const tools = plainTools(body.tools).map((tool, index) => ({ ...tool, ...markOf(body, tool.name, index) }));
    const effort = nearestEffort(body.output_config?.effort ?? undefined, facts.efforts);
    const format = facts.structuredOutputs ? body.output_config?.format : undefined;
    const system =
      typeof body.system === 'string'
        ? body.system
        : body.system?.filter((block) => !isAttribution(block) && block.text !== '');
    return {
      headers: { 'anthropic-version': VERSION },
      body: JSON.stringify({
        model: binding.modelName,
        max_tokens: Math.max(1, body.max_tokens ?? 1),
        ...(system !== undefined && system.length > 0 && { system }),
        messages: turns.map((turn) => wireTurn(turn, facts, mustReplay)),
        stream: true,
        ...(tools.length > 0 && { tools, ...toolChoice(body.tool_choice, facts, thinking) }),
        ...(thinking && { thinking }),
        ...((effort !== undefined || format) && {
          output_config: { ...(effort !== undefined && { effort }), ...(format && { format }) },
        }),
        ...(typeof body.temperature === 'number' && {
          temperature: facts.positiveTemperature ? Math.max(MIN_TEMPERATURE, body.temperature) : body.temperature,
        }),
        ...(typeof body.top_p === 'number' && { top_p: body.top_p }),
        ...(typeof body.top_k === 'number' && { top_k: body.top_k }),
        ...(body.stop_sequences && body.stop_sequences.length > 0 && { stop_sequences: body.stop_sequences }),
        ...(typeof body.metadata?.user_id === 'string' && { metadata: { user_id: body.metadata.user_id } }),
      }),
    };
  };
}

function portableRules({ providerId, pdf }: CompatibleFacts): PortableRules {
  return { providerId, pdf: pdf === true, systemTurns: false };
}

/** Returns the rules for the fields that a vendor with these facts is not sent. */
export function compatibleRules(facts: CompatibleFacts): MessageRules {
  return {
    check: (body) => void portableMessage(body, portableRules(facts)),
    ignoredParams: (body) => ignoredByVendor(body, facts),
  };
}

const sentAlways = ['tool_choice', 'temperature', 'top_p', 'top_k', 'stop_sequences', 'metadata'];

/** Returns the names of body fields that a vendor with these facts does not receive. */
function ignoredByVendor(body: MessagesBody, facts: CompatibleFacts): string[] {
  const configured = facts.efforts.length > 0 || facts.structuredOutputs === true;
  return ignoredFields(
    body,
    new Set([
      ...sentAlways,
      ...(facts.thinkingTypes.length > 0 ? ['thinking'] : []),
      ...(configured ? ['output_config'] : []),
    ]),
  );
}

function wireTurn({ role, content }: PortableTurn, facts: CompatibleFacts, mustReplay: boolean): object {
  const blocks = content.map((block) => wireBlock(block, facts));
  const calls = content.some(({ type }) => type === 'tool_use');
  // The vendor rejects a turn with tool calls whose thinking is missing (from another provider, or removed by the
  // client). It also rejects an empty thinking block, but accepts a blank.
  const lacksThinking = mustReplay && role === 'assistant' && calls && !content.some(({ type }) => type === 'thinking');
  return { role, content: lacksThinking ? [{ type: 'thinking', thinking: ' ', signature: '' }, ...blocks] : blocks };
}

function wireBlock(block: PortableBlock, facts: CompatibleFacts): object {
  return block.type === 'tool_result' && facts.repeatsResultId ? { id: block.tool_use_id, ...block } : block;
}

/** Keeps the cache mark of a tool, for the vendors that cache. */
function markOf(body: MessagesBody, name: string, index: number): object {
  const tool =
    body.tools?.[index]?.name === name ? body.tools[index] : body.tools?.find((other) => other.name === name);
  return tool?.cache_control ? { cache_control: tool.cache_control } : {};
}

function toolChoice(choice: ToolChoice | undefined, facts: CompatibleFacts, thinking: Thinking | undefined): object {
  if (!choice) return {};
  const isForced = choice.type === 'any' || choice.type === 'tool';
  const mayForce = !facts.noForcedToolsWhileThinking || thinking === undefined || thinking.type === 'disabled';
  return { tool_choice: isForced && !mayForce ? { type: 'auto' } : choice };
}

function thinkingFor(
  { thinking, max_tokens = MIN_BUDGET_TOKENS }: MessagesBody,
  { thinkingTypes }: CompatibleFacts,
): Thinking | undefined {
  if (!thinking) return undefined;
  if (thinkingTypes.includes(thinking.type)) return thinking;
  if (thinking.type === 'disabled') return undefined;
  if (thinkingTypes.includes('adaptive')) return { type: 'adaptive' };
  if (!thinkingTypes.includes('enabled')) return undefined;
  return {
    type: 'enabled',
    budget_tokens: Math.max(MIN_BUDGET_TOKENS, thinking.budget_tokens ?? Math.floor(max_tokens / 2)),
  };
}

function disabledThinking({ thinkingTypes }: CompatibleFacts): Thinking | undefined {
  return thinkingTypes.includes('disabled') ? { type: 'disabled' } : undefined;
}
