import type { Sealer } from '../accounts/seal';
import type { Account } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { errorForLog } from '../domain/errors';
import type { CredentialId, OrgId, ProviderId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { Provider } from '../domain/provider';
import type { VideoBinding, VideoKind } from '../domain/video';
import { createLru } from '../io/lru';
import type { Db } from '../db/database';
import { findSealedCredential, listSealedCredentials, type SealedCredential } from '../db/provider-credentials';
import {
  servedByInstallation,
  type OwnProvider,
  type OwnProviders,
  type ProviderDirectory,
  type ServedBy,
} from '../routing/provider-directory';
import { openSettings, type CredentialSettings } from './sealed-settings';

// The providers with organisations' own credentials. A provider is created when its organisation first sends a request.
// It is kept until others have been used more recently.

/** Creates a provider with the credentials of an organisation; undefined if this version has none with that id. */
export type MakeOwnProvider = (
  provider: ProviderId,
  settings: CredentialSettings,
) =>
  | { readonly provider: Provider; readonly narrow?: (binding: VideoBinding, kind: VideoKind) => VideoBinding }
  | undefined;

export interface CreatedDirectory extends ProviderDirectory {
  /** Makes this process read the credentials of an organisation again. */
  forget(orgId: OrgId): void;
  /** Closes the providers with organisations' own credentials. */
  close(): Promise<void>;
}

const FRESH_MS = 5_000;
const MAX_ORGANIZATIONS = 20_000;
/** Bounded, because each has connections of its own. */
const MAX_PROVIDERS = 1_000;

const TEST = servedByInstallation('test');
const WITHOUT_OWN = servedByInstallation('live');

export function createProviderDirectory({
  db,
  clock,
  log,
  sealer,
  installed,
  make,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealer: Sealer;
  readonly installed: ReadonlyMap<ProviderId, Provider>;
  readonly make: MakeOwnProvider;
}): CreatedDirectory {
  const known = createLru<OrgId, { readonly by: ServedBy; readonly readAtMs: number }>(MAX_ORGANIZATIONS);
  const reading = new Map<OrgId, Promise<ServedBy>>();
  const made = createLru<string, OwnProvider>(MAX_PROVIDERS, ({ provider }) => void closeOne(provider));

  async function closeOne(provider: Provider): Promise<void> {
    try {
      await provider.close?.();
    } catch (error) {
      log.warn('a provider with credentials of an organisation could not be closed', {
        provider: provider.id,
        error: errorForLog(error),
      });
    }
  }

  function open({ id, provider, sealed }: SealedCredential): OwnProvider | undefined {
    const found = made.get(id);
    if (found) return found;
    if (sealed === null) return undefined;
    const own = make(provider, openSettings(sealer, id, sealed));
    if (!own) return undefined;
    const opened = { credentialId: id, ...own };
    made.set(id, opened);
    return opened;
  }

  async function read(orgId: OrgId): Promise<ServedBy> {
    const readAtMs = clock.nowMs();
    const rows = await listSealedCredentials(db, orgId);
    const own = rows.flatMap((row) => {
      const opened = open(row);
      return opened ? [[row.provider, opened] as const] : [];
    });
    const by: ServedBy = own.length === 0 ? WITHOUT_OWN : { mode: 'live', own: new Map(own) satisfies OwnProviders };
    known.set(orgId, { by, readAtMs });
    return by;
  }

  async function ownOf(credentialId: CredentialId): Promise<OwnProvider | undefined> {
    const found = made.get(credentialId);
    if (found) return found;
    const row = await findSealedCredential(db, credentialId);
    return row && open(row);
  }

  return {
    installed,
    ownOf,

    servedBy({ orgId, mode }: Account) {
      if (mode === 'test') return TEST;
      const hit = known.get(orgId);
      const ageMs = hit ? clock.nowMs() - hit.readAtMs : Infinity;
      if (hit && ageMs >= 0 && ageMs < FRESH_MS) return hit.by;
      // Concurrent requests of one organisation share one query.
      let wait = reading.get(orgId);
      if (!wait) {
        wait = read(orgId).finally(() => reading.delete(orgId));
        reading.set(orgId, wait);
      }
      return wait;
    },

    async of({ provider, credentialId }) {
      if (credentialId === null) return provider === null ? undefined : installed.get(provider);
      return (await ownOf(credentialId))?.provider;
    },

    forget(orgId) {
      known.delete(orgId);
      reading.delete(orgId);
    },

    async close() {
      const providers = [...made.values()].map(({ provider }) => provider);
      await Promise.all(providers.map(closeOne));
    },
  };
}
