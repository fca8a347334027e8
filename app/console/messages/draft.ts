import { fieldsOf, isObject } from '../../../lib/domain/json';
import { keepTabText, readTabText } from '../components/tab-storage';
import { emptySettings, type Step, type Work } from './conversation';

// The conversation survives a reload of the tab. It stays in the browser, and ends with the tab.

const KEPT = 'messages-playground';

export function keepDraft(work: Work): void {
  if (keepTabText(KEPT, JSON.stringify(work, withoutNaN))) return;
  // Without the conversation and its images the settings still fit.
  const settings: Work = { ...work, turns: [], prompt: { ...work.prompt, images: [] }, left: [] };
  keepTabText(KEPT, JSON.stringify(settings, withoutNaN));
}

/** A number field with other text is empty after a reload. JSON would make the NaN of it null. */
function withoutNaN(_name: string, value: unknown): unknown {
  return Number.isNaN(value) ? undefined : value;
}

/** The stored draft as text; stable until a new draft is stored. */
export const draftText = (): string | null => readTabText(KEPT);

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
      turns: work.turns.map((turn) => ({
        ...turn,
        lanes: [turn.lanes[0].map(ended), turn.lanes[1].map(ended)],
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
