import type { ContentBlock, ContentDelta, MessageEvent, ToolUseBlock, UnlistedBlock } from '../../../domain/messages';
import { createToolArguments, type ToolArguments } from './tool-arguments';

// Emits one block at a time, numbered from 0, started before its deltas and stopped after them: every client relies on
// that, and many upstreams violate it. Blocks can be opened, fed and stopped here under any key, in any interleaving;
// they are emitted in the order in which they were opened. If a block is fed after another one was opened, the other
// one waits if the first is a tool call with incomplete arguments. A text or a thinking block is split in two instead,
// so that nothing stalls.

export interface BlockWriter {
  /** Opens a block; an earlier block of the same key is stopped. */
  open(key: Key, block: ContentBlock): void;
  /**
   * Feeds the block of that key, or opens a matching one if there is none. Returns false if the delta cannot be placed.
   */
  feed(key: Key, delta: ContentDelta): boolean;
  /** Stops the block of that key, if it is open. */
  stop(key: Key): void;
  /** Stops all blocks, in order. */
  stopAll(): void;
  /** Returns the events since the last call. */
  take(): MessageEvent[];
  /** Whether at least one block is started or queued and not stopped. */
  readonly hasOpen: boolean;
  /** Whether a block was emitted or is queued that the client must answer with a tool result. */
  readonly hasToolUse: boolean;
  /** Characters of text, thinking and arguments so far, to estimate tokens if the upstream does not count them. */
  readonly chars: number;
}

export type Key = number | string;

/** Thrown when the blocks that wait for an unfinished tool call exceed the size of any answer. */
export class BlockOverflow extends Error {}

interface Segment {
  readonly key: Key;
  readonly block: ContentBlock;
  readonly kind: 'arguments' | 'thinking' | 'text' | 'other';
  readonly waiting: ContentDelta[];
  readonly args: ToolArguments;
  index: number | undefined;
  /** The text of the thinking; kept only if it will be signed. */
  thinking: string;
  signature: string;
  sentArguments: boolean;
  isStopped: boolean;
  isClosed: boolean;
}

const MAX_WAITING_CHARS = 16 * 1024 * 1024;

export interface BlockWriterOptions {
  /**
   * Creates the signature of each thinking block from the upstream's (or from an empty string). Absent: the upstream's
   * is passed through.
   */
  readonly sign?: (thinking: string, original: string) => string;
}

export function createBlockWriter(options: BlockWriterOptions = {}): BlockWriter {
  const { sign } = options;
  const segments = new Map<Key, Segment>();
  const queue: Segment[] = [];
  let events: MessageEvent[] = [];
  let nextIndex = 0;
  let hasToolUse = false;
  let chars = 0;
  let waitingChars = 0;

  const send = (segment: Segment, delta: ContentDelta) => {
    events.push({ type: 'content_block_delta', index: start(segment), delta });
  };

  function start(segment: Segment): number {
    if (segment.index !== undefined) return segment.index;
    const index = nextIndex++;
    segment.index = index;
    events.push({ type: 'content_block_start', index, content_block: emptied(segment) });
    if (segment.kind === 'arguments')
      events.push({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: '' } });
    return index;
  }

  function write(segment: Segment, delta: ContentDelta): void {
    if (delta.type === 'input_json_delta') {
      start(segment);
      const text = segment.args.push(delta.partial_json);
      if (text === '') return;
      segment.sentArguments = true;
      send(segment, text === delta.partial_json ? delta : { type: 'input_json_delta', partial_json: text });
      return;
    }
    if (delta.type === 'signature_delta' && sign) {
      segment.signature += delta.signature;
      return;
    }
    // Upstreams reject a block without content in the next request, so it is never started.
    if (
      (delta.type === 'text_delta' && delta.text === '') ||
      (delta.type === 'thinking_delta' && delta.thinking === '')
    )
      return;
    if (delta.type === 'thinking_delta' && sign) segment.thinking += delta.thinking;
    send(segment, delta);
  }

  function writeWaiting(segment: Segment): void {
    for (const delta of segment.waiting) {
      waitingChars -= length(delta);
      write(segment, delta);
    }
    segment.waiting.length = 0;
    if (segment.kind === 'other' || segment.kind === 'arguments') start(segment);
  }

  function close(segment: Segment): void {
    if (segment.kind === 'arguments') {
      const input = 'input' in segment.block ? segment.block.input : undefined;
      const rest = segment.args.end();
      // Some upstreams put the complete input into the start event and send no deltas; if they send both, the deltas
      // are right.
      const text = rest === '' && !segment.sentArguments && isFilled(input) ? JSON.stringify(input) : rest;
      if (text !== '') send(segment, { type: 'input_json_delta', partial_json: text });
    }
    if (segment.kind === 'thinking' && sign && (segment.index !== undefined || segment.signature !== '')) {
      send(segment, { type: 'signature_delta', signature: sign(segment.thinking, segment.signature) });
    }
    segment.isClosed = true;
    if (segment.index !== undefined) events.push({ type: 'content_block_stop', index: segment.index });
  }

  function pump(): void {
    for (;;) {
      const head = queue[0];
      if (!head) return;
      writeWaiting(head);
      const mayEnd = head.isStopped || (queue.length > 1 && (head.kind !== 'arguments' || head.args.complete));
      if (!mayEnd) return;
      close(head);
      queue.shift();
    }
  }

  function open(key: Key, block: ContentBlock): Segment {
    const former = segments.get(key);
    if (former) former.isStopped = true;
    const segment: Segment = {
      key,
      block,
      kind: kindOf(block),
      waiting: initialDeltas(block),
      args: createToolArguments(),
      index: undefined,
      thinking: '',
      signature: '',
      sentArguments: false,
      isStopped: false,
      isClosed: false,
    };
    if (block.type === 'tool_use') hasToolUse = true;
    for (const delta of segment.waiting) count(delta);
    segments.set(key, segment);
    queue.push(segment);
    return segment;
  }

  function count(delta: ContentDelta): void {
    const more = length(delta);
    chars += more;
    waitingChars += more;
    if (waitingChars > MAX_WAITING_CHARS) throw new BlockOverflow();
  }

  return {
    open(key, block) {
      open(key, block);
      pump();
    },
    feed(key, delta) {
      let segment = segments.get(key);
      if (segment && fits(segment, delta)) {
        // Anything after the complete arguments of a tool is dropped, like a late signature; text continues in a new
        // block.
        if (segment.isClosed && (segment.kind === 'arguments' || delta.type === 'signature_delta')) return true;
        if (segment.isClosed) segment = segment.kind === 'other' ? undefined : open(key, emptied(segment));
      } else {
        const block = blockFor(delta);
        segment = block && open(key, block);
      }
      if (!segment) return false;
      count(delta);
      segment.waiting.push(delta);
      pump();
      return true;
    },
    stop(key) {
      const segment = segments.get(key);
      if (segment) segment.isStopped = true;
      pump();
    },
    stopAll() {
      for (const segment of queue) segment.isStopped = true;
      pump();
    },
    take() {
      const taken = events;
      events = [];
      return taken;
    },
    get hasOpen() {
      return queue.length > 0;
    },
    get hasToolUse() {
      return hasToolUse;
    },
    get chars() {
      return chars;
    },
  };
}

function kindOf(block: ContentBlock): Segment['kind'] {
  if (block.type === 'text' || block.type === 'thinking') return block.type;
  // Tools of the client, the provider and MCP servers: the input of all of them streams.
  return block.type.endsWith('tool_use') ? 'arguments' : 'other';
}

/** Returns the block for its start event, without content: clients append the deltas to it. */
function emptied({ block }: Segment): ContentBlock {
  switch (block.type) {
    case 'text':
      return block.text === '' ? block : { ...block, text: '' };
    case 'thinking':
      return block.thinking === '' && block.signature === '' ? block : { ...block, thinking: '', signature: '' };
    default:
      // Safe: an unlisted block may have any fields, and a listed one with such a type is `tool_use`.
      return kindOf(block) === 'arguments' ? withoutInput(block as ToolUseBlock | UnlistedBlock) : block;
  }
}

function withoutInput(block: ToolUseBlock | UnlistedBlock): ContentBlock {
  return block.input !== undefined && !isFilled(block.input) ? block : { ...block, input: {} };
}

function initialDeltas(block: ContentBlock): ContentDelta[] {
  if (block.type === 'text') return block.text ? [{ type: 'text_delta', text: block.text }] : [];
  if (block.type !== 'thinking') return [];
  return [
    ...(block.thinking ? [{ type: 'thinking_delta', thinking: block.thinking } as const] : []),
    ...(block.signature ? [{ type: 'signature_delta', signature: block.signature } as const] : []),
  ];
}

function fits(segment: Segment, delta: ContentDelta): boolean {
  switch (delta.type) {
    case 'text_delta':
    case 'citations_delta':
      return segment.kind === 'text';
    case 'thinking_delta':
    case 'signature_delta':
      return segment.kind === 'thinking';
    case 'input_json_delta':
      return segment.kind === 'arguments';
    default:
      return true;
  }
}

/** Returns a block for a delta that has none; undefined for arguments, because they do not name their tool. */
function blockFor(delta: ContentDelta): ContentBlock | undefined {
  if (delta.type === 'text_delta' || delta.type === 'citations_delta') return { type: 'text', text: '' };
  if (delta.type === 'thinking_delta') return { type: 'thinking', thinking: '', signature: '' };
  return undefined;
}

function length(delta: ContentDelta): number {
  switch (delta.type) {
    case 'text_delta':
      return delta.text.length;
    case 'thinking_delta':
      return delta.thinking.length;
    case 'input_json_delta':
      return delta.partial_json.length;
    default:
      return 0;
  }
}

function isFilled(input: unknown): boolean {
  return typeof input === 'object' && input !== null && Object.keys(input).length > 0;
}
