import { describe, expect, it } from 'vitest';
import { createLinks } from '../../../lib/videos/links';

const linksOf = (baseUrl: string) => createLinks({ secret: 'a secret of the tests', baseUrl });

describe('isPublic', () => {
  it('is true for an https address, and false for a data URL and plain http', () => {
    const { isPublic } = linksOf('http://127.0.0.1:3000');
    expect(
      [
        'https://example.com/a.png',
        'HTTPS://example.com/a.png',
        'http://example.com/a.png',
        'data:image/png;base64,AA',
      ].map(isPublic),
    ).toEqual([true, true, false, false]);
  });

  it.each([
    ['https://patchbay.example.org', true],
    ['https://patchbay.example.org:8443/base', true],
    ['https://8.8.8.8', true],
    ['https://[2606:4700::1111]', true],
    ['http://patchbay.example.org', false],
    ['https://127.0.0.1:3000', false],
    ['https://192.168.1.5', false],
    ['https://[fd00::1]', false],
    ['https://localhost', false],
    ['https://patchbay', false],
    ['https://patchbay.local', false],
    ['https://patchbay.internal', false],
  ])('of a link of %s is %s', (baseUrl, isReachable) => {
    const links = linksOf(baseUrl);
    expect(links.isPublic(links.sign('video_1', 2_000_000_000))).toBe(isReachable);
    expect(links.isPublic('https://example.com/a.png')).toBe(true);
  });
});
