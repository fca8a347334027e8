import { describe, expect, it } from 'vitest';
import { isGatewayError } from '../../../../lib/domain/errors';
import { checkBlockTypes, parseMessagesBody } from '../../../../lib/messages/request/messages-request';

const messages = [{ role: 'user', content: 'Hello' }];
const tools = [{ name: 'book', input_schema: { type: 'object' } }];
const parse = (more: object) => parseMessagesBody({ model: 'm', max_tokens: 10, messages, ...more }, { for: 'answer' });
const holding = (block: unknown) => ({ messages: [{ role: 'user', content: [block] }] });

function refusal(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return error.message;
  }
}

describe('the body of a message', () => {
  it.each([
    [{ temperature: 'hot' }, 'temperature: Input should be a valid number'],
    [{ temperature: -0.1 }, 'temperature: Input should be greater than or equal to 0'],
    [{ temperature: 2.1 }, 'temperature: Input should be less than or equal to 2'],
    [{ top_p: 9 }, 'top_p: Input should be less than or equal to 1'],
    [{ top_k: 1.5 }, 'top_k: Input should be a valid integer'],
    [{ tool_choice: 'auto' }, 'tool_choice: Input should be an object'],
    [{ tool_choice: {} }, 'tool_choice.type: Field required'],
    [{ tool_choice: { type: 'any' } }, 'tool_choice: may only be specified while providing tools'],
    [{ tool_choice: { type: 'tool', name: 'book' } }, 'tool_choice: may only be specified while providing tools'],
    [{ tools, tool_choice: { type: 'tool' } }, 'tool_choice.tool.name: Field required'],
    [{ tools, tool_choice: { type: 'tool', name: 'list' } }, "tool_choice: Tool 'list' not found in provided tools"],
    [{ tools: [{ ...tools[0], description: 5 }] }, 'tools.0.custom.description: Input should be a valid string'],
    [{ metadata: 5 }, 'metadata: Input should be an object'],
    [{ metadata: { user_id: 5 } }, 'metadata.user_id: Input should be a valid string'],
    [holding({ type: 'image' }), 'messages.0.content.0.image.source: Input should be an object'],
    [holding({ type: 'image', source: { type: 'url' } }), 'messages.0.content.0.image.source.url.url: Field required'],
    [
      holding({ type: 'image', source: { type: 'url', url: 5 } }),
      'messages.0.content.0.image.source.url.url: Input should be a valid string',
    ],
    [holding({ type: 5 }), 'messages.0.content.0.type: Input should be a valid string'],
    [
      holding({ type: 'tool_use', id: 5, name: 'book' }),
      'messages.0.content.0.tool_use.id: Input should be a valid string',
    ],
    [{ tool_choice: { type: null } }, 'tool_choice.type: Input should be a valid string'],
    [{ thinking: {} }, 'thinking.type: Field required'],
    [{ thinking: { type: 5 } }, 'thinking.type: Input should be a valid string'],
    [holding({ type: 'document' }), 'messages.0.content.0.document.source: Input should be an object'],
    [
      holding({ type: 'document', source: { type: 'text' } }),
      'messages.0.content.0.document.source.text.data: Input should be a valid string',
    ],
    [
      holding({ type: 'document', source: { type: 'content', content: [{}] } }),
      'messages.0.content.0.document.source.content.0.type: Field required',
    ],
    [holding({ type: 'search_result', source: 's' }), 'messages.0.content.0.search_result.title: Field required'],
    [
      holding({ type: 'tool_result', tool_use_id: 't', content: null }),
      'messages.0.content.0.tool_result.content: Input should be a string or an array of blocks',
    ],
  ])('%j is refused as by the vendor', (more, sentence) => expect(refusal(() => parse(more))).toBe(sentence));

  it.each([
    [{ temperature: 1, top_p: 0, top_k: 40, metadata: { user_id: null, more: 1 } }],
    [{ temperature: null, top_p: null, tool_choice: null, metadata: null }],
    [{ tool_choice: { type: 'auto' } }],
    [{ tools, tool_choice: { type: 'tool', name: 'book' } }],
    [{ tools, tool_choice: { type: 'later', than: 'this' } }],
    [
      {
        tools: [{ type: 'mcp_toolset', mcp_server_name: 's' }],
        tool_choice: { type: 'tool', name: 'from_the_server' },
      },
    ],
    [{ mcp_servers: [], tool_choice: { type: 'any' } }],
    [{ a_field_of_next_week: { a: 1 } }],
    [holding({ type: 'document', source: { type: 'file', file_id: 'f' } })],
    [holding({ type: 'a_block_of_next_week' })],
  ])('%j is accepted', (more) => expect(refusal(() => parse(more))).toBe('accepted'));
});

describe('images and documents by URL', () => {
  it('are at most a hundred, at any position', () => {
    const picture = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
    const document = { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } };
    const result = (count: number) =>
      holding({
        type: 'tool_result',
        tool_use_id: 't',
        content: [...Array.from({ length: count - 1 }, () => picture), document],
      });
    expect(refusal(() => parse(result(100)))).toBe('accepted');
    expect(refusal(() => parse(result(101)))).toBe(
      'messages: at most 100 images and documents may be given by URL, found 101',
    );
  });
});

describe('a block', () => {
  it('of an unknown kind is refused, and the message lists the known ones', () => {
    const check = (block: unknown) => refusal(() => checkBlockTypes(parse(holding(block))));
    expect(check({ type: 'zzz' })).toMatch(
      /^messages\.0\.content\.0: Input tag 'zzz' found using 'type' does not match any of the expected tags: 'text', /,
    );
    for (const type of ['container_upload', 'server_tool_use', 'mid_conv_system', 'mcp_tool_result'])
      expect(check({ type })).toBe('accepted');
  });
});
