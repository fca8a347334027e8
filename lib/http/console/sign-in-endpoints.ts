import { z } from 'zod';
import { parseBody } from '../../accounts/parse-body';
import { GatewayError } from '../../domain/errors';
import { jsonResponse, type ActorContext, type RequestContext } from '../handler';
import type { GatewayResponse } from '../request-context';
import { readJson } from './request-parts';

const EMAIL = 'email must be an e-mail address such as ada@example.com.';
const linkRequest = z.strictObject({ email: z.string(EMAIL).trim().pipe(z.email(EMAIL).max(254, EMAIL)) });

/** Mails a sign-in link. The response is the same for unknown addresses. */
export async function createSignInLink({ gateway, request }: RequestContext): Promise<GatewayResponse> {
  if (!gateway.signInMethods.mailsLinks)
    throw new GatewayError('route_not_found', 'Links by e-mail are not set up here. Sign in with your password.');
  const { email } = parseBody(linkRequest, await readJson(request));
  const attempt = await gateway.linkThrottle.attempt(email, request.remoteAddress);
  if (!attempt.allowed) {
    throw new GatewayError('rate_limit_exceeded', 'Too many links were requested. Try again in a few minutes.', {
      retryAfterSeconds: attempt.retryAfterSeconds,
    });
  }
  gateway.signInMethods.sendLink(email);
  return jsonResponse(202, {
    object: 'sign_in_link',
    says: 'If an account with this address exists, a link is on its way.',
  });
}

/** `?limit=1..100&after=<id>`, newest first. */
export async function readAuditLog({ gateway, actor, request }: ActorContext): Promise<GatewayResponse> {
  return jsonResponse(
    200,
    await gateway.auditLog.list(actor, { limit: request.query.get('limit'), after: request.query.get('after') }),
  );
}
