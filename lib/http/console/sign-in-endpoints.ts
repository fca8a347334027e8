import { parseBody } from '../../contract/parse-body';
import { signInLinkRequestSchema, type SignInLinkJson } from '../../contract/sign-in';
import { GatewayError } from '../../domain/errors';
import { jsonResponse, type RequestContext, type GatewayResponse } from '../handler';
import { readJson } from './request-parts';

/** Mails a sign-in link. The response is the same for unknown addresses. */
export async function createSignInLink({ gateway, request }: RequestContext): Promise<GatewayResponse> {
  if (!gateway.signInMethods.mailsLinks)
    throw new GatewayError('route_not_found', 'Links by e-mail are not set up here. Sign in with your password.');
  const { email } = parseBody(signInLinkRequestSchema, await readJson(request));
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
  } satisfies SignInLinkJson);
}
