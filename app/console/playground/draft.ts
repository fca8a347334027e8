import { emptyForm, type PlaygroundForm } from './form';

// What was typed survives a reload. Files do not: they may be 25 MB, and the browser keeps five.

const KEPT = 'playground-form';

export function keepDraft(form: PlaygroundForm): void {
  const isAddress = (piece: PlaygroundForm['source']) => piece?.kind === 'address';
  const kept: PlaygroundForm = {
    ...form,
    images: form.images.filter(isAddress),
    videos: form.videos.filter(isAddress),
    source: isAddress(form.source) ? form.source : null,
  };
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing, or has no room: the form works all the same.
  }
}

/** What this window's last visit left, as text: the same as long as nothing is kept anew. */
export function draftText(): string | null {
  try {
    return sessionStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

/** The form in a text of `draftText`; undefined when there is none. */
export function parseDraft(text: string | null): PlaygroundForm | undefined {
  try {
    const kept: unknown = JSON.parse(text ?? 'null');
    if (typeof kept !== 'object' || kept === null || !('modelId' in kept) || typeof kept.modelId !== 'string')
      return undefined;
    // Safe: written by `keepDraft` in this very window; what an older version of the page wrote lacks fields, never has others.
    return { ...emptyForm(kept.modelId), ...(kept as Partial<PlaygroundForm>) };
  } catch {
    return undefined;
  }
}
