import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documents } from '../../../../lib/http/routes';
import { sectionsOf } from '../../../../lib/docs/page';
import { startEdge, type RunningEdge } from '../../../support/edge';

let edge: RunningEdge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.close());

describe('GET /llms.txt', () => {
  it('links to the Markdown of every page, and each link works', async () => {
    const text = await (await edge.fetch('/llms.txt')).text();
    expect(text).toMatch(/^# Patchbay\n\n> /);
    const links = [...text.matchAll(/\]\((\S+)\)/g)].map(([, link = '']) => link);
    expect(links).toHaveLength((await documents.pages(edge.gateway)).length);
    for (const link of links) {
      const response = await edge.fetch(link.replace(edge.gateway.baseUrl, ''));
      expect([link, response.status, response.headers.get('content-type')]).toEqual([
        link,
        200,
        'text/markdown; charset=utf-8',
      ]);
      expect(await response.text()).toMatch(/^# /);
    }
  });
});

describe('GET /llms-full.txt', () => {
  it('contains every page', async () => {
    const text = await (await edge.fetch('/llms-full.txt')).text();
    for (const { title } of await documents.pages(edge.gateway)) expect(text).toContain(`# ${title}\n`);
  });
});

describe('GET /docs/{page}.md', () => {
  it('is 404 for a page that does not exist', async () => {
    const response = await edge.fetch('/docs/nothing.md');
    expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'route_not_found' } }]);
  });

  it('is not sent again to a client that has it', async () => {
    const etag = (await edge.fetch('/docs/videos.md')).headers.get('etag') ?? '';
    expect((await edge.fetch('/docs/videos.md', { headers: { 'if-none-match': etag } })).status).toBe(304);
  });
});

describe('the reference', () => {
  it('has a page for each tag, with every operation', async () => {
    const pages = (await documents.pages(edge.gateway)).filter(({ slug }) => slug.startsWith('reference/'));
    const videos = pages.find(({ slug }) => slug === 'reference/videos');
    expect(sectionsOf(videos!).map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Submit a video', 'List videos', 'Read a video', 'Objects', 'Video', 'VideoRequest']),
    );
    expect(videos?.markdown).toContain('`POST /v1/videos`');
    expect(videos?.markdown).toContain('| `usage.duration_seconds` | number |');
    // As in lib/contract/videos.ts, with the default of the query.
    expect(videos?.markdown).toContain(
      '| `limit` | query | integer | The maximum number of entries on the page. Default: `20`. |',
    );
  });

  it('describes what a webhook sends', async () => {
    const page = (await documents.pages(edge.gateway)).find(({ slug }) => slug === 'reference/webhooks');
    expect(sectionsOf(page!).map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Events', 'video.completed', 'video.failed', 'Video']),
    );
    expect(page?.markdown).toContain('| `webhook-signature` | header | string |');
  });

  it('links only to headings that exist', async () => {
    for (const page of await documents.pages(edge.gateway)) {
      const anchors = new Set(sectionsOf(page).map(({ anchor }) => anchor));
      const own = [...page.markdown.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
      expect([page.slug, own.filter((anchor) => !anchors.has(anchor))]).toEqual([page.slug, []]);
    }
  });
});
