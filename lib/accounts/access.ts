import type { KeyPolicy, Scope } from '../domain/caller';
import { GatewayError } from '../domain/errors';
import type { BindingIdentity } from '../domain/binding';
import type { NanoUsd } from '../domain/money';
import { policyError } from '../domain/policy-error';
import { chooseProviders, decide, hasCeiling, type PolicyRefusal, type Price } from '../domain/policy';

// Checks what a caller may do. The functions are pure: the policy is part of the caller. Every error says where to
// change the policy.

/** Throws `scope_required` if the key lacks the scope. */
export function checkScope(policy: KeyPolicy, scope: Scope): void {
  if (policy.scopes.includes(scope)) return;
  throw new GatewayError(
    'scope_required',
    `This key lacks the scope "${scope}". Use a key that has it, or add it in the console under API keys.`,
  );
}

/**
 * Throws `endpoint_not_allowed` if the policy does not allow the path. `path` is the request's own, such as
 * `/v1/videos/video_…`.
 */
export function checkEndpointAccess({ levels = [] }: KeyPolicy, path: string): void {
  checkAllowed(decide(levels, { endpoint: path }));
}

/** Throws `ip_not_allowed` if the policy does not allow the IP address. */
export function checkAddressAccess({ levels = [] }: KeyPolicy, address: string): void {
  checkAllowed(decide(levels, { address }));
}

/** Throws `model_not_allowed` if the policy does not allow the model. `modelId` is the catalog id, not an alias. */
export function checkModelAccess({ levels = [] }: KeyPolicy, modelId: string): void {
  checkAllowed(decide(levels, { model: modelId }));
}

/**
 * Returns the bindings whose provider the policy allows, in the same order. Throws `provider_not_allowed` if none is
 * left.
 */
export function allowedBindings<B extends Pick<BindingIdentity, 'providerId' | 'region'>>(
  { levels = [] }: KeyPolicy,
  bindings: readonly B[],
): readonly B[] {
  const { allowed, refusal } = chooseProviders(levels, bindings);
  checkAllowed(refusal);
  return allowed;
}

/** Throws `price_not_allowed` if the price is above a ceiling of the policy. */
export function checkPriceAccess({ levels = [] }: KeyPolicy, price: Price): void {
  checkAllowed(decide(levels, { price }));
}

/**
 * Returns a function for the router that tells whether a binding is too expensive; undefined if no level has a ceiling,
 * so that no price is computed. `amountOf` returns the price of the request, or of a minute, at a binding.
 */
export function priceRefusals<B>(
  { levels = [] }: KeyPolicy,
  per: Price['per'],
  amountOf: (binding: B) => NanoUsd,
): ((binding: B) => PolicyRefusal | undefined) | undefined {
  if (!hasCeiling(levels, per)) return undefined;
  return (binding) => decide(levels, { price: { per, amount: amountOf(binding) } });
}

function checkAllowed(refusal: PolicyRefusal | undefined): void {
  if (refusal) throw policyError(refusal);
}
