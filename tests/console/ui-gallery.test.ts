import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { consoleOfFile } from '../support/console';
import { projectRoot } from '../support/project';
import { whyNoBrowser } from '../support/browser';

const uiFolder = path.join(projectRoot, 'app/console/components/ui');
const galleryFolder = path.join(projectRoot, 'app/dev/ui');
/** Files that other parts are composed of, and state without a visible part. */
const inner = ['menu-content', 'modal'];

const filesOf = async (folder: string, extension: string) =>
  (await readdir(folder)).filter((name) => name.endsWith(extension));

test('the gallery of UI parts imports every part', async () => {
  const sources = await Promise.all(
    (await filesOf(galleryFolder, '.tsx')).map((name) => readFile(path.join(galleryFolder, name), 'utf8')),
  );
  const shown = new Set(sources.join('\n').match(/(?<=components\/ui\/)[a-z-]+(?=';)/g));
  const parts = (await filesOf(uiFolder, '.tsx')).map((name) => name.replace('.tsx', ''));
  expect(parts.filter((name) => !shown.has(name) && !inner.includes(name))).toEqual([]);
  expect(parts.length).toBeGreaterThan(30);
});

const skipReason = whyNoBrowser();
describe.skipIf(skipReason)('the built product', () => {
  const running = consoleOfFile('viewer');

  test('has no page for the gallery', async () => {
    expect((await fetch(`${running.product.baseUrl}/dev/ui`)).status).toBe(404);
    const routes = await readFile(path.join(projectRoot, '.next/app-path-routes-manifest.json'), 'utf8');
    expect(routes).toContain('/console/models');
    expect(routes).not.toContain('/dev');
  });
});
