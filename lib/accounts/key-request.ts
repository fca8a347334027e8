import {
  createKeyRequestSchema,
  rotateKeyRequestSchema,
  updateKeyRequestSchema,
  type CreateKeyRequest,
  type UpdateKeyRequest,
} from '../contract/keys';
import { parseBody } from '../contract/parse-body';
import type { Scope } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import type { Mode } from '../domain/video';

// Parses the bodies of the key routes.

/** Parses the body that creates a key. Throws with `param` and a message; see `parseBody`. */
export function parseCreateKey(body: unknown, clock: Clock): CreateKeyRequest {
  const request = parseBody(createKeyRequestSchema(clock.now()), body);
  checkScopes(request.mode, request.scopes);
  return request;
}

export function parseUpdateKey(body: unknown, clock: Clock): UpdateKeyRequest {
  return parseBody(updateKeyRequestSchema(clock.now()), body);
}

/** Parses the body that rotates a key. An absent body counts as an empty one: rotating needs no parameters. */
export function parseRotateKey(body: unknown): { readonly overlapSeconds: number } {
  return { overlapSeconds: parseBody(rotateKeyRequestSchema, body ?? {}).overlap_seconds };
}

/** Throws if a test key would get the scope `manage`: test keys are shared more freely than live ones. */
export function checkScopes(keyMode: Mode, wanted: readonly Scope[]): void {
  if (keyMode === 'live' || !wanted.includes('manage')) return;
  throw new GatewayError(
    'conflicting_parameters',
    'The scope "manage" is for live keys only. Remove it from scopes, or set mode to "live".',
    {
      param: 'scopes',
    },
  );
}
