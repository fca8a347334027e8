import type { Model } from '../../../../lib/domain/model';

/** The providers that may serve one of the models, in alphabetical order. */
export function providerIds(models: readonly Model[]): readonly string[] {
  return [...new Set(models.flatMap(({ bindings }) => bindings.map(({ providerId }) => providerId)))].toSorted();
}
