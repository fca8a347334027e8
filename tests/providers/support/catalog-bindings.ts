import { mapVideoBindings, withBindings } from '../../../lib/catalog/binding-facts';
import type { VideoModel } from '../../../lib/domain/model';
import type { ProviderDefinition, ProviderDeps } from '../../../lib/domain/provider';
import type { VideoBinding } from '../../../lib/domain/video';
import { videoModels } from '../../lib/catalog/video-models';

// How the catalog says that a provider serves its models.

/** A model of the catalog, and how one provider serves it. */
export interface CatalogBinding {
  readonly model: VideoModel;
  readonly binding: VideoBinding;
}

/** The bindings of this provider in the catalog, without those of models that their vendor has shut down. */
export function catalogBindings({ id }: ProviderDefinition): readonly CatalogBinding[] {
  const active = videoModels.filter(({ deactivatedAt }) => deactivatedAt === undefined);
  return active.flatMap((model) =>
    model.bindings.filter(({ providerId }) => providerId === id).map((binding) => ({ model, binding })),
  );
}

/** The same as these settings can order them, with the models as they are then. */
export function bindingsFor(
  definition: ProviderDefinition,
  settings: ProviderDeps['settings'],
): readonly CatalogBinding[] {
  return catalogBindings(definition).flatMap(({ model, binding: whole }) =>
    mapVideoBindings(
      [withBindings(model, [whole])],
      (binding, { video: { kind } }) => definition.narrow?.(binding, kind, settings) ?? binding,
    ).flatMap((narrowed) =>
      narrowed.capability === 'video'
        ? narrowed.bindings
            // These credentials cannot order the model.
            .filter(({ resolutions }) => resolutions?.length !== 0)
            .map((binding) => ({ model: narrowed, binding }))
        : [],
    ),
  );
}

/** A binding of this provider with that upstream model. */
export function bindingOf(definition: ProviderDefinition, modelName: string): VideoBinding {
  const [found] = catalogBindings(definition);
  if (!found) throw new Error(`The catalog has no binding of ${definition.id}.`);
  return { ...found.binding, modelName };
}
