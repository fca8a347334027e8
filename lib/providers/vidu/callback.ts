import type { Clock } from '../../domain/clock';
import type { ProviderCallback } from '../../domain/video';
import { forgedCallback, hmacSha256, isRecent, isSame } from '../kit/auth/callback-signature';

// Vidu signs its calls with the API key of the order. The signed text consists of the path and the query of the URL,
// the time, and the headers that the call lists, each on a line of its own; the body is not signed. Reference:
// https://platform.vidu.com/docs/callback-signature, 2026.

const ACCESS_KEY = 'vidu';
/** Vidu's calls list two headers. With thousands, the signed text would be many times as long as the call. */
const MAX_SIGNED_HEADERS = 20;

/** Verifies a call. Throws `invalid_signature` if it is not signed with this key. */
export function verifyCallback({ url, headers }: ProviderCallback, key: string, clock: Clock): undefined {
  const { date, 'x-hmac-signature': signature, 'x-hmac-signed-headers': names } = headers;
  const { pathname, search } = new URL(url);
  const signedNames = (names ?? '').split(';', MAX_SIGNED_HEADERS + 1);
  if (signedNames.length > MAX_SIGNED_HEADERS) throw forgedCallback();
  const lines = signedNames.flatMap((name) => {
    const value = headers[name.trim().toLowerCase()];
    return value === undefined ? [] : [`${name.trim()}:${value}`];
  });
  const text = ['POST', pathname, search.slice(1), ACCESS_KEY, date ?? '', ...lines, ''].join('\n');
  const signedAt = String(Date.parse(date ?? '') / 1_000);
  if (signature === undefined || !isRecent(signedAt, clock) || !isSame(signature, hmacSha256(key, text)))
    throw forgedCallback();
  return undefined;
}
