import type { Locator, Page } from 'playwright-core';
import type { KeyJson } from '../../lib/contract/keys';
import type { Product } from './product';

// Creates keys of a running product as a script does: over the management routes, with the first live key.

export async function createKey(
  product: Product,
  body: Readonly<Record<string, unknown>>,
): Promise<KeyJson & { readonly key: string }> {
  return manage(product, 'POST', '/console/api/keys', body);
}

export async function patchKey(
  product: Product,
  id: string,
  body: Readonly<Record<string, unknown>>,
): Promise<KeyJson> {
  return manage(product, 'PATCH', `/console/api/keys/${id}`, body);
}

export async function manage<T>(product: Product, method: string, path: string, body?: unknown): Promise<T> {
  const headers = { authorization: `Bearer ${product.firstRun.keys.live}`, 'content-type': 'application/json' };
  const response = await fetch(product.baseUrl + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
  return JSON.parse(text) as T; // Safe: each caller passes the type of the path's response.
}

/** GET with a key, or POST when there is a body. */
export function withKey(
  product: Product,
  path: string,
  key: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const authorised = { authorization: `Bearer ${key}`, ...headers };
  if (body === undefined) return fetch(product.baseUrl + path, { headers: authorised });
  return fetch(product.baseUrl + path, {
    method: 'POST',
    headers: { ...authorised, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

export function keyRow(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ hasText: name });
}
