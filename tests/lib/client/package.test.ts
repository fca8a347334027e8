import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build, transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildClient } from '../../../server/build-client';
import { projectRoot } from '../../support/project';
import { startServer, type TestServer } from '../../support/server';

// The package that is published, in a folder with nothing else.

const MAX_BYTES = 16_000;
let folder: string;
let installed: string;
let server: TestServer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-client-'));
  const built = await buildClient(path.join(folder, 'built'));
  const [packed = ''] = execFileSync('npm', ['pack', '--silent', built], { cwd: folder, encoding: 'utf8' }).split('\n');
  installed = path.join(folder, 'node_modules/@patchbay/client');
  await mkdir(installed, { recursive: true });
  execFileSync('tar', ['-xzf', path.join(folder, packed), '-C', installed, '--strip-components=1']);
  server = await startServer();
}, 120_000);
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the package of the client', () => {
  it('contains one small module without imports', async () => {
    expect((await readdir(installed)).filter((name) => !name.endsWith('.d.ts')).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'index.js',
      'package.json',
    ]);
    const code = await readFile(path.join(installed, 'index.js'), 'utf8');
    expect(code).not.toMatch(/^import|require\(|node:|process\./m);
    expect((await transform(code, { minify: true })).code.length).toBeLessThan(MAX_BYTES);
  });

  it('leaves out what an app does not use', async () => {
    const sizeOf = async (contents: string) => {
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: folder },
        bundle: true,
        minify: true,
        write: false,
        format: 'esm',
      });
      return outputFiles[0]!.contents.length;
    };
    const all = await sizeOf(`export * from '@patchbay/client'`);
    const webhooks = await sizeOf(`export { unwrapWebhook } from '@patchbay/client'`);
    expect(webhooks).toBeLessThan(all / 3);
  });

  it('has types of its own, which need no other package', async () => {
    await writeFile(
      path.join(folder, 'app.mts'),
      [
        `import { openTranscription, Patchbay, unwrapWebhook, VideoFailedError, type VideoJson } from '@patchbay/client';`,
        `const client = new Patchbay({ baseUrl: 'http://127.0.0.1', apiKey: 'x' });`,
        `export const made: Promise<VideoJson> = client.videos.createAndWait({ model: 'm', prompt: 'p', seconds: 4 });`,
        `// @ts-expect-error: a status is one of four words.`,
        `export const wrong: 'done' = (await made).status;`,
        `// @ts-expect-error: a prompt is a text.`,
        `void client.videos.create({ model: 'm', prompt: 1 });`,
        `export const seconds: string = (await unwrapWebhook('', {}, '')).video.seconds;`,
        `void openTranscription(client, { model: 'm', onTranscript: ({ isFinal }) => isFinal satisfies boolean });`,
        `export const isFailed = (error: unknown) => error instanceof VideoFailedError && error.video.id;`,
      ].join('\n'),
    );
    const tsc = path.join(projectRoot, 'node_modules/typescript/bin/tsc');
    const options =
      '--strict --noEmit --skipLibCheck false --module nodenext --target es2023 --lib es2023,dom,dom.iterable --types';
    const { stdout, status } = spawnSync(process.execPath, [tsc, ...options.split(' '), '', 'app.mts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  it('runs in Node as it is installed', async () => {
    await writeFile(
      path.join(folder, 'app.mjs'),
      `import { Patchbay } from '@patchbay/client';
       const { BASE, KEY } = process.env;
       console.log((await new Patchbay({ baseUrl: BASE, apiKey: KEY }).credits()).mode);`,
    );
    // Not synchronously: the server is in this process.
    const output = await new Promise<string>((resolve, reject) => {
      const env = { ...process.env, BASE: server.baseUrl, KEY: server.firstRun.keys.test };
      execFile(process.execPath, ['app.mjs'], { cwd: folder, env }, (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      );
    });
    expect(output).toBe('test\n');
  });

  it('needs only what every web runtime has', async () => {
    const { outputFiles } = await build({
      stdin: { contents: `export * from '@patchbay/client'`, resolveDir: folder },
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'library',
    });
    const names =
      'fetch Headers Response URLSearchParams TextEncoder TextDecoder crypto atob AbortSignal setTimeout clearTimeout';
    const context = createContext(
      Object.fromEntries(names.split(' ').map((name) => [name, (globalThis as Record<string, unknown>)[name]])),
    );
    runInContext(outputFiles[0]!.text, context);
    Object.assign(context, { options: { baseUrl: server.baseUrl, apiKey: server.firstRun.keys.test } });
    const made = (await runInContext(
      `new library.Patchbay(options).videos.create({ model: 'sandbox-t2v', prompt: 'A boat', seconds: 1 })`,
      context,
    )) as { status: string };
    expect(made.status).toBe('queued');
  });
});
