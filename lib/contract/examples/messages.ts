import type { z } from 'zod';
import type { JsonOf } from '../fields';
import type { countTokensRequestSchema, messageSchema, messagesRequestSchema, TokenCountJson } from '../messages';

const conversation = [{ role: 'user' as const, content: 'Name three lighthouses.' }];

export const messagesRequests: Readonly<Record<string, z.input<typeof messagesRequestSchema>>> = {
  text: { model: 'sandbox-text', max_tokens: 200, messages: conversation },
  image: {
    model: 'sandbox-text',
    max_tokens: 200,
    stream: true,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'url', url: 'https://example.com/lighthouse.png' } },
          { type: 'text', text: 'What is this?' },
        ],
      },
    ],
  },
};
export const countTokensRequests: Readonly<Record<string, z.input<typeof countTokensRequestSchema>>> = {
  text: { model: 'sandbox-text', messages: conversation },
};

export const messageExample: JsonOf<typeof messageSchema> = {
  id: 'msg_9b1c7d3e5f2a4b6c8d0e1f3a5b7c9d2e',
  type: 'message',
  role: 'assistant',
  model: 'sandbox-text',
  content: [{ type: 'text', text: 'Fastnet, Bell Rock and Eddystone.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 12, output_tokens: 11 },
};
export const tokenCountExample: TokenCountJson = { input_tokens: 12 };
