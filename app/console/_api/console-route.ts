import type { NextRequest } from 'next/server';
import { answerConsole } from '../../../lib/http/console/answer-console';
import type { ConsoleEndpoint } from '../../../lib/http/console/console-route';
import { gatewayRequest, webResponse } from '../../../lib/http/to-web';
import { gateway } from '../../../lib/runtime';
import { cookieHeader } from '../components/auth/current-person';

// The only way to make a handler below /console/api: without it there is no check, and without a check there is no handler.

type Handler = (
  request: NextRequest,
  context: { readonly params: Promise<Record<string, string | string[]> | undefined> },
) => Promise<Response>;
type Handlers = Readonly<Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Handler>>;

/** The handlers of a route file, for every method: those that the endpoint does not have are refused in our own shape. */
export function consoleRoute(pattern: string, endpoint: ConsoleEndpoint): Handlers {
  const handle: Handler = async (request, context) => {
    const installed = gateway();
    const params: Record<string, string> = {};
    for (const [name, value] of Object.entries((await context.params) ?? {}))
      params[name] = Array.isArray(value) ? value.join('/') : value;
    const response = await answerConsole(
      installed,
      endpoint,
      { request: gatewayRequest(request, installed), pattern, params },
      async () => installed.signInCookie.findPerson(await cookieHeader()),
    );
    return webResponse(response);
  };
  return { GET: handle, HEAD: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle };
}
