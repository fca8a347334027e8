import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic1 from '@anthropic-ai/sdk';
import { generateText, jsonSchema, streamText, type LanguageModel, type ToolSet } from 'ai';
import Anthropic0 from 'sdk0';

// The clients that are used in practice, unmodified, behind one small interface: what each makes of an answer, in plain
// values that can be compared.

export interface Ask {
  readonly model: string;
  readonly text: string;
  readonly maxTokens?: number;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Reached {
  readonly text: string;
  readonly thinking: string;
  readonly tools: readonly { readonly name: string; readonly input: unknown }[];
  readonly stop: string | null;
  readonly outputTokens: number;
}

export interface Refused {
  readonly error: { readonly status: number | undefined; readonly type: string | undefined };
}

export type Result = Reached | Refused;

export interface Client {
  readonly name: string;
  stream(baseUrl: string, key: string, ask: Ask): Promise<Result>;
  create(baseUrl: string, key: string, ask: Ask): Promise<Result>;
}

export const isReached = (result: Result): result is Reached => !('error' in result);

/** A tool that every scenario with tools calls. */
const weather = {
  name: 'get_weather',
  description: 'The weather of a city.',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' }, days: { type: 'number' } } },
};
const others = ['list_files', 'write_file', 'f', 'g'].map((name) => ({
  name,
  description: 'A tool.',
  input_schema: { type: 'object' as const, properties: {} },
}));

function bodyOf({ model, text, maxTokens = 1_000, body }: Ask) {
  return {
    model,
    max_tokens: maxTokens,
    messages: [{ role: 'user' as const, content: text }],
    tools: [weather, ...others],
    ...body,
  };
}

function vendorSdk(name: string, Sdk: typeof Anthropic1): Client {
  const clientOf = (baseURL: string, apiKey: string) => new Sdk({ baseURL, apiKey, maxRetries: 0, timeout: 20_000 });
  const optionsOf = ({ headers, signal }: Ask) => ({ ...(headers && { headers }), ...(signal && { signal }) });
  const run = async (make: () => Promise<Anthropic1.Message>): Promise<Result> => {
    try {
      return reached(await make());
    } catch (error) {
      const known = error as { status?: number; error?: { error?: { type?: string } } };
      return { error: { status: known.status, type: known.error?.error?.type } };
    }
  };
  return {
    name,
    stream: (baseUrl, key, ask) =>
      run(() => clientOf(baseUrl, key).messages.stream(bodyOf(ask), optionsOf(ask)).finalMessage()),
    create: (baseUrl, key, ask) =>
      run(() => clientOf(baseUrl, key).messages.create({ ...bodyOf(ask), stream: false }, optionsOf(ask))),
  };
}

function reached(message: Anthropic1.Message): Reached {
  return {
    text: message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('|'),
    thinking: message.content
      .flatMap((block) => (block.type === 'thinking' ? [`${block.thinking}#${block.signature}`] : []))
      .join('|'),
    tools: message.content.flatMap((block) =>
      block.type === 'tool_use' || block.type === 'server_tool_use' ? [{ name: block.name, input: block.input }] : [],
    ),
    stop: message.stop_reason,
    outputTokens: message.usage.output_tokens,
  };
}

// This client differs: unknown blocks, stop reasons, and errors as parts of a stream.
const aiSdk: Client = {
  name: 'ai with @ai-sdk/anthropic',
  async stream(baseUrl, key, ask) {
    const errors: unknown[] = [];
    const result = streamText({ ...settingsOf(baseUrl, key, ask), onError: ({ error }) => void errors.push(error) });
    let text = '';
    let thinking = '';
    const tools: { name: string; input: unknown }[] = [];
    let stop: string | null = null;
    let outputTokens = 0;
    for await (const part of result.fullStream) {
      if (part.type === 'text-delta') text += part.text;
      if (part.type === 'reasoning-delta') thinking += part.text;
      if (part.type === 'tool-call') tools.push({ name: part.toolName, input: part.input });
      if (part.type === 'finish') {
        stop = part.finishReason;
        outputTokens = part.totalUsage.outputTokens ?? 0;
      }
      if (part.type === 'error') errors.push(part.error);
    }
    return errors.length > 0 ? refusedBy(errors[0]) : { text, thinking, tools, stop, outputTokens };
  },
  async create(baseUrl, key, ask) {
    try {
      const result = await generateText(settingsOf(baseUrl, key, ask));
      return {
        text: result.text,
        thinking: result.reasoningText ?? '',
        tools: result.toolCalls.map((call) => ({ name: call.toolName, input: call.input as unknown })),
        stop: result.finishReason,
        outputTokens: result.totalUsage.outputTokens ?? 0,
      };
    } catch (error) {
      return refusedBy(error);
    }
  },
};

function settingsOf(
  baseUrl: string,
  key: string,
  ask: Ask,
): {
  model: LanguageModel;
  prompt: string;
  maxRetries: number;
  maxOutputTokens: number;
  tools: ToolSet;
  headers?: Record<string, string>;
  abortSignal?: AbortSignal;
} {
  const provider = createAnthropic({ baseURL: `${baseUrl}/v1`, apiKey: key });
  return {
    model: provider(ask.model),
    prompt: ask.text,
    maxRetries: 0,
    maxOutputTokens: ask.maxTokens ?? 1_000,
    tools: Object.fromEntries(
      [weather, ...others].map(({ name, description, input_schema }) => [
        name,
        { description, inputSchema: jsonSchema(input_schema) },
      ]),
    ),
    ...(ask.headers && { headers: ask.headers }),
    ...(ask.signal && { abortSignal: ask.signal }),
  };
}

function refusedBy(error: unknown): Refused {
  const known = error as { statusCode?: number; responseBody?: string };
  let type: string | undefined;
  try {
    type = (JSON.parse(known.responseBody ?? '') as { error?: { type?: string } }).error?.type;
  } catch {
    type = undefined;
  }
  return { error: { status: known.statusCode, type } };
}

export const vendorClients: readonly Client[] = [
  vendorSdk('@anthropic-ai/sdk 1', Anthropic1),
  // Safe: the two majors have the same methods and differ only in what they send.
  vendorSdk('@anthropic-ai/sdk 0', Anthropic0 as unknown as typeof Anthropic1),
];
export const clients: readonly Client[] = [...vendorClients, aiSdk];
