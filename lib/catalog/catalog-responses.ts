import { createHash } from 'node:crypto';
import { withPageIds } from '../contract/present-page';
import { GatewayError } from '../domain/errors';
import type { Capability, Model } from '../domain/model';
import { withBindings } from './binding-facts';
import type { Catalog, CatalogFilter, CurrentCatalog } from './catalog';
import type { MayUse } from './may-use';
import { paginate, parsePageQuery } from './paginate';
import type { PageQuery } from './paginate';
import { conversesInMessages, presentCompatModel } from './present-compat';
import { presentInternalModel } from './present-internal';
import { presentModel } from './present';
import { anyOf, shown } from '../domain/phrases';
import { isUsable, modelNotFound, resolveModelName } from './resolve';

// The response bodies of the catalog's endpoints, cached as bytes with their ETags. The catalog is read often and
// almost never changes, and must be available without the database. A changed CATALOG_FILE replaces it; the clock can
// change it too, which `revision` reflects.

export interface CatalogPage {
  readonly body: Buffer;
  /** Strong, with its quotes. */
  readonly etag: string;
}

export interface ModelPage extends CatalogPage {
  /** For the deprecation and sunset headers. */
  readonly model: Model;
}

/**
 * The catalog as one caller sees it. Absent fields have no effect; responses that depend on any of them are not cached.
 */
export interface CatalogView {
  /** What its key may use. */
  readonly mayUse?: MayUse;
  /** The catalog in force, as its organisation sees it. */
  readonly catalog?: Catalog;
}

export interface CatalogResponses {
  /** `GET /v1/models`: reads include_deactivated, exclude_deprecated, limit, after_id, before_id. */
  models(query: URLSearchParams, view?: CatalogView): CatalogPage;
  /**
   * `GET /v1/models/{model}`: a decoded id, alias or pinned name; reads include_deactivated. Rejects as
   * `resolveModelName` does.
   */
  model(name: string, query: URLSearchParams, view?: CatalogView): ModelPage;
  /** `GET /v1/models_compat`: reads limit, after_id, before_id. */
  compat(query: URLSearchParams, view?: CatalogView): CatalogPage;
  /** `GET /internal/models`: reads type; active models only. Rejects with `unsupported_value` for an unknown type. */
  internal(query: URLSearchParams, view?: CatalogView): CatalogPage;
}

/**
 * Responses with a cursor or a limit have unlimited variants, so only this many are cached. The catalog itself bounds
 * the number of all other responses.
 */
const MAX_PAGE_BODIES = 64;

/**
 * Creates the responses of the catalog in force. Each is built for its first request: building all of them takes 30 ms,
 * which would delay every start.
 */
export function createCatalogResponses(current: CurrentCatalog): CatalogResponses {
  let catalog = current();
  let responses = responsesOf(catalog);
  const inForce = () => {
    const now = current();
    if (now !== catalog) {
      catalog = now;
      responses = responsesOf(now);
    }
    return responses;
  };
  return {
    models: (query, view) => inForce().models(query, view),
    model: (name, query, view) => inForce().model(name, query, view),
    compat: (query, view) => inForce().compat(query, view),
    internal: (query, view) => inForce().internal(query, view),
  };
}

function responsesOf(catalog: Catalog): CatalogResponses {
  const whole = new Map<string, CatalogPage>();
  const cut = new Map<string, CatalogPage>();
  let keptRevision = catalog.revision();

  const keep = (pages: Map<string, CatalogPage>, key: string, present: () => unknown): CatalogPage => {
    const revision = catalog.revision();
    if (revision !== keptRevision) {
      whole.clear();
      cut.clear();
      keptRevision = revision;
    }
    const known = pages.get(key);
    if (known) return known;
    const page = pageFrom(present());
    pages.set(key, page);
    return page;
  };
  const keepList = (key: string, query: PageQuery, present: () => unknown): CatalogPage => {
    if (isWhole(query)) return keep(whole, key, present);
    const oldest = cut.size >= MAX_PAGE_BODIES ? cut.keys().next().value : undefined;
    if (oldest !== undefined) cut.delete(oldest);
    return keep(cut, `${key} ${query.limit} ${query.afterId} ${query.beforeId}`, present);
  };

  const list = (filter: CatalogFilter, mayUse: MayUse | undefined) => narrow(catalog.list(filter), mayUse);

  const modelsJson = (
    filter: CatalogFilter,
    page: PageQuery,
    { mayUse, catalog: seen = catalog }: CatalogView = {},
  ) => {
    const { data, hasMore } = paginate(list(filter, mayUse), page);
    return withPageIds({ object: 'list', data: data.map((model) => presentModel(seen, model)), has_more: hasMore });
  };
  const compatJson = (query: PageQuery, { mayUse }: CatalogView = {}) => {
    // Newest first, as clients of this list expect; models of the same day are in catalog order.
    const entries = list({}, mayUse)
      .filter(conversesInMessages)
      .toSorted((one, other) => other.created - one.created);
    const { data, hasMore } = paginate(entries, query);
    // The lists of the messages API have no `object`.
    const { object: _object, ...page } = withPageIds({
      object: 'list',
      data: data.map(presentCompatModel),
      has_more: hasMore,
    });
    return page;
  };
  const internalJson = (type: string | undefined, { mayUse, catalog: seen = catalog }: CatalogView = {}) => ({
    data: list({}, mayUse)
      .filter((model) => type === undefined || model.capability === type)
      .map((model) => presentInternalModel(seen, model)),
  });

  return {
    models(query, view) {
      const filter = {
        includeDeactivated: includesDeactivated(query),
        excludeDeprecated: query.get('exclude_deprecated') === 'true',
      };
      const page = parsePageQuery(query);
      if (view) return pageFrom(modelsJson(filter, page, view));
      return keepList(`models ${filter.includeDeactivated} ${filter.excludeDeprecated}`, page, () =>
        modelsJson(filter, page),
      );
    },
    model(name, query, view) {
      const { mayUse, catalog: seen = catalog } = view ?? {};
      const among = (model: Model) => isUsable(model, mayUse);
      const { model, pin } = resolveModelName(catalog, name, { among, includeDeactivated: includesDeactivated(query) });
      const [narrowed] = narrow([model], mayUse);
      if (!narrowed) throw modelNotFound(catalog, name.slice(name.indexOf('/') + 1), among);
      const present = () => presentModel(seen, narrowed);
      return {
        ...(view ? pageFrom(present()) : keep(whole, `model ${pin ?? ''}/${model.id}`, present)),
        model: narrowed,
      };
    },
    compat(query, view) {
      const page = parsePageQuery(query);
      return view ? pageFrom(compatJson(page, view)) : keepList('compat', page, () => compatJson(page));
    },
    internal(query, view) {
      const type = query.get('type') || undefined;
      if (type !== undefined && !types.includes(type)) {
        throw new GatewayError(
          'unsupported_value',
          `type must be ${anyOf(types)}; got ${shown(type)}. Leave it out for all models.`,
          { param: 'type', details: { allowed: types } },
        );
      }
      return view
        ? pageFrom(internalJson(type, view))
        : keep(whole, `internal ${type ?? ''}`, () => internalJson(type));
    },
  };
}

const types: readonly string[] = ['video', 'messages', 'stt', 'tts'] satisfies readonly Capability[];

function includesDeactivated(query: URLSearchParams): boolean {
  return query.get('include_deactivated') === 'true';
}

function isWhole(query: PageQuery): boolean {
  return query.limit === undefined && query.afterId === undefined && query.beforeId === undefined;
}

function narrow(models: readonly Model[], mayUse: MayUse | undefined): readonly Model[] {
  if (!mayUse) return models;
  return models.flatMap((model) => {
    const bindings = model.bindings.filter((binding) => mayUse(model, binding));
    // Safe: these are bindings of the same model, so they have its capability.
    return bindings.length > 0 ? [withBindings(model, bindings as Model['bindings'])] : [];
  });
}

function pageFrom(json: unknown): CatalogPage {
  const body = Buffer.from(JSON.stringify(json));
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}
