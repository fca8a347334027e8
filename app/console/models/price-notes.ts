import type { Binding, Model } from '../../../lib/domain/model';

/** Where the price of one or more providers of a model comes from. */
export interface PriceNote {
  /** `kling`, or `fal at 720p` where the provider has a price for each resolution. */
  readonly of: string;
  readonly source: string;
  /** The price was not read at the vendor, and the operator has not confirmed it here. */
  readonly isUnconfirmed: boolean;
}

/**
 * Returns the sources of the prices of a model, without duplicates. `sold` says, for each binding, whether its price
 * was read at the vendor or confirmed by the operator.
 */
export function priceNotes(model: Model, sold: readonly boolean[]): readonly PriceNote[] {
  const notes = model.bindings.map((binding: Binding, index) => ({
    of: nameOf(binding, model),
    source: binding.price.source.replace(/^UNVERIFIED: /, ''),
    isUnconfirmed: sold[index] !== true,
  }));
  return notes.filter(
    (note, index) =>
      notes.findIndex(
        ({ of, source, isUnconfirmed }) =>
          of === note.of && source === note.source && isUnconfirmed === note.isUnconfirmed,
      ) === index,
  );
}

function nameOf(binding: Binding, { bindings }: Model): string {
  const isAlone = bindings.filter(({ providerId }) => providerId === binding.providerId).length === 1;
  const resolutions = 'resolutions' in binding ? binding.resolutions : undefined;
  return isAlone || !resolutions ? binding.providerId : `${binding.providerId} at ${resolutions.join(', ')}`;
}
