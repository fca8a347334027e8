import { GatewayError } from './errors';

/**
 * Throws `invalid_character` if a text contains what a database or a provider refuses: a NUL character or half of a
 * surrogate pair. `param` is the field of the request.
 */
export function checkWellFormed(param: string, text: string): void {
  if (!text.includes('\0') && text.isWellFormed()) return;
  throw new GatewayError(
    'invalid_character',
    `${param} contains a NUL character or half of a surrogate pair. Remove it.`,
    { param },
  );
}
