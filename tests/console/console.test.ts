import { beforeAll, describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile, cookieHeader, fillIn, keptBy, openOverview } from '../support/console';
import type { Product } from '../support/product';

// The console as users see it: the built product and a real browser.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const running = consoleOfFile('viewer');
let product: Product;

describe.skipIf(skipReason)('the console', () => {
  beforeAll(async () => {
    product = running.product;
  });

  describe('signing in', () => {
    test('a wrong password and an unknown e-mail address get the same answer', async () => {
      const { page } = await running.visit();
      await page.goto(`${product.baseUrl}/console`);
      const told: string[] = [];
      for (const credentials of [
        { email: product.firstRun.owner.email, password: 'not the password' },
        { email: 'nobody@example.com', password: 'not the password' },
      ]) {
        await fillIn(page, credentials);
        const alert = page.getByRole('alert').filter({ hasText: 'wrong' });
        await alert.waitFor();
        told.push(await alert.innerText());
        await page.reload();
      }
      expect(told).toEqual([
        'The e-mail address or the password is wrong.',
        'The e-mail address or the password is wrong.',
      ]);
    });

    test('leads to the requested page', async () => {
      const { page } = await running.signIn({ path: '/console?mode=live' });
      expect(page.url()).toBe(`${product.baseUrl}/console?mode=live`);
    });

    test.each([
      '/console/playground?model=sandbox-i2v&seconds=3',
      '/console/models/sandbox-t2v?seconds=8&size=640x360',
      '/console/usage?range=7d&by=key',
    ])('leads back to %s, with its query', async (path) => {
      const { page } = await running.visit();
      await page.goto(product.baseUrl + path);
      expect(new URL(page.url()).searchParams.get('next')).toBe(path);
    });

    test('with a ?next= of another origin leads to the overview', async () => {
      const { page } = await running.signIn({ path: `/console/sign-in?next=${encodeURIComponent('//evil.example')}` });
      expect(page.url()).toBe(`${product.baseUrl}/console`);
      // A signed-in user is redirected at once.
      for (const next of [
        '/\\evil.example',
        'https://evil.example/console',
        'javascript:alert(1)',
        '/%2f%2fevil.example',
      ]) {
        await page.goto(`${product.baseUrl}/console/sign-in?next=${encodeURIComponent(next)}`);
        expect(page.url()).toBe(`${product.baseUrl}/console`);
      }
    });

    test('the form works with a password manager', async () => {
      const { page } = await running.visit();
      await page.goto(`${product.baseUrl}/console/sign-in`);
      expect(await page.getByLabel('E-mail').getAttribute('autocomplete')).toBe('username');
      expect(await page.getByLabel('Password', { exact: true }).getAttribute('autocomplete')).toBe('current-password');
    });

    test('what is submitted before the scripts have loaded signs in when they have, and never puts a password into a URL', async () => {
      const { page, complaints } = await running.visit();
      const urls: string[] = [];
      page.on('request', (request) => urls.push(request.url()));
      let releaseScripts = () => {};
      const released = new Promise<void>((resolve) => (releaseScripts = resolve));
      await page.route('**/*.js', async (route) => {
        await released;
        await route.continue();
      });
      await page.goto(`${product.baseUrl}/console/sign-in`, { waitUntil: 'commit' });
      await fillIn(page, product.firstRun.owner);
      releaseScripts();
      await page.waitForURL(`${product.baseUrl}/console`);
      await page.getByRole('main').waitFor();
      expect(complaints).toEqual([]);
      expect(urls.filter((each) => each.includes(product.firstRun.owner.password))).toEqual([]);
    });

    test('without scripts the form sends nothing', async () => {
      const { page } = await running.visit({ javaScriptEnabled: false });
      await page.goto(`${product.baseUrl}/console/sign-in`);
      const urls: string[] = [];
      page.on('request', (request) => urls.push(request.url()));
      await fillIn(page, product.firstRun.owner);
      await page.locator('noscript p').waitFor();
      expect(urls).toEqual([]);
    });

    test('the cookie is HttpOnly, SameSite=Lax and lives for seven days', async () => {
      const { context } = await running.signIn();
      const cookie = (await context.cookies()).find(({ name }) => name === 'patchbay-sign-in');
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', secure: false });
      expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeCloseTo(7 * 24 * 60 * 60, -3);
    });

    test('without a sign-in nothing of the account is shown, whatever headers and suffixes are tried', async () => {
      const tries: [string, Record<string, string>][] = [
        ['/console', {}],
        ['/console?_rsc=1', { rsc: '1' }],
        ['/console.rsc', {}],
        ['/console/', {}],
        ['/console', { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' }],
        ['/console', { 'x-middleware-subrequest': 'src/proxy', 'x-forwarded-host': 'evil.example' }],
        ['//console', {}],
        ['/console%2f', {}],
        ['/en/console', {}],
        ['/_next/data/x/console.json', {}],
        ['/console/api/keys', {}],
        ['/console/api/keys?_rsc=1', { rsc: '1', 'x-middleware-subrequest': 'proxy' }],
        ['/console/api/credits', { cookie: 'patchbay-sign-in=nonsense' }],
        ['/console/api/webhook-secret', { authorization: 'Basic b3duZXI6eA==' }],
      ];
      for (const [path, headers] of tries) {
        const response = await fetch(product.baseUrl + path, { headers, redirect: 'manual' });
        const text = await response.text();
        expect(`${path} ${text}`).not.toMatch(/First (?:test|live) key|owner@patchbay|whsec_|"available"/);
        expect(response.status, path).toBeGreaterThanOrEqual(300);
      }
    });

    test('/v1 never reads the cookie', async () => {
      const { context } = await openOverview(running);
      const response = await fetch(`${product.baseUrl}/v1/videos`, {
        headers: { cookie: await cookieHeader(context) },
      });
      expect(response.status).toBe(401);
    });
  });

  describe('a page of another origin', () => {
    test.each([
      ['POST', '/console/api/keys'],
      ['PATCH', '/console/api/keys/key_0'],
      ['DELETE', '/console/api/keys/key_0'],
      ['POST', '/console/api/keys/key_0/rotate'],
      ['POST', '/console/api/webhook-secret/rotate'],
      ['POST', '/console/api/webhook-deliveries/msg_0/resend'],
      ['POST', '/console/api/credits/refill'],
      ['POST', '/console/api/sign-up'],
      ['POST', '/console/api/sign-out-everywhere'],
      ['POST', '/api/auth/callback/credentials'],
      ['POST', '/api/auth/signout'],
    ])('cannot %s %s with the cookie of an owner', async (method, path) => {
      signedIn ??= await cookieHeader((await openOverview(running)).context);
      const headers = {
        cookie: signedIn,
        'content-type': 'application/json',
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
      };
      const request: RequestInit = { method, headers, body: '{}' };
      const response = await fetch(product.baseUrl + path, request);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ error: { code: 'cross_origin' } });
    });
    let signedIn: string | undefined;
  });

  describe('a viewer', () => {
    test('sees no control that changes anything, and direct requests are refused', async () => {
      const { page, context } = await running.signIn({ as: product.person });
      await page.getByText('First test key').waitFor();
      for (const name of [/create/i, /^Actions for/, /refill/i, /^revoke/i, /reveal/i])
        expect(await page.getByRole('button', { name }).count()).toBe(0);
      expect(await page.getByRole('link', { name: /create/i }).count()).toBe(0);
      const headers = {
        cookie: await cookieHeader(context),
        'content-type': 'application/json',
        origin: product.baseUrl,
      };
      const made = await fetch(`${product.baseUrl}/console/api/keys`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name: 'x', mode: 'test' }),
      });
      const secret = await fetch(`${product.baseUrl}/console/api/webhook-secret`, { headers });
      expect([made.status, secret.status]).toEqual([403, 403]);
    });
  });

  describe('the page', () => {
    test('keeps no key, no secret of webhooks and no password', async () => {
      const { page } = await openOverview(running);
      const kept = await keptBy(page);
      const { keys, owner, webhook_secret } = product.firstRun;
      for (const secret of [keys.test, keys.live, webhook_secret, owner.password]) expect(kept).not.toContain(secret);
      expect(kept).not.toMatch(/pb_(?:test|live)_[0-9A-Za-z]{36}|whsec_/);
    });

    test.each([
      [1440, 'light'],
      [390, 'dark'],
    ] as const)(
      'at %i px in the %s theme nothing is wider than the window, and the browser logs no error',
      async (width, colorScheme) => {
        const { page, complaints } = await openOverview(running, { viewport: { width, height: 800 }, colorScheme });
        const overflow = () =>
          page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect(await overflow()).toBe(0);
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
        expect(await overflow()).toBe(0);
        const [red = 0] = await page.evaluate(paintedBackground);
        expect(red > 127).toBe(colorScheme === 'light');
        expect(complaints).toEqual([]);
      },
    );

    test('the chosen theme is in the first byte', async () => {
      const { page, context } = await openOverview(running, { colorScheme: 'light' });
      await page.getByRole('button', { name: /^Theme:/ }).click();
      await page.getByRole('button', { name: /^Theme: light/ }).click();
      const html = await (
        await fetch(`${product.baseUrl}/console`, { headers: { cookie: await cookieHeader(context) } })
      ).text();
      expect(html).toMatch(/<html[^>]* data-theme="dark"/);
    });

    test('has one h1, landmarks, a title and a skip link; focus is visible', async () => {
      const { page } = await openOverview(running);
      expect(await page.title()).toBe('Overview · Patchbay');
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      expect(await page.getByRole('main').count()).toBe(1);
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
      for (let presses = 0; presses < 8; presses += 1) {
        await page.keyboard.press('Tab');
        expect(
          await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle),
        ).not.toBe('none');
      }
    });

    test('an unknown path has a 404 page', async () => {
      const { page } = await running.visit();
      for (const path of ['/nowhere', '/console/nowhere']) {
        const response = await page.goto(product.baseUrl + path);
        expect(response?.status()).toBe(404);
        await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
      }
    });
  });

  describe('signing out', () => {
    test('ends the sign-in itself: a copy of its cookie opens no page and no endpoint, and no other sign-in ends', async () => {
      const { page, context } = await running.signIn();
      const other = await running.signIn();
      const headers = {
        cookie: await cookieHeader(context),
        origin: product.baseUrl,
        'content-type': 'application/json',
      };
      const credits = async (cookie: string) =>
        (await fetch(`${product.baseUrl}/console/api/credits`, { headers: { cookie } })).status;
      expect(await credits(headers.cookie)).toBe(200);
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();

      const made = await fetch(`${product.baseUrl}/console/api/keys`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name: 'x', mode: 'test' }),
      });
      const shown = await fetch(`${product.baseUrl}/console`, { headers, redirect: 'manual' });
      const session = await fetch(`${product.baseUrl}/api/auth/session`, { headers });
      expect([made.status, await credits(headers.cookie), shown.status, shown.headers.get('location')]).toEqual([
        401,
        401,
        307,
        expect.stringContaining('/console/sign-in'),
      ]);
      expect(await session.json()).toEqual({});
      expect(await credits(await cookieHeader(other.context))).toBe(200);
    });

    test('by changing the password ends the other sign-ins of the user, but not this one', async () => {
      const [here, elsewhere] = [
        await running.signIn({ as: product.person, path: '/console/account' }),
        await running.signIn({ as: product.person }),
      ];
      const cookie = await cookieHeader(elsewhere.context);
      await here.page.getByLabel('New password').fill('battery staple correct');
      await here.page.getByRole('button', { name: 'Change password' }).click();
      await here.page.getByText('Your password was changed').waitFor();
      expect((await fetch(`${product.baseUrl}/console/api/credits`, { headers: { cookie } })).status).toBe(401);
      await here.page.reload();
      await here.page.getByRole('heading', { name: 'Your account' }).waitFor();
      const again = await running.signIn({
        as: { ...product.person, password: 'battery staple correct' },
        path: '/console/account',
      });
      await again.page.getByLabel('New password').fill(product.person.password);
      await again.page.getByRole('button', { name: 'Change password' }).click();
      await again.page.getByText('Your password was changed').waitFor();
      expect(here.complaints).toEqual([]);
    });

    test('and entering the password again each leave one sign-in of the browser', async () => {
      const { context } = await running.signIn();
      const first = await cookieHeader(context);
      const { request } = context;
      const { csrfToken } = (await (await request.get(`${product.baseUrl}/api/auth/csrf`)).json()) as {
        csrfToken: string;
      };
      const { email, password } = product.firstRun.owner;
      await request.post(`${product.baseUrl}/api/auth/callback/credentials`, {
        form: { email, password, csrfToken, json: 'true' },
        headers: { origin: product.baseUrl },
      });
      const second = await cookieHeader(context);
      expect(second).not.toBe(first);
      const credits = async (cookie: string) =>
        (await fetch(`${product.baseUrl}/console/api/credits`, { headers: { cookie } })).status;
      await expect.poll(() => credits(first), { timeout: 10_000 }).toBe(401);
      expect(await credits(second)).toBe(200);
    });

    test('ends the sign-in of this browser', async () => {
      const { page } = await openOverview(running);
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.goto(`${product.baseUrl}/console`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });

    test('everywhere also signs out another browser, which checks every three seconds', async () => {
      const [here, elsewhere] = [await openOverview(running), await openOverview(running)];
      const cookie = await cookieHeader(elsewhere.context);
      await here.page.getByRole('button', { name: /^Account of/ }).click();
      await here.page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
      await here.page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await elsewhere.page.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout: 10_000 });
      expect((await fetch(`${product.baseUrl}/console/api/credits`, { headers: { cookie } })).status).toBe(401);
    });
  });
});

/** The background of the page as its red, green and blue: a computed colour may be written in any colour space. */
function paintedBackground(): readonly number[] {
  const pixel = document.createElement('canvas').getContext('2d');
  if (!pixel) return [];
  pixel.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
  pixel.fillRect(0, 0, 1, 1);
  return [...pixel.getImageData(0, 0, 1, 1).data];
}
