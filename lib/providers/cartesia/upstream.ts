/** Where the provider lives and who we are there. */
export interface Upstream {
  readonly baseUrl: string;
  readonly key: string;
}

/** The state of the API whose messages `tts.ts` speaks. */
const VERSION = '2026-08-14';

export function headersOf({ key }: Upstream): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}`, 'cartesia-version': VERSION };
}
