import type { ProviderId } from '../../domain/model';

// Whose thought is this? A thinking block may go back to the provider that made it and to no other: a foreign one is
// refused, or confuses the model. Callers keep only signed blocks, and most providers sign nothing or in a form that nobody
// else can tell apart; so we sign for them, with the provider's name in front of whatever the provider had written there.

const prefix = 'gw1.';

/** The signature under which a provider's thought goes to the caller; never empty. */
export function signThought(providerId: ProviderId, original: string): string {
  return `${prefix}${providerId}.${Buffer.from(original).toString('base64url')}`;
}

/** What the provider itself had signed with (perhaps nothing: an empty text); undefined when the thought is not its own. */
export function openThought(providerId: ProviderId, signature: string): string | undefined {
  const own = `${prefix}${providerId}.`;
  return signature.startsWith(own) ? Buffer.from(signature.slice(own.length), 'base64url').toString() : undefined;
}

/** Did we sign it, for whichever provider? */
export function isOurSignature(signature: string): boolean {
  return signature.startsWith(prefix);
}
