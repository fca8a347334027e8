// The filters of a list in the page's URL.

/** Returns the query of a page, with one value per parameter. */
export function queryOf(parameters: Readonly<Record<string, string | readonly string[] | undefined>>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Reads the named parameters. An absent parameter is an empty text. */
export function readTexts<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  // Safe: the entries are the names.
  return Object.fromEntries(names.map((name) => [name, query.get(name)?.trim() ?? ''])) as Record<Name, string>;
}

/** Returns undefined for an empty text, so that the request omits the parameter. */
export const someText = (value: string): string | undefined => (value === '' ? undefined : value);
