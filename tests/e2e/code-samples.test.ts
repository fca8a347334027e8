import { copyFile, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { consoleOfFile, cookieHeader } from '../support/console';
import { createVideo, videoIs } from '../support/console-videos';
import {
  checkTypes,
  makeCodeDirectory,
  readPageCode,
  runPageCode,
  type PageCode,
  type Ran,
} from '../support/page-code';
import { answersEnded, openMessages, PIXEL, sendPrompt } from '../support/messages-page';
import { generateUntil, openPlayground, quick } from '../support/playground';
import { startRecorder } from '../support/recorder';

// Every code sample of a page is taken from it unchanged, saved under the name that the page gives, and run against the
// running product with only a test key.

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);

const running = consoleOfFile('viewer');
let folder: Awaited<ReturnType<typeof makeCodeDirectory>>;
/** All samples that ran, for the type check at the end. */
const seen: PageCode[] = [];

async function runAll(
  samples: readonly PageCode[],
  env: Readonly<Record<string, string>> = {},
): Promise<Record<string, Ran>> {
  const ran: Record<string, Ran> = {};
  for (const sample of samples) {
    seen.push(sample);
    ran[sample.language] = await runPageCode(sample, folder.directory, {
      PATCHBAY_API_KEY: running.product.firstRun.keys.test,
      ...env,
    });
  }
  return ran;
}

async function openModel(id: string, query = ''): Promise<Page> {
  const { page } = await running.open(`/console/models/${id}?mode=test${query}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** The shortest and smallest options of the page, so that the sandbox finishes soon; the code contains them. */
async function chooseSmallest(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Lengths and resolutions' }).getByRole('button').first().click();
}

/** The request of a video, as the console shows it to the owner. */
async function requestOf(page: Page, id: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${running.product.baseUrl}/console/api/videos/${id}/request?mode=test`, {
    headers: { cookie: await cookieHeader(page.context()) },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>; // Safe: a request is an object.
}

async function newestVideo(): Promise<string> {
  const response = await fetch(`${running.product.baseUrl}/v1/videos?limit=1`, {
    headers: { authorization: `Bearer ${running.product.firstRun.keys.test}` },
  });
  const [newest] = ((await response.json()) as { data: { id: string }[] }).data; // Safe: the list of videos has this form.
  return newest?.id ?? '';
}

async function expectVideo(ran: Readonly<Record<string, Ran>>): Promise<void> {
  for (const [language, { status, output }] of Object.entries(ran))
    expect(`${language} ${status} ${output}`).toMatch(new RegExp(`^${language} 0 [^]*video\\.mp4`));
  expect((await readFile(path.join(folder.directory, 'video.mp4'))).subarray(4, 8).toString()).toBe('ftyp');
}

describe.skipIf(skipReason)('the code of a page runs unchanged', () => {
  beforeAll(async () => {
    folder = await makeCodeDirectory();
  });
  afterAll(async () => {
    await folder?.dispose();
  });

  // First, because the overview shows it only until there is a video.
  test('the snippet of the overview, pasted into a terminal in every language, is accepted, and the page shows the video', async () => {
    const { page } = await running.open('/console?mode=test');
    await page.getByRole('button', { name: 'Create a test key' }).click();
    await page.getByTestId('revealed-key').waitFor();
    const pasted = (await readPageCode(page)).map((sample) => ({ ...sample, file: `${sample.language}.sh` }));
    expect(pasted.map(({ language }) => language)).toEqual(['curl', 'typescript', 'python']);
    // The pasted text contains the key; the environment has none.
    const [curl, ...others] = pasted;
    expect(await runAll([curl!], { PATCHBAY_API_KEY: '' })).toMatchObject({
      curl: { status: 0, output: expect.stringContaining('"status":"queued"') },
    });
    const ranAt = performance.now();
    await page.getByText('It has arrived as').waitFor();
    const noticedMs = performance.now() - ranAt;
    console.log(`the overview showed the video after ${Math.round(noticedMs)} ms`);
    expect(noticedMs).toBeLessThan(2_000);
    await expectVideo(await runAll(others, { PATCHBAY_API_KEY: '' }));
  });

  test('the code of the playground, in every language, sends the same request as the button', async () => {
    const { page } = await openPlayground(running, {
      ...quick,
      prompt: `Quotes " ' and \\ and\na line, ☃ $HOME`,
      seed: '3',
    });
    const made = await requestOf(page, await generateUntil(page, 'completed'));
    expect(made).toMatchObject({ seed: 3, size: '640x360' });
    await page.getByRole('button', { name: 'View code' }).click();
    const samples = await readPageCode(page);
    expect(samples.map(({ language }) => language)).toEqual(['curl', 'typescript', 'python', 'openai']);
    for (const sample of samples) {
      await expectVideo(await runAll([sample]));
      expect([sample.language, await requestOf(page, await newestVideo())]).toEqual([sample.language, made]);
    }
  });

  test('the code of a video, in every language, sends the same request again', async () => {
    const { id } = await createVideo(running.product, { prompt: 'Once more, "please"', seed: 11 });
    await videoIs(running.product, id, 'completed');
    const { page } = await running.open(`/console/videos/${id}?mode=test`);
    await page.getByRole('button', { name: 'Show the code' }).click();
    const samples = await readPageCode(page);
    expect(samples.map(({ language }) => language)).toEqual(['curl', 'typescript', 'python', 'openai']);
    const asked = await requestOf(page, id);
    for (const sample of samples) {
      await expectVideo(await runAll([sample]));
      expect([sample.language, await requestOf(page, await newestVideo())]).toEqual([sample.language, asked]);
    }
  });

  test.each(['sandbox-t2v', 'sandbox-i2v', 'sandbox-start-end', 'sandbox-r2v'])(
    '%s, in every language, makes a finished file',
    async (id) => {
      const page = await openModel(id);
      await chooseSmallest(page);
      const samples = await readPageCode(page);
      expect(samples.map(({ language }) => language)).toEqual(['curl', 'typescript', 'python', 'openai']);
      await expectVideo(await runAll(samples));
    },
  );

  test('sandbox-video-edit works on the video in SOURCE_VIDEO_URL', async () => {
    const headers = { authorization: `Bearer ${running.product.firstRun.keys.test}` };
    const { data } = (await (await fetch(`${running.product.baseUrl}/v1/videos?limit=1`, { headers })).json()) as {
      data: { video_url: string; duration_seconds: number }[];
    };
    const page = await openModel('sandbox-video-edit');
    await chooseSmallest(page);
    const source = page.getByLabel('Length of the source');
    await source.focus();
    await page.keyboard.press('Home');
    for (let seconds = 1; seconds < Math.round(data[0]!.duration_seconds); seconds += 1)
      await page.keyboard.press('ArrowRight');
    await expectVideo(await runAll(await readPageCode(page), { SOURCE_VIDEO_URL: data[0]!.video_url }));
  });

  test('a model of another provider, with a pin and its own parameters, makes a video', async () => {
    const page = await openModel('google-vertex/veo-3.1-fast-t2v');
    await chooseSmallest(page);
    await page.getByRole('switch', { name: 'Audio' }).click();
    const [curl] = await readPageCode(page);
    expect(curl!.text).toContain('"model": "google-vertex/veo-3.1-fast-t2v"');
    expect(curl!.text).toContain('"generate_audio": false');
    await expectVideo(await runAll([curl!]));
  });

  test('text models, a local one and a vendor’s, answer in every language', async () => {
    for (const id of ['sandbox-text', 'claude-haiku-5-5']) {
      const samples = await readPageCode(await openModel(id));
      expect(samples.map(({ language }) => language)).toEqual(['curl', 'typescript', 'python', 'anthropic', 'ai-sdk']);
      for (const [language, { status, output }] of Object.entries(await runAll(samples))) {
        expect(`${id} ${language} ${status}: ${output}`).toMatch(/ 0: [^]{10,}/);
      }
    }
  });

  test('the code of the messages playground, in every language, sends the request of the page', async () => {
    const { page } = await openMessages(running, { model: 'sandbox-text' });
    await page.getByLabel('System prompt').fill('Quotes " \' and \\ and\na line, ☃ $HOME');
    await page.locator('[data-field="thinking"]').getByText('On', { exact: true }).click();
    await page.getByLabel('Max output tokens').fill('2000');
    await page.locator('[data-field="tools"]').getByRole('button', { name: 'Insert an example' }).click();
    await page
      .getByLabel('Add images')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') });
    await sendPrompt(page, 'Weather?');
    await page.getByLabel('Result of get_weather').fill('Rain');
    await page.getByRole('button', { name: 'Send the result' }).click();
    await page.getByRole('region', { name: 'Turn' }).getByText('Thank you for the result of the tool.').waitFor();
    await answersEnded(page);
    await page.getByLabel('Prompt', { exact: true }).fill('And tomorrow?');
    await page.getByRole('button', { name: 'View code' }).click();
    const samples = await readPageCode(page);
    expect(samples.map(({ language }) => language)).toEqual(['curl', 'typescript', 'python', 'anthropic', 'ai-sdk']);
    const bodies: Record<string, Record<string, unknown>> = {};
    for (const sample of samples) {
      const passing = await startRecorder(running.product.baseUrl);
      const code = { ...sample, text: sample.text.replaceAll(running.product.baseUrl, passing.url) };
      const { status, output } = (await runAll([code]))[sample.language]!;
      expect(`${sample.language} ${status}: ${output}`).toMatch(/^[\w-]+ 0: [^]*get_weather/);
      bodies[sample.language] = passing.body();
      await passing.close();
    }
    const { curl, typescript, python, anthropic, 'ai-sdk': aiSdk } = bodies;
    expect([typescript, python, anthropic]).toEqual([curl, curl, curl]);
    expect(curl).toMatchObject({
      stream: true,
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      messages: { length: 5 },
    });
    // The AI SDK writes every text as a block.
    const texts = (body: Record<string, unknown> | undefined) =>
      JSON.stringify(body?.['messages']).match(/"(?:Weather\?|Rain|And tomorrow\?|toolu_\w+)"/g);
    expect(texts(aiSdk)).toEqual(texts(curl));
    expect(JSON.stringify(aiSdk)).toContain(PIXEL);
    expect(aiSdk).toMatchObject({
      model: 'sandbox-text',
      max_tokens: curl?.['max_tokens'],
      stream: true,
      system: [{ type: 'text', text: curl?.['system'] }],
      thinking: curl?.['thinking'],
      tools: [{ name: 'get_weather' }],
    });
  });

  test('the code with sampling and a schema, in every language', async () => {
    const { page } = await openMessages(running, { model: 'sandbox-text' });
    await page.getByLabel('Temperature').fill('0.5');
    await page.getByRole('switch', { name: 'Stream the answer' }).click();
    await page.getByRole('button', { name: 'Structured output' }).click();
    await page.getByRole('button', { name: 'View code' }).click();
    for (const [language, { status, output }] of Object.entries(await runAll(await readPageCode(page))))
      expect(`${language} ${status}: ${output}`).toMatch(/^[\w-]+ 0: [^]*tags/);
  });

  test('the code of one speech page speaks, and the code of another transcribes it', async () => {
    const speaking = await openModel('sandbox-tts');
    await speaking.getByLabel('Format', { exact: true }).selectOption('pcm_16000');
    await speaking.getByLabel('Voice', { exact: true }).selectOption('rms');
    const spoken = await runAll(await readPageCode(speaking));
    expect(spoken['typescript']).toMatchObject({ status: 0, output: expect.stringContaining('speech.pcm') });
    const file = path.join(folder.directory, 'speech.pcm');
    expect((await stat(file)).size).toBeGreaterThan(32_000);
    await copyFile(file, path.join(folder.directory, 'sound.pcm'));

    const heard = await runAll(await readPageCode(await openModel('sandbox-stt')));
    expect(heard['typescript']).toMatchObject({ status: 0, output: expect.stringMatching(/boat|lake/i) });
  });

  test('the TypeScript samples pass the strictest type check', async () => {
    expect(seen.filter(({ file }) => file.endsWith('.mts')).length).toBeGreaterThan(10);
    expect(await checkTypes(seen, folder.directory)).toBe('');
  });
});
