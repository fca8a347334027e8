import type { z } from 'zod';
import type { OrganizationPolicyJson, PolicyFieldsJson, simulationRequestSchema, SimulationJson } from '../policies';
import type { createProjectRequestSchema, ProjectJson } from '../projects';

const policy: PolicyFieldsJson = {
  allowed_models: null,
  allowed_providers: null,
  allowed_regions: null,
  allowed_endpoints: ['/v1/videos'],
  allowed_addresses: null,
  max_price_per_request: '2.5',
  max_price_per_minute: null,
};

export const projectRequests: Readonly<Record<string, z.input<typeof createProjectRequestSchema>>> = {
  trailer: { name: 'Trailer', limit: { amount: '100', period: 'monthly' }, max_price_per_request: '2.50' },
};
export const projectExample: ProjectJson = {
  id: 'project_4d6f8a0c2e4b6d8f0a2c4e6b8d0f2a4c',
  object: 'project',
  name: 'Trailer',
  mode: 'live',
  limit: { amount: '100', period: 'monthly', spent: '12.4', resets_at: 1_796_083_200 },
  ...policy,
  keys: 2,
  created_at: 1_795_480_000,
};

export const policyExample: OrganizationPolicyJson = { object: 'policy', ...policy };

export const simulationRequests: Readonly<Record<string, z.input<typeof simulationRequestSchema>>> = {
  video: { key_id: 'key_1a2b3c4d5e6f708192a3b4c5d6e7f809', model: 'sandbox-t2v', parameters: { seconds: 5 } },
};
export const simulationExample: SimulationJson = {
  object: 'policy_simulation',
  allowed: true,
  model: 'sandbox-t2v',
  mode: 'test',
  endpoint: '/v1/videos',
  code: null,
  level: null,
  rule: null,
  sentence: 'This request is allowed.',
  price_compared: true,
  candidates: [{ provider: 'sandbox', used: true, price: '0.05', level: null, rule: null, reason: null }],
};
