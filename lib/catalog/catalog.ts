import type { Cancel, Clock } from '../domain/clock';
import type { Capability, Binding, Model } from '../domain/model';
import type { ProviderId } from '../domain/ids';
import type { VideoBinding, VideoKind, VideoPrice } from '../domain/video';
import type { CatalogData } from './apply-catalog-file';
import type { CatalogFile } from './catalog-file';
import { mapVideoBindings, withRegions } from './binding-facts';
import { allModels } from './models';
import { nearestIds } from './suggestions';

// All models of our data, whether or not this installation has credentials for them; `available` says whether it serves
// a model. A catalog never changes; only the clock retires a model. A change of CATALOG_FILE makes a new one, so there is a
// current catalog, and what has begun with an older one ends with it.

/**
 * The catalog in force. A request reads it once and works with that snapshot to its end, because the next read may return
 * another one.
 */
export type CurrentCatalog = () => Catalog;

export interface Catalog {
  readonly createdAt: Date;
  /** Finds a model by id or alias; includes retired models. */
  find(name: string): Model | undefined;
  /** Lists the models in catalog order; retired ones only if requested. */
  list(filter?: CatalogFilter): readonly Model[];
  /** Returns the bindings in the order of the entry; with a pin, only those of that provider. */
  bindings<M extends Model>(model: M, pin?: ProviderId): readonly M['bindings'][number][];
  /** Whether this binding (or, without one, any of the model's) can serve live requests in this installation now. */
  available(model: Model, binding?: Binding): boolean;
  /**
   * Whether this version has an adapter for this binding (or, without one, for any of the model's), configured or not.
   */
  isImplemented(model: Model, binding?: Binding): boolean;
  /**
   * Whether an organisation's own account could serve this binding: the model is active, and our adapter can order it.
   */
  isOrderable(model: Model, binding: Binding): boolean;
  /** Whether an own account of the organisation that sees this catalog serves this binding, without credits. */
  isOwn(model: Model, binding: Binding): boolean;
  /** Whether the operator would have to enable this binding first and has not done so (EXTRA_SPEECH_PROVIDERS). */
  isSwitchedOff(binding: Binding): boolean;
  /**
   * Whether this binding would serve live requests, or more of them, if the operator confirmed its price
   * (CONFIRMED_PRICES).
   */
  awaitsConfirmation(model: Model, binding: Binding): boolean;
  /** Whether the price was read at the vendor or confirmed by the operator. */
  isSold(model: Model, binding: Binding): boolean;
  /** Whether the model is not retired yet. */
  isActive(model: Model): boolean;
  /** Whether CATALOG_FILE adds or changes the model. If so, it may be different tomorrow. */
  isFromFile(model: Model): boolean;
  /** Whether the provider serves any model of the catalog, configured or not. */
  hasProvider(id: ProviderId): boolean;
  /** Whether our adapter for the provider can cancel running work. */
  canCancel(id: ProviderId): boolean;
  /**
   * Returns the three active ids that are most similar to an unknown name, among those for which `among` returns true.
   */
  suggestions(name: string, among?: (model: Model) => boolean): readonly string[];
  /**
   * Returns a number that changes whenever the clock retires a model, so that anything computed from `list` can be
   * cached until then.
   */
  revision(): number;
}

export interface CatalogFilter {
  readonly includeDeactivated?: boolean;
  readonly excludeDeprecated?: boolean;
}

export interface CatalogDeps {
  /** Providers whose credentials are configured. */
  readonly offeredProviders: ReadonlySet<ProviderId>;
  /** Whether our adapter of a configured provider can serve this binding. Absent: it can serve all. */
  readonly isCapable?: (binding: Binding, capability: Capability) => boolean;
  /** Whether this version has an adapter that can serve this binding. Absent: it has one for all. */
  readonly hasAdapter?: (binding: Binding, capability: Capability) => boolean;
  /**
   * The unverified prices that the operator has confirmed: `<model>` for the prices of all its providers,
   * `<provider>/<model>` for the price of one.
   */
  readonly confirmedPrices: ReadonlySet<string>;
  /** Additional speech providers that the operator has enabled; absent: none. */
  readonly extraSpeechProviders?: ReadonlySet<ProviderId>;
  /** Providers whose adapter can cancel; absent: none. */
  readonly cancellingProviders?: ReadonlySet<ProviderId>;
  readonly clock: Clock;
  /** The binding as the credentials of this installation can order it; absent: as it is. */
  readonly narrow?: (binding: VideoBinding, kind: VideoKind) => VideoBinding;
  /** The data regions of providers; absent: none is known. */
  readonly regions?: Readonly<Record<string, string>>;
  /** The models; absent: all models of this project. */
  readonly models?: readonly Model[];
  /** The ids of models that CATALOG_FILE adds or changes; absent: none. */
  readonly fromFile?: ReadonlySet<string>;
}

const hasUnverifiedRate = ({ rates }: VideoPrice) => rates.some(({ unverified }) => unverified);

/** The binding, each of whose rates the operator has confirmed. */
function withConfirmedRates(binding: VideoBinding): VideoBinding {
  const { price } = binding;
  if (!hasUnverifiedRate(price)) return binding;
  return { ...binding, price: { ...price, rates: price.rates.map(({ unverified: _confirmed, ...rate }) => rate) } };
}

/**
 * Builds the catalog. Its data must be valid (`catalogIssues`): a test checks the data of this project, and
 * `applyCatalogFile` checks CATALOG_FILE.
 */
export function createCatalog(deps: CatalogDeps): Catalog {
  const data = deps.models ?? allModels;
  const { narrow } = deps;
  const isConfirmed = (model: Model, binding: Binding) =>
    deps.confirmedPrices.has(model.id) || deps.confirmedPrices.has(`${binding.providerId}/${model.id}`);
  const narrowed = mapVideoBindings(data, (binding, model) => {
    const ordered = narrow?.(binding, model.video.kind) ?? binding;
    return isConfirmed(model, binding) ? withConfirmedRates(ordered) : ordered;
  });
  const models = deps.regions ? withRegions(narrowed, deps.regions) : narrowed;
  const byName = new Map(models.flatMap((model) => [model.id, ...model.aliases].map((name) => [name, model] as const)));
  const providers = new Set(models.flatMap((model) => model.bindings.map((binding) => binding.providerId)));
  const retirements = models.flatMap((model) =>
    model.deactivatedAt === undefined ? [] : [Date.parse(model.deactivatedAt)],
  );

  const isActive = (model: Model) =>
    model.deactivatedAt === undefined || deps.clock.nowMs() < Date.parse(model.deactivatedAt);
  const isSwitchedOff = (binding: Binding) =>
    'extra' in binding && binding.extra !== undefined && !deps.extraSpeechProviders?.has(binding.providerId);
  const isSetUp = (model: Model, binding: Binding) =>
    !isSwitchedOff(binding) &&
    deps.offeredProviders.has(binding.providerId) &&
    (deps.isCapable?.(binding, model.capability) ?? true);
  const isSold = (model: Model, binding: Binding) => binding.price.verified || isConfirmed(model, binding);
  const serves = (model: Model, binding: Binding) => isSetUp(model, binding) && isSold(model, binding);
  const isImplemented = (model: Model, binding: Binding) => deps.hasAdapter?.(binding, model.capability) ?? true;

  return {
    createdAt: deps.clock.now(),
    find: (name) => byName.get(name),
    list: (filter = {}) =>
      models.filter(
        (model) =>
          (filter.includeDeactivated || isActive(model)) &&
          !(filter.excludeDeprecated && model.deprecatedAt !== undefined),
      ),
    bindings: <M extends Model>(model: M, pin?: ProviderId): readonly M['bindings'][number][] =>
      pin === undefined ? model.bindings : model.bindings.filter((binding) => binding.providerId === pin),
    isOwn: () => false,
    isSwitchedOff,
    available: (model, binding) =>
      isActive(model) && (binding ? serves(model, binding) : model.bindings.some((each) => serves(model, each))),
    isImplemented: (model, binding) =>
      binding ? isImplemented(model, binding) : model.bindings.some((each) => isImplemented(model, each)),
    isOrderable: (model, binding) => isActive(model) && isImplemented(model, binding) && !isSwitchedOff(binding),
    isSold,
    awaitsConfirmation: (model, binding) =>
      isActive(model) &&
      isSetUp(model, binding) &&
      (!isSold(model, binding) || ('rates' in binding.price && hasUnverifiedRate(binding.price))),
    isActive,
    isFromFile: ({ id }) => deps.fromFile?.has(id) ?? false,
    hasProvider: (id) => providers.has(id),
    canCancel: (id) => deps.cancellingProviders?.has(id) ?? false,
    suggestions: (name, among = () => true) =>
      nearestIds(
        models.filter((model) => isActive(model) && among(model)),
        name,
        3,
      ),
    revision: () => {
      const now = deps.clock.nowMs();
      return retirements.filter((retirement) => retirement <= now).length;
    },
  };
}

/**
 * Creates the current catalog of these models; with a `file`, a changed version of it takes force until `stopWatching`.
 */
export function createCurrentCatalog(
  deps: CatalogDeps,
  data: CatalogData,
  file: Pick<CatalogFile, 'watch'> | undefined,
): { readonly catalog: CurrentCatalog; readonly stopWatching: Cancel | undefined } {
  let inForce = createCatalog({ ...deps, ...data });
  const stopWatching = file?.watch((changed) => {
    inForce = createCatalog({ ...deps, ...changed });
  });
  return { catalog: () => inForce, stopWatching };
}
