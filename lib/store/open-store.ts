import type { Clock } from '../domain/clock';
import type { MediaStore, MediaStoreLocation } from '../domain/files';
import type { Log } from '../domain/log';
import { openDirectoryStore } from './directory-store';

/** Opens the archive. A directory is created if it does not exist; a bucket must exist. */
export async function openMediaStore(
  location: MediaStoreLocation,
  deps: { readonly clock: Clock; readonly log: Log },
): Promise<MediaStore> {
  if (location.kind === 'directory') return openDirectoryStore(location.directory, deps);
  // Loaded only if it is used: the client needs some 20 MB of memory.
  const { createS3Store } = await import('./s3-store');
  return createS3Store(location);
}
