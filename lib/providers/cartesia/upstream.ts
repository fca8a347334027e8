/** The provider's base URL and our credentials. */
export interface Upstream {
  readonly baseUrl: string;
  readonly key: string;
}

/** The API version that `tts.ts` implements. */
const VERSION = '2026-08-14';

export function headersOf({ key }: Upstream): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}`, 'cartesia-version': VERSION };
}
