import type { Account } from '../../domain/caller';
import { GatewayError } from '../../domain/errors';
import type { Mode } from '../../domain/video';
import type { ActorContext, GatewayRequest } from '../handler';
import { parseJsonBody } from '../request-body';

const MAX_BODY_BYTES = 64 * 1024;

/**
 * Reads the JSON body. Rejects with `unsupported_media_type`, `request_too_large`, `invalid_json` or `invalid_body`.
 */
export async function readJson(request: GatewayRequest): Promise<Record<string, unknown>> {
  return parseJsonBody(await readBytes(request));
}

/** Reads an optional JSON body; undefined if there is none. Rejects as `readJson` does. */
export async function readOptionalJson(request: GatewayRequest): Promise<Record<string, unknown> | undefined> {
  if (request.headers['content-type'] === undefined) return undefined;
  const bytes = await readBytes(request);
  return bytes.length === 0 ? undefined : parseJsonBody(bytes);
}

async function readBytes(request: GatewayRequest): Promise<Buffer> {
  // JSON only: another site's form can send the other content types without a CORS preflight.
  const mediaType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json')
    throw new GatewayError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.');
  return request.readBody(MAX_BODY_BYTES);
}

/** `?mode=`; live unless it is `test`. */
function modeOf(request: GatewayRequest): Mode {
  const mode = request.query.get('mode') ?? 'live';
  if (mode === 'live' || mode === 'test') return mode;
  throw new GatewayError('unsupported_value', 'mode must be "live" or "test".', { param: 'mode' });
}

/** Returns the account of a request: the actor's organisation in the mode of `?mode=`. */
export function accountOf({ actor, request }: Pick<ActorContext, 'actor' | 'request'>): Account {
  return { orgId: actor.orgId, mode: modeOf(request) };
}

/**
 * Returns the account of a list. The parameters `names` contain an id, which exists in one mode only. If the query has
 * one of them and no `?mode=`, the account is the one in whose mode `find` finds something.
 */
export async function accountOfNamed(
  context: Pick<ActorContext, 'actor' | 'request'>,
  names: readonly string[],
  find: (account: Account) => Promise<{ readonly data: readonly unknown[] }>,
): Promise<Account> {
  const { query } = context.request;
  const account = accountOf(context);
  if (query.has('mode') || !names.some((name) => query.get(name)?.trim())) return account;
  if ((await find(account)).data.length > 0) return account;
  const ofTests: Account = { ...account, mode: 'test' };
  return (await find(ofTests)).data.length > 0 ? ofTests : account;
}
