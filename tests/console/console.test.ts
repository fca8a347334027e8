import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, whyNoBrowser } from '../support/browser';
import { startProduct, type Product } from '../support/product';

// The console as people meet it: the built product and a real browser.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

let product: Product;
let browser: Browser;
const opened: BrowserContext[] = [];
let ownerState: Awaited<ReturnType<BrowserContext['storageState']>> | undefined;

interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What a careful visitor would complain about: errors in the browser's console, failed and foreign requests. */
  readonly complaints: string[];
}

async function visit(options: Parameters<Browser['newContext']>[0] = {}): Promise<Visit> {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options });
  opened.push(context);
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => complaints.push(`error: ${error.error().message}`));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== product.baseUrl && url.protocol !== 'data:' && url.protocol !== 'blob:') complaints.push(`foreign: ${url.origin}`);
  });
  return { context, page: await context.newPage(), complaints };
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}

async function fillIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function signIn(options: { as?: Credentials; path?: string } = {}): Promise<Visit> {
  const seen = await visit();
  await seen.page.goto(product.baseUrl + (options.path ?? '/console'));
  await fillIn(seen.page, options.as ?? product.firstRun.owner);
  await seen.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  return seen;
}

/** The owner's overview, with a sign-in that was made once: each one costs half a second of stretching the password. */
async function openOverview(options: Parameters<Browser['newContext']>[0] = {}, path = '/console?mode=test'): Promise<Visit> {
  ownerState ??= await (await signIn()).context.storageState();
  const seen = await visit({ storageState: ownerState, ...options });
  await seen.page.goto(product.baseUrl + path);
  await seen.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  return seen;
}

async function cookieHeader(context: BrowserContext): Promise<string> {
  return (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
}

const withKey = (path: string, key: string) => fetch(product.baseUrl + path, { headers: { authorization: `Bearer ${key}` } });

/** Everything that a page keeps: its text, its stores and the addresses that it asked for. */
function keptBy(page: Page): Promise<string> {
  return page.evaluate(() => {
    const entries = performance.getEntries().map((entry) => entry.name);
    return [document.documentElement.outerHTML, JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, ...entries].join('\n');
  });
}

describe.skipIf(skipReason)('the console', () => {
  beforeAll(async () => {
    product = await startProduct('viewer');
    browser = await launchBrowser();
  });
  afterEach(async () => {
    for (const context of opened.splice(0)) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  describe('signing in', () => {
    test('a wrong password and an unknown e-mail address are told the same', async () => {
      const { page } = await visit();
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
      expect(told).toEqual(['The e-mail address or the password is wrong.', 'The e-mail address or the password is wrong.']);
    });

    test('leads to the page that was wanted', async () => {
      const { page } = await signIn({ path: '/console?mode=live' });
      expect(page.url()).toBe(`${product.baseUrl}/console?mode=live`);
    });

    test('with a ?next= of another origin leads to the overview', async () => {
      const { page } = await signIn({ path: `/console/sign-in?next=${encodeURIComponent('//evil.example')}` });
      expect(page.url()).toBe(`${product.baseUrl}/console`);
      // Who is signed in already is sent on at once.
      for (const next of ['/\\evil.example', 'https://evil.example/console', 'javascript:alert(1)', '/%2f%2fevil.example']) {
        await page.goto(`${product.baseUrl}/console/sign-in?next=${encodeURIComponent(next)}`);
        expect(page.url()).toBe(`${product.baseUrl}/console`);
      }
    });

    test('the form works with a password manager and never puts a password into an address', async () => {
      const { page } = await visit();
      await page.goto(`${product.baseUrl}/console/sign-in`);
      expect(await page.getByLabel('E-mail').getAttribute('autocomplete')).toBe('username');
      expect(await page.getByLabel('Password', { exact: true }).getAttribute('autocomplete')).toBe('current-password');
      expect(await page.locator('form').getAttribute('method')).toBe('post');
    });

    test('the cookie is HttpOnly, SameSite=Lax and lives for seven days', async () => {
      const { context } = await signIn();
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
      const { context } = await openOverview();
      const response = await fetch(`${product.baseUrl}/v1/videos`, { headers: { cookie: await cookieHeader(context) } });
      expect(response.status).toBe(401);
    });
  });

  describe('keys', () => {
    test('a key is shown once, works, and is nowhere after that; revoked, it is refused within 5 seconds', async () => {
      const { page, complaints } = await openOverview();
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByLabel('Name').waitFor();
      await page.keyboard.type('Browser test');
      await page.keyboard.press('Enter');
      const shown = page.getByTestId('revealed-key');
      await shown.waitFor();
      const key = await shown.innerText();
      expect(key).toMatch(/^pb_test_[0-9A-Za-z]{36}$/);

      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText('You have not copied the key yet').waitFor();
      await page.getByRole('button', { name: 'Copy key' }).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
      await page.getByRole('button', { name: 'Copy .env line' }).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`PATCHBAY_API_KEY=${key}`);
      await page.getByRole('button', { name: 'Done' }).click();
      await shown.waitFor({ state: 'detached' });
      expect((await withKey('/v1/credits', key)).status).toBe(200);
      expect(await keptBy(page)).not.toContain(key);
      await page.reload();
      await page.getByText('Browser test').first().waitFor();
      expect(await keptBy(page)).not.toContain(key);

      await page.getByRole('button', { name: 'Actions for Browser test' }).click();
      await page.getByRole('menuitem', { name: 'Revoke…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Revoke “Browser test”?' });
      expect(await dialog.innerText()).toContain('within 5 seconds');
      await dialog.getByRole('button', { name: 'Revoke key' }).click();
      await dialog.waitFor({ state: 'detached' });
      const revokedAt = performance.now();
      while ((await withKey('/v1/credits', key)).status !== 401) expect(performance.now() - revokedAt).toBeLessThan(5_000);
      await page.getByRole('button', { name: /^Show \d+ revoked/ }).waitFor();
      expect(complaints).toEqual([]);
    });

    test('a fault of the form is shown at its field, and nothing typed is lost', async () => {
      const { page } = await openOverview();
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByLabel('Name').fill('Limited');
      await page.getByLabel('Spend limit in dollars').fill('ten');
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await page.getByText('limit.amount must be a decimal string').waitFor();
      expect(await page.getByLabel('Spend limit in dollars').getAttribute('aria-invalid')).toBe('true');
      expect(await page.getByLabel('Name').inputValue()).toBe('Limited');
    });
  });

  describe('a foreign page', () => {
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
      signedIn ??= await cookieHeader((await openOverview()).context);
      const headers = { cookie: signedIn, 'content-type': 'application/json', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      const request: RequestInit = { method, headers, body: '{}' };
      const response = await fetch(product.baseUrl + path, request);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ error: { code: 'cross_origin' } });
    });
    let signedIn: string | undefined;
  });

  describe('a viewer', () => {
    test('sees no control that changes anything, and is refused when asking directly', async () => {
      const { page, context } = await signIn({ as: product.person });
      await page.getByText('First live key').waitFor();
      for (const name of [/create/i, /^Actions for/, /refill/i, /^revoke/i]) expect(await page.getByRole('button', { name }).count()).toBe(0);
      const headers = { cookie: await cookieHeader(context), 'content-type': 'application/json', origin: product.baseUrl };
      const made = await fetch(`${product.baseUrl}/console/api/keys`, { method: 'POST', headers, body: JSON.stringify({ name: 'x', mode: 'test' }) });
      const secret = await fetch(`${product.baseUrl}/console/api/webhook-secret`, { headers });
      expect([made.status, secret.status]).toEqual([403, 403]);
    });
  });

  describe('the page', () => {
    test('a first video appears by itself, is played, and its cost leaves the balance', async () => {
      const { page, complaints } = await openOverview();
      await page.getByRole('heading', { name: 'Make your first test video' }).waitFor();
      const snippet = await page.locator('pre').innerText();
      expect(snippet).toContain(`${product.baseUrl}/v1/videos`);
      const body = /-d '([^']+)'/.exec(snippet)?.[1] ?? '';
      const headers = { authorization: `Bearer ${product.firstRun.keys.test}`, 'content-type': 'application/json' };
      const asked = JSON.stringify({ ...JSON.parse(body), seconds: 1, size: '640x360' });
      expect((await fetch(`${product.baseUrl}/v1/videos`, { method: 'POST', headers, body: asked })).status).toBe(202);

      await page.getByRole('heading', { name: 'Recent videos' }).waitFor({ timeout: 4_000 });
      await page.getByText('Completed').waitFor();
      await page.getByText('$999.99').first().waitFor();
      await page.getByRole('button', { name: /^Play video_/ }).click();
      await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
      expect(complaints).toEqual([]);
    });

    test('keeps no key, no secret of webhooks and no password', async () => {
      const { page } = await openOverview();
      const kept = await keptBy(page);
      const { keys, owner, webhook_secret } = product.firstRun;
      for (const secret of [keys.test, keys.live, webhook_secret, owner.password]) expect(kept).not.toContain(secret);
      expect(kept).not.toMatch(/pb_(?:test|live)_[0-9A-Za-z]{36}|whsec_/);
    });

    test.each([
      [1440, 'light'],
      [390, 'dark'],
      [360, 'light'],
      [320, 'dark'],
    ] as const)('at %i px in the %s theme nothing is wider than the window, nothing is complained about', async (width, colorScheme) => {
      const { page, complaints } = await openOverview({ viewport: { width, height: 800 }, colorScheme });
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(await overflow()).toBe(0);
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await overflow()).toBe(0);
      const [red = 0] = await page.evaluate(paintedBackground);
      expect(red > 127).toBe(colorScheme === 'light');
      expect(complaints).toEqual([]);
    });

    test('the theme that was chosen is there with the first byte', async () => {
      const { page, context } = await openOverview({ colorScheme: 'light' });
      await page.getByRole('button', { name: /^Theme:/ }).click();
      await page.getByRole('button', { name: /^Theme: light/ }).click();
      const html = await (await fetch(`${product.baseUrl}/console`, { headers: { cookie: await cookieHeader(context) } })).text();
      expect(html).toMatch(/<html[^>]* data-theme="dark"/);
    });

    test('has one h1, landmarks, a title and a skip link; focus can be seen', async () => {
      const { page } = await openOverview();
      expect(await page.title()).toBe('Overview · Patchbay');
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      expect(await page.getByRole('main').count()).toBe(1);
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
      for (let presses = 0; presses < 8; presses += 1) {
        await page.keyboard.press('Tab');
        expect(await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)).not.toBe('none');
      }
    });

    test('its policy lets no other site frame it and no script run that it did not send', async () => {
      const policy = (await fetch(`${product.baseUrl}/console/sign-in`)).headers.get('content-security-policy') ?? '';
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic';/);
      expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:/);
    });

    test('an address that leads nowhere has a page that says so', async () => {
      const { page } = await visit();
      for (const path of ['/nowhere', '/console/nowhere']) {
        const response = await page.goto(product.baseUrl + path);
        expect(response?.status()).toBe(404);
        await page.getByRole('heading', { name: 'Nothing is plugged in here' }).waitFor();
      }
    });
  });

  describe('signing out', () => {
    test('ends the sign-in of this browser', async () => {
      const { page } = await openOverview();
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.goto(`${product.baseUrl}/console`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });

    test('everywhere ends another browser within 5 seconds', async () => {
      const [here, elsewhere] = [await openOverview(), await openOverview()];
      const cookie = await cookieHeader(elsewhere.context);
      await here.page.getByRole('button', { name: /^Account of/ }).click();
      await here.page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
      await here.page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await elsewhere.page.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout: 5_000 });
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
