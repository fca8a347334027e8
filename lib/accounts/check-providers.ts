import { GatewayError } from '../domain/errors';
import { shown } from '../domain/phrases';

/** Whether this installation knows a provider with this id, configured or not. */
export type IsProvider = (id: string) => boolean;

/**
 * Rejects with `unsupported_value` if the allowed providers of a request name one that does not exist: a misspelt one
 * would allow nothing. Providers that the policy already names may stay, even if a later version no longer has them.
 * Models are not checked, because a catalog file can add them at any time.
 */
export function checkProviders(
  { allowed_providers: wanted }: { readonly allowed_providers?: readonly string[] | null | undefined },
  isProvider: IsProvider,
  inForce: readonly string[] | null = null,
): void {
  const unknown = wanted?.find((id) => !isProvider(id) && !inForce?.includes(id));
  if (unknown === undefined) return;
  throw new GatewayError(
    'unsupported_value',
    `allowed_providers names a provider that does not exist: ${shown(unknown)}. GET /v1/models lists the providers of each model.`,
    { param: 'allowed_providers' },
  );
}
