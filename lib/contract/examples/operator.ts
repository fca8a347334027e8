import type { z } from 'zod';
import type { TransferJson, TransferPageJson, transferRequestSchema } from '../credits';
import type { OrganizationLimitsJson, organizationLimitsRequest } from '../limits';
import type { OperatorEntryPageJson } from '../audit';
import type { InstallationStatusJson, OperatorJson, SupportViewJson } from '../installation';
import type {
  MadeOrganizationJson,
  newOrganizationRequestSchema,
  OrganizationJson,
  OrganizationPageJson,
  suspensionRequestSchema,
} from '../organizations';
import type { ProviderListJson, VerificationJson } from '../providers';
import { keyExample } from './keys';
import { madeInvitationExample, memberExample } from './members';
import { requestPageExample } from './requests';
import { creditsExample } from './service';

const organization = 'org_0c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f';

export const organizationExample: OrganizationJson = {
  id: organization,
  object: 'organization',
  name: 'Acme',
  state: 'active',
  suspended: false,
  suspended_at: null,
  deletes_at: null,
  credits: { live: { ...creditsExample, mode: 'live', available: '25', spent: '0' }, test: creditsExample },
  members: 3,
  owners: 1,
  activity: {
    live: { requests: 0, charged: '0' },
    test: { requests: 128, charged: '3.2' },
    last_day: '2026-11-24',
  },
  created_at: 1_795_400_000,
};
export const suspendedOrganizationExample: OrganizationJson = {
  ...organizationExample,
  state: 'suspended',
  suspended: true,
  suspended_at: 1_795_480_000,
};
export const organizationPageExample: OrganizationPageJson = {
  object: 'list',
  data: [organizationExample],
  first_id: organization,
  last_id: organization,
  has_more: false,
};
export const newOrganizationRequests: Readonly<Record<string, z.input<typeof newOrganizationRequestSchema>>> = {
  invited: { name: 'Acme', owner_email: 'ada@example.com' },
  link: { name: 'Acme' },
};
export const madeOrganizationExample: MadeOrganizationJson = {
  ...organizationExample,
  members: 0,
  owners: 0,
  activity: { live: { requests: 0, charged: '0' }, test: { requests: 0, charged: '0' }, last_day: null },
  invitation: { ...madeInvitationExample, role: 'owner', email: 'ada@example.com', invited_by: null },
};
export const suspensionRequests: Readonly<Record<string, z.input<typeof suspensionRequestSchema>>> = {
  unpaid: { reason: 'Invoice 1742 is not paid' },
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
    unconfirmed_models: [],
  },
  {
    id: 'kling',
    object: 'provider',
    name: 'Kling',
    capabilities: ['video'],
    offered: false,
    reason: 'Set KLING_ACCESS_KEY and KLING_SECRET_KEY.',
    models: 0,
    unconfirmed_models: [],
  },
];
export const verificationExample: VerificationJson = {
  provider: 'kling',
  capability: 'video',
  outcome: 'accepted',
  message: 'The provider accepted the credentials.',
};

export const supportViewExample: SupportViewJson = {
  object: 'support_view',
  mode: 'test',
  organization: organizationExample,
  members: [memberExample],
  keys: [keyExample],
  limits: organizationLimitsExample,
  requests: requestPageExample,
  transfers: [],
};

export const installationStatusExample: InstallationStatusJson = {
  object: 'installation_status',
  versions: { patchbay: '0.1.0', node: '24.4.0' },
  process: {
    role: 'all',
    started_at: 1_795_400_000,
    event_loop_delay_ms: 10.2,
    waiting_queries: 0,
    overloaded: { live: false, test: false },
  },
  health: {
    status: 'ok',
    redis: { connected: false, error: 'not configured; in-process store in use' },
    database: { connected: true, error: '' },
  },
  queue: {
    kinds: [{ kind: 'video.check', waiting: 2, oldest_wait_seconds: 0.3, scheduled: 14, running: 1, failing: 0 }],
    running: [
      {
        kind: 'video.check',
        mode: 'live',
        organization,
        place: 'kling',
        subject: 'video_5b1f0a3c9d2e4f67a8b90c1d2e3f4a5b',
        failures: 0,
      },
    ],
  },
  circuits: [{ provider: 'kling', model: 'kling-v3', own_account: null, state: 'open', until: 1_795_480_030 }],
  catalog_file: { path: '/etc/patchbay/catalog.json', errors: [] },
  providers: { offered: 4, known: 31 },
};

export const operatorExample: OperatorJson = {
  id: memberExample.id,
  object: 'operator',
  email: 'ada@example.com',
  name: 'Ada',
  since: 1_795_400_000,
};

const act = 'audit_2b4d6f8a0c1e3a5c7e9b1d3f5a7c9e0b';
export const operatorEntryPageExample: OperatorEntryPageJson = {
  object: 'list',
  data: [
    {
      id: act,
      object: 'operator_audit_entry',
      organization: { id: organization, name: 'Acme' },
      actor: { id: memberExample.id, email: 'ada@example.com' },
      action: 'organization.suspended',
      target: organization,
      detail: 'Invoice 1742 is not paid',
      at: 1_795_480_000,
    },
  ],
  first_id: act,
  last_id: act,
  has_more: false,
};
