import { GatewayError } from '../../../domain/errors';
import type {
  ContentBlock,
  DocumentBlock,
  ImageBlock,
  TextBlock,
  ThinkingBlock,
  ThinkingSigner,
  ToolResultBlock,
  ToolUseBlock,
  Turn,
} from '../../../domain/messages';
import type { ProviderId } from '../../../domain/ids';
import { unpackToolId } from './tool-id';

// Converts a conversation into a form that any provider accepts. The native vendor's history may contain blocks that
// other providers do not know, and clients truncate, merge and repeat turns; most upstreams reject an unanswered tool
// call, an orphaned result or two turns of one role. The result: turns alternate and start with the user; every call is
// answered in the next turn, results first; only texts, images, PDFs (where accepted), calls, results and the
// provider's own thinking remain.

export type PortableBlock = TextBlock | ImageBlock | DocumentBlock | ThinkingBlock | ToolUseBlock | PortableResult;

export interface PortableResult extends ToolResultBlock {
  readonly content: string | readonly (TextBlock | ImageBlock | DocumentBlock)[];
}

export interface PortableTurn {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: readonly [PortableBlock, ...PortableBlock[]];
}

export interface PortableRules {
  /** The provider whose thinking may be sent. */
  readonly providerId: ProviderId;
  /**
   * Recognises the provider's own thinking. Absent after the upstream has rejected thinking; its own is then dropped
   * too.
   */
  readonly thinkingSigner?: ThinkingSigner;
  readonly pdf: boolean;
  /** Whether turns of the role `system` are kept; otherwise they become marked texts of the user. */
  readonly systemTurns: boolean;
}

interface Draft {
  role: PortableTurn['role'];
  content: PortableBlock[];
}

/** Converts the conversation to blocks that all vendors know. Throws a refusal for what cannot be expressed. */
export function portableTurns(turns: readonly Turn[], rules: PortableRules): PortableTurn[] {
  const drafts = merged(turns.map((turn) => draftOf(turn, rules)));
  const first = drafts.findIndex(({ role }) => role !== 'system');
  if (first === -1) drafts.push({ role: 'user', content: [text('(no content)')] });
  else if (drafts[first]?.role === 'assistant')
    drafts.splice(first, 0, { role: 'user', content: [text('(The conversation begins with an answer.)')] });
  const last = drafts.at(-1);
  if (last?.role === 'assistant' && !last.content.some(({ type }) => type === 'tool_use')) {
    throw refused('The last message must be the user’s: this model begins a new answer and cannot continue one.');
  }
  return answered(drafts).flatMap(({ role, content: [block, ...others] }) =>
    block ? [{ role, content: [block, ...others] }] : [],
  );
}

/** Returns the system prompt as one text, without the line that some clients prepend and change with every session. */
export function systemText(system: string | readonly TextBlock[] | undefined): string {
  if (system === undefined || typeof system === 'string') return system ?? '';
  return system.flatMap((block) => (isAttribution(block) || block.text === '' ? [] : [block.text])).join('\n\n');
}

/**
 * Returns whether a text is the client's attribution line, which differs per session and would defeat prefix caches.
 */
export function isAttribution({ text }: TextBlock): boolean {
  return text.startsWith('x-anthropic-billing-header:');
}

function draftOf({ role, content }: Turn, rules: PortableRules): Draft {
  const blocks: readonly ContentBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const portable = blocks.flatMap((block) => portableBlocks(block, rules));
  if (role !== 'system' || rules.systemTurns) return { role, content: portable };
  const instructions = portable.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  return { role: 'user', content: instructions === '' ? [] : [text(`<system>\n${instructions}\n</system>`)] };
}

function portableBlocks(block: ContentBlock, rules: PortableRules): PortableBlock[] {
  switch (block.type) {
    case 'text':
    case 'image':
    case 'document':
    case 'search_result':
      return contentBlocks(block, rules);
    case 'thinking': {
      const signature = rules.thinkingSigner?.open(rules.providerId, block.thinking, block.signature ?? '');
      return signature === undefined ? [] : [{ type: 'thinking', thinking: block.thinking, signature }];
    }
    case 'tool_use':
      return [
        { type: 'tool_use', id: unpackToolId(block.id), name: block.name, input: block.input ?? {}, ...mark(block) },
      ];
    case 'tool_result':
      return [
        {
          type: 'tool_result',
          tool_use_id: unpackToolId(block.tool_use_id),
          content: resultContent(block, rules),
          ...(block.is_error === true && { is_error: true }),
          ...mark(block),
        },
      ];
    default:
      // Blocks of another vendor's own tools, and redacted thinking: other providers cannot read them.
      return [];
  }
}

function resultContent({ content }: ToolResultBlock, rules: PortableRules): PortableResult['content'] {
  if (content === undefined || typeof content === 'string') return content ?? '';
  const blocks = content.flatMap((block) => contentBlocks(block, rules));
  return blocks.length === 0 ? '' : blocks;
}

function contentBlocks(block: ContentBlock, rules: PortableRules): (TextBlock | ImageBlock | DocumentBlock)[] {
  switch (block.type) {
    case 'text':
      return block.text === '' || block.text === undefined ? [] : [{ type: 'text', text: block.text, ...mark(block) }];
    case 'image':
      // The vendor that defines the API may have added kinds of sources.
      if (block.source.type !== 'base64' && block.source.type !== 'url')
        throw unreadable('Images with a file_id or an unknown kind of source', 'Send them as base64 or by URL.');
      return [block];
    case 'document':
      return documentBlocks(block, rules);
    case 'search_result':
      return [text([block.title, block.source, ...block.content.map((part) => part.text)].join('\n'))];
    default:
      return [];
  }
}

function documentBlocks(block: DocumentBlock, rules: PortableRules): (TextBlock | ImageBlock | DocumentBlock)[] {
  const { source } = block;
  const heading = [block.title, block.context].filter((line) => typeof line === 'string' && line !== '').join('\n');
  switch (source.type) {
    case 'text':
      return [text([heading, source.data].filter(Boolean).join('\n\n'))];
    case 'content': {
      const content =
        typeof source.content === 'string'
          ? [text(source.content)]
          : source.content.flatMap((part) => contentBlocks(part, rules));
      return heading === '' ? content : [text(heading), ...content];
    }
    case 'base64':
      if (!rules.pdf) throw unreadable('PDF documents', SEND_TEXT);
      return [block];
    default:
      throw unreadable('Documents by URL or file_id', SEND_TEXT);
  }
}

const SEND_TEXT = 'Send their text in a text block.';

function unreadable(what: string, instead: string): GatewayError {
  return refused(`${what} cannot be read by this model. ${instead}`);
}

function refused(sentence: string): GatewayError {
  return new GatewayError('unsupported_value', sentence, {
    param: 'messages',
    upstream: { retry: 'never', started: 'no' },
  });
}

function merged(drafts: readonly Draft[]): Draft[] {
  const turns: Draft[] = [];
  for (const draft of drafts) {
    const last = turns.at(-1);
    if (draft.content.length === 0) continue;
    if (last?.role === draft.role) last.content.push(...draft.content);
    else turns.push({ role: draft.role, content: [...draft.content] });
  }
  return turns;
}

/**
 * Moves every result into the user turn after its call, in the order of the calls; results without a call become texts.
 */
function answered(drafts: readonly Draft[]): Draft[] {
  const turns: Draft[] = [];
  let open: string[] = [];
  /** System turns between calls and their results, where upstreams allow no other turn; they are moved behind them. */
  let late: Draft[] = [];
  for (const draft of drafts) {
    if (draft.role === 'user') {
      turns.push({ role: 'user', content: withResults(draft.content, open) }, ...late);
      open = [];
      late = [];
      continue;
    }
    if (draft.role === 'system' && open.length > 0) {
      late.push(draft);
      continue;
    }
    if (draft.role === 'assistant') {
      if (open.length > 0) turns.push({ role: 'user', content: withResults([], open) }, ...late);
      open = [...new Set(draft.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])))];
      late = [];
    }
    turns.push(draft);
  }
  if (open.length > 0) turns.push({ role: 'user', content: withResults([], open) }, ...late);
  return turns;
}

function withResults(content: readonly PortableBlock[], open: readonly string[]): PortableBlock[] {
  const results = new Map<string, PortableBlock>();
  const others: PortableBlock[] = [];
  const wanted = new Set(open);
  for (const block of content) {
    if (block.type !== 'tool_result') others.push(block);
    // If a call has two results, the later one is the client's correction.
    else if (wanted.has(block.tool_use_id)) results.set(block.tool_use_id, block);
    else others.push(...orphan(block));
  }
  const missing = (id: string): PortableResult => ({ type: 'tool_result', tool_use_id: id, content: '[no result]' });
  return [...open.map((id) => results.get(id) ?? missing(id)), ...others];
}

function orphan(block: ToolResultBlock | PortableResult): PortableBlock[] {
  const content = typeof block.content === 'string' ? [text(block.content)] : (block.content ?? []);
  // Safe: results went through `resultContent`, which leaves only these types.
  const blocks = content.filter((part) => part.type !== 'text' || part.text !== '') as PortableBlock[];
  return blocks.length === 0 ? [] : [text('[result of an earlier tool call]'), ...blocks];
}

function text(value: string): TextBlock {
  return { type: 'text', text: value };
}

function mark({ cache_control }: Pick<TextBlock, 'cache_control'>): Pick<TextBlock, 'cache_control'> {
  return cache_control ? { cache_control } : {};
}
