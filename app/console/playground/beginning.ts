import { emptyForm, type PlaygroundForm, type ShownModel } from './form';
import { importRequest, type Imported } from './import-request';
import { switchModel } from './switch-model';

/** The form and what is said about it. */
export interface Work extends Imported {
  readonly notes: readonly string[];
}

/** The form that the page begins with: what the address asks for; without that, the draft; with a bare model, the draft for it. */
export function beginning(
  wanted: Readonly<Record<string, unknown>> | undefined,
  draft: PlaygroundForm | undefined,
  models: readonly ShownModel[],
): Work {
  const [first] = models;
  if (!first) return { form: emptyForm(''), notes: [], left: [] };
  const asked = wanted ? { ...imported(wanted, models, first), notes: [] } : undefined;
  const isBare = Object.keys(wanted ?? {}).every((name) => name === 'model');
  const kept = models.find(({ model }) => model.id === draft?.modelId);
  // Settings of another page come without words: those that were written already are still meant.
  if (asked && !isBare && draft && wanted?.prompt === undefined)
    return { ...asked, form: { ...asked.form, prompt: draft.prompt } };
  if (!draft || !kept || !isBare) return asked ?? { form: emptyForm(first.model.id), notes: [], left: [] };
  const named = models.find(({ model }) => model.id === asked?.form.modelId);
  if (!named || named === kept) return { form: draft, notes: [], left: [] };
  return { ...switchModel(draft, kept.model, named.model), left: [] };
}

/** A request of the address or of an earlier video; of a model that is not offered any more, the rest of it. */
export function imported(
  wanted: Readonly<Record<string, unknown>>,
  models: readonly ShownModel[],
  first: ShownModel,
): Imported {
  try {
    return importRequest(wanted, models, first);
  } catch {
    // A model that is not offered any more: the rest of the request may still be of use.
    const { model: _gone, ...rest } = wanted;
    return importRequest(rest, models, first);
  }
}
