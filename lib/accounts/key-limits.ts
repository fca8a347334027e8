import type { LimitUseListJson } from '../contract/limits';
import type { Database } from '../db/database';
import { findKey } from '../db/keys';
import { findOrganizationLimits } from '../db/organizations';
import { readRunningVideos } from '../db/running-videos';
import type { Actor } from '../domain/caller';
import { unixSeconds, currentPeriods, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { isId } from '../domain/ids';
import { shownLimit } from '../domain/limits';
import type { Limits } from '../limits/limits';

/** Reads the limits of a key and of its organisation, and how much of each is in use. */
export interface KeyLimits {
  /** Rejects with `key_not_found`. */
  list(actor: Actor, id: string): Promise<LimitUseListJson>;
}

export function createKeyLimits({
  db,
  clock,
  limits,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly limits: Pick<Limits, 'use'>;
}): KeyLimits {
  return {
    async list({ orgId }, id) {
      const found = isId('key', id) ? await findKey(db, orgId, id, currentPeriods(clock.now())) : undefined;
      if (!found) throw new GatewayError('key_not_found', 'Your organisation has no key with this id.');
      const { key } = found;
      const caller = {
        orgId,
        keyId: key.id,
        mode: key.mode,
        limits: { key: key.limits, organization: await findOrganizationLimits(db, orgId) },
      };
      const running = await readRunningVideos(db, caller);
      const uses = await limits.use(caller);
      const data = uses.map(({ name, scope, limit, used, resetsAtMs }) => ({
        name,
        scope,
        limit: shownLimit(name, limit),
        used: shownLimit(name, name === 'running_videos' ? running[scope] : used),
        ...(resetsAtMs === undefined ? {} : { resets_at: unixSeconds(new Date(resetsAtMs)) }),
      }));
      return { object: 'list', data };
    },
  };
}
