import { fieldsOf, isObject } from '../../../lib/domain/json';
import { keepTabText, readTabText } from '../components/tab-storage';
import { emptySettings, type Step, type Work } from './conversation';

// The conversation survives a reload of the tab. It stays in the browser and is gone when the tab is closed.

const KEPT = 'messages-playground';

export function keepDraft(work: Work): void {
  if (keepTabText(KEPT, JSON.stringify(work, withoutNaN))) return;
  // If the whole draft is too large, the settings without the conversation and its images still fit.
  const settings: Work = { ...work, turns: [], prompt: { ...work.prompt, images: [] }, left: [] };
  keepTabText(KEPT, JSON.stringify(settings, withoutNaN));
}

/**
 * Drops the NaN of a number field with invalid text, so that the field is empty after a reload. JSON would store null.
 */
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
    if (!isObject(kept) || typeof modelId !== 'string' || !isObject(kept['prompt'])) return undefined;
    // Safe: written by `keepDraft` in this window, perhaps under an earlier version.
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

/** Marks a running answer as stopped, because leaving the page stopped it. */
function ended(step: Step): Step {
  return step.state === 'running' ? { ...step, state: 'stopped' } : step;
}
