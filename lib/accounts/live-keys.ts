import { isConsoleKey, type Caller } from '../domain/caller';
import type { Cancel, Clock } from '../domain/clock';
import { errorForLog, GatewayError } from '../domain/errors';
import type { KeyId, OrgId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { Db } from '../db/database';
import { findLiveKeys, findSuspendedOrganizations } from '../db/keys';

// Sockets and streams stay open for minutes and hours, and a key that is revoked meanwhile must end them within five seconds. One look at the
// database for all of them, every few seconds, in whichever process they live.

export interface LiveKeys {
  /** Calls `onEnd` once when the caller's key is revoked, disabled or expired, or the organisation suspended. */
  watch(caller: Caller, onEnd: (error: GatewayError) => void): Cancel;
}

const LOOK_MS = 3_000;

interface Watch {
  readonly keyId: KeyId;
  readonly orgId: OrgId;
  readonly onEnd: (error: GatewayError) => void;
}

export function createLiveKeys({ db, clock, log }: { db: Db; clock: Clock; log: Log }): LiveKeys {
  const watches = new Set<Watch>();
  let cancel: Cancel | undefined;

  function lookLater(): void {
    cancel ??= clock.after(LOOK_MS, () => {
      look()
        .catch((error: unknown) => log.warn('the keys of open sockets and streams could not be checked', { error: errorForLog(error) }))
        .finally(() => {
          cancel = undefined;
          if (watches.size > 0) lookLater();
        });
    });
  }

  async function look(): Promise<void> {
    if (watches.size === 0) return;
    const keyIds = [...new Set([...watches].map(({ keyId }) => keyId))].filter((id) => !isConsoleKey(id));
    const orgIds = [...new Set([...watches].map(({ orgId }) => orgId))];
    const keys = new Map((await findLiveKeys(db, keyIds)).map((key) => [key.id, key]));
    const suspended = new Set(await findSuspendedOrganizations(db, orgIds));
    const now = clock.nowMs();
    for (const watch of watches) {
      const error = refusalOf(watch, keys.get(watch.keyId), suspended, now);
      if (!error) continue;
      watches.delete(watch);
      watch.onEnd(error);
    }
  }

  return {
    watch({ keyId, orgId }, onEnd) {
      const watch: Watch = { keyId, orgId, onEnd };
      watches.add(watch);
      lookLater();
      return () => {
        watches.delete(watch);
      };
    },
  };
}

type LiveKey = Awaited<ReturnType<typeof findLiveKeys>>[number];

function refusalOf({ keyId, orgId }: Watch, key: LiveKey | undefined, suspended: ReadonlySet<OrgId>, now: number): GatewayError | undefined {
  if (suspended.has(orgId)) return new GatewayError('organization_suspended', 'This organisation is suspended. Ask the operator of this installation.');
  if (isConsoleKey(keyId)) return undefined;
  if (!key || key.revokedAt !== null || key.disabledAt !== null) return new GatewayError('revoked_api_key', 'The key of this connection was revoked. Create a new one in the console under Keys.');
  if (key.expiresAt !== null && key.expiresAt.getTime() <= now) return new GatewayError('expired_api_key', 'The key of this connection has expired. Create a new one, or extend it in the console under Keys.');
  return undefined;
}
