import { eq } from 'drizzle-orm';
import type { CredentialId, VideoId } from '../domain/ids';
import type { MediaStore } from '../domain/files';
import type { Json } from '../domain/json';
import type { Log } from '../domain/log';
import type { ProviderDirectory } from '../routing/provider-directory';
import type { Db } from '../db/database';
import { videos } from '../db/schema/index';

const REMOVE_MS = 10_000;

/** The columns of a row that refer to its files: the provider's files on this server, and the file in the archive. */
export interface Traces {
  readonly id: VideoId;
  readonly provider: string | null;
  readonly credentialId: CredentialId | null;
  readonly file: Json;
  readonly receipt: Json;
  readonly archiveKey: string | null;
}

/**
 * Deletes the files that a provider stores here for a finished video and its file in the archive, then the columns that
 * refer to them. In this order, because a file without its reference could not be found again. Rejects if the provider
 * or the archive fails. Safe to repeat.
 */
export async function removeTraces(
  deps: { db: Db; log: Log; providers: Pick<ProviderDirectory, 'of'>; store?: MediaStore },
  { id, provider, credentialId, file, receipt, archiveKey }: Traces,
): Promise<void> {
  const note = file ?? receipt;
  if (note === null) return;
  const remove = (await deps.providers.of({ provider, credentialId }))?.video?.remove;
  const call = { signal: AbortSignal.timeout(REMOVE_MS), log: deps.log };
  if (remove) await remove(note, call);
  if (archiveKey !== null) {
    if (!deps.store) throw new Error('MEDIA_STORE is not set any more.');
    await deps.store.remove(archiveKey, call);
  }
  await deps.db.orm.update(videos).set({ file: null, receipt: null, archiveKey: null }).where(eq(videos.id, id));
}
