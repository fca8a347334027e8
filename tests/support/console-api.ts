import type { Readable } from 'node:stream';
import { text as streamText } from 'node:stream/consumers';
import type { SignedIn } from '../../lib/accounts/accounts';
import type { Role } from '../../lib/domain/caller';
import { answer } from '../../lib/http/endpoint';
import type { GatewayResponse } from '../../lib/http/handler';
import { routeTable } from '../../lib/http/routes';
import { makeGateway, type TestGateway } from './gateway';
import { findSignedIn, signedIn } from './signed-in';

// The console's API without a server: requests with the cookie of the user that a test names.

export const SAME_ORIGIN = {
  origin: 'http://127.0.0.1:3000',
  host: '127.0.0.1:3000',
  'sec-fetch-site': 'same-origin',
};

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Every route of the console's API, its parameters named as in the documentation. */
export const consoleRoutes = routeTable.endpoints
  .flatMap(({ routes }) => Object.values(routes))
  .filter(({ pattern }) => pattern.startsWith('/console/api/'))
  .map((route) => ({
    name: `${route.method} ${route.pattern.replace('/console/api/', '').replace(/:(\w+)/g, '{$1}')}`,
    method: route.method,
    path: route.pattern.replace('/console/api/', '').replace(/:\w+/g, 'x'),
    access: route.access,
    audit: 'audit' in route ? route.audit : undefined,
    fresh: 'fresh' in route,
  }));

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly query?: string;
  readonly id?: string;
  readonly as?: SignedIn | Role | 'anonymous';
  readonly signedInMsAgo?: number;
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>> & {
    readonly error?: { readonly code: string; readonly type: string; readonly param: string | null };
  };
}

export interface ConsoleApi {
  readonly testGateway: TestGateway;
  /** The owner of the first run, who is also an operator. */
  readonly owner: SignedIn;
  readonly ask: (route: string, options?: Ask) => Promise<Answered & { readonly checkedCookie: boolean }>;
}

/** A gateway and its console's API. The caller closes the gateway. */
export async function openConsoleApi(): Promise<ConsoleApi> {
  const testGateway = await makeGateway();
  const { accounts } = testGateway.gateway;
  const { email, password } = testGateway.firstRun.owner;
  const person = await accounts.verifyPassword(email, password);
  if (!person) throw new Error('The owner of the first run could not sign in.');
  const owner = await findSignedIn(accounts, await accounts.beginSignIn(person));
  return { testGateway, owner, ask };

  /** Sends a request to the path below `/console/api`, with the cookie of `as`. */
  async function ask(
    route: string,
    { method = 'GET', headers = SAME_ORIGIN, body, query = '', id = '', as = 'owner', signedInMsAgo = 0 }: Ask = {},
  ) {
    const bytes = Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
    const typed = body === undefined ? {} : { 'content-type': 'application/json' };
    const path = `/console/api/${route.replace('{id}', id)}`;
    let checkedCookie = false;
    const gateway = signedIn(testGateway.gateway, () => {
      checkedCookie = true;
      if (as === 'anonymous') return undefined;
      const person = typeof as === 'string' ? { ...owner, role: as } : as;
      return { ...person, signedInAtMs: testGateway.clock.nowMs() - signedInMsAgo };
    });
    const response = await answer(
      gateway,
      {
        method,
        path,
        query: new URLSearchParams(query),
        headers: { host: '127.0.0.1:3000', ...typed, ...headers },
        remoteAddress: '127.0.0.1',
        signal: new AbortController().signal,
        abort: () => {},
        countBody: () => {},
        readBody: async () => bytes,
      },
      routeTable.find(path),
    );
    return { ...(await read(response)), checkedCookie };
  }
}

async function readText(body: Buffer | Readable): Promise<string> {
  return Buffer.isBuffer(body) ? body.toString() : streamText(body);
}

async function read({ status, headers, body }: GatewayResponse): Promise<Answered> {
  const text = typeof body === 'string' ? body : body === undefined ? '' : await readText(body);
  const isJson = headers['content-type']?.startsWith('application/json') ?? false;
  return { status, headers, text, json: JSON.parse(isJson && text ? text : '{}') as Answered['json'] }; // Safe: only read below.
}
