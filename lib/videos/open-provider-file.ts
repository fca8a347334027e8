import type { Call } from '../domain/call';
import type { Content, ContentPart } from '../domain/files';
import type { Json } from '../domain/json';
import type { VideoProvider } from '../domain/video';

/**
 * Opens a finished file of a provider. A link may end before its file does: then the provider is asked once for a new
 * reference, and `store` keeps it.
 */
export async function openProviderFile(
  provider: VideoProvider,
  finished: { readonly receipt: Json; readonly file: Json },
  part: ContentPart,
  call: Call,
  store: (file: Json) => Promise<unknown>,
): Promise<Content> {
  try {
    return await provider.open(finished.file, part, call);
  } catch (error) {
    if (call.signal.aborted || !provider.refresh) throw error;
    const file = await provider.refresh(finished, call);
    await store(file);
    return provider.open(file, part, call);
  }
}
