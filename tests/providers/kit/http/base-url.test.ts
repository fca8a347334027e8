import { describe, expect, it } from 'vitest';
import { findBaseUrl, socketUrl } from '../../../../lib/providers/kit/http/base-url';

describe('findBaseUrl', () => {
  it("uses the operator's URL, or the provider's own, without a trailing slash", () => {
    expect(findBaseUrl({}, 'ACME_BASE_URL', 'https://api.acme.example')).toBe('https://api.acme.example');
    expect(
      findBaseUrl({ ACME_BASE_URL: 'http://127.0.0.1:9/acme//' }, 'ACME_BASE_URL', 'https://api.acme.example'),
    ).toBe('http://127.0.0.1:9/acme');
  });

  it('refuses an invalid URL at start', () => {
    for (const text of ['api.acme.example', 'wss://api.acme.example', 'nothing at all']) {
      expect(() => findBaseUrl({ ACME_BASE_URL: text }, 'ACME_BASE_URL', 'https://api.acme.example')).toThrow(
        'ACME_BASE_URL must be an http or https URL, such as https://api.acme.example.',
      );
    }
  });
});

describe('socketUrl', () => {
  it('keeps the encryption and the path of a proxy, and repeats list parameters', () => {
    expect(
      socketUrl('https://api.acme.example/proxy', '/v1/listen', {
        model: 'a b',
        language: undefined,
        hint: ['de', 'en'],
      }),
    ).toBe('wss://api.acme.example/proxy/v1/listen?model=a+b&hint=de&hint=en');
    expect(socketUrl('http://127.0.0.1:9', '/')).toBe('ws://127.0.0.1:9/');
  });
});
