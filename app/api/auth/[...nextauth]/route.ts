import NextAuth from 'next-auth';
import type { NextRequest } from 'next/server';
import { isGatewayError } from '../../../../lib/domain/errors';
import { requestIdOf } from '../../../../lib/http/request-id';
import { errorResponse } from '../../../../lib/http/error-response';
import { checkSameOrigin } from '../../../../lib/http/console/same-origin';
import { webResponse } from '../../../../lib/http/to-web';
import { gateway } from '../../../../lib/runtime';
import { authOptions } from '../../../console/_auth/auth-options';
import { consoleRequest, saidAddress } from '../../../console/_api/console-request';

type Context = { readonly params: Promise<{ nextauth: string[] }> };

export async function GET(request: NextRequest, context: Context): Promise<Response> {
  return (await NextAuth(request, context, authOptions(gateway(), saidAddress(request)))) as Response; // Safe: with a Request it answers with a Response.
}

/** Besides next-auth's own token: a form of another site must not sign anybody in or out. */
export async function POST(request: NextRequest, context: Context): Promise<Response> {
  const installed = gateway();
  const { headers } = consoleRequest(request, installed);
  try {
    checkSameOrigin(headers, installed.baseUrl);
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return webResponse(errorResponse(error, request.nextUrl.pathname, requestIdOf(headers['x-request-id'])));
  }
  return GET(request, context);
}
