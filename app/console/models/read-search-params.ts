/** The query of a page's URL, as Next passes it. */
export type SearchParams = Readonly<Record<string, string | string[] | undefined>>;

export function readSearchParams(params: SearchParams): URLSearchParams {
  return new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) => [value ?? []].flat().map((each) => [name, each])),
  );
}
