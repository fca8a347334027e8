import { keepTabText, readTabText } from '../components/tab-storage';
import { emptyForm, type VideoForm } from '../components/video-form/form';

// The form survives a reload. Files do not: a file may be 25 MB, and the storage of a tab holds 5 MB.

const KEPT = 'playground-form';

export function keepDraft(form: VideoForm): void {
  const isKept = (piece: VideoForm['source']) => piece?.kind !== 'file';
  const kept: VideoForm = {
    ...form,
    images: form.images.filter(isKept),
    videos: form.videos.filter(isKept),
    source: isKept(form.source) ? form.source : null,
  };
  keepTabText(KEPT, JSON.stringify(kept));
}

/** The stored draft as text; stable until a new draft is stored. */
export const draftText = (): string | null => readTabText(KEPT);

/** Parses the text of `draftText`; undefined if there is no draft. */
export function parseDraft(text: string | null): VideoForm | undefined {
  try {
    const kept: unknown = JSON.parse(text ?? 'null');
    if (typeof kept !== 'object' || kept === null || !('modelId' in kept) || typeof kept.modelId !== 'string')
      return undefined;
    // Safe: written by `keepDraft` in this window; a draft of an older version may lack fields but has no others.
    return { ...emptyForm(kept.modelId), ...(kept as Partial<VideoForm>) };
  } catch {
    return undefined;
  }
}
