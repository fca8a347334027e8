import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createGuides, guideGroups } from '../../../lib/docs/guides';
import { resolveLink, sectionsOf } from '../../../lib/docs/page';
import { projectRoot } from '../../support/project';

const directory = path.join(projectRoot, 'docs');
const baseUrl = 'https://patchbay.test';

describe('the guides', () => {
  it('are the listed files, in their groups', async () => {
    const pages = await createGuides({ directory, baseUrl }).list();
    expect(pages.map(({ group, slug }) => [group, slug])).toEqual(
      Object.entries(guideGroups).flatMap(([group, slugs]) => slugs.map((slug) => [group, slug])),
    );
    expect(new Set(pages.map(({ title }) => title)).size).toBe(pages.length);
  });

  it('call this installation in their samples', async () => {
    const api = (await createGuides({ directory, baseUrl }).list()).find(({ slug }) => slug === 'api');
    expect(api?.markdown).toContain(`export PATCHBAY=${baseUrl}`);
    expect(api?.markdown).not.toContain('http://127.0.0.1:3000');
  });

  it('link only to shown pages, to headings that exist', async () => {
    const pages = await createGuides({ directory, baseUrl }).list();
    const anchors = new Map<string, readonly string[]>(
      pages.map((page) => [`/docs/${page.slug}`, sectionsOf(page).map(({ anchor }) => anchor)]),
    );
    let links = 0;
    for (const { slug, markdown } of pages) {
      for (const [, href = ''] of markdown.replace(/^```[^]*?^```$/gm, '').matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(href)) continue;
        links += 1;
        const [target = '', anchor = ''] = resolveLink(slug, href).split('#');
        const known = anchors.get(target === '' ? `/docs/${slug}` : target);
        expect(known, `${slug}: ${href}`).toBeDefined();
        if (anchor !== '') expect(known, `${slug}: ${href}`).toContain(anchor);
      }
    }
    expect(links).toBeGreaterThan(50);
  });

  it('are read again after a failure', async () => {
    const empty = await mkdtemp(path.join(tmpdir(), 'patchbay-docs-'));
    const guides = createGuides({ directory: empty, baseUrl });
    await expect(guides.list()).rejects.toThrow('ENOENT');
    const slugs = Object.values(guideGroups).flat();
    await Promise.all(slugs.map((slug) => writeFile(path.join(empty, `${slug}.md`), `# ${slug}\n`)));
    expect(await guides.list()).toHaveLength(slugs.length);
    await rm(empty, { recursive: true });
  });
});
