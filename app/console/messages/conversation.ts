import { isObject, type Json } from '../../../lib/domain/json';
import type { Effort, ThinkingType } from '../../../lib/domain/messages';
import type { MessagesModel } from '../../../lib/domain/model';
import type { ProviderId } from '../../../lib/domain/ids';

// The state of the messages playground: the settings of the request, and the conversation.

/** A text model with what this organisation can use of it. */
export interface ShownModel {
  readonly model: MessagesModel;
  /** The providers that serve it in live mode here. */
  readonly offered: readonly ProviderId[];
  /** The providers that an own account of the organisation serves, without credits. */
  readonly own: readonly ProviderId[];
  /** This version has an adapter for at least one of its providers. */
  readonly implemented: boolean;
}

/**
 * An image of a prompt. `data` is base64 without a prefix. Compare `kind` only with `file`: a draft that a tab stored
 * under an earlier version uses another word for `url`.
 */
export type ImagePiece =
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly mediaType: string;
      readonly data: string;
      readonly sizeBytes: number;
    }
  | { readonly kind: 'url'; readonly url: string };

export interface Prompt {
  readonly text: string;
  readonly images: readonly ImagePiece[];
}

export const emptyPrompt: Prompt = { text: '', images: [] };

export function isBlank({ text, images }: Prompt): boolean {
  return text.trim() === '' && images.length === 0;
}

/** The settings of a request. An absent value means the default of the model. */
export interface Settings {
  readonly modelId: string;
  /** Absent: Patchbay chooses. */
  readonly provider?: ProviderId;
  readonly system: string;
  readonly maxTokens: number;
  readonly stream: boolean;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  /** One per line. */
  readonly stopSequences: string;
  readonly thinking?: ThinkingType;
  readonly thinkingBudget: number;
  readonly effort?: Effort;
  /** A JSON array of tool definitions; empty: no tools. */
  readonly tools: string;
  /** `auto`, `any`, `none`, or `tool:` and a name. */
  readonly toolChoice: string;
  readonly oneToolAtATime: boolean;
  readonly structured: boolean;
  /** The JSON schema of the answer, if `structured`. */
  readonly schema: string;
  readonly cached: boolean;
}

const DEFAULT_MAX_TOKENS = 1_024;

export function emptySettings(modelId: string): Settings {
  return {
    modelId,
    system: '',
    maxTokens: DEFAULT_MAX_TOKENS,
    stream: true,
    stopSequences: '',
    thinkingBudget: 1_024,
    tools: '',
    toolChoice: 'auto',
    oneToolAtATime: false,
    structured: false,
    schema: '',
    cached: false,
  };
}

/** Returns the settings for another model: the output limit is reduced to the maximum of that model. */
export function settingsFor(settings: Settings, model: MessagesModel | undefined): Settings {
  return model ? { ...settings, maxTokens: Math.min(settings.maxTokens, model.messages.maxOutputTokens) } : settings;
}

/** A block of an answer, as the API has it. */
export type Block = { readonly type: string } & { readonly [field: string]: Json };

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

/** The token counts that the answer reported. */
export interface Usage {
  readonly input: number;
  readonly output: number;
}

/** A failure as the page shows it. */
export interface Failure {
  readonly message: string;
  readonly requestId?: string;
  /** The HTTP status; absent if the answer broke off after it had started. */
  readonly status?: number;
  /** The error code of the API, if it refused the request. */
  readonly code?: string;
}

/** One event of a stream, as it arrived. */
export interface RawEvent {
  readonly event: string;
  readonly data: string;
}

/** One request with its answer. A turn with tools has several: each step after the first sends tool results. */
export interface Step {
  readonly id: string;
  /** The catalog id. */
  readonly modelId: string;
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  readonly blocks: readonly Block[];
  readonly stopReason?: string;
  readonly usage?: Usage;
  readonly failure?: Failure;
  /** The id of the HTTP request, by which the request log has the price. */
  readonly requestId?: string;
  readonly provider?: string;
  /** The parameters that the provider ignored, from the header `X-Ignored-Params`. */
  readonly ignored?: string;
  /** The request asked for structured output, so the answer is JSON. */
  readonly isJson?: true;
  readonly firstTokenMs?: number;
  readonly totalMs?: number;
  /** The results of the tool calls in this answer, by call id. */
  readonly results: Readonly<Record<string, ToolResult>>;
}

/** A prompt, and the answer of each lane to it. */
export interface Turn {
  readonly id: string;
  readonly prompt: Prompt;
  /** The first lane, and the second where two models are compared. */
  readonly lanes: readonly [readonly Step[], readonly Step[]];
}

export type Lane = 0 | 1;

/** The second model of a comparison. All other settings are those of the first. */
export type Opponent = Pick<Settings, 'modelId' | 'provider'>;

/** The state that the page stores in the tab. */
export interface Work {
  readonly settings: Settings;
  readonly opponent?: Opponent | undefined;
  readonly prompt: Prompt;
  readonly turns: readonly Turn[];
  /** The parts of an imported request that could not be read. */
  readonly left: readonly string[];
}

/** Returns the tool calls of an answer. */
export function toolCallsOf({ blocks }: Pick<Step, 'blocks'>): readonly ToolCall[] {
  return blocks.flatMap((block) =>
    block.type === 'tool_use' && typeof block['id'] === 'string' && typeof block['name'] === 'string'
      ? [{ id: block['id'], name: block['name'], input: block['input'] ?? {} }]
      : [],
  );
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
}

/** Returns the text of an answer. */
export function textOf(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) => (block.type === 'text' && typeof block['text'] === 'string' ? [block['text']] : []))
    .join('\n\n');
}

/** Returns the model with its provider, as a request names it. */
export function modelName({ modelId, provider }: Pick<Settings, 'modelId' | 'provider'>): string {
  return provider === undefined ? modelId : `${provider}/${modelId}`;
}

/** Parses an editor's JSON. Throws an Error with a user-readable message; `subject` names the editor in it. */
export function parseJson(text: string, subject = 'This is'): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${subject} not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`);
  }
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/**
 * Parses the tools of the editor: an array of definitions, or one definition. Throws an Error with a user-readable
 * message. Rules of a single vendor are not checked; the vendor enforces them.
 */
export function parseTools(text: string): readonly { readonly [field: string]: Json }[] {
  if (text.trim() === '') return [];
  const value = parseJson(text, 'The tools are');
  const tools: readonly unknown[] = Array.isArray(value) ? value : [value];
  const names = new Set<string>();
  return tools.map((tool, index) => {
    const place = `Tool ${index + 1}`;
    if (!isObject(tool)) throw new Error(`${place} must be an object with name, description and input_schema.`);
    const { name, description, input_schema: schema, type } = tool;
    if (typeof name !== 'string' || !TOOL_NAME.test(name))
      throw new Error(`${place} needs a name of letters, digits, "_" and "-".`);
    if (names.has(name)) throw new Error(`There are two tools named ${name}. Give each its own name.`);
    names.add(name);
    if (description !== undefined && typeof description !== 'string')
      throw new Error(`The description of ${name} must be text.`);
    const isOwn = type === undefined || type === 'custom';
    if (isOwn && (!isObject(schema) || schema['type'] !== 'object'))
      throw new Error(`${name} needs an input_schema: a JSON schema with "type": "object".`);
    // Safe: it was parsed from JSON.
    return tool as { readonly [field: string]: Json };
  });
}

/** Parses the JSON schema of a structured answer. Throws an Error with a user-readable message. */
export function parseSchema(text: string): { readonly [field: string]: Json } {
  if (text.trim() === '') throw new Error('Enter the JSON schema of the answer.');
  const value = parseJson(text, 'The schema is');
  if (!isObject(value) || typeof value['type'] !== 'string')
    throw new Error('The schema must be an object with a "type", such as {"type": "object", "properties": {…}}.');
  // Safe: it was parsed from JSON.
  return value as { readonly [field: string]: Json };
}

/** Returns the message of the Error that a parser throws; undefined if it throws none. */
export function problemOf(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'This cannot be read.';
  }
}
