import type { CurrentCatalog } from '../catalog/catalog';
import { videoEntrySchema, videoModel } from '../catalog/model-entry';
import type { VideoModel } from '../domain/model';
import type { Db } from '../db/database';
import { findCatalogEntry, type VideoRow } from '../db/videos';

/**
 * Returns the model of a stored video as it was at submission, because the operator may have changed it in CATALOG_FILE
 * or removed it since. Undefined if it is no longer known.
 */
export async function modelOfVideo(
  { db, catalog }: { readonly db: Db; readonly catalog: CurrentCatalog },
  video: Pick<VideoRow, 'id' | 'model'>,
): Promise<VideoModel | undefined> {
  return modelOfEntry(catalog, video, await findCatalogEntry(db, video.id));
}

/** Returns the model of a video whose stored catalog entry has already been read; see `modelOfVideo`. */
export function modelOfEntry(
  catalog: CurrentCatalog,
  video: Pick<VideoRow, 'model'>,
  stored: unknown,
): VideoModel | undefined {
  // If this version of Patchbay cannot read the stored entry, it uses the model of its own catalog.
  const { data: entry } = videoEntrySchema.safeParse(stored);
  if (entry) return videoModel(entry);
  const model = catalog().find(video.model);
  return model?.capability === 'video' ? model : undefined;
}
