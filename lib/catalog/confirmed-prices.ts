import type { Model } from '../domain/model';

// The names in CONFIRMED_PRICES: `<model>`, or `<provider>/<model>`.

/**
 * Returns the names in CONFIRMED_PRICES that confirm no price of these models, each with a sentence that says why. A
 * misspelled name leaves its model unsold.
 */
export function unknownConfirmations(
  names: readonly string[],
  models: readonly Model[],
): readonly { readonly name: string; readonly reason: string }[] {
  return names.flatMap((name) => {
    const slash = name.indexOf('/');
    const id = name.slice(slash + 1);
    const providerId = slash < 0 ? undefined : name.slice(0, slash);
    const model = models.find((each) => each.id === id);
    if (!model) return [{ name, reason: `No model of the catalog has the id ${id}.` }];
    if (providerId !== undefined && !model.bindings.some((binding) => binding.providerId === providerId))
      return [{ name, reason: `${providerId} is not a provider of ${id}.` }];
    return [];
  });
}
