import NextAuth from 'next-auth';
import type { NextRequest } from 'next/server';
import { isGatewayError } from '../../../../lib/domain/errors';
import { requestIdOf } from '../../../../lib/http/request-id';
import { errorResponse } from '../../../../lib/http/error-response';
import { checkSameOrigin } from '../../../../lib/http/console/same-origin';
import { PEER_HEADER, provenPeer } from '../../../../lib/http/proven-peer';
import { webResponse } from '../../../../lib/http/to-web';
import { gateway } from '../../../../lib/runtime';
import { authOptions } from '../../../console/_auth/auth-options';

type Context = { readonly params: Promise<{ nextauth: string[] }> };

export async function GET(request: NextRequest, context: Context): Promise<Response> {
  return (await NextAuth(request, context, authOptions(gateway(), addressToCount(request)))) as Response; // Safe: with a Request it answers with a Response.
}

/** Besides next-auth's own token: a form of another site must not sign anybody in or out. */
export async function POST(request: NextRequest, context: Context): Promise<Response> {
  const { headers } = request;
  const header = (name: string) => headers.get(name) ?? undefined;
  try {
    checkSameOrigin({ origin: header('origin'), host: header('host'), 'sec-fetch-site': header('sec-fetch-site') }, gateway().baseUrl);
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return webResponse(errorResponse(error, request.nextUrl.pathname, requestIdOf(header('x-request-id'))));
  }
  return GET(request, context);
}

/** Whose attempts these are: under our own server its word, otherwise Next's, which a caller can talk it into; good for counting only. */
function addressToCount(request: Request): string {
  return provenPeer(request.headers.get(PEER_HEADER)) ?? request.headers.get('x-forwarded-for') ?? '';
}
