import type { MessageEvent } from '../../../lib/domain/messages';

// Checks the order of a streamed answer as strictly as the strictest client, so that all clients can read a stream that
// passes.

/** The first violation of the order; undefined if there is none. An unfinished stream is one unless `mayBreakOff`. */
export function findOrderError(
  events: readonly MessageEvent[],
  options: { readonly mayBreakOff?: boolean } = {},
): string | undefined {
  let phase: 'before' | 'content' | 'stopped' | 'ended' = 'before';
  let open: { index: number; type: string; json: string } | undefined;
  let next = 0;
  let isPrefilled = false;
  for (const [at, event] of events.entries()) {
    const place = `event ${at} (${event.type})`;
    if (phase === 'ended') return `${place} follows message_stop.`;
    if (phase === 'before' && event.type !== 'message_start') return `${place} comes before message_start.`;
    switch (event.type) {
      case 'message_start': {
        if (phase !== 'before') return `${place} comes twice.`;
        phase = 'content';
        const { usage, content, stop_reason } = event.message;
        isPrefilled = stop_reason !== null;
        if (typeof usage?.input_tokens !== 'number' || typeof usage.output_tokens !== 'number')
          return `${place} has no usage.`;
        if (!Array.isArray(content)) return `${place} has no content.`;
        if (content.length > 0 && !isPrefilled) return `${place} has content without a stop reason.`;
        break;
      }
      case 'content_block_start': {
        if (phase !== 'content') return `${place} comes too late.`;
        if (open) return `${place} comes while block ${open.index} is open.`;
        if (event.index !== next) return `${place} has the index ${event.index}, not ${next}.`;
        next++;
        const block = event.content_block;
        if (block.type === 'text' && block.text !== '') return `${place} begins with text.`;
        if (block.type === 'thinking' && (block.thinking !== '' || block.signature !== ''))
          return `${place} begins with a thinking block.`;
        if (block.type.endsWith('tool_use') && JSON.stringify((block as { input?: unknown }).input) !== '{}')
          return `${place} begins with an input.`;
        if (block.type === 'tool_use' && !/^[A-Za-z0-9_-]+$/.test(block.id))
          return `${place} has an id that clients refuse.`;
        open = { index: event.index, type: block.type, json: '' };
        break;
      }
      case 'content_block_delta': {
        if (!open || open.index !== event.index) return `${place} is for block ${event.index}, which is not open.`;
        const { delta } = event;
        const wanted = {
          text_delta: 'text',
          citations_delta: 'text',
          thinking_delta: 'thinking',
          signature_delta: 'thinking',
        }[delta.type as string];
        if (wanted !== undefined && wanted !== open.type) return `${place} is a ${delta.type} on a ${open.type} block.`;
        if (delta.type === 'input_json_delta') {
          if (!open.type.endsWith('tool_use')) return `${place} is an input_json_delta on a ${open.type} block.`;
          open.json += delta.partial_json;
        }
        break;
      }
      case 'content_block_stop':
        if (!open || open.index !== event.index) return `${place} is for block ${event.index}, which is not open.`;
        open = undefined;
        break;
      case 'message_delta':
        if (open) return `${place} comes while block ${open.index} is open.`;
        if (typeof event.usage?.output_tokens !== 'number') return `${place} has no usage.`;
        if (phase === 'stopped') return `${place} follows the stop reason.`;
        if (event.delta.stop_reason !== null) phase = 'stopped';
        break;
      case 'message_stop':
        if (phase !== 'stopped' && !isPrefilled) return `${place} comes before the stop reason.`;
        phase = 'ended';
        break;
      default:
    }
  }
  return phase === 'ended' || options.mayBreakOff ? undefined : 'The stream has no message_stop.';
}
