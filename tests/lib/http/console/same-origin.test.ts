import { describe, expect, test } from 'vitest';
import { checkSameOrigin, type OriginHeaders } from '../../../../lib/http/console/same-origin';

const BASE = 'https://patchbay.example';
const config = { host: '0.0.0.0', allowedHosts: ['patchbay.internal'] };
const check =
  (headers: OriginHeaders, baseUrl = BASE) =>
  () =>
    checkSameOrigin(headers, { baseUrl, config });

describe('checkSameOrigin', () => {
  test.each<[string, OriginHeaders, string?]>([
    ['the page of the base URL', { origin: BASE, host: 'patchbay.example', 'sec-fetch-site': 'same-origin' }],
    ['the same without Sec-Fetch-Site, from an older browser', { origin: BASE, host: 'patchbay.example' }],
    [
      'the page of the base URL, behind a proxy that names another host',
      { origin: BASE, host: 'internal:3000', 'sec-fetch-site': 'same-origin' },
    ],
    ['the page of an allowed host', { origin: 'https://patchbay.internal', host: 'patchbay.internal' }],
    ['a port that the scheme implies', { origin: 'https://patchbay.internal', host: 'patchbay.internal:443' }],
    ['a host in capitals', { origin: 'http://localhost:3000', host: 'LOCALHOST:3000' }, 'http://127.0.0.1:3000'],
    [
      'the page of an address, such as that of a container',
      { origin: 'http://192.168.1.5:8080', host: '192.168.1.5:8080' },
      'http://127.0.0.1:3000',
    ],
  ])('accepts %s', (_, headers, baseUrl) => {
    expect(check(headers, baseUrl)).not.toThrow();
  });

  test.each<[string, OriginHeaders]>([
    ['another site', { origin: 'https://evil.example', host: 'patchbay.example', 'sec-fetch-site': 'cross-site' }],
    [
      'another site that a browser calls the same',
      { origin: 'https://evil.example', host: 'patchbay.example', 'sec-fetch-site': 'same-origin' },
    ],
    [
      'a matching origin that the browser calls cross-site',
      { origin: BASE, host: 'patchbay.example', 'sec-fetch-site': 'cross-site' },
    ],
    ['another port', { origin: 'http://127.0.0.1:4000', host: '127.0.0.1:3000' }],
    ['a subdomain', { origin: 'https://evil.patchbay.example', host: 'patchbay.example' }],
    ['a longer name', { origin: 'https://patchbay.example.evil.example', host: 'patchbay.example' }],
    ['a frame without an origin', { origin: 'null', host: 'patchbay.example' }],
    ['nobody', { host: 'patchbay.example' }],
    ['an origin and no host', { origin: 'https://evil.example' }],
    ['no origin at all', {}],
    ['an invalid origin', { origin: 'patchbay.example', host: 'patchbay.example' }],
    [
      'a host that resolves to us and is not ours',
      { origin: 'https://evil.example', host: 'evil.example', 'sec-fetch-site': 'same-origin' },
    ],
    ['an allowed host over http', { origin: 'http://patchbay.internal', host: 'patchbay.internal' }],
    ['the base URL over http on its own host', { origin: 'http://patchbay.example', host: 'patchbay.example' }],
    ['the base URL over http', { origin: 'http://patchbay.example', host: 'internal:3000' }],
  ])('refuses %s', (_, headers) => {
    expect(check(headers)).toThrow(expect.objectContaining({ code: 'cross_origin' }));
  });
});
