import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';

// A browser from an npm package, so that the suite needs no download. It unpacks its own system libraries only if it
// detects that vendor's machines, hence the variable; CHROMIUM_PATH selects another browser.

const UNPACK_LIBRARIES = { AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' };

/** Why there is no browser on this machine; undefined if there is one. */
export function whyNoBrowser(): string | undefined {
  if (process.platform === 'linux' || process.env.CHROMIUM_PATH) return undefined;
  return `Browser tests are skipped: the packaged Chromium is for Linux, and this is ${process.platform}. Set CHROMIUM_PATH to run them.`;
}

/**
 * Arguments of the package that are removed: they disable rules of the browser that the tests check, or let a graphics
 * card that is computed draw the pages, which takes a fifth of the processor time of a test.
 */
const UNWANTED = [
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--disable-site-isolation-trials',
  '--single-process',
  '--ignore-gpu-blocklist',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

let shared: Promise<Browser> | undefined;

/**
 * One browser for all test files of this process: each launch takes two seconds of processor time. It ends with the
 * process; a file closes the contexts that it opened.
 */
export function sharedBrowser(): Promise<Browser> {
  return (shared ??= launchBrowser());
}

/** The caller closes it. `args` are added to the browser's own. */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const own = process.env.CHROMIUM_PATH;
  const common = ['--no-sandbox', '--disable-background-networking', '--disable-gpu', ...args];
  if (own) return chromium.launch({ executablePath: own, args: common });
  Object.assign(process.env, UNPACK_LIBRARIES);
  const { default: packaged } = await import('@sparticuz/chromium');
  return chromium.launch({
    executablePath: await packaged.executablePath(),
    args: [...packaged.args.filter((arg) => !UNWANTED.includes(arg)), ...common],
  });
}
