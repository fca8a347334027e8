import type {
  MessageContentJson,
  MessageDetails,
  RequestPageJson,
  SessionContentJson,
  SessionDetails,
} from '../requests';
import { keyExample } from './keys';

const key = { id: keyExample.id, name: keyExample.name };
const message = 'msg_9b1c7d3e5f2a4b6c8d0e1f3a5b7c9d2e';
const requestId = 'req_3e5f7a9b1c2d4e6f8a0b2c4d6e8f0a1b';

export const requestPageExample: RequestPageJson = {
  object: 'list',
  data: [
    {
      id: message,
      object: 'request',
      kind: 'message',
      mode: 'test',
      status: 'completed',
      model: 'sandbox-text',
      provider: 'sandbox',
      key,
      request_id: requestId,
      cost: '0.0000041',
      tokens: { input: 12, output: 11 },
      duration_ms: 412,
      created_at: 1_795_480_000,
    },
  ],
  first_id: message,
  last_id: message,
  has_more: false,
};

const shared = {
  mode: 'test',
  status: 'completed',
  provider: 'sandbox',
  key,
  created_at: 1_795_480_000.12,
  completed_at: 1_795_480_000.53,
  duration_ms: 412,
  first_result_ms: 96,
  timeline: [
    { event: 'accepted', at: 1_795_480_000.12 },
    { event: 'called', at: 1_795_480_000.13, attempt: 1, provider: 'sandbox' },
    { event: 'first_result', at: 1_795_480_000.22 },
    { event: 'ended', at: 1_795_480_000.53, status: 'completed' },
  ],
} as const;

export const messageDetailsExample: MessageDetails = {
  ...shared,
  object: 'message',
  id: message,
  model: 'sandbox-text',
  upstream_model: 'sandbox-text',
  request_id: requestId,
  streamed: false,
  stop_reason: 'end_turn',
  tokens: { input: 12, cache_read: 0, cache_write: 0, output: 11, estimated: false },
  web_searches: 0,
  content_expires_at: null,
  attempts: [
    {
      attempt: 1,
      provider: 'sandbox',
      upstream_model: 'sandbox-text',
      outcome: 'served',
      started_at: 1_795_480_000.13,
      duration_ms: 90,
    },
  ],
  price: {
    calculation: {
      currency: 'USD',
      lines: [
        { label: 'Input tokens', unit_price: '0.0000001', quantity: '12', amount: '0.0000012' },
        { label: 'Output tokens', unit_price: '0.0000002', quantity: '11', amount: '0.0000022' },
      ],
      total: '0.0000034',
    },
    held: { amount: '0.01', state: 'captured' },
    shared: true,
    charged: '0.0000034',
    ledger: [],
  },
};

export const messageContentExample: MessageContentJson = {
  id: message,
  object: 'message_content',
  request: { model: 'sandbox-text', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
  answer: {
    id: message,
    type: 'message',
    role: 'assistant',
    model: 'sandbox-text',
    content: [{ type: 'text', text: 'Hello! How can I help?' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 12, output_tokens: 11 },
  },
  expires_at: 1_796_084_800,
};

export const sessionDetailsExample: SessionDetails = {
  ...shared,
  object: 'session',
  kind: 'speech',
  id: 'ctx_8c0e2a4b6d8f1a3c5e7b9d0f2a4c6e8b',
  model: 'sandbox-tts',
  request_id: 'session_4b6d8f1a3c5e7b9d0f2a4c6e8b0d2f4a',
  characters: 22,
  content_expires_at: null,
  attempts: [{ attempt: 1, provider: 'sandbox', outcome: 'served', started_at: 1_795_480_000.13, duration_ms: 400 }],
  price: { shared: false, charged: '0.00024', ledger: [] },
};

export const sessionContentExample: SessionContentJson = {
  id: sessionDetailsExample.id,
  object: 'session_content',
  text: 'Hello! How can I help?',
  expires_at: 1_796_084_800,
};
