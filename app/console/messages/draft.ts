import { fieldsOf, isObject } from '../../../lib/domain/json';
import { emptySettings, type Step, type Work } from './conversation';

// The conversation survives a reload of the tab. It stays in the browser, and ends with the tab.

const KEPT = 'messages-playground';

export function keepDraft(work: Work): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(work));
  } catch {
    // Session storage holds about 5 MB. Without the conversation and its images the settings still fit.
    try {
      sessionStorage.setItem(
        KEPT,
        JSON.stringify({ ...work, exchanges: [], prompt: { ...work.prompt, images: [] }, left: [] } satisfies Work),
      );
    } catch {
      // Storage is unavailable; the page works without it.
    }
  }
}

/** The stored draft as text; stable until a new draft is stored. */
export function draftText(): string | null {
  try {
    return sessionStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

/** Parses the text of `draftText`; undefined if there is no draft. */
export function parseDraft(text: string | null): Work | undefined {
  try {
    const kept: unknown = JSON.parse(text ?? 'null');
    const { modelId } = fieldsOf(fieldsOf(kept)['settings']);
    if (!isObject(kept) || typeof modelId !== 'string') return undefined;
    // Safe: written by `keepDraft` in this window.
    const work = kept as unknown as Work;
    return {
      ...work,
      settings: { ...emptySettings(modelId), ...work.settings },
      exchanges: work.exchanges.map((exchange) => ({
        ...exchange,
        lanes: [exchange.lanes[0].map(ended), exchange.lanes[1].map(ended)],
      })),
    };
  } catch {
    return undefined;
  }
}

/** An answer that was running when the page was left was stopped by that. */
function ended(step: Step): Step {
  return step.state === 'running' ? { ...step, state: 'stopped' } : step;
}
