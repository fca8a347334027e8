import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { sharedBrowser } from './browser';
import { startProduct, type PersonRole, type Product } from './product';

// The console as users see it: the built product and a real browser. A test file starts one and closes it at its end.

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Collects errors in the browser's console and requests to other origins. */
  readonly complaints: string[];
}

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

export interface Console {
  readonly product: Product;
  /** A separate browser context, without a sign-in. */
  visit(options?: ContextOptions): Promise<Visit>;
  /** Fills in the sign-in form, as the owner unless `as` is given; resolves when the target page is shown. */
  signIn(options?: { readonly as?: Credentials; readonly path?: string }): Promise<Visit>;
  /**
   * Opens `path` as the owner in a separate context and, if it is a page of the console, waits until it reacts. The
   * sign-in is made once and reused: each takes half a second of password hashing.
   */
  open(path: string, options?: ContextOptions): Promise<Visit>;
  /** Closes the windows that were opened since the last call. */
  closeWindows(): Promise<void>;
  close(): Promise<void>;
}

/** `role`: of the second person (see Product); `env` is added to the product's environment. */
export async function startConsole(role: PersonRole, env: Readonly<Record<string, string>> = {}): Promise<Console> {
  const product = await startProduct(role, env);
  const browser = await sharedBrowser();
  const opened: BrowserContext[] = [];
  let ownerState: Awaited<ReturnType<BrowserContext['storageState']>> | undefined;

  async function visit(options: ContextOptions = {}): Promise<Visit> {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options });
    opened.push(context);
    const complaints: string[] = [];
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console: ${message.text()}`);
    });
    context.on('weberror', (error) => complaints.push(`error: ${error.error().message}`));
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin !== product.baseUrl && url.protocol !== 'data:' && url.protocol !== 'blob:')
        complaints.push(`foreign: ${url.origin}`);
    });
    return { context, page: await context.newPage(), complaints };
  }

  async function signIn({
    as = product.firstRun.owner,
    path = '/console',
  }: { readonly as?: Credentials; readonly path?: string } = {}): Promise<Visit> {
    const seen = await visit();
    await seen.page.goto(product.baseUrl + path);
    await fillIn(seen.page, as);
    await seen.page.getByRole('main').waitFor();
    await seen.page.waitForURL((url) => !url.pathname.startsWith('/console/sign-in'));
    await awaitFrame(seen.page);
    return seen;
  }

  async function open(path: string, options: ContextOptions = {}): Promise<Visit> {
    ownerState ??= await (await signIn()).context.storageState();
    const seen = await visit({ storageState: ownerState, ...options });
    await seen.page.goto(product.baseUrl + path);
    if (!new URL(seen.page.url()).pathname.startsWith('/console/sign-in')) {
      if (path.startsWith('/console')) await awaitFrame(seen.page);
      return seen;
    }
    // An earlier test has signed the owner out.
    await seen.context.close();
    ownerState = undefined;
    return open(path, options);
  }

  async function closeWindows(): Promise<void> {
    for (const context of opened.splice(0)) await context.close();
  }

  return {
    product,
    visit,
    signIn,
    open,
    closeWindows,
    async close() {
      await closeWindows();
      await product.stop();
    },
  };
}

export async function fillIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export async function cookieHeader(context: BrowserContext): Promise<string> {
  return (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
}

/** Everything that a page stores: its text, its storage and the URLs that it requested. */
export function keptBy(page: Page): Promise<string> {
  return page.evaluate(() => {
    const entries = performance.getEntries().map((entry) => entry.name);
    return [
      document.documentElement.outerHTML,
      JSON.stringify(localStorage),
      JSON.stringify(sessionStorage),
      document.cookie,
      ...entries,
    ].join('\n');
  });
}

/**
 * The console of a test file: started before its first test; its contexts are closed after each test, and the product
 * after the last.
 */
export function consoleOfFile(role: PersonRole, env: Readonly<Record<string, string>> = {}): Console {
  let running: Console | undefined;
  // Safe: set before the first test.
  const now = () => running!;
  beforeAll(async () => {
    running = await startConsole(role, env);
  });
  afterEach(() => running?.closeWindows());
  afterAll(() => running?.close());
  return {
    get product() {
      return now().product;
    },
    visit: (options) => now().visit(options),
    signIn: (options) => now().signIn(options),
    open: (path, options) => now().open(path, options),
    closeWindows: () => now().closeWindows(),
    close: () => now().close(),
  };
}

/** Opens the overview as the owner. */
export async function openOverview(
  running: Console,
  options: ContextOptions = {},
  path = '/console?mode=test',
): Promise<Visit> {
  const seen = await running.open(path, options);
  await seen.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  return seen;
}

/**
 * Waits until a page of the console reacts: the server's HTML is there earlier. The frame renews the sign-in in the
 * same effects in which it begins to listen to the keyboard, so once that request shows, clicks and shortcuts work.
 * (A quiet network proves nothing: a busy browser is quiet before it has run the page's scripts.)
 */
export async function awaitFrame(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => new URL(name).pathname === '/api/auth/session'),
  );
}
