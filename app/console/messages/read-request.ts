import { fieldsOf, isObject, type Fields } from '../../../lib/domain/json';
import type { Effort, ThinkingType } from '../../../lib/domain/messages';
import type { MessagesModel } from '../../../lib/domain/model';
import { printJson } from '../components/code/print-value';
import type { CodeValue } from '../components/code/code-request';
import {
  emptyPrompt,
  emptySettings,
  parseJson,
  type Block,
  type Turn,
  type ImagePiece,
  type Prompt,
  type Settings,
  type ShownModel,
  type Step,
  type ToolResult,
} from './conversation';

// Reads a request body, from a link or pasted, into the settings and the conversation. Its last prompt becomes the one
// to send. Parts that the page cannot show are listed.

export interface ReadRequest {
  readonly settings: Settings;
  readonly turns: readonly Turn[];
  readonly prompt: Prompt;
  /** The fields that were left out, each with its reason. */
  readonly left: readonly string[];
}

/** Reads a request body. Throws an Error with a user-readable message if it is not a request to a known model. */
export function readRequest(body: unknown, models: readonly ShownModel[], newId: () => string): ReadRequest {
  if (!isObject(body)) throw new Error('This is not a request: it must be an object with model and messages.');
  const { model, provider } = findModel(body['model'], models);
  const left: string[] = [];
  const settings = readSettings(body, model, left);
  const { turns, prompt } = readMessages(body['messages'], model.id, newId, left);
  return { settings: { ...settings, ...(provider !== undefined && { provider }) }, turns, prompt, left };
}

/** Reads a request from JSON text. Throws as `readRequest` does, and if the text is not JSON. */
export function readRequestText(text: string, models: readonly ShownModel[], newId: () => string): ReadRequest {
  return readRequest(parseJson(text), models, newId);
}

/** Finds a text model by id, alias or `<provider>/<model>`. Throws an Error with a user-readable message. */
export function findModel(
  name: unknown,
  models: readonly ShownModel[],
): { readonly model: MessagesModel; readonly provider?: string } {
  if (typeof name !== 'string') throw new Error('model must be text, such as "sandbox-text".');
  const named = (id: string) => models.find(({ model }) => model.id === id || model.aliases.includes(id))?.model;
  const whole = named(name);
  if (whole) return { model: whole };
  const slash = name.indexOf('/');
  const pinned = slash < 0 ? undefined : named(name.slice(slash + 1));
  const provider = name.slice(0, slash);
  if (pinned?.bindings.some(({ providerId }) => providerId === provider)) return { model: pinned, provider };
  throw new Error(`There is no text model “${name.slice(0, 80)}” here. The list of models has all names.`);
}

const KNOWN = new Set([
  'model',
  'messages',
  'max_tokens',
  'system',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'thinking',
  'output_config',
  'tools',
  'tool_choice',
  'cache_control',
]);

function readSettings(body: Fields, { id, messages: facts }: MessagesModel, left: string[]): Settings {
  const without = (name: string, reason: string) => left.push(`${name}: ${reason}`);
  for (const name of Object.keys(body)) if (!KNOWN.has(name)) without(name, 'the page has no control for it.');
  const settings: { -readonly [Name in keyof Settings]: Settings[Name] } = emptySettings(id);
  const { system, thinking, tools, tool_choice: choice, stop_sequences: stops } = body;
  const number = (name: string) => {
    const value = body[name];
    return typeof value === 'number' ? value : undefined;
  };
  settings.maxTokens = number('max_tokens') ?? settings.maxTokens;
  settings.stream = body['stream'] === true;
  if (system !== undefined) settings.system = textOfContent(system);
  if (facts.sampling) {
    const [temperature, topP, topK] = [number('temperature'), number('top_p'), number('top_k')];
    if (temperature !== undefined) settings.temperature = temperature;
    if (topP !== undefined) settings.topP = topP;
    if (topK !== undefined) settings.topK = topK;
  } else
    for (const name of ['temperature', 'top_p', 'top_k'])
      if (body[name] !== undefined) without(name, `${id} does not take it.`);
  if (Array.isArray(stops)) settings.stopSequences = stops.filter((stop) => typeof stop === 'string').join('\n');
  const { type, budget_tokens: budget } = fieldsOf(thinking);
  // Safe: compared with the types of the model.
  if (facts.thinkingTypes.includes(type as ThinkingType)) settings.thinking = type as ThinkingType;
  else if (thinking !== undefined) without('thinking', `${id} does not take this type.`);
  if (typeof budget === 'number') settings.thinkingBudget = budget;
  const { effort, format } = fieldsOf(body['output_config']);
  if (facts.efforts.includes(effort as Effort)) settings.effort = effort as Effort;
  else if (effort !== undefined) without('output_config.effort', `${id} does not take this effort.`);
  const { schema } = fieldsOf(format);
  if (schema !== undefined && facts.structuredOutputs) {
    settings.structured = true;
    settings.schema = printJson(schema as CodeValue); // Safe: it was parsed from JSON.
  } else if (format !== undefined) without('output_config.format', `${id} does not take it.`);
  if (tools !== undefined) settings.tools = printJson(tools as CodeValue); // Safe: it was parsed from JSON.
  const { type: wanted, name, disable_parallel_tool_use: one } = fieldsOf(choice);
  if (wanted === 'tool' && typeof name === 'string') settings.toolChoice = `tool:${name}`;
  else if (wanted === 'any' || wanted === 'none') settings.toolChoice = wanted;
  settings.oneToolAtATime = one === true;
  settings.cached = isObject(body['cache_control']);
  return settings;
}

function readMessages(
  messages: unknown,
  modelId: string,
  newId: () => string,
  left: string[],
): Pick<ReadRequest, 'turns' | 'prompt'> {
  if (!Array.isArray(messages)) throw new Error('messages must be an array.');
  const turns: { id: string; prompt: Prompt; steps: Step[] }[] = [];
  let unread = false;
  for (const message of messages) {
    const { role, content } = fieldsOf(message);
    const blocks = blocksOf(content);
    if (role === 'assistant') {
      const turn = turns.at(-1);
      if (turn) turn.steps.push({ id: newId(), modelId, state: 'done', blocks, results: {} });
      else unread = true;
      continue;
    }
    if (role !== 'user') {
      unread = true;
      continue;
    }
    const step = turns.at(-1)?.steps.at(-1);
    const results = resultsOf(blocks);
    if (step && Object.keys(results).length > 0) Object.assign(step, { results });
    const { prompt, isWhole } = promptOf(blocks);
    if (!isWhole) unread = true;
    if (prompt.text !== '' || prompt.images.length > 0) turns.push({ id: newId(), prompt, steps: [] });
  }
  if (unread) left.push('messages: parts that the page cannot show, such as documents, were left out.');
  const last = turns.at(-1);
  const isOpen = last !== undefined && last.steps.length === 0;
  if (isOpen) turns.pop();
  return {
    turns: turns.map(({ id, prompt, steps }) => ({ id, prompt, lanes: [steps, []] })),
    prompt: isOpen ? last.prompt : emptyPrompt,
  };
}

function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  // Safe: parsed from JSON, and every block has a type.
  return Array.isArray(content) ? content.filter((block) => typeof fieldsOf(block)['type'] === 'string') : [];
}

function resultsOf(blocks: readonly Block[]): Record<string, ToolResult> {
  return Object.fromEntries(
    blocks.flatMap((block) =>
      block.type === 'tool_result' && typeof block['tool_use_id'] === 'string'
        ? [[block['tool_use_id'], { text: textOfContent(block['content']), isError: block['is_error'] === true }]]
        : [],
    ),
  );
}

function promptOf(blocks: readonly Block[]): { readonly prompt: Prompt; readonly isWhole: boolean } {
  const texts: string[] = [];
  const images: ImagePiece[] = [];
  let isWhole = true;
  for (const block of blocks) {
    const image = block.type === 'image' ? imageOf(fieldsOf(block['source'])) : undefined;
    if (block.type === 'text' && typeof block['text'] === 'string') texts.push(block['text']);
    else if (image) images.push(image);
    else if (block.type !== 'tool_result') isWhole = false;
  }
  return { prompt: { text: texts.join('\n\n'), images }, isWhole };
}

function imageOf({ type, url, data, media_type: mediaType }: Fields): ImagePiece | undefined {
  if (type === 'url' && typeof url === 'string') return { kind: 'url', url };
  if (type !== 'base64' || typeof data !== 'string' || typeof mediaType !== 'string') return undefined;
  return { kind: 'file', name: 'image', mediaType, data, sizeBytes: Math.floor((data.length * 3) / 4) };
}

function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  return blocksOf(content)
    .flatMap((block) => (typeof block['text'] === 'string' ? [block['text']] : []))
    .join('\n\n');
}
