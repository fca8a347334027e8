// The lists of the API as objects, next to their schemas in fields.ts.

interface PageJson<Entry> {
  object: 'list';
  data: readonly Entry[];
  has_more: boolean;
}

/** Presents a page. `rows` were read with one more than `limit`, which shows whether there are more. */
export function presentPage<Row, Entry>(
  rows: readonly Row[],
  limit: number,
  present: (row: Row) => Entry,
): PageJson<Entry> {
  return { object: 'list', data: rows.slice(0, limit).map(present), has_more: rows.length > limit };
}

/** Returns the same page with the ids of its first and its last entry, which are null if it is empty. */
export function withPageIds<Entry extends { readonly id: string }>({ object, data, has_more }: PageJson<Entry>) {
  return { object, data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more };
}
