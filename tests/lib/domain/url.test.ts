import { describe, expect, it } from 'vitest';
import { parseUrl } from '../../../lib/domain/url';

describe('parseUrl', () => {
  it('reads a URL, also relative to another one', () => {
    expect(parseUrl('https://example.com/a b')?.href).toBe('https://example.com/a%20b');
    expect(parseUrl('/b', 'https://example.com/a')?.href).toBe('https://example.com/b');
  });

  it.each(['', 'example.com', '//example.com', 'https://', 'https://a b'])('is undefined for %j', (text) => {
    expect(parseUrl(text)).toBeUndefined();
  });

  it('reads a host with an umlaut, however often it was called before', () => {
    let refused = 0;
    for (let call = 0; call < 50_000; call += 1) if (!parseUrl('https://bücher.example./ä')) refused += 1;
    expect(refused).toBe(0);
  });
});
