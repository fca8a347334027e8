import type { SessionContentJson } from '../contract/requests';
import type { Database } from '../db/database';
import { findContent } from '../db/kept-contents';
import { findMeter } from '../db/meters';
import { unixSeconds, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import type { OrgId } from '../domain/ids';

/** Creates the reader of transcribed and spoken texts that the organisation keeps. Ids as in `createSessionDetails`. */
export function createSessionContent({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
  return async function sessionContent(orgId: OrgId, id: string): Promise<SessionContentJson> {
    const row = await findMeter(db, orgId, id);
    if (!row) throw sessionNotFound();
    const kept = await findContent(db, 'session', orgId, row.id, clock.now());
    if (!kept)
      throw new GatewayError(
        'session_not_found',
        'The text of this session is not kept. An owner or admin can have the texts of speech kept in the settings of the organisation.',
      );
    return {
      id: row.id,
      object: 'session_content',
      text: row.kind === 'speech' ? kept.request : kept.answer,
      expires_at: unixSeconds(kept.expiresAt),
    };
  };
}

export function sessionNotFound(): GatewayError {
  return new GatewayError('session_not_found', 'There is no session with this id in your organisation.');
}
