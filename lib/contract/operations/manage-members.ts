import { z } from 'zod';
import { auditPageSchema } from '../audit';
import * as examples from '../examples/members';
import {
  acceptedInvitationSchema,
  createInvitationRequestSchema,
  invitationListSchema,
  invitationSignUpRequestSchema,
  invitationTokenSchema,
  madeInvitationSchema,
  openedInvitationSchema,
} from '../invitations';
import { changeMemberRequestSchema, memberListSchema, memberSchema } from '../members';
import {
  createOrganizationRequestSchema,
  deleteOrganizationRequestSchema,
  organizationSettingsSchema,
  ownOrganizationListSchema,
  ownOrganizationSchema,
  updateOrganizationRequestSchema,
} from '../organizations';
import {
  createdParams,
  csvParam,
  empty,
  json,
  operation,
  pageParams,
  report,
  requestBody,
  type Operation,
} from './operation';

const tag = 'Manage the organisation';
const memberParam = 'The id of the person.';
const invitationParam = 'The id of the invitation.';

export const memberOperations: readonly Operation[] = [
  operation('GET /console/api/members', 'listMembers', {
    tag,
    summary: 'List the members of the organisation',
    answers: { 200: json('The members.', memberListSchema, examples.memberListExample) },
  }),
  operation('PATCH /console/api/members/:id', 'changeMember', {
    tag,
    summary: 'Change the role of a member',
    params: { id: memberParam },
    request: requestBody(changeMemberRequestSchema, { admin: { role: 'admin' } }),
    answers: { 200: json('The member.', memberSchema, examples.memberExample) },
    errors: ['member_not_found', 'last_owner', 'not_a_member'],
  }),
  operation('DELETE /console/api/members/:id', 'removeMember', {
    tag,
    summary: 'Remove a member',
    params: { id: memberParam },
    answers: empty('The person is removed.'),
    errors: ['member_not_found', 'last_owner', 'not_a_member'],
  }),
  operation('POST /console/api/members/:id/transfer-ownership', 'transferOwnership', {
    tag,
    summary: 'Transfer the ownership to another member',
    params: { id: memberParam },
    answers: { 200: json('The new owner.', memberSchema, { ...examples.memberExample, role: 'owner' }) },
    errors: ['member_not_found', 'not_a_member', 'unsupported_value'],
  }),
  operation('POST /console/api/members/leave', 'leaveOrganization', {
    tag,
    summary: 'Leave the organisation',
    answers: empty('The person has left it.'),
    errors: ['last_owner', 'not_a_member'],
  }),
  operation('GET /console/api/invitations', 'listInvitations', {
    tag,
    summary: 'List the open invitations',
    answers: { 200: json('The invitations.', invitationListSchema, examples.invitationListExample) },
  }),
  operation('POST /console/api/invitations', 'createInvitation', {
    tag,
    summary: 'Invite a person to the organisation',
    request: requestBody(createInvitationRequestSchema, examples.invitationRequests),
    answers: { 201: json('The link. It is shown only once.', madeInvitationSchema, examples.madeInvitationExample) },
    errors: ['already_member'],
  }),
  operation('DELETE /console/api/invitations/:id', 'removeInvitation', {
    tag,
    summary: 'Withdraw an invitation',
    params: { id: invitationParam },
    answers: empty('The invitation is withdrawn, and its link no longer works.'),
    errors: ['invitation_not_found'],
  }),
  operation('POST /console/api/invitations/:id/resend', 'resendInvitation', {
    tag,
    summary: 'Make a new link for an invitation',
    description: 'The former link no longer works.',
    params: { id: invitationParam },
    answers: { 201: json('The new link.', madeInvitationSchema, examples.madeInvitationExample) },
    errors: ['invitation_not_found'],
  }),
  operation('POST /console/api/invitations/open', 'openInvitation', {
    tag: 'Sign in',
    summary: 'Look at an invitation before accepting it',
    request: requestBody(invitationTokenSchema, examples.invitationTokens),
    answers: { 200: json('The invitation.', openedInvitationSchema, examples.openedInvitationExample) },
    errors: ['invitation_not_found', 'rate_limit_exceeded'],
  }),
  operation('POST /console/api/invitations/accept', 'acceptInvitation', {
    tag: 'Sign in',
    summary: 'Accept an invitation as a signed-in person',
    request: requestBody(invitationTokenSchema, examples.invitationTokens),
    answers: {
      200: json('The person is a member now.', acceptedInvitationSchema, examples.acceptedInvitationExample),
    },
    errors: ['invitation_not_found', 'invitation_not_for_you', 'already_member', 'rate_limit_exceeded'],
  }),
  operation('POST /console/api/invitations/sign-up', 'signUpInvited', {
    tag: 'Sign in',
    summary: 'Create an account with an invitation',
    request: requestBody(invitationSignUpRequestSchema, examples.invitationSignUps),
    answers: { 201: json('The new account.', acceptedInvitationSchema, examples.acceptedInvitationExample) },
    errors: ['invitation_not_found', 'invitation_not_for_you', 'account_exists', 'rate_limit_exceeded'],
  }),
  operation('GET /console/api/organizations', 'listOwnOrganizations', {
    tag,
    summary: 'List the organisations of the person',
    answers: { 200: json('The organisations.', ownOrganizationListSchema, examples.ownOrganizationListExample) },
  }),
  operation('POST /console/api/organizations', 'createOrganization', {
    tag,
    summary: 'Create an organisation',
    request: requestBody(createOrganizationRequestSchema, { acme: { name: 'Acme' } }),
    answers: { 201: json('The organisation.', ownOrganizationSchema, examples.ownOrganizationExample) },
  }),
  operation('GET /console/api/organization', 'readOrganization', {
    tag,
    summary: 'Read the settings of the organisation',
    answers: { 200: json('The settings.', organizationSettingsSchema, examples.settingsExample) },
    errors: ['organization_not_found'],
  }),
  operation('PATCH /console/api/organization', 'updateOrganization', {
    tag,
    summary: 'Change the settings of the organisation',
    request: requestBody(updateOrganizationRequestSchema, { rename: { name: 'Acme Films' } }),
    answers: {
      200: json('The settings.', organizationSettingsSchema, { ...examples.settingsExample, name: 'Acme Films' }),
    },
    errors: ['organization_not_found'],
  }),
  operation('POST /console/api/organization/deletion', 'deleteOrganization', {
    tag,
    summary: 'Delete the organisation in seven days',
    description: 'Until then its keys are refused, and an owner can restore it.',
    request: requestBody(deleteOrganizationRequestSchema, { confirmed: { name: 'Acme' } }),
    answers: {
      200: json('The settings, with the time of the deletion.', organizationSettingsSchema, {
        ...examples.settingsExample,
        deletes_at: 1_796_084_800,
      }),
    },
    errors: ['organization_not_found', 'organization_deleting'],
  }),
  operation('DELETE /console/api/organization/deletion', 'restoreOrganization', {
    tag,
    summary: 'Restore an organisation that is about to be deleted',
    answers: { 200: json('The settings.', organizationSettingsSchema, examples.settingsExample) },
    errors: ['organization_not_found', 'organization_deleting'],
  }),
  operation('GET /console/api/audit-entries', 'listAuditEntries', {
    tag,
    summary: 'List the audit log',
    query: {
      actor: z.string().describe('Only entries of this person or key, by id, or of the `operator`.'),
      action: z
        .string()
        .describe('Only this action, such as `key.created`, or all that begin with a word such as `key`.'),
      ...createdParams,
      ...pageParams(50),
      ...csvParam,
    },
    answers: { 200: report('A page, newest first.', auditPageSchema, examples.auditPageExample) },
  }),
];
