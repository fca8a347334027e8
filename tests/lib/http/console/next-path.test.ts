import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextPath, OVERVIEW_PATH } from '../../../../lib/http/console/next-path';

describe('the page after a sign-in', () => {
  test.each([
    '/console',
    '/console?mode=live',
    '/console/keys',
    '/console/keys?open=key_1&tab=a',
    '/console/videos/video_1',
  ])('%s is a page of the console', (next) => {
    expect(nextPath(next)).toBe(next);
  });

  test.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/console\\@evil.example',
    'https://evil.example',
    'https:evil.example',
    'https:/console',
    'http://127.0.0.1:3000/console',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)//console',
    'data:text/html,x',
    'evil.example/console',
    'console',
    '@evil.example/console',
    '%2f%2fevil.example',
    '/%2f%2fevil.example',
    '/console/%2f%2fevil.example',
    '/console/..%2f..%2fevil',
    '/%5cevil.example',
    '/console%252f%252fevil.example',
    '/console//evil.example',
    '/console/../v1/models',
    '/console/../../evil',
    '/console/./../%2e%2e/evil',
    '/\t/evil.example',
    '/\n/evil.example',
    '/console\r\nSet-Cookie: a=b',
    '/console%0d%0aSet-Cookie:a=b',
    ' //evil.example',
    '/ /evil.example',
    '/consolex',
    '/console.evil.example',
    '/v1/models',
    '/console/api/keys',
    '/console/sign-in?next=/console',
    '/console/sign-up',
    '',
    '/',
    '?',
    '#',
    `/console/${'a'.repeat(2_000)}`,
  ])('%j leads to the overview', (next) => {
    expect(nextPath(next)).toBe(OVERVIEW_PATH);
  });

  test('absent or given twice, it leads to the overview', () => {
    expect(nextPath(undefined)).toBe(OVERVIEW_PATH);
    expect(nextPath(['/console', '//evil.example'])).toBe(OVERVIEW_PATH);
  });

  test('for any value, a browser stays on the same origin and below /console', () => {
    const parts = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2f',
      '%5c',
      '%2e',
      'console',
      'api',
      'evil.example',
      '@',
      ':',
      'http:',
      '?',
      '#',
      '\t',
      '\n',
      ' ',
      'javascript:',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(parts, { maxLength: 12 }).map((all) => all.join('')),
          fc.array(parts).map((all) => `/console${all.join('')}`),
        ),
        (next) => {
          const url = new URL(nextPath(next), 'https://patchbay.example');
          expect(url.origin).toBe('https://patchbay.example');
          expect(url.pathname).toMatch(/^\/console(\/|$)/);
        },
      ),
    );
  });
});
