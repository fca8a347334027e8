import { checkEndpointAccess } from '../../accounts/access';
import type { Caller } from '../../domain/caller';
import { GatewayError } from '../../domain/errors';
import { parseUsd } from '../../domain/money';
import { withoutWebhookQuery } from '../../videos/submitted-body';
import { readContent } from '../handlers/content';
import { countTokens, createMessage } from '../handlers/messages';
import { parseIdempotencyKey } from '../handlers/videos';
import { jsonResponse, pathParam, type ActorContext, type GatewayResponse } from '../handler';
import { readRequestBody } from '../request-body';
import { accountOf } from './request-parts';

// The endpoints of the playgrounds: the same use cases as `/v1/videos` and `/v1/messages`, for a signed-in user instead
// of a key.

/** Submits a video. Besides `?mode=`, `?price=` may contain the price in dollars that the user saw on the button. */
export async function submitConsoleVideo(context: ActorContext): Promise<GatewayResponse> {
  const { gateway, request, requestId } = context;
  const caller = await callerOf(context, '/v1/videos');
  const idempotencyKey = parseIdempotencyKey(request.headers['idempotency-key']);
  const agreedTotal = agreedTotalOf(request.query.get('price'));
  const { values, textOnly } = await readRequestBody(request);
  const submitted = await gateway.videos.submit(caller, {
    body: values,
    textOnly,
    requestId,
    automaticRetry: false,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(agreedTotal === undefined ? {} : { agreedTotal }),
  });
  return jsonResponse(202, submitted.video);
}

/** Returns the request of a video, as a body that submits the same request again. */
export async function readVideoRequest(context: ActorContext): Promise<GatewayResponse> {
  const body = await context.gateway.videos.request(accountOf(context), pathParam(context, 'id'));
  // The query of a webhook's URL may hold a secret of the receiver; a viewer sees no secrets.
  return jsonResponse(200, context.actor.role === 'viewer' ? withoutWebhookQuery(body) : body);
}

/** Returns the finished file. The console's pages may not load the provider's own link to it (CSP). */
export async function readConsoleContent(context: ActorContext): Promise<GatewayResponse> {
  return readContent({ ...context, caller: await callerOf(context, '/v1/videos') });
}

/** Answers as `POST /v1/messages` does, but with errors in the format of the console's API. */
export async function createConsoleMessage(context: ActorContext): Promise<GatewayResponse> {
  return createMessage({ ...context, caller: await callerOf(context, '/v1/messages') });
}

/** Counts tokens as `POST /v1/messages/count_tokens` does. */
export async function countConsoleTokens(context: ActorContext): Promise<GatewayResponse> {
  return countTokens({ ...context, caller: await callerOf(context, '/v1/messages/count_tokens') });
}

/** Returns the console's actor as a caller of this endpoint. Rejects if the policy of the organisation forbids it. */
async function callerOf(context: ActorContext, endpoint: string): Promise<Caller> {
  // The key's limits and policy are loaded only by authentication on /v1.
  if (context.actor.keyId !== undefined) {
    throw new GatewayError(
      'role_required',
      'This endpoint is for people in the console. With an API key, call /v1 instead.',
    );
  }
  const { signInOrigin } = context.actor;
  const caller = await context.gateway.accounts.callerOfPeople(accountOf(context));
  checkEndpointAccess(caller.policy, endpoint);
  return { ...caller, ...(signInOrigin && { signInOrigin }) };
}

function agreedTotalOf(text: string | null): bigint | undefined {
  if (text === null) return undefined;
  try {
    return parseUsd(text);
  } catch {
    throw new GatewayError('unsupported_value', 'price must be an amount of dollars such as 0.40.', { param: 'price' });
  }
}
