import { apiPaths } from '../../api-paths';

// Signing in and out in the browser. next-auth expects a request for its CSRF token first, then a form post.

export type SignInResult = { readonly ok: true } | { readonly ok: false; readonly message: string };

export type Service = 'github' | 'google';
export type Method = 'password' | 'link' | Service;

const LAST_METHOD = 'patchbay:last-sign-in';

export async function signInWithPassword(email: string, password: string): Promise<SignInResult> {
  return signInWith('password', apiPaths.signInWithPassword(), { email, password });
}

/** Signs in with the token of a link that was sent by e-mail. */
export async function signInWithLink(token: string): Promise<SignInResult> {
  const result = await signInWith('link', apiPaths.signInWithLink(), { token });
  return result.ok || result.message !== signInSentence('CredentialsSignin')
    ? result
    : { ok: false, message: signInSentence('link-spent') };
}

/** Redirects to the service, which redirects back to `next`. Resolves only on failure. */
export async function signInElsewhere(service: Service, next: string): Promise<SignInResult> {
  try {
    const { url, refusal } = await postForm(apiPaths.signInElsewhere(service), {
      callbackUrl: window.location.origin + next,
    });
    if (url === undefined || refusal !== null) return { ok: false, message: signInSentence(refusal ?? 'unreachable') };
    rememberMethod(service);
    window.location.assign(url);
    // The browser is leaving this page.
    return await new Promise(() => undefined);
  } catch {
    return { ok: false, message: signInSentence('unreachable') };
  }
}

async function signInWith(
  method: Method,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<SignInResult> {
  try {
    const { refusal } = await postForm(path, fields);
    if (refusal !== null) return { ok: false, message: signInSentence(refusal) };
    rememberMethod(method);
    return { ok: true };
  } catch {
    return { ok: false, message: signInSentence('unreachable') };
  }
}

/** The last sign-in method used in this browser. */
export function lastMethod(): Method | undefined {
  const method = window.localStorage.getItem(LAST_METHOD);
  return method === 'password' || method === 'link' || method === 'github' || method === 'google' ? method : undefined;
}

function rememberMethod(method: Method): void {
  window.localStorage.setItem(LAST_METHOD, method);
}

/** Removes the sign-in cookie of this browser. */
export async function signOut(): Promise<void> {
  await postForm(apiPaths.signOut(), {});
}

/** Posts a form to next-auth. Resolves to the URL that next-auth redirects to, and its error code or null. */
async function postForm(
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<{ readonly url?: string; readonly refusal: string | null }> {
  const csrf = (await (await fetch(apiPaths.csrf())).json()) as { csrfToken: string }; // Safe: next-auth's documented answer.
  const body = new URLSearchParams({ ...fields, csrfToken: csrf.csrfToken, json: 'true' });
  const response = await fetch(path, { method: 'POST', body });
  if (!response.headers.get('content-type')?.startsWith('application/json')) return { refusal: 'unreachable' };
  const answer = (await response.json()) as { url?: string }; // Safe: next-auth's documented answer; any other has no url.
  if (answer.url === undefined) return { refusal: 'unreachable' };
  const url = new URL(answer.url, window.location.origin);
  // Only a URL of this console carries one of our error codes.
  const { searchParams } = url.origin === window.location.origin ? url : new URL(window.location.origin);
  return { url: answer.url, refusal: searchParams.get('error') ?? (searchParams.has('csrf') ? 'expired' : null) };
}

/**
 * Returns the sentence for an error code. Wrong passwords and unknown e-mail addresses share one, so that accounts
 * cannot be enumerated.
 */
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
      return 'Too many people are signing in right now. Try again in a few seconds.';
    case 'expired':
      return 'This page was open for too long. Try again.';
    case 'link-spent':
      return 'This link has been used, or is older than 10 minutes.';
    case 'no-account':
      return 'There is no account with the confirmed e-mail address. Ask an owner of this installation.';
    case 'no-proven-email':
      return 'That service has not confirmed any e-mail address of yours. Confirm it there, then try again.';
    case 'not-connected':
      return 'There is an account with your address, but it is not connected to that service. Sign in with the password or a link by e-mail, then connect the service under “Your account”.';
    case 'OAuthSignin':
    case 'OAuthCallback':
    case 'Callback':
    case 'AccessDenied':
      return 'The other service did not sign you in. Try again, or use another way.';
    default:
      return 'You could not be signed in. Check your connection and try again.';
  }
}
