import NextAuth from 'next-auth';
import { NextRequest } from 'next/server';
import { GatewayError, isGatewayError } from '../../../../lib/domain/errors';
import { checkSameOrigin } from '../../../../lib/http/console/same-origin';
import { errorResponse } from '../../../../lib/http/error-response';
import { parseJsonBody } from '../../../../lib/http/request-body';
import { PEER_HEADER, provenPeer } from '../../../../lib/http/forwarded-peer';
import { requestIdOf } from '../../../../lib/http/handler';
import { readWebBody, webResponse } from '../../../../lib/http/to-web';
import { gateway } from '../../../../lib/runtime';
import { authOptions } from '../../../console/components/auth/auth-options';

type Context = { readonly params: Promise<{ nextauth: string[] }> };

/** Enough for an e-mail address, a password, a token and a return URL. next-auth itself sets no limit. */
const MAX_BODY_BYTES = 16 * 1024;

export function GET(request: NextRequest, context: Context): Promise<Response> {
  return inOurShape(request, () => signIn(request, context));
}

/**
 * Checks the origin in addition to next-auth's CSRF token, so that a form on another site cannot sign a user in or out.
 */
export function POST(request: NextRequest, context: Context): Promise<Response> {
  return inOurShape(request, async () => {
    const { headers } = request;
    const header = (name: string) => headers.get(name) ?? undefined;
    checkSameOrigin(
      { origin: header('origin'), host: header('host'), 'sec-fetch-site': header('sec-fetch-site') },
      gateway(),
    );
    const body = await readWebBody(request, MAX_BODY_BYTES, gateway().clock);
    // Rejects invalid JSON here with a 400, because next-auth would throw an unhandled error.
    if (header('content-type')?.includes('application/json')) parseJsonBody(body);
    return signIn(new NextRequest(request.url, { method: 'POST', headers, body: new Uint8Array(body) }), context);
  });
}

async function signIn(request: NextRequest, context: Context): Promise<Response> {
  const [action] = (await context.params).nextauth;
  // On this path next-auth lets browsers write to the server's log. The console does not use it.
  if (action === '_log')
    throw new GatewayError('route_not_found', 'There is nothing at this path. Check the method and the spelling.');
  const response = (await NextAuth(request, context, authOptions(gateway(), addressToCount(request)))) as Response; // Safe: with a Request it answers with a Response.
  response.headers.set('cross-origin-resource-policy', 'same-origin');
  return response;
}

async function inOurShape(request: NextRequest, respond: () => Promise<Response>): Promise<Response> {
  try {
    return await respond();
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return webResponse(
      errorResponse(error, request.nextUrl.pathname, requestIdOf(request.headers.get('x-request-id') ?? undefined)),
    );
  }
}

/**
 * Returns the IP address by which sign-in attempts are counted: the peer that our server attests, else X-Forwarded-For.
 * A client can forge that header, so use the result for counting only.
 */
function addressToCount(request: Request): string {
  return provenPeer(request.headers.get(PEER_HEADER)) ?? request.headers.get('x-forwarded-for') ?? '';
}
