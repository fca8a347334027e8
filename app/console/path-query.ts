export type QueryValues = Readonly<Record<string, string | undefined>>;

/** Returns the query with its question mark; empty if no parameter has a value. */
export const query = (values: QueryValues) => {
  const entries = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return entries.length ? `?${new URLSearchParams(entries)}` : '';
};
