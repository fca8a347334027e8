import type { z } from 'zod';
import type { TransferJson, TransferPageJson, transferRequestSchema } from '../credits';
import type { OrganizationLimitsJson, organizationLimitsRequest } from '../limits';
import type { OrganizationPageJson } from '../organizations';
import type { ProviderListJson, VerificationJson } from '../providers';
import { creditsExample } from './service';

const organization = 'org_0c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f';

export const organizationPageExample: OrganizationPageJson = {
  object: 'list',
  data: [
    {
      id: organization,
      object: 'organization',
      name: 'Acme',
      suspended: false,
      credits: { live: { ...creditsExample, mode: 'live', available: '25', spent: '0' }, test: creditsExample },
      created_at: 1_795_400_000,
    },
  ],
  has_more: false,
};

export const transferRequests: Readonly<Record<string, z.input<typeof transferRequestSchema>>> = {
  grant: { mode: 'live', kind: 'grant', amount: '25.00', reference: 'invoice-1742', reason: 'Top-up' },
  refund: {
    mode: 'live',
    kind: 'refund',
    amount: '0.05',
    reference: 'ticket-88',
    reason: 'Damaged file',
    subject: 'video_5b1f0a3c9d2e4f67a8b90c1d2e3f4a5b',
  },
};
export const transferExample: TransferJson = {
  id: 'tr_1e2d3c4b5a69788796a5b4c3d2e1f0a9',
  object: 'credit_transfer',
  organization,
  mode: 'live',
  kind: 'grant',
  currency: 'USD',
  amount: '25',
  available: '25',
  subject: null,
  reference: 'invoice-1742',
  reason: 'Top-up',
  created_at: 1_795_480_000,
};
export const transferPageExample: TransferPageJson = { object: 'list', data: [transferExample], has_more: false };

export const organizationLimitsRequests: Readonly<Record<string, z.input<typeof organizationLimitsRequest>>> = {
  change: { organization, limits: { requests_per_second: 200, open_streams: 'off' } },
};
export const organizationLimitsExample: OrganizationLimitsJson = {
  object: 'organization_limits',
  organization,
  limits: { requests_per_second: 200, open_streams: 'off' },
  changed: ['requests_per_second', 'open_streams'],
};

export const providerExamples: ProviderListJson['data'] = [
  {
    id: 'sandbox',
    object: 'provider',
    name: 'Patchbay sandbox',
    capabilities: ['video', 'messages', 'stt', 'tts'],
    offered: true,
    reason: null,
    models: 8,
  },
  {
    id: 'kling',
    object: 'provider',
    name: 'Kling',
    capabilities: ['video'],
    offered: false,
    reason: 'Set KLING_ACCESS_KEY and KLING_SECRET_KEY.',
    models: 0,
  },
];
export const verificationExample: VerificationJson = {
  provider: 'kling',
  capability: 'video',
  outcome: 'accepted',
  message: 'The provider accepted the credentials.',
};
