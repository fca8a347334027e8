import { apiErrorOf, ConnectionError } from '../../lib/client/errors';
import { ORGANIZATION_HEADER } from '../../lib/domain/organization-choice';
import { confirmIdentity } from './components/auth/confirm-identity';
import { paths } from './paths';

// Client of the console API. It calls the same routes as scripts do, authenticates with the sign-in cookie, and rejects
// with the error classes of the client for apps.

export const UNREACHABLE = 'The server could not be reached. Check your connection.';

export function ask<T>(path: string): Promise<T> {
  return request<T>(path, { method: 'GET' });
}

export function send<T>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  return request<T>(
    path,
    body === undefined
      ? { method, headers }
      : { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) },
  );
}

async function request<T>(path: string, init: RequestInit): Promise<T> {
  const response = await openRequest(path, init);
  // Safe: callers pass the response type of the endpoint, and `undefined` for a 204.
  if (response.status === 204) return undefined as T;
  return (await response.json().catch(() => undefined)) as T;
}

/**
 * Resolves to the response as soon as its headers arrive. Rejects with an ApiError, a ConnectionError, or the abort
 * reason of the signal. Asks the user to confirm their identity once if the API requires that.
 */
export async function openRequest(path: string, init: RequestInit, confirmed = false): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers: withOrganization(init.headers) });
  } catch {
    init.signal?.throwIfAborted();
    throw new ConnectionError(UNREACHABLE);
  }
  if (response.status === 401) leaveForSignIn();
  if (response.ok) return response;
  const error = await apiErrorOf(response);
  // Repeated only once per request.
  if (error.code === 'reauthentication_required' && !confirmed && (await confirmIdentity()))
    return openRequest(path, init, true);
  throw error;
}

/**
 * Adds the header with the organisation that this tab shows. Outside of the frame, such as on the sign-in page, there
 * is none.
 */
function withOrganization(headers: HeadersInit | undefined): Headers {
  const named = new Headers(headers);
  const id = shownOrganization();
  if (id !== undefined) named.set(ORGANIZATION_HEADER, id);
  return named;
}

/** The id of the organisation that this tab shows, from the root element of the frame. */
function shownOrganization(): string | undefined {
  return document.querySelector<HTMLElement>('[data-organization]')?.dataset.organization;
}

/**
 * Opens the sign-in page: the sign-in has ended, here or in another tab, so the data of this page is no longer valid.
 */
function leaveForSignIn(): void {
  window.location.assign(paths.signIn(window.location.pathname + window.location.search));
}
