import type { DocumentBlock, ImageBlock, TextBlock } from '../../../domain/messages';
import type { PortableBlock, PortableResult, PortableTurn } from '../../kit/messages/portable-turns';
import type { ToolNames } from './tool-names';

// Converts a portable conversation into chat messages. A tool result is a separate message there and contains only
// text, so images in results move into the following user message.

export interface ChatMessagesRules {
  readonly names: ToolNames;
  /** Whether the provider's own thinking is sent back with the turns that it led to. */
  readonly replay: boolean;
  /** Whether the upstream rejects turns with tool calls without thinking; if it was lost, a blank replaces it. */
  readonly mustReplay: boolean;
}

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | { readonly type: 'file'; readonly file: { readonly filename: string; readonly file_data: string } };

/** Converts the turns of a conversation to `messages` of a chat completion. */
export function chatMessages(turns: readonly PortableTurn[], rules: ChatMessagesRules): object[] {
  return turns.flatMap((turn) => {
    if (turn.role === 'assistant') return [assistantMessage(turn, rules)];
    if (turn.role === 'system') return [{ role: 'system', content: textsOf(turn.content).join('\n\n') }];
    return userMessages(turn);
  });
}

function assistantMessage({ content }: PortableTurn, { names, replay, mustReplay }: ChatMessagesRules): object {
  const text = textsOf(content).join('');
  const thinking = replay
    ? content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : [])).join('')
    : '';
  const calls = content.flatMap((block) =>
    block.type === 'tool_use'
      ? [
          {
            id: block.id,
            type: 'function',
            function: { name: names.short(block.name), arguments: JSON.stringify(block.input) },
          },
        ]
      : [],
  );
  const blank = mustReplay && calls.length > 0 ? ' ' : '';
  return {
    role: 'assistant',
    content: calls.length > 0 ? text || null : text || '(no content)',
    ...((thinking || blank) && { reasoning_content: thinking || blank }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function userMessages({ content }: PortableTurn): object[] {
  const results = content.filter((block) => block.type === 'tool_result');
  const attached = results.flatMap((result) => mediaOf(result).map(partOf));
  const own = content.flatMap((block) =>
    block.type === 'text' || block.type === 'image' || block.type === 'document' ? [partOf(block)] : [],
  );
  const parts = [...attached, ...own];
  return [...results.map(resultMessage), ...(parts.length > 0 ? [{ role: 'user', content: contentOf(parts) }] : [])];
}

function resultMessage(result: PortableResult): object {
  const texts =
    typeof result.content === 'string'
      ? [result.content]
      : result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const media = mediaOf(result).map(({ type }) => `[${type} attached below]`);
  const output = [...texts, ...media].join('\n');
  return { role: 'tool', tool_call_id: result.tool_use_id, content: result.is_error ? `Error: ${output}` : output };
}

function mediaOf({ content }: PortableResult): readonly (ImageBlock | DocumentBlock)[] {
  return typeof content === 'string' ? [] : content.filter((block) => block.type !== 'text');
}

/** Plain texts become one string: many upstreams reject an array. */
function contentOf(parts: readonly Part[]): string | readonly Part[] {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === parts.length ? texts.join('\n\n') : parts;
}

function partOf(block: TextBlock | ImageBlock | DocumentBlock): Part {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'image_url', image_url: { url: imageUrl(block) } };
    case 'document':
      return {
        type: 'file',
        file: {
          filename: block.title || 'document.pdf',
          file_data: block.source.type === 'base64' ? `data:application/pdf;base64,${block.source.data}` : '',
        },
      };
  }
}

function imageUrl({ source }: ImageBlock): string {
  switch (source.type) {
    case 'base64':
      return `data:${source.media_type};base64,${source.data}`;
    case 'url':
      return source.url;
    case 'file':
      // Images by file_id are rejected earlier, in portable-turns.ts.
      return '';
  }
}

function textsOf(content: readonly PortableBlock[]): string[] {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}
