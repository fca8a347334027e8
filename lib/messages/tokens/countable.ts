import type {
  ContentBlock,
  MessagesBody,
  MessagesFacts,
  OutputConfig,
  Tool,
  ToolChoice,
  TokenizerFacts,
} from '../../domain/messages';
import { imageTokens } from './image-tokens';

// Extracts what costs input tokens from a body: texts for the tokenizer, and a fixed count for the rest (message and
// tool framing, images, documents). Texts are in the order in which vendors lay them out.

export interface Countable {
  readonly texts: readonly string[];
  /** Tokens in addition to the texts. */
  readonly fixedTokens: number;
}

const PER_MESSAGE = 4;
const PER_TOOL = 8;
const PER_TOOL_USE = 10;
const PER_TOOL_RESULT = 8;
const PRIMER = 3;
/** The tokens of a tool that the vendor defines; measured values are between a few hundred and two thousand. */
const VENDOR_TOOL = 500;
const MEMORY_TOOL = 1_070;
/** The framing text around the JSON schema of the answer. */
const FORMAT_FRAME = 110;

const PDF_PAGE_TOKENS = 2_500;
const PDF_BYTES_PER_PAGE = 50_000;
/** Only this much of a document is scanned for its pages. */
const PDF_BASE64_CHARS = 1024 * 1024;
const BYTES_PER_REDACTED_TOKEN = 6;

/** Returns the texts of a body whose tokens must be counted, and the tokens of everything else. */
export function countable(body: MessagesBody, facts: MessagesFacts): Countable {
  const texts: string[] = [];
  let fixed = PRIMER;

  function addBlock(block: ContentBlock): void {
    switch (block.type) {
      case 'text':
        texts.push(block.text);
        break;
      case 'image':
        fixed += imageTokens(block, facts.imageMaxEdgePixels ?? 1568);
        break;
      case 'document':
        if (typeof block.title === 'string') texts.push(block.title);
        if (typeof block.context === 'string') texts.push(block.context);
        if (block.source.type === 'text') texts.push(block.source.data);
        else if (block.source.type === 'content') addContent(block.source.content);
        else fixed += PDF_PAGE_TOKENS * (block.source.type === 'base64' ? pdfPages(block.source.data) : 1);
        break;
      case 'search_result':
        texts.push(block.title, block.source);
        addContent(block.content);
        break;
      case 'tool_use':
        texts.push(block.name, JSON.stringify(block.input ?? {}));
        fixed += PER_TOOL_USE;
        break;
      case 'tool_result':
        if (block.content !== undefined) addContent(block.content);
        fixed += PER_TOOL_RESULT;
        break;
      case 'thinking':
        texts.push(block.thinking);
        break;
      case 'redacted_thinking':
        fixed += Math.ceil((typeof block.data === 'string' ? block.data.length : 0) / BYTES_PER_REDACTED_TOKEN);
        break;
      default:
        texts.push(JSON.stringify(block));
    }
  }

  function addContent(content: string | readonly ContentBlock[]): void {
    if (typeof content === 'string') texts.push(content);
    else for (const block of content) addBlock(block);
  }

  const tools = body.tools ?? [];
  if (tools.length > 0) fixed += preamble(facts, body.tool_choice);
  for (const tool of tools) {
    if (tool.input_schema === undefined) {
      fixed += vendorTool(tool);
      continue;
    }
    // A tool of the vendor may have a schema and any other fields.
    for (const text of [tool.name, tool.description]) if (typeof text === 'string') texts.push(text);
    texts.push(JSON.stringify(tool.input_schema));
    fixed += PER_TOOL;
  }
  const schema = schemaOf(body);
  if (schema !== undefined) {
    texts.push(JSON.stringify(schema));
    fixed += FORMAT_FRAME;
  }
  if (body.system !== undefined) addContent(body.system);
  for (const { content } of body.messages) {
    addContent(content);
    fixed += PER_MESSAGE;
  }
  return { texts, fixedTokens: fixed };
}

function preamble(
  { tokenizer: { toolPreambleTokens: tokens } }: MessagesFacts,
  choice: ToolChoice | undefined,
): number {
  if (!tokens) return PER_TOOL;
  return choice?.type === 'any' || choice?.type === 'tool' ? tokens.forced : tokens.free;
}

function vendorTool({ type }: Tool): number {
  return type?.startsWith('memory_') ? MEMORY_TOOL : VENDOR_TOOL;
}

function schemaOf(body: MessagesBody): unknown {
  // Safe: older clients send the same object at the top level.
  const format = body.output_config?.format ?? (body.output_format as OutputConfig['format']);
  return format?.schema;
}

function pdfPages(base64: string): number {
  const bytes = Buffer.from(base64.slice(0, PDF_BASE64_CHARS), 'base64');
  const times = Math.max(1, base64.length / PDF_BASE64_CHARS);
  const pages = bytes.toString('latin1').match(/\/Type\s*\/Page(?![a-zA-Z])/g)?.length ?? 0;
  return Math.ceil(times * (pages > 0 ? pages : bytes.length / PDF_BYTES_PER_PAGE));
}

// Newer tokenizers split Latin words into more tokens than older ones and leave other scripts unchanged, so the two have
// separate multipliers.

const otherLetters =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}]/gu;
/** Cheap to test, and absent from most texts. */
const anyOther = /[\u0370-\uD7FF]/;
/** A letter of another script is about one token; four Latin letters are. */
const LATIN_CHARS_PER_TOKEN = 4;
/** For longer texts, only this much of the beginning, the middle and the end is sampled. */
const LOOK_CHARS = 4_096;

/** Returns the share of other scripts in a text, from 0 to 1, measured in tokens instead of letters. */
function otherScriptsShare(text: string): number {
  const seen =
    text.length <= 3 * LOOK_CHARS
      ? text
      : text.slice(0, LOOK_CHARS) +
        text.slice((text.length - LOOK_CHARS) / 2, (text.length + LOOK_CHARS) / 2) +
        text.slice(-LOOK_CHARS);
  if (!anyOther.test(seen)) return 0;
  const others = seen.match(otherLetters)?.length ?? 0;
  return others / (others + (seen.length - others) / LATIN_CHARS_PER_TOKEN);
}

/** Returns the model's tokens per token of the encoding, for this text. */
export function multiplierFor(text: string, { multiplier, otherScriptsMultiplier }: TokenizerFacts): number {
  if (otherScriptsMultiplier === undefined) return multiplier;
  const share = otherScriptsShare(text);
  return multiplier * (1 - share) + otherScriptsMultiplier * share;
}
