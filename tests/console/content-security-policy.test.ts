import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile } from '../support/console';
import { projectRoot } from '../support/project';

// Every page has a policy with a nonce of its own, no script or style of a page is without it, and the parts that add
// styles while a page is open work under it.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const running = consoleOfFile('viewer');

const pages = [
  ['the sign-in', '/console/sign-in', 200],
  ['signing up', '/console/sign-up', 200],
  ['an invitation', '/console/invitation', 200],
  ['an unknown path of the console', '/console/nothing', 404],
  ['the documentation', '/docs', 200],
  ['a page of the documentation', '/docs/videos', 200],
  ['the search in the documentation', '/docs/search?q=video', 200],
  ['an unknown page of the documentation', '/docs/nothing', 404],
  ['an unknown path', '/nothing', 404],
  ['an unknown path with an extension', '/nothing/at/all.php', 404],
  ['an unknown file of the browser library', '/audio/nothing.js', 404],
  ['an unknown path of Next', '/_next/nothing', 404],
  ['a path that begins as a route of the API', '/livez-and-more', 404],
  ['an unknown path below /api', '/api/nothing', 404],
] as const;

describe.skipIf(skipReason)('the content security policy', () => {
  test.each(pages)(
    'of %s has a nonce, which every script and style of the page has too',
    async (_, urlPath, status) => {
      const read = async () => {
        const response = await fetch(`${running.product.baseUrl}${urlPath}`, { headers: { accept: 'text/html' } });
        expect(response.status).toBe(status);
        const policies = response.headers.get('content-security-policy') ?? '';
        const html = await response.text();
        return { headers: response.headers, policies, html, nonce: /'nonce-([^']+)'/.exec(policies)?.[1] };
      };
      const { headers, policies, html, nonce } = await read();
      expect(nonce).toBeDefined();
      expect((await read()).nonce).not.toBe(nonce);
      const directive = (name: string) => policies.split('; ').find((each) => each.startsWith(`${name} `));
      expect(directive('default-src')).toBe("default-src 'none'");
      expect(directive('script-src')).toBe(`script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`);
      expect(directive('style-src')).toMatch(/^style-src 'self' 'nonce-[^']+'(?: 'sha256-[^']+'){2}$/);
      expect(directive('frame-ancestors')).toBe("frame-ancestors 'none'");
      expect(policies).not.toMatch(/unsafe-eval|https?:|,/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      const tags = html.match(/<(?:script|style)\b[^>]*>/g) ?? [];
      expect(tags.length).toBeGreaterThan(0);
      expect(tags.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([]);
    },
  );

  test('of a signed-in page allows the styles of menus, dialogs and toasts', async () => {
    const { page, complaints } = await running.open('/console?mode=test');
    const locked = () => page.evaluate(() => getComputedStyle(document.body).overflow);
    await page.getByRole('button', { name: 'Rotate…' }).filter({ visible: true }).first().click();
    await page.getByRole('dialog').waitFor();
    // The style element of an open dialog.
    expect(await locked()).toBe('hidden');
    await page.keyboard.press('Escape');
    await page.route('**/api/auth/signout', (route) => route.abort());
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    const toast = page.locator('[data-sonner-toast]');
    await toast.waitFor();
    // The styles of the toasts place them over the page.
    expect(await page.locator('[data-sonner-toaster]').evaluate((list) => getComputedStyle(list).position)).toBe(
      'fixed',
    );
    expect(complaints.filter((text) => /Content Security Policy/i.test(text))).toEqual([]);
  });

  test('names the styles of the installed package of toasts', () => {
    const source = readFileSync(path.join(projectRoot, 'node_modules/sonner/dist/index.mjs'), 'utf8');
    // Safe: the pattern matches a string of JavaScript without single quotes around it.
    const styles = JSON.parse(/__insertCSS\(("(?:[^"\\]|\\.)*")\)/.exec(source)![1]!) as string;
    const hash = createHash('sha256').update(styles).digest('base64');
    expect(readFileSync(path.join(projectRoot, 'proxy.ts'), 'utf8')).toContain(`'sha256-${hash}'`);
  });
});

test('an answer of the API is no page', async () => {
  const urlPaths = ['/livez', '/v1/models', '/v1/nothing', '/openapi.json', '/docs/videos.md', '/docs/nothing.md'];
  for (const urlPath of [...urlPaths, '/internal/nothing', '/api/auth/providers', '/_next/static/nothing.js']) {
    const { headers } = await fetch(`${running.product.baseUrl}${urlPath}`);
    expect([urlPath, headers.get('content-type')]).not.toEqual([urlPath, expect.stringContaining('text/html')]);
  }
});

test('a file of the browser library is no page of another type', async () => {
  for (const file of ['/audio/patchbay-audio.js', '/icon.svg']) {
    const response = await fetch(`${running.product.baseUrl}${file}`);
    expect([file, response.status, response.headers.get('x-content-type-options')]).toEqual([file, 200, 'nosniff']);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  }
});
