import { eq } from 'drizzle-orm';
import type { VideoId } from '../domain/ids';
import type { Json } from '../domain/json';
import type { Log } from '../domain/log';
import type { Provider } from '../domain/provider';
import type { Db } from '../db/database';
import { videos } from '../db/schema/index';

const REMOVE_MS = 10_000;

/** The columns of a row that say what its provider stores on this server. */
export interface Traces {
  readonly id: VideoId;
  readonly provider: string | null;
  readonly file: Json;
  readonly receipt: Json;
}

/**
 * Deletes the files that a provider stores here for a finished video, then the columns that refer to them. In this
 * order, because a file without its reference could not be found again. Rejects when the provider fails; it is safe to
 * repeat.
 */
export async function removeTraces(
  deps: { db: Db; log: Log; providers: ReadonlyMap<string, Provider> },
  { id, provider, file, receipt }: Traces,
): Promise<void> {
  const note = file ?? receipt;
  if (note === null) return;
  const remove = provider === null ? undefined : deps.providers.get(provider)?.video?.remove;
  if (remove) await remove(note, { signal: AbortSignal.timeout(REMOVE_MS), log: deps.log });
  await deps.db.orm.update(videos).set({ file: null, receipt: null }).where(eq(videos.id, id));
}
