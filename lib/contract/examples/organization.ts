import type { z } from 'zod';
import type { ActivityJson, FoundListJson } from '../activity';
import type { CatalogEntryListJson } from '../models';
import type {
  ProviderCredentialJson,
  ProviderCredentialListJson,
  storeCredentialRequestSchema,
  VerifiedCredentialJson,
} from '../provider-credentials';
import type { SignedUpJson, SignInLinkJson, signUpRequestSchema } from '../sign-in';

const credential: ProviderCredentialJson = {
  id: 'cred_3c5e7a9b1d2f4a6c8e0b2d4f6a8c0e1b',
  object: 'provider_credential',
  provider: 'fal',
  provider_name: 'fal',
  display: '••••aB3x',
  status: 'accepted',
  verified_at: 1_795_480_000,
  refused_since: null,
  last_error: null,
  models: ['veo-3.1-t2v'],
  created_at: 1_795_480_000,
  created_by: 'user_7a6b5c4d3e2f10918273645546372819',
  created_by_name: 'Ada',
};
export const credentialRequests: Readonly<Record<string, z.input<typeof storeCredentialRequestSchema>>> = {
  fal: { provider: 'fal', settings: { FAL_API_KEY: 'your-key' } },
};
export const credentialListExample: ProviderCredentialListJson = {
  object: 'list',
  data: [credential],
  providers: [
    {
      id: 'fal',
      name: 'fal',
      capabilities: ['video'],
      credentials: [[{ name: 'FAL_API_KEY', description: 'A key of the dashboard.' }]],
    },
  ],
};
export const verifiedCredentialExample: VerifiedCredentialJson = {
  ...credential,
  results: [
    { provider: 'fal', capability: 'video', outcome: 'accepted', message: 'The provider accepted the credentials.' },
  ],
};

export const catalogEntryListExample: CatalogEntryListJson = {
  object: 'list',
  data: [
    {
      id: 'sandbox-t2v',
      name: 'Sandbox text to video',
      aliases: [],
      description: 'Renders a real MP4 on this machine.',
      family: 'sandbox',
      operation: 't2v',
      input: ['text'],
      output: ['video'],
      stability: 'stable',
      created: 1_790_000_000,
      providers: [{ id: 'sandbox', available: true, implemented: true }],
      available: true,
      implemented: true,
      price: { unit: 'second', lowest: '0.01', highest: '0.01' },
      active: true,
      video: {
        seconds: [1, 2, 4, 5, 8, 10],
        resolutions: ['720p', '1080p'],
        aspectRatios: ['16:9', '9:16', '1:1'],
        audio: 'toggle',
        fps: 24,
        media: [],
        parameters: ['seed', 'generate_audio'],
      },
    },
  ],
};

export const activityExample: ActivityJson = {
  object: 'activity',
  mode: 'test',
  spent: { today: '0.05', last_30_days: '0.1', days: [{ day: '2026-11-24', amount: '0.05' }] },
  running: 0,
  latest: [
    {
      kind: 'video',
      id: 'video_5b1f0a3c9d2e4f67a8b90c1d2e3f4a5b',
      model: 'sandbox-t2v',
      status: 'completed',
      cost: '0.05',
      created_at: 1_795_480_000,
    },
  ],
};

export const foundListExample: FoundListJson = {
  object: 'list',
  data: [
    {
      object: 'search_result',
      kind: 'model',
      id: 'sandbox-t2v',
      title: 'Sandbox text to video',
      detail: 'sandbox-t2v',
    },
  ],
};

export const signUpRequests: Readonly<Record<string, z.input<typeof signUpRequestSchema>>> = {
  first: { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada', organization: 'Acme' },
};
export const signedUpExample: SignedUpJson = { email: 'ada@example.com', name: 'Ada', organization: 'Acme' };
export const signInLinkExample: SignInLinkJson = {
  object: 'sign_in_link',
  says: 'If an account with this address exists, a link is on its way.',
};
