import { unixSeconds } from '../domain/clock';
import type { Model } from '../domain/model';

/**
 * Announces the end of a model in the response to those who read or use it: since when it is deprecated (RFC 9745: `@`
 * and Unix seconds), and when it is or was retired (RFC 8594: an HTTP date).
 */
export function retirementHeaders(model: Model | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  if (model?.deprecatedAt !== undefined) headers['deprecation'] = `@${unixSeconds(new Date(model.deprecatedAt))}`;
  if (model?.deactivatedAt !== undefined) headers['sunset'] = new Date(model.deactivatedAt).toUTCString();
  return headers;
}
