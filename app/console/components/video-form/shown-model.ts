import type { Catalog } from '../../../../lib/catalog/catalog';
import { bindingKey } from '../../../../lib/domain/binding';
import type { VideoModel } from '../../../../lib/domain/model';
import type { ShownModel } from './form';

/** Returns a model as a form shows it to the organisation of this catalog. */
export function shownModelOf(catalog: Catalog, model: VideoModel, publishesMedia: boolean): ShownModel {
  const keysOf = (serves: Catalog['isOwn']) =>
    model.bindings.filter((binding) => serves(model, binding)).map(bindingKey);
  return {
    model,
    offered: keysOf(catalog.available),
    own: keysOf(catalog.isOwn),
    implemented: catalog.isImplemented(model),
    unconfirmed: model.bindings.some((binding) => catalog.awaitsConfirmation(model, binding)),
    publishesMedia,
  };
}
