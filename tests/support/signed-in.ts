import type { ActiveSignIn } from '../../lib/accounts/accounts';
import type { Gateway } from '../../lib/gateway';

/** The same gateway, where the test decides which person a request's cookie belongs to. */
export function signedIn(gateway: Gateway, findPerson: () => ActiveSignIn | undefined): Gateway {
  return { ...gateway, signInCookie: { readId: async () => undefined, findPerson: async () => findPerson() } };
}
