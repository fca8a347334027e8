import type { Json } from '../../../lib/domain/json';
import type { MessagesModel } from '../../../lib/domain/model';
import type { CodeValue } from '../components/code/code-request';
import { numbersProblem } from './number-limits';
import {
  modelName,
  parseSchema,
  parseTools,
  problemOf,
  toolCallsOf,
  type Block,
  type Turn,
  type ImagePiece,
  type Lane,
  type Prompt,
  type Settings,
  type Step,
} from './conversation';

// Builds the body of `POST /v1/messages` from the settings and a conversation. Parameters that the model does not have
// are omitted.

export type RequestBody = Readonly<Record<string, CodeValue>>;

interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly Block[];
}

/**
 * Returns the body that sends `prompt` after the turns, or the results of the last tool calls if there is no prompt.
 * Throws an Error with a user-readable message for an invalid setting: omitting the setting would send, and charge for,
 * a request that the user did not mean.
 */
export function requestBody(
  settings: Settings,
  model: MessagesModel,
  lane: Lane,
  turns: readonly Turn[],
  prompt: Prompt | undefined,
): RequestBody {
  const { messages: facts } = model;
  const { temperature, topP, topK, thinking, effort } = settings;
  const problem = numbersProblem(settings, model);
  if (problem !== undefined) throw new Error(problem);
  const stops = stopSequencesOf(settings);
  const tools = parseTools(settings.tools);
  const body: Record<string, CodeValue> = { model: modelName(settings), max_tokens: settings.maxTokens };
  if (settings.system.trim() !== '') body['system'] = settings.system;
  body['messages'] = messagesOf(settings.modelId, lane, turns, prompt).map(({ role, content }) => ({
    role,
    content,
  }));
  if (facts.sampling) {
    if (temperature !== undefined) body['temperature'] = temperature;
    if (topP !== undefined) body['top_p'] = topP;
    if (topK !== undefined) body['top_k'] = topK;
  }
  if (stops.length > 0) body['stop_sequences'] = stops;
  if (thinking !== undefined && facts.thinkingTypes.includes(thinking))
    body['thinking'] =
      thinking === 'enabled' ? { type: thinking, budget_tokens: settings.thinkingBudget } : { type: thinking };
  const output: Record<string, CodeValue> = {};
  if (effort !== undefined && facts.efforts.includes(effort)) output['effort'] = effort;
  if (settings.structured && facts.structuredOutputs)
    output['format'] = { type: 'json_schema', schema: parseSchema(settings.schema) };
  if (Object.keys(output).length > 0) body['output_config'] = output;
  if (tools.length > 0) {
    body['tools'] = tools;
    const choice = toolChoiceOf(settings, model, tools);
    if (choice) body['tool_choice'] = choice;
  }
  if (settings.cached) body['cache_control'] = { type: 'ephemeral' };
  if (settings.stream) body['stream'] = true;
  return body;
}

/** Returns why the settings cannot be sent to the model; undefined if they can. */
export function settingsProblem(settings: Settings, model: MessagesModel): string | undefined {
  return problemOf(() => requestBody(settings, model, 0, [], undefined));
}

function stopSequencesOf({ stopSequences }: Settings): string[] {
  return stopSequences.split('\n').filter((line) => line.trim() !== '');
}

function toolChoiceOf(
  { toolChoice, oneToolAtATime }: Settings,
  { messages: { forcedTools } }: MessagesModel,
  tools: readonly { readonly [field: string]: Json }[],
): CodeValue | undefined {
  const isForced = toolChoice === 'any' || tools.some(({ name }) => toolChoice === `tool:${String(name)}`);
  // A tool may have been renamed since it was chosen.
  const choice = (isForced && forcedTools) || toolChoice === 'none' ? toolChoice : 'auto';
  if (choice === 'none') return { type: 'none' };
  const one = oneToolAtATime ? { disable_parallel_tool_use: true } : {};
  if (choice.startsWith('tool:')) return { type: 'tool', name: choice.slice('tool:'.length), ...one };
  if (choice === 'any') return { type: 'any', ...one };
  return oneToolAtATime ? { type: 'auto', ...one } : undefined;
}

/** Returns the conversation of a lane as the API requires it: roles alternate, and every tool call has a result. */
function messagesOf(
  modelId: string,
  lane: Lane,
  turns: readonly Turn[],
  prompt: Prompt | undefined,
): readonly Message[] {
  const messages: { role: Message['role']; blocks: Block[] }[] = [];
  const add = (role: Message['role'], blocks: readonly Block[]) => {
    if (blocks.length === 0) return;
    const last = messages.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else messages.push({ role, blocks: [...blocks] });
  };
  for (const turn of turns) {
    add('user', promptBlocks(turn.prompt));
    for (const step of stepsOf(turn, lane)) {
      const blocks = sentBlocks(step, modelId);
      add('assistant', blocks);
      add('user', resultBlocks({ ...step, blocks }));
    }
  }
  if (prompt) add('user', promptBlocks(prompt));
  return messages.map(({ role, blocks }) => ({ role, content: plainText(blocks) ?? blocks }));
}

/** Returns the answers of a lane. A lane that was added later continues from the answers of the other lane. */
export function stepsOf({ lanes }: Turn, lane: Lane): readonly Step[] {
  const own = lanes[lane];
  return own.length > 0 ? own : lanes[lane === 0 ? 1 : 0];
}

/**
 * Returns the blocks of an answer that may be sent back. Thinking is valid only for the model that wrote it. In an
 * answer that broke off, thinking may lack its signature and a tool call may be incomplete.
 */
function sentBlocks({ blocks, modelId, state }: Step, nextModelId: string): readonly Block[] {
  const isWhole = state === 'done';
  return blocks.filter((block) => {
    if (block.type === 'text') return block['text'] !== '';
    if (block.type === 'thinking' || block.type === 'redacted_thinking') return isWhole && modelId === nextModelId;
    return isWhole;
  });
}

function resultBlocks(step: Pick<Step, 'blocks' | 'results'>): readonly Block[] {
  return toolCallsOf(step).map(({ id }) => {
    const { text = '', isError = false } = step.results[id] ?? {};
    return { type: 'tool_result', tool_use_id: id, content: text, ...(isError && { is_error: true }) };
  });
}

function promptBlocks({ text, images }: Prompt): readonly Block[] {
  return [...images.map(imageBlock), ...(text.trim() === '' ? [] : [{ type: 'text', text }])];
}

function imageBlock(image: ImagePiece): Block {
  const source: Json =
    image.kind === 'file'
      ? { type: 'base64', media_type: image.mediaType, data: image.data }
      : { type: 'url', url: image.url };
  return { type: 'image', source };
}

/** Returns a single text block as a plain string, as the documentation writes it. */
function plainText(blocks: readonly Block[]): string | undefined {
  const [only, ...others] = blocks;
  return only?.type === 'text' && others.length === 0 && typeof only['text'] === 'string' ? only['text'] : undefined;
}
