import { createPrivateKey } from 'node:crypto';
import type { Clock } from '../../domain/clock';
import { GatewayError, isGatewayError, upstreamFailed } from '../../domain/errors';
import { SettingError } from '../../domain/provider-settings';
import { fieldsOf, type Fields } from '../../domain/json';
import { signJwt } from '../kit/auth/jwt';
import { createTokenCache, type IssuedToken } from '../kit/auth/token-cache';
import { askJson, type JsonAnswer } from '../kit/http/ask-json';
import { createUpstream } from '../kit/http/http';
import { answered, credentialsRefused } from '../kit/http/upstream-error';
import { measureOf, textOf } from '../kit/video/answer-fields';
import { isSuccess } from '../kit/video/refusal';
import { parseUrl } from '../../domain/url';

// The credentials of requests to Google Cloud: an API key (express mode), or tokens of a service account, which Google
// issues for a signed JWT (RFC 7523). Reference: developers.google.com, "Using OAuth 2.0 for server to server
// applications", 2026.

export interface VertexCredential {
  /** Returns the headers of a request. Rejects with an outcome that nothing has started. */
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** Call it after a 401 for a request with these headers. Returns whether `headers` returns other ones from now on. */
  refused(headers: Readonly<Record<string, string>>): boolean;
  close(): Promise<void>;
}

/** The parts of a service account's key file that are used. */
export interface ServiceAccount {
  readonly email: string;
  /** The private key, as PEM text. */
  readonly privateKey: string;
  readonly projectId?: string;
  /** The URL that issues tokens. */
  readonly tokenUrl: string;
}

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** The maximum that Google allows. */
const ASSERTION_SECONDS = 3_600;
/** Assertions are backdated by this, for a clock at Google that is behind ours. */
const BACKDATING_SECONDS = 5;
const TOKEN_TIMEOUT_MS = 10_000;
/** Google's tokens end after an hour at the latest. */
const MAX_TOKEN_SECONDS = 3_600;
/** A token that may follow `Bearer` in a header (RFC 6750, section 2.1). Google's have at most 2,048 characters. */
const TOKEN = /^[\w.~+/-]{1,4096}={0,2}$/;

/** Parses the text of a key file. Throws a SettingError whose message contains nothing of the text. */
export function parseServiceAccount(text: string, variable: string): ServiceAccount {
  const { client_email: email, private_key: privateKey, project_id: projectId, token_uri } = parseFields(text);
  const tokenUrl = token_uri ?? TOKEN_URL;
  if (
    typeof email !== 'string' ||
    typeof privateKey !== 'string' ||
    !isPrivateKey(privateKey) ||
    typeof tokenUrl !== 'string' ||
    !parseUrl(tokenUrl)
  )
    throw new SettingError(
      variable,
      "must be the JSON text of a service account's key file, as Google Cloud gives it.",
    );
  return { email, privateKey, tokenUrl, ...(typeof projectId === 'string' && { projectId }) };
}

function parseFields(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

export function apiKeyCredential(key: string): VertexCredential {
  const headers = { 'x-goog-api-key': key };
  return { headers: async () => headers, refused: () => false, close: async () => {} };
}

export function serviceAccountCredential(account: ServiceAccount, clock: Clock): VertexCredential {
  const { origin, pathname, search } = new URL(account.tokenUrl);
  const upstream = createUpstream({ baseUrl: origin, clock });
  // Not the signal of one caller, because all waiting callers share the request.
  const { signal } = new AbortController();

  async function issue(): Promise<IssuedToken> {
    const now = Math.floor(clock.nowMs() / 1_000) - BACKDATING_SECONDS;
    const claims = {
      iss: account.email,
      scope: SCOPE,
      aud: account.tokenUrl,
      iat: now,
      exp: now + ASSERTION_SECONDS,
    };
    const assertion = signJwt('RS256', claims, account.privateKey);
    const answer = await askJson(
      upstream,
      {
        method: 'POST',
        path: pathname + search,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ grant_type: GRANT_TYPE, assertion }).toString(),
        headersMs: TOKEN_TIMEOUT_MS,
        signal,
      },
      clock,
    ).catch((error: unknown) => {
      throw tokenFailure(error);
    });
    const issued = isSuccess(answer) ? tokenIn(answer.json, clock.nowMs()) : undefined;
    if (!issued) throw notIssued(answer);
    return issued;
  }

  const tokens = createTokenCache({ clock, issue });
  const schema = 'Bearer ';
  return {
    headers: async (caller) => ({ authorization: schema + (await tokens.get(caller)) }),
    refused({ authorization = '' }) {
      tokens.drop(authorization.slice(schema.length));
      return true;
    },
    close: upstream.close,
  };
}

/** Reads an issued token; undefined if a header cannot contain it, or if it has no lifetime. */
function tokenIn(json: unknown, nowMs: number): IssuedToken | undefined {
  const { access_token: token, expires_in: lifetime } = fieldsOf(json);
  const seconds = Number(textOf(lifetime) ?? measureOf(lifetime));
  if (typeof token !== 'string' || !TOKEN.test(token) || !(seconds > 0)) return undefined;
  return { token, expiresAt: new Date(nowMs + Math.min(seconds, MAX_TOKEN_SECONDS) * 1_000) };
}

/** Returns why no token was issued. Only Google's own error (RFC 6749, section 5.2) means a refused account or key. */
function notIssued({ status, json }: JsonAnswer): GatewayError {
  const detail = `No token was issued. ${answered(status, '')}`;
  return [400, 401, 403].includes(status) && textOf(fieldsOf(json).error) !== undefined
    ? credentialsRefused(detail)
    : upstreamFailed({ retry: 'elsewhere', started: 'no' }, detail);
}

/** Adds the outcome to a failed request for a token: nothing has begun, and another provider may be tried. */
function tokenFailure(error: unknown): unknown {
  if (!isGatewayError(error)) return error;
  return new GatewayError(error.code, error.message, {
    ...error.extra,
    upstream: { retry: 'elsewhere', started: 'no' },
  });
}
