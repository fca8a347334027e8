import type { z } from 'zod';
import type { AuditPageJson } from '../audit';
import type {
  AcceptedInvitationJson,
  createInvitationRequestSchema,
  InvitationJson,
  InvitationListJson,
  invitationSignUpRequestSchema,
  invitationTokenSchema,
  MadeInvitationJson,
  OpenedInvitationJson,
} from '../invitations';
import type { MemberJson, MemberListJson } from '../members';
import type { OrganizationSettingsJson, OwnOrganizationJson, OwnOrganizationListJson } from '../organizations';

const organization = 'org_0c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f';

export const memberExample: MemberJson = {
  id: 'user_7a6b5c4d3e2f10918273645546372819',
  object: 'member',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'admin',
  joined_at: 1_795_480_000,
  last_seen_at: 1_795_490_000,
};
export const memberListExample: MemberListJson = { object: 'list', data: [memberExample] };

export const invitationRequests: Readonly<Record<string, z.input<typeof createInvitationRequestSchema>>> = {
  colleague: { role: 'developer', email: 'grace@example.com' },
  link: { role: 'viewer' },
};
const invitation: InvitationJson = {
  id: 'inv_5e7f9a1b3c5d7e9f1a3b5c7d9e1f3a5b',
  object: 'invitation',
  role: 'developer',
  email: 'grace@example.com',
  invited_by: 'ada@example.com',
  created_at: 1_795_480_000,
  expires_at: 1_796_084_800,
  expired: false,
};
export const invitationListExample: InvitationListJson = { object: 'list', data: [invitation], mail: true };
export const madeInvitationExample: MadeInvitationJson = {
  ...invitation,
  link: 'https://patchbay.example.com/console/invitation#…',
  mail: 'sent',
};
const token = 'q1w2e3r4t5y6u7i8o9p0a1s2d3f4g5h6j7k8l9z0x1c';
export const invitationTokens: Readonly<Record<string, z.input<typeof invitationTokenSchema>>> = { token: { token } };
export const openedInvitationExample: OpenedInvitationJson = {
  object: 'opened_invitation',
  organization: 'Acme',
  role: 'developer',
  email: 'grace@example.com',
  account_exists: false,
  expires_at: 1_796_084_800,
};
export const acceptedInvitationExample: AcceptedInvitationJson = {
  object: 'accepted_invitation',
  organization: { id: organization, name: 'Acme' },
  email: 'grace@example.com',
  role: 'developer',
};
export const invitationSignUps: Readonly<Record<string, z.input<typeof invitationSignUpRequestSchema>>> = {
  grace: { token, password: 'correct horse battery', name: 'Grace' },
};

export const ownOrganizationExample: OwnOrganizationJson = {
  id: organization,
  object: 'organization',
  name: 'Acme',
  role: 'owner',
  suspended: false,
  deletes_at: null,
};
export const ownOrganizationListExample: OwnOrganizationListJson = { object: 'list', data: [ownOrganizationExample] };
export const settingsExample: OrganizationSettingsJson = {
  id: organization,
  object: 'organization_settings',
  name: 'Acme',
  replay_retries: true,
  keep_messages_days: null,
  keep_speech_days: null,
  suspended: false,
  deletes_at: null,
  created_at: 1_795_480_000,
};

const auditEntry = 'audit_9a1c3e5b7d8f0a2c4e6b8d0f2a4c6e8a';
export const auditPageExample: AuditPageJson = {
  object: 'list',
  data: [
    {
      id: auditEntry,
      object: 'audit_entry',
      actor: { type: 'person', id: memberExample.id, email: memberExample.email },
      action: 'key.created',
      target: 'key_1a2b3c4d5e6f708192a3b4c5d6e7f809',
      target_name: 'Backend',
      detail: null,
      address: '203.0.113.7',
      at: 1_795_480_000,
    },
  ],
  first_id: auditEntry,
  last_id: auditEntry,
  has_more: false,
};
