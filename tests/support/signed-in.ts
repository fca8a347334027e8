import { inOrganization, type Accounts, type SignedIn } from '../../lib/accounts/accounts';
import type { SignInId } from '../../lib/domain/ids';
import type { Gateway } from '../../lib/gateway';

/** The same gateway, where the test decides which person a request's cookie belongs to. */
export function signedIn(gateway: Gateway, findPerson: () => SignedIn | undefined): Gateway {
  const find = async () => findPerson();
  return { ...gateway, signInCookie: { readId: async () => undefined, findPerson: find, findMember: find } };
}

/** The person of a sign-in, in the organisation that they joined first. */
export async function findSignedIn(accounts: Pick<Accounts, 'findSignIn'>, id: SignInId): Promise<SignedIn> {
  const person = await accounts.findSignIn(id);
  const member = person && inOrganization(person);
  if (!member) throw new Error('The sign-in has ended, or its person belongs to no organisation.');
  return member;
}
