import { GatewayError } from '../domain/errors';
import { shown } from '../domain/phrases';
import { parseWholeNumber } from '../domain/json';

// Cursor pagination. Without `limit` everything is listed: a client that does not paginate would mistake the first page
// for the whole list.

export interface PageQuery {
  readonly limit?: number;
  readonly afterId?: string;
  readonly beforeId?: string;
}

export interface Page<Entry> {
  readonly data: readonly Entry[];
  readonly hasMore: boolean;
}

const MAX_PAGE_SIZE = 1000;

/** Reads `limit` (1 to 1000), `after_id` and `before_id`; empty values count as absent. */
export function parsePageQuery(query: URLSearchParams): PageQuery {
  const limit = query.get('limit') || undefined;
  const afterId = query.get('after_id') || undefined;
  const beforeId = query.get('before_id') || undefined;
  if (afterId !== undefined && beforeId !== undefined) {
    throw new GatewayError('conflicting_parameters', 'after_id and before_id exclude each other. Send one of them.', {
      param: 'before_id',
    });
  }
  return {
    ...(limit !== undefined && { limit: parseLimit(limit) }),
    ...(afterId !== undefined && { afterId }),
    ...(beforeId !== undefined && { beforeId }),
  };
}

/**
 * Returns the entries after a cursor, or the nearest ones before it. Throws `unsupported_value` for an unknown cursor.
 */
export function paginate<Entry extends { readonly id: string }>(
  entries: readonly Entry[],
  query: PageQuery,
): Page<Entry> {
  const limit = query.limit ?? entries.length;
  if (query.beforeId !== undefined) {
    const end = indexOf(entries, query.beforeId, 'before_id');
    const start = Math.max(0, end - limit);
    return { data: entries.slice(start, end), hasMore: start > 0 };
  }
  const start = query.afterId === undefined ? 0 : indexOf(entries, query.afterId, 'after_id') + 1;
  return { data: entries.slice(start, start + limit), hasMore: start + limit < entries.length };
}

function parseLimit(text: string): number {
  const limit = parseWholeNumber(text);
  if (limit !== undefined && limit >= 1 && limit <= MAX_PAGE_SIZE) return limit;
  throw new GatewayError('unsupported_value', `limit must be between 1 and ${MAX_PAGE_SIZE}; got ${shown(text)}.`, {
    param: 'limit',
  });
}

function indexOf(entries: readonly { readonly id: string }[], id: string, param: string): number {
  const index = entries.findIndex((entry) => entry.id === id);
  if (index >= 0) return index;
  throw new GatewayError('unsupported_value', `${param} must be an id of this list; got ${shown(id)}.`, { param });
}
