import {
  allowedBindings,
  checkAddressAccess,
  checkEndpointAccess,
  checkModelAccess,
  checkScope,
  priceRefusals,
} from '../accounts/access';
import { checkUsable, knownKey } from '../accounts/key-lookup';
import { languageOf } from '../audio/transcription-wire';
import { costOfCharacters, costOfMinute, minutePrice } from '../billing/quote-audio';
import type { MediaReach } from '../catalog/binding-fit';
import type { CurrentCatalog } from '../catalog/catalog';
import { resolveModelName, resolveModelOf } from '../catalog/resolve';
import { parseBody } from '../contract/parse-body';
import {
  simulatedEndpoints,
  simulatedPaths,
  simulationRequestSchema,
  type SimulatedEndpoint,
  type SimulationJson,
} from '../contract/policies';
import type { Db } from '../db/database';
import { findKeyOfOrganization } from '../db/keys';
import type { Actor, KeyPolicy } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { GatewayError, isGatewayError } from '../domain/errors';
import { isId } from '../domain/ids';
import type { MessagesBody } from '../domain/messages';
import type { Binding, BindingOf, Capability, Model, ModelOf } from '../domain/model';
import { usdText, type NanoUsd } from '../domain/money';
import { chooseProviders, policyLevels, type PolicyRefusal, type Price } from '../domain/policy';
import { countCharacters, type TtsBinding } from '../domain/speech';
import type { SttBinding } from '../domain/transcription';
import { firstHold } from '../messages/credit/rolling-hold';
import type { ProviderDirectory, ServedBy } from '../routing/provider-directory';
import { noRoute, type Match, type Router, type Routers, type UnfitReason } from '../routing/router';
import type { NeedsByCapability } from '../routing/routing-rules';
import { RequestFields } from '../videos/request-fields';
import { parseVideoRequest, needsOf } from '../videos/video-request';
import { withPlaceholders } from '../videos/with-placeholders';

// Says what would happen to a request, with the functions that check real requests, so that no rule is written twice.
// Spend limits, credits and rates are left out, because they change with every request.

export interface SimulatorDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly catalog: CurrentCatalog;
  readonly routers: Routers;
  readonly providers: Pick<ProviderDirectory, 'servedBy'>;
  readonly mediaReach: MediaReach;
}

type Candidate = SimulationJson['candidates'][number];
type Decision = Pick<SimulationJson, 'allowed' | 'code' | 'level' | 'rule' | 'sentence'>;

export function createSimulator(deps: SimulatorDeps) {
  return async function simulate(actor: Actor, body: unknown): Promise<SimulationJson> {
    const request = parseBody(simulationRequestSchema, body);
    const found = isId('key', request.key_id)
      ? await findKeyOfOrganization(deps.db, actor.orgId, request.key_id)
      : undefined;
    if (!found)
      throw new GatewayError('key_not_found', 'Your organisation has no key with this id.', { param: 'key_id' });
    const key = knownKey(found);
    const { orgId, mode, policy } = key.caller;
    const endpoint = request.endpoint ?? endpointOf(deps.catalog, request.model);
    const admission = decisionOf(() => {
      checkUsable(key, deps.clock.nowMs());
      if (request.address !== undefined) checkAddressAccess(policy, request.address);
      checkScope(policy, 'inference');
      if (endpoint !== undefined) checkEndpointAccess(policy, endpoint);
    });
    const about = { object: 'policy_simulation' as const, mode, endpoint: endpoint ?? null };
    const unknown = { ...about, model: null, price_compared: false, candidates: [] };
    if (endpoint === undefined)
      return {
        ...unknown,
        ...firstRefusal(
          admission,
          decisionOf(() => void resolveModelName(deps.catalog(), request.model)),
        ),
      };

    const resolved = valueOf(() =>
      resolveModelOf<Capability>(deps.catalog(), request.model, simulatedEndpoints[endpoint], policy),
    );
    if ('refusal' in resolved) return { ...unknown, ...firstRefusal(admission, resolved.refusal) };
    const { model } = resolved.value;
    const by = await deps.providers.servedBy({ orgId, mode });
    const isCounted = endpoint === '/v1/messages/count_tokens';
    const routed = routeRequest(deps, { policy, by, isCounted }, model, request.parameters ?? {});
    return {
      ...about,
      model: model.id,
      price_compared: routed.isPriced,
      ...firstRefusal(
        admission,
        decisionOf(() => checkModelAccess(policy, model.id)),
        decisionOf(() => void allowedBindings<Binding>(policy, model.bindings)),
        // Tokens are also counted where no provider is available.
        ...(isCounted ? [] : [routed.decision]),
      ),
      candidates: routed.candidates,
    };
  };
}

/** Returns the endpoint that serves a model; undefined for an unknown model. */
function endpointOf(catalog: CurrentCatalog, name: string): SimulatedEndpoint | undefined {
  const resolved = valueOf(() => resolveModelName(catalog(), name));
  if ('refusal' in resolved) return undefined;
  return simulatedPaths.find((path) => simulatedEndpoints[path] === resolved.value.model.capability);
}

interface Request {
  readonly policy: KeyPolicy;
  readonly by: ServedBy;
  /** Whether the request only counts tokens, which is free. */
  readonly isCounted: boolean;
}

interface Routed {
  readonly decision: Decision;
  readonly isPriced: boolean;
  readonly candidates: readonly Candidate[];
}

/** The assumed length of an edit's source if the request does not state it. */
const DEFAULT_SOURCE_SECONDS = 5;

/** Routes the request. Its requirements and its prices follow from the parameters, as for a real request. */
function routeRequest(
  { routers, mediaReach }: SimulatorDeps,
  request: Request,
  model: Model,
  parameters: Readonly<Record<string, unknown>>,
): Routed {
  const fields = new RequestFields(parameters, false);
  switch (model.capability) {
    case 'video': {
      const { kind, sourceSeconds } = model.video;
      const source = kind === 'video-edit' ? { input_seconds: sourceSeconds?.min ?? DEFAULT_SOURCE_SECONDS } : {};
      const body = withPlaceholders(model.video, { ...source, ...parameters });
      const allowed = chooseProviders(request.policy.levels ?? [], model.bindings).allowed;
      // Validated against the allowed providers, as a real request is.
      const parsed = parseVideoRequest(body, false, model, allowed.length > 0 ? allowed : model.bindings);
      const needs = needsOf(parsed, model, request.by.mode, mediaReach);
      return routeOf(request, { model, router: routers.video, needs, per: 'request', priceOf: needs.costAt });
    }
    case 'messages': {
      const inputTokens = fields.integer('input_tokens', 0, MAX_TOKENS);
      const maxTokens = fields.integer('max_tokens', 0, MAX_TOKENS);
      const body: MessagesBody = {
        model: model.id,
        messages: [{ role: 'user', content: '' }],
        ...(maxTokens !== undefined && { max_tokens: maxTokens }),
      };
      const isPriced = !request.isCounted && inputTokens !== undefined && maxTokens !== undefined;
      return routeOf(request, {
        model,
        router: routers.messages,
        needs: body,
        per: 'request',
        priceOf: isPriced ? (binding) => firstHold([{ binding }], body, inputTokens) : undefined,
      });
    }
    case 'stt': {
      const named = fields.text('language', 20);
      const language = languageOf({ model, ...(named !== undefined && { language: named }) });
      const priceOf = ({ price }: SttBinding) => costOfMinute(minutePrice(price, language !== undefined));
      return routeOf(request, { model, router: routers.stt, needs: undefined, per: 'minute', priceOf });
    }
    case 'tts': {
      const input = fields.text('input', MAX_CHARACTERS);
      const characters = input === undefined ? fields.integer('characters', 0, MAX_CHARACTERS) : countCharacters(input);
      const priceOf =
        characters === undefined
          ? undefined
          : ({ price }: TtsBinding) => costOfCharacters(price.perCharacter, characters);
      return routeOf(request, { model, router: routers.tts, needs: undefined, per: 'request', priceOf });
    }
  }
}

const MAX_TOKENS = 100_000_000;
const MAX_CHARACTERS = 1_000_000;

function routeOf<C extends Capability>(
  { policy, by }: Request,
  {
    model,
    router,
    needs,
    per,
    priceOf,
  }: {
    readonly model: ModelOf<C>;
    readonly router: Router<C>;
    readonly needs: NeedsByCapability[C];
    readonly per: Price['per'];
    /** Undefined without the parameters that determine the price. */
    readonly priceOf: ((binding: BindingOf<C>) => NanoUsd) | undefined;
  },
): Routed {
  // Safe: the bindings of a model are of its capability.
  const bindings = model.bindings as readonly BindingOf<C>[];
  const { allowed, refused } = chooseProviders(policy.levels ?? [], bindings);
  const refusesPrice = priceOf && priceRefusals(policy, per, priceOf);
  const match: Match<C> = router.match(model, allowed, by, needs, refusesPrice);
  const price = (binding: BindingOf<C>) => (priceOf ? usdText(priceOf(binding)) : null);
  const fit = match.fit.map(({ binding }): Candidate => ({
    provider: binding.providerId,
    used: true,
    price: price(binding),
    level: null,
    rule: null,
    reason: null,
  }));
  const out = (binding: BindingOf<C>, reason: string, refusal?: PolicyRefusal): Candidate => ({
    provider: binding.providerId,
    used: false,
    price: refusal?.rule === 'price' ? price(binding) : null,
    level: refusal?.level ?? null,
    rule: refusal?.rule ?? null,
    reason,
  });
  const unfit = match.unfit.map(({ binding, reason }) =>
    typeof reason === 'object' && 'refusal' in reason
      ? out(binding, reason.refusal.sentence, reason.refusal)
      : out(binding, reasonText(reason)),
  );
  // In test mode only the first binding of those that could serve it is used.
  const unused = allowed
    .filter(
      ({ providerId }) =>
        !match.fit.some(({ binding }) => binding.providerId === providerId) &&
        !match.unfit.some(({ binding }) => binding.providerId === providerId),
    )
    .map((binding) =>
      out(binding, 'In test mode the first provider that fits sets the price, and the sandbox does the work.'),
    );
  return {
    // If no provider is allowed, the decision before this one is the refusal.
    decision: match.fit.length > 0 || allowed.length === 0 ? ALLOWED : refusalOf(noRoute(model, match.unfit)),
    isPriced: priceOf !== undefined,
    candidates: [
      ...fit,
      ...unused,
      ...unfit,
      ...refused.map(({ binding, refusal }) => out(binding, refusal.sentence, refusal)),
    ],
  };
}

function reasonText(reason: Exclude<UnfitReason, { refusal: PolicyRefusal }>): string {
  if (typeof reason === 'object') return `It does not take this request: ${reason.text}.`;
  return {
    not_set_up: 'It is not set up in this installation.',
    not_confirmed: 'The operator has not confirmed its price.',
    not_enabled: 'The operator has not enabled it.',
    takes_fewer_parameters: 'Another provider takes more of the parameters.',
    not_own: "The organisation's own account at another provider serves it.",
  }[reason];
}

const ALLOWED: Decision = { allowed: true, code: null, level: null, rule: null, sentence: 'The request is allowed.' };

/** Runs a check and returns its result as a decision: allowed, or the refusal that it throws. */
function decisionOf(check: () => void): Decision {
  const result = valueOf(check);
  return 'refusal' in result ? result.refusal : ALLOWED;
}

function valueOf<T>(run: () => T): { readonly value: T } | { readonly refusal: Decision } {
  try {
    return { value: run() };
  } catch (error) {
    if (isGatewayError(error)) return { refusal: refusalOf(error) };
    throw error;
  }
}

function refusalOf({ code, message, extra: { details } }: GatewayError): Decision {
  const refused = { allowed: false, code, sentence: message };
  if (code === 'scope_required') return { ...refused, level: 'key', rule: 'scope' };
  if (KEY_STATES.includes(code)) return { ...refused, level: 'key', rule: 'key' };
  const level = policyLevels.find((each) => each === details?.['level']);
  // Safe: `policyError` gives a rule with every level.
  return { ...refused, level: level ?? null, rule: level ? (details?.['rule'] as Decision['rule']) : null };
}

const KEY_STATES: readonly string[] = ['revoked_api_key', 'expired_api_key'];

/** Returns the first refusal of the decisions, which are in the order of the checks of a request. */
function firstRefusal(...decisions: readonly Decision[]): Decision {
  return decisions.find(({ allowed }) => !allowed) ?? ALLOWED;
}
