import type { z } from 'zod';
import type { CreatedKeyJson, createKeyRequestSchema, KeyJson, updateKeyRequestSchema } from '../keys';
import type { LimitUseListJson } from '../limits';
import type { TicketJson } from '../sign-in';

export const keyRequests: Readonly<Record<string, z.input<ReturnType<typeof createKeyRequestSchema>>>> = {
  backend: {
    name: 'Backend',
    mode: 'test',
    limit: { amount: '25.00', period: 'monthly' },
    expires_at: '2037-01-31T00:00:00Z',
    allowed_models: ['sandbox-t2v'],
  },
};
export const keyChanges: Readonly<Record<string, z.input<ReturnType<typeof updateKeyRequestSchema>>>> = {
  limit: { limit: { amount: '50.00', period: 'monthly' }, limits: { requests_per_second: 50 } },
  disable: { disabled: true },
};

export const keyExample = {
  id: 'key_1a2b3c4d5e6f708192a3b4c5d6e7f809',
  object: 'api_key',
  name: 'Backend',
  mode: 'test',
  display: 'pb_test_••••aB3x',
  status: 'active',
  project: null,
  scopes: ['inference'],
  allowed_models: ['sandbox-t2v'],
  allowed_providers: null,
  allowed_regions: null,
  allowed_endpoints: null,
  allowed_addresses: null,
  max_price_per_request: null,
  max_price_per_minute: null,
  limit: { amount: '25', period: 'monthly', spent: '0.05', resets_at: 1_796_083_200 },
  limits: { requests_per_second: 50 },
  created_by: 'user_7a6b5c4d3e2f10918273645546372819',
  created_by_name: 'Ada',
  created_at: 1_795_480_000,
  last_used_at: 1_795_480_003,
  expires_at: 2_116_972_800,
  rotated_from: null,
} as const satisfies KeyJson;
export const createdKeyExample: CreatedKeyJson = { ...keyExample, last_used_at: null, key: 'pb_test_…' };

export const limitUseExamples: LimitUseListJson['data'] = [
  { name: 'requests_per_second', scope: 'key', limit: 50, used: 1, resets_at: 1_795_480_004 },
  { name: 'open_streams', scope: 'organization', limit: 200, used: 3 },
];
export const ticketExample: TicketJson = { object: 'socket_ticket', ticket: 'wst_…', expires_at: 1_795_480_060 };
