import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

// Fakes of GitHub and Google for signing in, strict about what a client must prove: the state is returned, a code works
// once and only with its own PKCE verifier, the id token contains the nonce. The person in `account` signs in without a
// prompt.

export interface FakeAccount {
  readonly id: string;
  readonly name: string;
  readonly emails: readonly { readonly email: string; readonly verified: boolean; readonly primary: boolean }[];
}

export interface SignInServices {
  readonly baseUrl: string;
  /** The person who is signed in at the service. */
  account: FakeAccount;
  /** Answers the next consent with a refusal. */
  refuseNext: boolean;
  close(): Promise<void>;
}

interface Grant {
  readonly account: FakeAccount;
  readonly challenge: string;
  readonly nonce: string | undefined;
  readonly clientId: string;
}

export async function startSignInServices(account: FakeAccount): Promise<SignInServices> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, FakeAccount>();
  const services = { baseUrl: '', account, refuseNext: false };

  const server = createServer(
    (req, res) =>
      void answer(req).then(({ status, headers, json }) =>
        res
          .writeHead(status, { 'content-type': 'application/json', ...headers })
          .end(json === undefined ? '' : JSON.stringify(json)),
      ),
  );

  async function answer(
    req: IncomingMessage,
  ): Promise<{ status: number; headers?: Record<string, string>; json?: unknown }> {
    const url = new URL(req.url ?? '/', services.baseUrl);
    const form = req.method === 'POST' ? new URLSearchParams(await bodyOf(req)) : new URLSearchParams();
    switch (url.pathname) {
      case '/login/oauth/authorize':
      case '/authorize': {
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        back.searchParams.set('state', url.searchParams.get('state') ?? '');
        if (services.refuseNext) {
          services.refuseNext = false;
          back.searchParams.set('error', 'access_denied');
        } else {
          const code = randomUUID();
          grants.set(code, {
            account: services.account,
            challenge: url.searchParams.get('code_challenge') ?? '',
            nonce: url.searchParams.get('nonce') ?? undefined,
            clientId: url.searchParams.get('client_id') ?? '',
          });
          back.searchParams.set('code', code);
        }
        return { status: 302, headers: { location: String(back) } };
      }
      case '/login/oauth/access_token':
      case '/token': {
        const code = form.get('code') ?? '';
        const grant = grants.get(code);
        grants.delete(code);
        const challenge = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url');
        if (!grant || grant.challenge !== challenge) return { status: 400, json: { error: 'invalid_grant' } };
        const token = randomUUID();
        tokens.set(token, grant.account);
        const idToken = url.pathname === '/token' ? { id_token: idTokenOf(grant) } : {};
        return { status: 200, json: { access_token: token, token_type: 'bearer', scope: 'user', ...idToken } };
      }
      case '/api/v3/user':
      case '/api/v3/user/emails': {
        const shown = tokens.get((req.headers.authorization ?? '').replace(/^Bearer /i, ''));
        if (!shown) return { status: 401, json: { message: 'Bad credentials' } };
        if (url.pathname.endsWith('emails')) return { status: 200, json: shown.emails };
        // The public e-mail of a profile, which may be unverified.
        return {
          status: 200,
          json: { id: Number(shown.id), login: shown.name, name: shown.name, email: shown.emails[0]?.email ?? null },
        };
      }
      case '/.well-known/openid-configuration':
        return {
          status: 200,
          json: {
            issuer: services.baseUrl,
            authorization_endpoint: `${services.baseUrl}/authorize`,
            token_endpoint: `${services.baseUrl}/token`,
            jwks_uri: `${services.baseUrl}/keys`,
            response_types_supported: ['code'],
            subject_types_supported: ['public'],
            id_token_signing_alg_values_supported: ['RS256'],
          },
        };
      case '/keys':
        return {
          status: 200,
          json: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] },
        };
      default:
        return { status: 404, json: {} };
    }
  }

  function idTokenOf({ account: of, nonce, clientId }: Grant): string {
    const [first] = of.emails;
    const seconds = Math.floor(Date.now() / 1000);
    const claims = {
      iss: services.baseUrl,
      aud: clientId,
      sub: of.id,
      iat: seconds,
      exp: seconds + 300,
      nonce,
      name: of.name,
      email: first?.email,
      email_verified: first?.verified,
    };
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${part({ alg: 'RS256', kid: 'one', typ: 'JWT' })}.${part(claims)}`;
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`;
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Safe: it listens on a port.
  services.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(services, {
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return text;
}
