import { GatewayError } from '../domain/errors';
import { providersOf } from '../domain/binding';
import type { KeyPolicy } from '../domain/caller';
import type { Capability, Model, ModelOf } from '../domain/model';
import type { ProviderId } from '../domain/ids';
import { withBindings } from './binding-facts';
import type { Catalog } from './catalog';
import { mayUseOf, type MayUse } from './may-use';
import { allOf, anyOf, shown } from '../domain/phrases';

// Parses the `model` field: an id, an alias, or either with the prefix `<provider>/`.

export interface ResolvedModel<M extends Model = Model> {
  /** The model. With a pin, it is narrowed to that provider's bindings, with their tiers, parameters and price. */
  readonly model: M;
  readonly pin?: ProviderId;
  /** In catalog order; never empty. */
  readonly bindings: readonly [M['bindings'][number], ...M['bindings'][number][]];
}

interface Resolving {
  /** Only models for which this is true are suggested. */
  readonly among?: (model: Model) => boolean;
  /** Also resolve retired models. */
  readonly includeDeactivated?: boolean;
}

/**
 * Returns the model for a name from a caller. Rejects, always with the param `model`, with `model_not_found`
 * (`details.suggestions`), `model_deactivated` (`details.deactivated_at`, `details.alternatives`), `provider_not_found`
 * or `provider_model_not_found`.
 */
export function resolveModelName(
  catalog: Catalog,
  text: string,
  { among, includeDeactivated }: Resolving = {},
): ResolvedModel {
  const slash = text.indexOf('/');
  const pin = slash < 0 ? undefined : text.slice(0, slash);
  if (pin !== undefined && !catalog.hasProvider(pin)) throw providerNotFound(catalog, pin, text.slice(slash + 1));
  const name = text.slice(slash + 1);
  const model = catalog.find(name);
  if (!model) throw modelNotFound(catalog, name, among);
  if (!includeDeactivated && !catalog.isActive(model)) throw modelDeactivated(catalog, model, among);
  const [first, ...others] = catalog.bindings(model, pin);
  if (!first) throw providerDoesNotServe(catalog, model, pin ?? '');
  const bindings = [first, ...others] as const;
  // Safe: these are bindings of the same model, so they have its capability.
  return { model: withBindings(model, bindings as Model['bindings']), bindings, ...(pin !== undefined && { pin }) };
}

/**
 * Resolves a name as `resolveModelName` does, for an endpoint that serves one capability. Throws `model_not_supported`
 * for models of other capabilities. Suggests only models of this capability that the key's policy allows.
 */
export function resolveModelOf<C extends Capability>(
  catalog: Catalog,
  text: string,
  capability: C,
  policy?: KeyPolicy,
): ResolvedModel<ModelOf<C>> {
  const among = (model: Model) => model.capability === capability && isUsable(model, policy && mayUseOf(policy));
  const resolved = resolveModelName(catalog, text, { among });
  if (!isOf(resolved, capability)) {
    throw new GatewayError(
      'model_not_supported',
      `${resolved.model.id} is ${kinds[resolved.model.capability].name}. Use it with ${kinds[resolved.model.capability].endpoint}, or name ${kinds[capability].name} here.`,
      { param: 'model' },
    );
  }
  return resolved;
}

const kinds: Readonly<Record<Capability, { readonly name: string; readonly endpoint: string }>> = {
  video: { name: 'a video model', endpoint: 'POST /v1/videos' },
  messages: { name: 'a text model', endpoint: 'POST /v1/messages' },
  stt: { name: 'a speech-to-text model', endpoint: 'the socket /v1/audio/transcriptions/ws' },
  tts: { name: 'a text-to-speech model', endpoint: 'the socket /v1/audio/speech/ws' },
};

function isOf<C extends Capability>(resolved: ResolvedModel, capability: C): resolved is ResolvedModel<ModelOf<C>> {
  return resolved.model.capability === capability;
}

/** Whether a key may use any binding of the model. */
export function isUsable(model: Model, mayUse: MayUse | undefined): boolean {
  return !mayUse || model.bindings.some((binding) => mayUse(model, binding));
}

/** Creates the same error for a model that does not exist and for one that this caller may not see. */
export function modelNotFound(catalog: Catalog, name: string, among?: (model: Model) => boolean): GatewayError {
  const suggestions = catalog.suggestions(name, among);
  const question = suggestions.length > 0 ? ` Did you mean ${anyOf(suggestions)}?` : '';
  return new GatewayError(
    'model_not_found',
    `There is no model ${shown(name)}.${question} GET /v1/models lists what you may use.`,
    {
      param: 'model',
      details: { suggestions },
    },
  );
}

function modelDeactivated(catalog: Catalog, model: Model, among: (model: Model) => boolean = () => true): GatewayError {
  const replacements = model.replacements?.filter((id) => {
    const replacement = catalog.find(id);
    return replacement !== undefined && among(replacement);
  });
  const alternatives = replacements?.length ? replacements : catalog.suggestions(model.id, among);
  const day = (model.deactivatedAt ?? '').slice(0, 10);
  const advice =
    alternatives.length > 0 ? `Use ${anyOf(alternatives)} instead.` : 'GET /v1/models lists what you may use instead.';
  return new GatewayError('model_deactivated', `${model.id} was retired on ${day}. ${advice}`, {
    param: 'model',
    details: { deactivated_at: model.deactivatedAt, alternatives },
  });
}

function providerNotFound(catalog: Catalog, pin: string, name: string): GatewayError {
  const model = catalog.find(name);
  const offered = model ? ` ${model.id} is served by ${allOf(providersOf(model.bindings))}.` : '';
  return new GatewayError(
    'provider_not_found',
    `There is no provider ${shown(pin)}.${offered} Name a provider of GET /v1/models, or the model alone.`,
    {
      param: 'model',
      ...(model && { details: { providers: providersOf(model.bindings) } }),
    },
  );
}

function providerDoesNotServe(catalog: Catalog, model: Model, pin: ProviderId): GatewayError {
  const providers = providersOf(model.bindings);
  return new GatewayError(
    'provider_model_not_found',
    `The provider ${pin} does not serve ${model.id}. Use ${anyOf(providers.map((provider) => `${provider}/${model.id}`))}, or ${model.id} alone.`,
    { param: 'model', details: { providers } },
  );
}
