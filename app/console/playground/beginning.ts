import { emptyForm, type VideoForm, type ShownModel } from '../components/video-form/form';
import { importRequest, leftField, type Imported } from '../components/video-form/import-request';
import { switchModel } from '../components/video-form/switch-model';

/** The initial form with its notes. */
export interface Work extends Imported {
  readonly notes: readonly string[];
}

/**
 * Returns the initial form: the request of the URL, otherwise the draft. If the URL names only a model, the draft is
 * switched to that model.
 */
export function beginning(
  wanted: Readonly<Record<string, unknown>> | undefined,
  draft: VideoForm | undefined,
  models: readonly ShownModel[],
): Work {
  const [first] = models;
  if (!first) return { form: emptyForm(''), notes: [], left: [] };
  const requested = wanted ? { ...imported(wanted, models, first), notes: [] } : undefined;
  const isBare = Object.keys(wanted ?? {}).every((name) => name === 'model');
  const kept = models.find(({ model }) => model.id === draft?.modelId);
  // Settings from another page have no prompt, so the prompt of the draft is kept.
  if (requested && !isBare && draft && wanted?.prompt === undefined)
    return { ...requested, form: { ...requested.form, prompt: draft.prompt } };
  if (!draft || !kept || !isBare) return requested ?? { form: emptyForm(first.model.id), notes: [], left: [] };
  // If the model does not exist, the draft stays unchanged.
  if (requested?.left.some(({ name }) => name === 'model')) return { form: draft, notes: [], left: requested.left };
  const named = models.find(({ model }) => model.id === requested?.form.modelId);
  if (!named || named === kept) return { form: draft, notes: [], left: [] };
  return { ...switchModel(draft, kept.model, named.model), left: [] };
}

/**
 * Imports a request from the URL or from an earlier video. If its model does not exist, the other fields are imported
 * and the model is listed as left out.
 */
export function imported(
  wanted: Readonly<Record<string, unknown>>,
  models: readonly ShownModel[],
  first: ShownModel,
): Imported {
  try {
    return importRequest(wanted, models, first);
  } catch (error) {
    // The model no longer exists, or its name is mistyped; the rest of the request may still be useful.
    const { model: gone, ...rest } = wanted;
    const { form, left } = importRequest(rest, models, first);
    const reason = error instanceof Error ? error.message : 'There is no such model here.';
    return { form, left: [leftField('model', gone, reason), ...left] };
  }
}
