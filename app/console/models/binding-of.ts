import type { ProviderId } from '../../../lib/domain/ids';
import type { Mode } from '../../../lib/domain/video';

/** Returns the binding of the given provider, otherwise the one that is tried first in this mode. */
export function bindingOf<B extends { readonly providerId: ProviderId }>(
  bindings: readonly B[],
  provider: ProviderId | undefined,
  offered: readonly ProviderId[],
  mode: Mode,
): B | undefined {
  const named = bindings.find(({ providerId }) => providerId === provider);
  const live = mode === 'live' ? bindings.find(({ providerId }) => offered.includes(providerId)) : undefined;
  return named ?? live ?? bindings[0];
}
