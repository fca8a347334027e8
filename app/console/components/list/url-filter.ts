// The filters of a list in the page's URL.

/** The query of a page, of which each parameter has one value. */
export function queryOf(parameters: Readonly<Record<string, string | readonly string[] | undefined>>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The texts of the named parameters; absent ones are empty. */
export function readTexts<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  // Safe: the entries are the names.
  return Object.fromEntries(names.map((name) => [name, query.get(name)?.trim() ?? ''])) as Record<Name, string>;
}

/** Undefined instead of an empty text, which a request leaves out. */
export const someText = (value: string): string | undefined => (value === '' ? undefined : value);
