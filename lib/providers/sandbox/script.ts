import { createHash } from 'node:crypto';
import { isObject } from '../../domain/json';
import type { ContentBlock, MessagesBody, StopReason, ToolUseBlock } from '../../domain/messages';
import { plainTools } from '../kit/messages/client-tools';
import { sampleOf } from './json-sample';

// Writes the scripted model's answer. The model understands nothing and says so; what it reports is true of the
// request: the number of messages, the beginning of the last one, the tool that it would call. The same request gets
// the same answer.

export interface Script {
  /** The text of the thinking; empty if there is none. */
  readonly thinking: string;
  readonly text: string;
  readonly tools: readonly ToolUseBlock[];
  readonly stopReason: StopReason;
  readonly stopSequence: string | null;
  readonly outputTokens: number;
}

const CHARS_PER_TOKEN = 4;
const ECHO_CHARS = 160;
/** A sample of formatted text. A console must show its tags as text and load nothing for its image. */
const MARKDOWN = [
  '## Formatted text',
  'A *scripted* model with **bold** words, `code` and a [link](https://example.com/).',
  '1. First\n2. Second\n   - below the second',
  '| Unit | Price |\n| --- | --- |\n| input | $0.10 |\n| output | $0.40 |',
  '> A quotation.',
  '```ts\nconst answer: number = 42;\n```',
  '<b>A tag</b> and ![an image](https://example.com/image.png)',
].join('\n\n');
/** Only this much of a text is searched for markers and sample words. */
const MARKER_CHARS = 4_096;
const MAX_STOP_SEQUENCES = 64;
const MAX_CALLS = 8;
const ANY_MARKER = /\[\[[^\]]{0,64}\]\]/g;
const CALL_MARKER = /\[\[call:([\w-]{1,128})(?:\s(\{[^]*?\}))?\]\]/g;
/** The digest of a conversation covers this many of its last messages, and this much of each text in them. */
const DIGEST_MESSAGES = 16;
const DIGEST_BLOCKS = 16;
const DIGEST_CHARS = 1_024;

/** Returns the answer to a body, before `max_tokens` and stop sequences are applied. */
export function writeScript(body: MessagesBody): Script {
  const prompt = lastUserText(body);
  const isToolAnswered = lastHasToolResult(body);
  const thinking = thinks(body)
    ? `This is scripted thinking. There are ${body.messages.length} messages; the last one has ${prompt.length} characters. I follow a script, so I do not weigh them.`
    : '';
  const tools = isToolAnswered ? [] : toolCalls(body, prompt);
  const text =
    tools.length > 0
      ? `I am a scripted model. I call ${tools.map(({ name }) => name).join(' and ')}.`
      : proseOf(body, prompt, isToolAnswered);
  return cut(
    {
      thinking,
      text,
      tools,
      stopReason: tools.length > 0 ? 'tool_use' : 'end_turn',
      stopSequence: null,
      outputTokens: 0,
    },
    body,
  );
}

function estimate(text: string): number {
  return Math.max(1, Math.ceil(text.length / CHARS_PER_TOKEN));
}

/**
 * The SHA-256 of what distinguishes conversations: the length and the last texts. The work does not grow with the
 * conversation, which may be 32 MB.
 */
export function digestOf(messages: MessagesBody['messages']): Buffer {
  const hash = createHash('sha256').update(String(messages.length));
  const add = (text: string) =>
    hash.update(`\n${text.length} ${text.slice(0, DIGEST_CHARS)}${text.slice(-DIGEST_CHARS)}`);
  for (const { role, content } of messages.slice(-DIGEST_MESSAGES)) {
    add(role);
    if (typeof content === 'string') add(content);
    else for (const block of content.slice(-DIGEST_BLOCKS)) for (const text of textsIn(block)) add(text);
  }
  return hash.digest();
}

function textsIn(block: ContentBlock): string[] {
  switch (block.type) {
    case 'text':
      return [block.type, block.text];
    case 'tool_use':
      return [block.type, block.id, block.name];
    case 'tool_result':
      return [block.type, block.tool_use_id, typeof block.content === 'string' ? block.content : ''];
    default:
      return [block.type];
  }
}

/** Returns a function for integers below `below`, determined by a seed of at least four bytes. */
export function createDice(seed: Buffer): (below: number) => number {
  let state = seed.readUInt32LE(0) | 1;
  return (below) => {
    // xorshift32: uniform enough for splitting text, and the same on every machine.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function proseOf(body: MessagesBody, prompt: string, isToolAnswered: boolean): string {
  const format = body.output_config?.format;
  if (format?.type === 'json_schema') return JSON.stringify(sampleOf(format.schema, 'scripted', maxChars(body)));
  const count = `${body.messages.length} ${body.messages.length === 1 ? 'message' : 'messages'}`;
  const echo = prompt.length > ECHO_CHARS ? `${prompt.slice(0, ECHO_CHARS)}…` : prompt;
  const tool = isToolAnswered ? ' Thank you for the result of the tool.' : '';
  const images = body.messages.some(
    ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image'),
  )
    ? ' There was an image, which I cannot see.'
    : '';
  const repeated = /\[\[words:(\d{1,5})\]\]/.exec(prompt)?.[1];
  const long =
    repeated === undefined
      ? ''
      : ` ${Array.from({ length: Number(repeated) }, (_, index) => `word${index + 1}`).join(' ')}`;
  const formatted = prompt.includes('[[markdown]]') ? `\n\n${MARKDOWN}` : '';
  return `This is the sandbox of the gateway: a scripted model, which understands nothing. It received ${count}.${tool}${images} The last one began: ${echo === '' ? '(nothing)' : echo}${long}${formatted}`;
}

type Call = Pick<ToolUseBlock, 'name' | 'input'>;

function toolCalls(body: MessagesBody, prompt: string): ToolUseBlock[] {
  const calls = callsOf(body, prompt.slice(0, MARKER_CHARS));
  if (calls.length === 0) return [];
  const conversation = digestOf(body.messages);
  return calls.map(({ name, input }, index) => ({
    type: 'tool_use',
    id: `toolu_${createHash('sha256').update(`${index} ${name} `).update(conversation).digest('hex').slice(0, 24)}`,
    name,
    input,
  }));
}

/** Calls the tool of `tool_choice`, or those that markers name, or the first. */
function callsOf(body: MessagesBody, prompt: string): readonly Call[] {
  const { tool_choice: choice } = body;
  const own = plainTools(body.tools);
  const words = prompt.replace(ANY_MARKER, '').trim().slice(0, 60);
  // Safe: the sample of an object schema is an object.
  const sampled = ({ name, input_schema: schema }: (typeof own)[number]): Call => ({
    name,
    input: sampleOf(schema, words, maxChars(body)) as Call['input'],
  });
  if (choice?.type === 'none') return [];
  if (choice?.type === 'tool')
    return own
      .filter(({ name }) => name === choice.name)
      .slice(0, 1)
      .map(sampled);
  const most = choice?.disable_parallel_tool_use === true ? 1 : MAX_CALLS;
  const marked = markedCalls(prompt).filter(({ name }) => own.some((tool) => tool.name === name));
  if (marked.length === 0) return own.slice(0, prompt.includes('[[parallel]]') ? Math.min(most, 2) : 1).map(sampled);
  return marked.slice(0, most).flatMap(({ name, input }) =>
    input
      ? [{ name, input }]
      : own
          .filter((tool) => tool.name === name)
          .slice(0, 1)
          .map(sampled),
  );
}

/** Returns the calls of the markers `[[call:NAME]]` and `[[call:NAME {"its": "input"}]]`. */
function markedCalls(prompt: string): readonly { readonly name: string; readonly input: Call['input'] | undefined }[] {
  return [...prompt.matchAll(CALL_MARKER)].map(([, name = '', json]) => ({ name, input: inputOf(json) }));
}

function inputOf(json: string | undefined): Call['input'] | undefined {
  if (json === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? (value as Call['input']) : undefined; // Safe: an object of JSON.
  } catch {
    return undefined;
  }
}

/** Applies `max_tokens` and the first stop sequence: thinking, text and calls share the tokens in this order. */
function cut(script: Script, body: MessagesBody): Script {
  let left = body.max_tokens ?? Number.MAX_SAFE_INTEGER;
  const take = (text: string) => {
    const chars = Math.min(text.length, left * CHARS_PER_TOKEN);
    left -= chars === 0 ? 0 : estimate(text.slice(0, chars));
    return text.slice(0, chars);
  };
  const thinking = take(script.thinking);
  const stop = (body.stop_sequences ?? [])
    .slice(0, MAX_STOP_SEQUENCES)
    .map((sequence) => ({ sequence, at: sequence === '' ? -1 : script.text.indexOf(sequence) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at)[0];
  const whole = stop ? script.text.slice(0, stop.at) : script.text;
  const text = take(whole);
  const isShort = thinking.length < script.thinking.length || text.length < whole.length;
  const tools =
    isShort || stop
      ? []
      : script.tools.filter((tool) => take(JSON.stringify(tool.input)) === JSON.stringify(tool.input));
  const isCut = isShort || (!stop && tools.length < script.tools.length);
  const outputTokens = [thinking, text, ...tools.map(({ input }) => JSON.stringify(input))].reduce(
    (sum, part) => sum + (part === '' ? 0 : estimate(part)),
    0,
  );
  const stopReason = isCut ? 'max_tokens' : stop ? 'stop_sequence' : script.stopReason;
  return {
    ...script,
    thinking,
    text,
    tools,
    stopReason,
    stopSequence: stopReason === 'stop_sequence' && stop ? stop.sequence : null,
    outputTokens,
  };
}

/** Returns the number of characters that `max_tokens` allows. */
function maxChars({ max_tokens: maxTokens }: MessagesBody): number {
  return maxTokens === undefined ? Number.MAX_SAFE_INTEGER : maxTokens * CHARS_PER_TOKEN;
}

function thinks({ thinking }: MessagesBody): boolean {
  return thinking?.type === 'enabled' || thinking?.type === 'adaptive';
}

function lastUserText({ messages }: MessagesBody): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return typeof content === 'string' ? content : textOf(content);
}

function lastHasToolResult({ messages }: MessagesBody): boolean {
  const content = messages.at(-1)?.content;
  return typeof content === 'object' && content.some(({ type }) => type === 'tool_result');
}

function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
