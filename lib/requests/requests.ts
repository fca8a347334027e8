import { presentPage, withPageIds } from '../contract/present-page';
import type {
  MessageDetails,
  RequestJson,
  RequestPageJson,
  SessionContentJson,
  SessionDetails,
} from '../contract/requests';
import type { Database } from '../db/database';
import { findRequestPosition, listRequests, type LoggedRequest, type RequestFilter } from '../db/requests';
import type { Account } from '../domain/caller';
import { unixSeconds, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import type { OrgId } from '../domain/ids';
import { usdText } from '../domain/money';
import { createMessageDetails } from './message-details';
import { createSessionContent } from './session-content';
import { createSessionDetails } from './session-details';

// The log of an organisation's requests, and the histories of its messages and sessions. The history of a video is in
// lib/videos.

export interface Requests {
  /** The account's requests of every kind, newest first, matching a filter. */
  list(account: Account, search: RequestSearch): Promise<RequestPageJson>;
  /** A message of either mode; `message_not_found` also for one of another organisation. */
  message(orgId: OrgId, id: string): Promise<MessageDetails>;
  /**
   * Returns a transcription or a spoken text of either mode, by its id or by the id of its session, which selects the
   * latest one of the session. Rejects with `session_not_found`, also for one of another organisation.
   */
  session(orgId: OrgId, id: string): Promise<SessionDetails>;
  /** Returns the text of such a session. Rejects with `session_not_found` if the organisation does not keep it. */
  sessionContent(orgId: OrgId, id: string): Promise<SessionContentJson>;
}

export interface RequestSearch extends RequestFilter {
  readonly limit: number;
  /** The id of the last entry of the page before. */
  readonly after?: string;
}

export function createRequests(deps: { readonly db: Database; readonly clock: Clock }): Requests {
  const { db } = deps;
  return {
    async list(account, { limit, after, ...filter }) {
      const position = after === undefined ? undefined : await findRequestPosition(db, account, after);
      if (after !== undefined && !position)
        throw new GatewayError(
          'unsupported_value',
          'after must be the id of one of your requests: the last_id of the previous page.',
          { param: 'after' },
        );
      // One more than is shown, to find out whether there are more.
      const found = await listRequests(db, account, filter, {
        limit: limit + 1,
        ...(position && { after: position }),
      });
      return withPageIds(presentPage(found, limit, (request) => presentRequest(request, account)));
    },
    message: createMessageDetails(deps),
    session: createSessionDetails(deps),
    sessionContent: createSessionContent(deps),
  };
}

function presentRequest(request: LoggedRequest, { mode }: Account): RequestJson {
  const { code, provider, keyName, inputTokens, outputTokens, seconds, characters, durationMs } = request;
  return {
    id: request.id,
    object: 'request',
    kind: request.kind,
    mode,
    status: request.status,
    ...(code === null ? {} : { code }),
    model: request.model,
    ...(provider === null ? {} : { provider }),
    key: { id: request.keyId, ...(keyName === null ? {} : { name: keyName }) },
    request_id: request.requestId,
    cost: usdText(request.costNanoUsd),
    ...(inputTokens === null || outputTokens === null ? {} : { tokens: { input: inputTokens, output: outputTokens } }),
    ...(seconds === null ? {} : { seconds }),
    ...(characters === null ? {} : { characters }),
    ...(durationMs === null ? {} : { duration_ms: durationMs }),
    created_at: unixSeconds(request.createdAt),
  };
}
