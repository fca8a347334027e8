import type { ContentBlock, Message, MessageEvent, MessagesUsage } from '../../domain/messages';
import { upstreamFailed } from '../../domain/errors';

// Collects the events of an answer into one message, for clients that did not request a stream.

export interface Collector {
  add(event: MessageEvent): void;
  /** Returns the complete message with this model name. Throws if `message_start` is missing. */
  message(modelId: string): Message;
}

interface OpenBlock {
  block: Record<string, unknown>;
  json: string;
}

export function createCollector(): Collector {
  let started: Message | undefined;
  const blocks: OpenBlock[] = [];
  let end: Partial<Pick<Message, 'stop_reason' | 'stop_sequence' | 'stop_details'>> = {};
  let extra: Record<string, unknown> = {};
  let usage: Partial<MessagesUsage> = {};

  function feed(index: number, delta: { readonly type: string; readonly [field: string]: unknown }): void {
    const open = blocks[index];
    if (!open) return;
    const { block } = open;
    switch (delta.type) {
      case 'text_delta':
        block['text'] = String(block['text'] ?? '') + String(delta['text']);
        break;
      case 'thinking_delta':
        block['thinking'] = String(block['thinking'] ?? '') + String(delta['thinking']);
        break;
      case 'signature_delta':
        block['signature'] = delta['signature'];
        break;
      case 'citations_delta':
        block['citations'] = [...(Array.isArray(block['citations']) ? block['citations'] : []), delta['citation']];
        break;
      case 'input_json_delta':
        open.json += String(delta['partial_json']);
        break;
      case 'compaction_delta':
        block['content'] = String(block['content'] ?? '') + String(delta['content']);
    }
  }

  return {
    add(event) {
      switch (event.type) {
        case 'message_start':
          started = event.message;
          usage = { ...event.message.usage };
          for (const block of event.message.content) blocks.push({ block: { ...block }, json: '' });
          break;
        case 'content_block_start':
          blocks[event.index] = { block: { ...event.content_block }, json: '' };
          break;
        case 'content_block_delta':
          feed(event.index, event.delta);
          break;
        case 'message_delta': {
          const { type: _type, delta, usage: update, ...others } = event;
          // `estimated` is for the gateway only, not for the client.
          const { estimated: _ours, ...counts } = update;
          extra = { ...extra, ...others };
          end = { ...end, ...delta };
          usage = { ...usage, ...counts };
        }
      }
    },
    message(modelId) {
      if (!started)
        throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'The answer has no message_start event.');
      // Safe: a message plus the fields of `message_delta`; each block is its start event with its deltas applied.
      return {
        ...started,
        model: modelId,
        ...extra,
        ...end,
        content: blocks.map(closed) as unknown as ContentBlock[],
        usage: { ...started.usage, ...usage },
      };
    },
  };
}

function closed({ block, json }: OpenBlock): unknown {
  if (json === '') return block;
  return { ...block, input: parseArguments(json) };
}

function parseArguments(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // max_tokens may have cut the arguments off; the client learns that from stop_reason.
    return {};
  }
}
