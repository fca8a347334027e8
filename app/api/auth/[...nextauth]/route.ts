import NextAuth from 'next-auth';
import type { NextRequest } from 'next/server';
import { GatewayError, isGatewayError } from '../../../../lib/domain/errors';
import { requestIdOf } from '../../../../lib/http/request-id';
import { errorResponse } from '../../../../lib/http/error-response';
import { checkSameOrigin } from '../../../../lib/http/console/same-origin';
import { gateway } from '../../../../lib/runtime';
import { authOptions } from '../../../console/_auth/auth-options';
import { gatewayRequestOf, webResponseOf } from '../../../console/_api/web-exchange';

type Context = { readonly params: Promise<{ nextauth: string[] }> };

export async function GET(request: NextRequest, context: Context): Promise<Response> {
  const { remoteAddress } = gatewayRequestOf(request);
  return (await NextAuth(request, context, authOptions(gateway(), remoteAddress))) as Response; // Safe: with a Request it answers with a Response.
}

/** Besides next-auth's own token: a form of another site must not sign anybody in or out. */
export async function POST(request: NextRequest, context: Context): Promise<Response> {
  const { headers } = gatewayRequestOf(request);
  try {
    checkSameOrigin(headers, gateway().baseUrl);
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return webResponseOf(errorResponse(error as GatewayError, request.nextUrl.pathname, requestIdOf(headers['x-request-id'])));
  }
  return GET(request, context);
}
