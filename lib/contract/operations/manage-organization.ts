import { z } from 'zod';
import { activitySchema, foundListSchema } from '../activity';
import * as examples from '../examples/organization';
import { catalogEntryListSchema } from '../models';
import {
  providerCredentialListSchema,
  storeCredentialRequestSchema,
  verifiedCredentialSchema,
} from '../provider-credentials';
import { providerExamples } from '../examples/operator';
import { providerListSchema } from '../providers';
import {
  newPasswordSchema,
  signedUpSchema,
  signInLinkRequestSchema,
  signInLinkSchema,
  signUpRequestSchema,
} from '../sign-in';
import { empty, json, modeParam, operation, requestBody, type Operation } from './operation';

const credentialParam = 'The id of the credential.';

export const organizationOperations: readonly Operation[] = [
  operation('GET /console/api/provider-credentials', 'listProviderCredentials', {
    tag: 'Manage providers',
    summary: 'List own accounts at providers',
    answers: {
      200: json(
        'The accounts, and what each provider needs.',
        providerCredentialListSchema,
        examples.credentialListExample,
      ),
    },
  }),
  operation('POST /console/api/provider-credentials', 'storeProviderCredential', {
    tag: 'Manage providers',
    summary: 'Store a credential of an own account',
    description: 'Replaces the stored one. The provider verifies it first; a credential that it refuses is not stored.',
    request: requestBody(storeCredentialRequestSchema, examples.credentialRequests),
    answers: { 201: json('The credential.', verifiedCredentialSchema, examples.verifiedCredentialExample) },
    errors: ['provider_not_found', 'upstream_auth_failed', 'upstream_rejected'],
  }),
  operation('POST /console/api/provider-credentials/:id/verify', 'verifyProviderCredential', {
    tag: 'Manage providers',
    summary: 'Verify a credential with the provider',
    params: { id: credentialParam },
    answers: {
      200: json('The result of the verification.', verifiedCredentialSchema, examples.verifiedCredentialExample),
    },
    errors: ['credential_not_found'],
  }),
  operation('DELETE /console/api/provider-credentials/:id', 'removeProviderCredential', {
    tag: 'Manage providers',
    summary: 'Remove a credential of an own account',
    params: { id: credentialParam },
    answers: empty('The credential is removed.'),
    errors: ['credential_not_found'],
  }),
  operation('GET /console/api/providers', 'listConsoleProviders', {
    tag: 'Manage providers',
    summary: 'List the providers of the installation',
    answers: {
      200: json('The providers.', providerListSchema, { object: 'list', data: [...providerExamples] }),
    },
  }),
  operation('GET /console/api/models', 'listConsoleModels', {
    tag: 'Manage the organisation',
    summary: 'List the models as the organisation sees them',
    answers: { 200: json('All models, also retired ones.', catalogEntryListSchema, examples.catalogEntryListExample) },
  }),
  operation('GET /console/api/activity', 'readActivity', {
    tag: 'Manage the organisation',
    summary: 'Read the latest requests and the spending',
    query: modeParam,
    answers: { 200: json('The activity.', activitySchema, examples.activityExample) },
  }),
  operation('GET /console/api/search', 'search', {
    tag: 'Manage the organisation',
    summary: 'Search models, keys, requests and the documentation',
    query: { q: z.string().describe('Words, or the beginning of an id.') },
    answers: { 200: json('The matching entries.', foundListSchema, examples.foundListExample) },
  }),
  operation('POST /console/api/sign-up', 'signUp', {
    tag: 'Sign in',
    summary: 'Create the first person of an empty installation',
    request: requestBody(signUpRequestSchema, examples.signUpRequests),
    answers: { 201: json('The person.', signedUpSchema, examples.signedUpExample) },
  }),
  operation('POST /console/api/sign-in-links', 'createSignInLink', {
    tag: 'Sign in',
    summary: 'Mail a sign-in link',
    request: requestBody(signInLinkRequestSchema, { link: { email: 'ada@example.com' } }),
    answers: {
      202: json(
        'Accepted. The response is the same for unknown addresses.',
        signInLinkSchema,
        examples.signInLinkExample,
      ),
    },
    errors: ['route_not_found', 'rate_limit_exceeded'],
  }),
  operation('POST /console/api/sign-out-everywhere', 'signOutEverywhere', {
    tag: 'Sign in',
    summary: 'End all sign-ins of the person',
    answers: empty('All sign-ins are ended.'),
  }),
  operation('POST /console/api/password', 'changePassword', {
    tag: 'Sign in',
    summary: 'Set the password of the person',
    description: 'It ends all other sign-ins.',
    request: requestBody(newPasswordSchema, { password: { password: 'correct horse battery' } }),
    answers: empty('The password is set.'),
  }),
];
