import type { KeyPolicy, Scope } from '../domain/caller';
import { GatewayError } from '../domain/errors';
import type { ProviderId } from '../domain/ids';

// Checks what a key may be used for. Pure: the policy is part of the caller, and every error says where to change it.

/** Throws `scope_required`. */
export function checkScope(policy: KeyPolicy, scope: Scope): void {
  if (policy.scopes.includes(scope)) return;
  throw new GatewayError(
    'scope_required',
    `This key lacks the scope "${scope}". Use a key that has it, or add it in the console under API keys.`,
  );
}

/** `path` is the request's own, such as `/v1/videos/video_…`. Throws `endpoint_not_allowed`. */
export function checkEndpointAccess(policy: KeyPolicy, path: string): void {
  // Whole segments: `/v1/video` must not allow `/v1/videos`.
  const covers = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
  if (!policy.allowedEndpoints || policy.allowedEndpoints.some(covers)) return;
  throw new GatewayError(
    'endpoint_not_allowed',
    'This key may not be used for this endpoint. Use another key, or change its allowed endpoints in the console under API keys.',
  );
}

/** `modelId` is the catalog id, not an alias. Throws `model_not_allowed`. */
export function checkModelAccess(policy: KeyPolicy, modelId: string): void {
  if (!policy.allowedModels || policy.allowedModels.includes(modelId)) return;
  throw new GatewayError(
    'model_not_allowed',
    `This key may not use the model ${modelId}. Use another key, or change its allowed models in the console under API keys.`,
    { param: 'model' },
  );
}

/** The bindings whose provider the key may use, in the same order. Throws `provider_not_allowed` when none is left. */
export function allowedBindings<B extends { readonly providerId: ProviderId }>(
  policy: KeyPolicy,
  bindings: readonly B[],
): readonly B[] {
  const { allowedProviders } = policy;
  if (!allowedProviders) return bindings;
  const allowed = bindings.filter((binding) => allowedProviders.includes(binding.providerId));
  if (allowed.length > 0 || bindings.length === 0) return allowed;
  throw new GatewayError(
    'provider_not_allowed',
    'This key may not use any provider that serves this model. Use another key, or change its allowed providers in the console under API keys.',
    { param: 'model' },
  );
}
