import type { Call } from '../domain/call';
import type { Content, ContentPart } from '../domain/files';
import type { Json } from '../domain/json';
import type { VideoProvider } from '../domain/video';

/**
 * Opens a finished file of a provider. A link may expire before its file does. Then one call to the provider fetches a
 * new reference, and `store` keeps it.
 */
export async function openProviderFile(
  provider: VideoProvider,
  { receipt, file }: { readonly receipt: Json; readonly file: Json },
  part: ContentPart,
  call: Call,
  store: (renewed: Json) => Promise<unknown>,
): Promise<Content> {
  try {
    return await provider.open(file, part, call);
  } catch (error) {
    if (call.signal.aborted || !provider.refresh) throw error;
    const renewed = await provider.refresh({ receipt, file }, call);
    await store(renewed);
    return provider.open(renewed, part, call);
  }
}
