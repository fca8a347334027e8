import { apiPaths } from '../paths';

// The browser's side of signing in and out. next-auth wants its token against forged requests first, then a form.

export type SignInResult = { readonly ok: true } | { readonly ok: false; readonly says: string };

export async function signInWithPassword(email: string, password: string): Promise<SignInResult> {
  try {
    const refusal = await postForm(apiPaths.signInWithPassword(), { email, password });
    return refusal === null ? { ok: true } : { ok: false, says: signInSentence(refusal) };
  } catch {
    return { ok: false, says: signInSentence('unreachable') };
  }
}

/** Removes the cookie of this browser. */
export async function signOut(): Promise<void> {
  await postForm(apiPaths.signOut(), {});
}

/** Makes the server renew the cookie, so that a console in use does not count as idle. */
export async function keepSignedIn(): Promise<void> {
  // Read to its end: an answer that nobody reads keeps its connection.
  await (await fetch(apiPaths.session())).text();
}

/** The word of the refusal, or null. */
async function postForm(path: string, fields: Readonly<Record<string, string>>): Promise<string | null> {
  const csrf = (await (await fetch(apiPaths.csrf())).json()) as { csrfToken: string }; // Safe: next-auth's documented answer.
  const body = new URLSearchParams({ ...fields, csrfToken: csrf.csrfToken, json: 'true' });
  const response = await fetch(path, { method: 'POST', body });
  if (!response.headers.get('content-type')?.startsWith('application/json')) return 'unreachable';
  const answer = (await response.json()) as { url?: string }; // Safe: next-auth's documented answer; any other has no url.
  if (answer.url === undefined) return 'unreachable';
  const { searchParams } = new URL(answer.url, window.location.origin);
  return searchParams.get('error') ?? (searchParams.has('csrf') ? 'expired' : null);
}

/** The same sentence for a wrong password and an unknown e-mail address: who has an account is nobody's business. */
export function signInSentence(refusal: string): string {
  const [word, seconds] = refusal.split(':');
  switch (word) {
    case 'CredentialsSignin':
      return 'The e-mail address or the password is wrong.';
    case 'throttled': {
      const minutes = Math.ceil(Number(seconds) / 60);
      return `Too many attempts. Try again in ${minutes > 0 ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}` : 'a few minutes'}.`;
    }
    case 'overloaded':
      return 'Too many people are signing in at this moment. Try again in a few seconds.';
    case 'expired':
      return 'This page had been open for too long. Try again.';
    default:
      return 'Signing in did not work. Check your connection and try again.';
  }
}
