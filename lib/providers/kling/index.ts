import type { Clock } from '../../domain/clock';
import type { ProviderDefinition, ProviderDeps } from '../../domain/provider';
import { signJwt } from '../kit/auth/jwt';
import { createTokenCache, type TokenCache } from '../kit/auth/token-cache';
import { findBaseUrl } from '../kit/http/base-url';
import { createVendorApi } from '../kit/http/vendor-api';
import { legacyWire, narrowToLegacy } from './legacy-wire';
import { narrowToNew, newWire } from './new-wire';
import { readAnswer, refusesToken } from './refusals';
import { createKlingVideo } from './video';
import { klingModel, type KlingWire, type UpstreamName } from './wire';

// Reference: https://app.klingai.com/global/dev/document-api, November 2026.
//
// Kling has two generations of its API. The credentials decide which of them gets our orders: with an API key the new
// one, with a pair of an access key and a secret key, from which tokens are signed, the legacy one. Orders for models
// that only the legacy generation has go there with an API key too.

const SCHEME = 'Bearer ';
/** The maximum that Kling allows. */
const TOKEN_LIFETIME_SECONDS = 1_800;
/** Tokens are backdated by this, for a clock at Kling that is behind ours. */
const TOKEN_BACKDATING_SECONDS = 5;

export const kling: ProviderDefinition = {
  id: 'kling',
  name: 'Kling',
  capabilities: ['video'],
  settings: [
    {
      name: 'KLING_API_KEY',
      aliases: ['KLINGAI_API_KEY'],
      required: false,
      description: 'API key of Kling, for videos. It is used even if the pair below is set as well.',
    },
    {
      name: 'KLING_ACCESS_KEY',
      aliases: ['KLINGAI_ACCESS_KEY'],
      required: false,
      description:
        'Access key of Kling, in place of an API key, for videos of at most 1080p, and not of 4.0 or 3.0 Turbo.',
    },
    {
      name: 'KLING_SECRET_KEY',
      aliases: ['KLINGAI_SECRET_KEY'],
      required: false,
      description: 'Secret key that belongs to the access key.',
    },
    {
      name: 'KLING_BASE_URL',
      required: false,
      description: 'Overrides the API base URL (default https://api-singapore.klingai.com).',
    },
  ],
  alternatives: [['KLING_API_KEY'], ['KLING_ACCESS_KEY', 'KLING_SECRET_KEY']],
  knows: (binding) => klingModel(binding).kinds.length > 0,
  narrow: (binding, kind, settings) =>
    wireFor(settings, binding) === newWire ? narrowToNew(binding) : narrowToLegacy(binding, kind),
  create(deps) {
    const { settings, clock } = deps;
    const credential = credentialOf(settings, clock);
    const api = createVendorApi({
      baseUrl: findBaseUrl(settings, 'KLING_BASE_URL', 'https://api-singapore.klingai.com'),
      clock,
      headers: async () => ({ authorization: `${SCHEME}${await credential.get()}` }),
      read(answer, { authorization = '' }) {
        const read = readAnswer(answer);
        if (refusesToken(read)) credential.drop(authorization.slice(SCHEME.length));
        return read;
      },
    });
    const video = createKlingVideo({ ...deps, api, wireFor: (upstream) => wireFor(settings, upstream) });
    return { id: 'kling', video, close: api.close };
  },
};

type Settings = ProviderDeps['settings'];

function wireFor({ KLING_API_KEY }: Settings, upstream: UpstreamName): KlingWire {
  return KLING_API_KEY !== undefined && !klingModel(upstream).onlyLegacy ? newWire : legacyWire;
}

function credentialOf(settings: Settings, clock: Clock): TokenCache {
  const { KLING_API_KEY: key, KLING_ACCESS_KEY: accessKey = '', KLING_SECRET_KEY: secretKey = '' } = settings;
  if (key !== undefined) return { get: async () => key, drop() {} };
  return createTokenCache({
    clock,
    async issue() {
      const now = Math.floor(clock.nowMs() / 1_000);
      const exp = now + TOKEN_LIFETIME_SECONDS;
      const claims = { iss: accessKey, exp, nbf: now - TOKEN_BACKDATING_SECONDS };
      return { token: signJwt('HS256', claims, secretKey), expiresAt: new Date(exp * 1_000) };
    },
  });
}
