import type { CreditsJson } from '../credits';
import type { documentSchema } from '../documents';
import type { JsonOf } from '../fields';
import type { HealthJson } from '../health';

export const creditsExample: CreditsJson = {
  object: 'credits',
  mode: 'test',
  currency: 'USD',
  available: '999.95',
  held: '0',
  spent: '0.05',
};

export const healthExample: HealthJson = {
  message: 'OK',
  version: '0.1.0',
  health: { status: 'ok', redis: { connected: true, error: '' }, database: { connected: true, error: '' } },
};
export const unhealthyExample: HealthJson = {
  message: 'The database cannot be reached.',
  version: '0.1.0',
  health: {
    status: 'error',
    redis: { connected: true, error: '' },
    database: { connected: false, error: 'not reachable' },
  },
};

const info = { title: 'Patchbay', version: '0.1.0' };
export const openApiExample: JsonOf<typeof documentSchema> = { openapi: '3.1.1', info };
export const asyncApiExample: JsonOf<typeof documentSchema> = { asyncapi: '3.0.0', info };

export const mcpMessages = {
  list: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  call: { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'read_credits', arguments: {} } },
} as const;
export const mcpAnswer = {
  jsonrpc: '2.0',
  id: 2,
  result: {
    content: [{ type: 'text', text: JSON.stringify(creditsExample) }],
    structuredContent: { ...creditsExample },
  },
} as const;
export const mcpError = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_000, message: 'Not Acceptable: Client must accept both application/json and text/event-stream' },
} as const;
