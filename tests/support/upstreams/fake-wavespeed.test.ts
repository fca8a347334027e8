import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, WavespeedPredictionException, WavespeedSubmissionException } from 'wavespeed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pngBytes } from '../media-bytes';
import { startFakeWavespeed, viduPath, WAVESPEED_KEY, type FakeWavespeed } from './fake-wavespeed';

// WaveSpeed's own client against the imitation.

const MODEL = viduPath.slice('/api/v3/'.length);
const input = {
  image: 'https://media.example.com/first.png',
  last_image: 'https://media.example.com/last.png',
  prompt: 'A paper boat',
  duration: 5,
  resolution: '720p',
  bgm: true,
  movement_amplitude: 'auto',
  seed: 0,
};
const options = { pollInterval: 0.001, maxRetries: 0 };

describe("WaveSpeed's client against the imitation", () => {
  let vendor: FakeWavespeed;
  let client: Client;
  let directory: string;
  beforeAll(async () => {
    vendor = await startFakeWavespeed();
    client = new Client(WAVESPEED_KEY, { baseUrl: vendor.baseUrl, maxConnectionRetries: 0 });
    directory = mkdtempSync(path.join(tmpdir(), 'fake-wavespeed-'));
  });
  afterAll(async () => {
    rmSync(directory, { recursive: true });
    await vendor.close();
  });

  it('submits, polls to the end and gets the result', async () => {
    expect(await client.run(MODEL, input, options)).toEqual({ outputs: [`${vendor.cdnUrl}/results/good/1.mp4`] });
    expect(vendor.requests[0]).toMatchObject({ method: 'POST', path: viduPath, json: input });
    const [, ...polls] = vendor.requests;
    expect(polls.map(({ method, path: polled }) => `${method} ${polled}`)).toEqual(
      Array.from({ length: 3 }, () => `GET /api/v3/predictions/${'c0ffee'.repeat(6).slice(0, 31)}1/result`),
    );
  });

  it('uploads a file and makes a video of it', async () => {
    const file = path.join(directory, 'first.png');
    writeFileSync(file, pngBytes());
    const image = await client.upload(file);
    expect(image).toMatch(/\/uploads\/\d+-first\.png$/);
    expect(vendor.downloads.filter(({ method }) => method === 'PUT').map(({ raw }) => raw)).toEqual([pngBytes()]);
    const { outputs } = await client.run(MODEL, { ...input, image }, options);
    expect(outputs).toHaveLength(1);
  });

  it.each(['invalid', 'balance', 'auth', 'unavailable', 'ratelimit:9', 'success-without-id'])(
    'refuses as WaveSpeed does: %s',
    async (scenario) => {
      const failing = client.run(MODEL, { ...input, prompt: `A boat [[${scenario}]]` }, options);
      await expect(failing).rejects.toBeInstanceOf(WavespeedSubmissionException);
    },
  );

  it('refuses an unknown field, an image that was not uploaded, and a wrong key', async () => {
    const attempts = [
      client.run(MODEL, { ...input, aspect_ratio: '16:9' }, options),
      client.run(MODEL, { ...input, image: `${vendor.cdnUrl}/uploads/9-other.png` }, options),
      new Client('of another account', { baseUrl: vendor.baseUrl }).run(MODEL, input, options),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toBeInstanceOf(WavespeedSubmissionException);
  });

  it.each(['fail', 'moderated-output', 'timeout', 'deleted'])('ends with an error: %s', async (scenario) => {
    const { outputs, detail } = await client.runNoThrow(MODEL, { ...input, prompt: `A boat [[${scenario}]]` }, options);
    expect([outputs, detail.status]).toEqual([null, 'failed']);
    if (scenario === 'fail') expect(detail.error).toBeInstanceOf(WavespeedPredictionException);
  });
});
