import type { Page } from './paginate';

/** A list in the format of both families of SDKs; the ids are null when it is empty. */
export function presentList<Entry extends { readonly id: string }>(page: Page<Entry>) {
  return {
    object: 'list' as const,
    data: page.data,
    has_more: page.hasMore,
    first_id: page.data[0]?.id ?? null,
    last_id: page.data.at(-1)?.id ?? null,
  };
}

/** The same without `object`, in the format of the messages API. */
export function presentCompatList<Entry extends { readonly id: string }>(page: Page<Entry>) {
  const { object: _object, ...list } = presentList(page);
  return list;
}
