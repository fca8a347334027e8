import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';

// Measures a page's web performance, as the browser reports it.

export interface PageMeasures {
  /** Largest contentful paint after the navigation. */
  readonly lcpMs: number;
  /** Sum of unexpected layout shifts. */
  readonly cls: number;
  /** The longest time from a key press or click to the next paint, of a few. */
  readonly inpMs: number;
  /** Scripts of the first load, compressed. */
  readonly scriptGzKb: number;
}

declare global {
  interface Window {
    measured?: { lcpMs: number; cls: number; inpMs: number };
  }
}

/** Opens `url` in a new page and presses a few keys. */
export async function measurePage(page: Page, url: string): Promise<PageMeasures> {
  const scripts: Promise<number>[] = [];
  let loading = true;
  page.on('response', (response) => {
    if (!loading || response.request().resourceType() !== 'script') return;
    scripts.push(
      response.body().then(
        (body) => gzipSync(body).length,
        () => 0,
      ),
    );
  });
  await page.addInitScript(() => {
    const measured = (window.measured = { lcpMs: 0, cls: 0, inpMs: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) measured.lcpMs = entry.startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      // Safe: entries of this type have these fields; the built-in types leave them out.
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) measured.cls += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) measured.inpMs = Math.max(measured.inpMs, entry.duration);
      // Safe: the option belongs to this type of entry; the built-in types leave it out.
    }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
  });
  await page.goto(url);
  await page.waitForTimeout(1_200);
  loading = false;
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('?');
  await page.waitForTimeout(400);
  await page.keyboard.press('Escape');
  await page.waitForTimeout(200);
  const { lcpMs, cls, inpMs } = (await page.evaluate(() => window.measured))!;
  const sizes = await Promise.all(scripts);
  return { lcpMs, cls, inpMs, scriptGzKb: sizes.reduce((sum, size) => sum + size, 0) / 1024 };
}
