import type { KeyPolicy, Scope } from '../domain/caller';
import { GatewayError } from '../domain/errors';
import type { BindingIdentity } from '../domain/binding';
import type { NanoUsd } from '../domain/money';
import { policyError } from '../domain/policy-error';
import { chooseProviders, decide, hasCeiling, type PolicyRefusal, type Price } from '../domain/policy';

// Checks what a caller may do. Pure: the policy is part of the caller, and every error says where to change it.

/** Throws `scope_required`. */
export function checkScope(policy: KeyPolicy, scope: Scope): void {
  if (policy.scopes.includes(scope)) return;
  throw new GatewayError(
    'scope_required',
    `This key lacks the scope "${scope}". Use a key that has it, or add it in the console under API keys.`,
  );
}

/** `path` is the request's own, such as `/v1/videos/video_…`. Throws `endpoint_not_allowed`. */
export function checkEndpointAccess({ levels = [] }: KeyPolicy, path: string): void {
  checkAllowed(decide(levels, { endpoint: path }));
}

/** Throws `ip_not_allowed`. */
export function checkAddressAccess({ levels = [] }: KeyPolicy, address: string): void {
  checkAllowed(decide(levels, { address }));
}

/** `modelId` is the catalog id, not an alias. Throws `model_not_allowed`. */
export function checkModelAccess({ levels = [] }: KeyPolicy, modelId: string): void {
  checkAllowed(decide(levels, { model: modelId }));
}

/** The bindings whose provider may be used, in the same order. Throws `provider_not_allowed` when none is left. */
export function allowedBindings<B extends Pick<BindingIdentity, 'providerId' | 'region'>>(
  { levels = [] }: KeyPolicy,
  bindings: readonly B[],
): readonly B[] {
  const { allowed, refusal } = chooseProviders(levels, bindings);
  checkAllowed(refusal);
  return allowed;
}

/** Throws `price_not_allowed`. */
export function checkPriceAccess({ levels = [] }: KeyPolicy, price: Price): void {
  checkAllowed(decide(levels, { price }));
}

/**
 * Whether a binding is too expensive, for the router; undefined if no level has a ceiling, so that no price is computed.
 * `amountOf` is the price of the request, or of a minute, at a binding.
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
