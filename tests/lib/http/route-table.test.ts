import { describe, expect, it } from 'vitest';
import { routeTable } from '../../../lib/http/routes';

const id = 'video_0123456789abcdef0123456789abcdef';

/** [path as sent, pattern that answers it, or 'refused', 'unknown' (our 404), 'page' (Next's)] */
const table: readonly (readonly [string, string])[] = [
  ['/', '/'],
  ['/v1/videos', '/v1/videos'],
  [`/v1/videos/${id}`, '/v1/videos/:id'],
  [`/v1/videos/${id}/content`, '/v1/videos/:id/content'],
  [`/v1/videos/${id}/cancel`, '/v1/videos/:id/cancel'],
  ['/v1/models', '/v1/models'],
  ['/v1/models/sora-2', '/v1/models/*model'],
  ['/v1/models/acme/x', '/v1/models/*model'],
  ['/v1/models/acme%2Fx', '/v1/models/*model'],
  ['/v1/models/acme%2fx', '/v1/models/*model'],
  ['/v1/models/a:b', '/v1/models/*model'],
  ['/v1/models/a%20b', '/v1/models/*model'],
  ['/v1/models_compat', '/v1/models_compat'],
  ['/v1/%76ideos', '/v1/videos'],
  ['/%76%31/videos', '/v1/videos'],
  ['/internal/models', '/internal/models'],
  ['/v1/videos/%252e%252e', '/v1/videos/:id'],
  ['/v1/videos/a%252fb', '/v1/videos/:id'],
  ['/v1/videos/a%3Fb', '/v1/videos/:id'],
  ['/v1/videos/a%23b', '/v1/videos/:id'],
  ['/v1/videos/%C3%A9', '/v1/videos/:id'],
  ['/v1/videos/...', '/v1/videos/:id'],
  ['/v1/videos/..a', '/v1/videos/:id'],
  ['/v1/videos/a..', '/v1/videos/:id'],
  ['/v1', 'unknown'],
  ['/v1/', 'unknown'],
  ['/internal', 'unknown'],
  ['/internal/', 'unknown'],
  ['/v1/videos/', 'unknown'],
  ['/v1/models/', 'unknown'],
  ['/v1/models/a/', 'unknown'],
  [`/v1/videos/${id}/`, 'unknown'],
  [`/v1/videos/${id}/content/`, 'unknown'],
  [`/v1/videos/${id}/content/x`, 'unknown'],
  ['/v1/videos;x=1', 'unknown'],
  ['/v1/Videos', 'unknown'],
  ['/v1/videos.json', 'unknown'],
  ['/v1/videos%20', 'unknown'],
  ['/v1/console', 'unknown'],
  ['/internal/models/x', 'unknown'],
  ['/v2/videos', 'page'],
  ['/V1/videos', 'page'],
  ['/v1x', 'page'],
  ['/console', 'page'],
  ['/console/%5Bid%5D', 'page'],
  ['/_next/static/chunks/a%2Fb.js', 'refused'],
  ['/_next/static/chunks/%5Ba%5D~b.js', 'page'],
  ['/_next/../console/api/keys', 'refused'],
  ['/_next/%2e%2e/console/api/keys', 'refused'],
  ['/_next//console', 'refused'],
  ['/videos', 'unknown'],
  ['/models/acme/x', 'unknown'],
  ['/videos/x/y/z', 'page'],
  ['//v1/videos', 'refused'],
  ['/v1//videos', 'refused'],
  ['/v1/videos//', 'refused'],
  ['//', 'refused'],
  ['//evil.example/v1/videos', 'refused'],
  ['/v1/../v1/videos', 'refused'],
  ['/console/../v1/videos', 'refused'],
  ['/v1/videos/..', 'refused'],
  ['/v1/videos/.', 'refused'],
  ['/v1/./videos', 'refused'],
  ['/..', 'refused'],
  ['/v1/%2e%2e/videos', 'refused'],
  ['/v1/%2E./videos', 'refused'],
  ['/v1/.%2e/videos', 'refused'],
  ['/v1/%2e/videos', 'refused'],
  ['/v1%2fvideos', 'refused'],
  ['/v1%2Fvideos', 'refused'],
  ['/%2fv1/videos', 'refused'],
  ['/v1/videos%2f', 'refused'],
  [`/v1/videos/${id}%2fcontent`, 'refused'],
  ['/v1/models%2facme%2fx', 'refused'],
  ['/v1/models/..%2f..%2fvideos', 'refused'],
  ['/v1/models/a%2f%2fb', 'refused'],
  ['/v1/models/%2fa', 'refused'],
  ['/v1/models/../videos', 'refused'],
  ['/v1/models/a%5cb', 'refused'],
  ['/v1\\videos', 'refused'],
  ['\\v1\\videos', 'refused'],
  ['/v1/%5cvideos', 'refused'],
  ['/v1/videos%5C', 'refused'],
  ['/v1/..\\videos', 'refused'],
  ['/v1/videos%00', 'refused'],
  ['/v1/videos/%00', 'refused'],
  ['/v1/models/a%00', 'refused'],
  ['/v1/videos%0a', 'refused'],
  ['/v1/videos%0d%0aX-A:%20b', 'refused'],
  ['/v1/videos%09', 'refused'],
  ['/v1/videos%7f', 'refused'],
  ['/v1/videos\u0000', 'refused'],
  ['/v1/videos ', 'refused'],
  ['/v1/vidéos', 'refused'],
  ['/v1/videos/%', 'refused'],
  ['/v1/videos/%zz', 'refused'],
  ['/v1/videos/%c0%af', 'refused'],
  ['/v1/videos/%c0%2e', 'refused'],
  ['/v1/videos/%ff', 'refused'],
  ['/v1/videos/%u002e', 'refused'],
  ['/v1/videos/%ed%a0%80', 'refused'],
  ['http://127.0.0.1/v1/videos', 'refused'],
  ['v1/videos', 'refused'],
  ['*', 'refused'],
  ['', 'refused'],
];

function placeOf(path: string): string {
  const destination = routeTable.find(path);
  if (destination.kind === 'refused') expect(destination.error.code).toBe('invalid_path');
  return destination.kind === 'route' ? destination.endpoint.pattern : destination.kind;
}

describe('a path', () => {
  it('table has its rows', () => expect(table.length).toBeGreaterThanOrEqual(90));

  it.each(table)('%j belongs to %s', (path, place) => {
    expect(placeOf(path)).toBe(place);
  });

  it('returns a model id decoded, however its slash is encoded', () => {
    for (const path of ['/v1/models/acme/x', '/v1/models/acme%2Fx'])
      expect(routeTable.find(path)).toMatchObject({ path: '/v1/models/acme/x', params: { model: 'acme/x' } });
  });
});
