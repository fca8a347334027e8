import RunwayML, { AuthenticationError, BadRequestError, NotFoundError, toFile } from '@runwayml/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUNWAY_KEY, startFakeRunway, type FakeRunway } from './fake-runway';
import { pngBytes } from '../media-bytes';

// Runway's own client against the imitation of its API.

const order = {
  model: 'gen4.5',
  promptText: 'A paper boat',
  ratio: '1280:720',
  duration: 5,
  seed: 0,
} as const;

describe("Runway's client against the imitation", () => {
  let vendor: FakeRunway;
  let client: RunwayML;
  const clientFor = (apiKey: string) => new RunwayML({ apiKey, baseURL: vendor.baseUrl, maxRetries: 0 });
  beforeAll(async () => {
    vendor = await startFakeRunway();
    client = clientFor(RUNWAY_KEY);
  });
  afterAll(() => vendor.close());

  it('submits a text, and polls to the end', async () => {
    const { id, estimatedCost } = await client.textToVideo.create(order);
    expect(estimatedCost).toEqual({ credits: 60 });
    const words: string[] = [];
    while (words.at(-1) !== 'SUCCEEDED') words.push((await client.tasks.retrieve(id)).status);
    expect(words).toEqual(['PENDING', 'RUNNING', 'SUCCEEDED']);
    expect(await client.tasks.retrieve(id)).toMatchObject({
      output: [`${vendor.cdnUrl}/results/good/1.mp4?_jwt=4`],
      cost: { credits: 60 },
    });
  });

  it('uploads an image and submits it', async () => {
    const file = await toFile(pngBytes(100), 'first.png', { type: 'image/png' });
    const { uri } = await client.uploads.createEphemeral({ file });
    expect(vendor.uploads.get(uri)?.size).toBe(100);
    const promptImage = [{ uri, position: 'first' as const }];
    await expect(client.imageToVideo.create({ ...order, promptImage })).resolves.toMatchObject({
      id: expect.any(String),
    });
  });

  it('submits a video and references', async () => {
    const videoUri = 'https://media.example.com/clip.mp4';
    await client.videoToVideo.create({ model: 'aleph2', videoUri, promptText: 'In winter' });
    await client.textToVideo.create({
      model: 'seedance2',
      promptText: 'A paper boat',
      ratio: '3840:1646',
      duration: 4,
      audio: false,
      references: [{ uri: 'https://media.example.com/first.png' }],
      referenceVideos: [{ type: 'video', uri: videoUri }],
    });
    await client.videoToVideo.create({
      model: 'seedance2_5',
      mode: 'edit',
      promptVideo: videoUri,
      promptText: 'In winter',
      duration: 'auto',
      references: [{ uri: 'https://media.example.com/first.png' }],
    });
    expect(vendor.jobs.length).toBeGreaterThan(3);
  });

  it('takes ten references for Wan 3.0, and no more', async () => {
    const references = Array.from({ length: 11 }, (_, index) => ({ uri: `https://media.example.com/${index}.png` }));
    const ordered = { model: 'wan3', promptText: 'A paper boat', ratio: '1280:720', duration: 5 } as const;
    await client.textToVideo.create({ ...ordered, references: references.slice(1) });
    await expect(client.textToVideo.create({ ...ordered, references })).rejects.toBeInstanceOf(BadRequestError);
  });

  it('reads the refusals as what they are', async () => {
    const invalid = client.textToVideo.create({ ...order, duration: 11 });
    await expect(invalid).rejects.toBeInstanceOf(BadRequestError);
    await expect(invalid).rejects.toMatchObject({
      error: { error: 'Validation of body failed', issues: [{ path: ['duration'] }] },
    });
    await expect(clientFor('key_other').textToVideo.create(order)).rejects.toBeInstanceOf(AuthenticationError);
    await expect(client.tasks.retrieve('unknown')).rejects.toBeInstanceOf(NotFoundError);
  });

  it('reads a task that the moderation ended', async () => {
    const { id } = await client.textToVideo.create({ ...order, promptText: 'A boat [[moderated-output]]' });
    let task = await client.tasks.retrieve(id);
    while (task.status !== 'FAILED') task = await client.tasks.retrieve(id);
    expect(task).toMatchObject({ failureCode: 'SAFETY.OUTPUT.VIDEO', cost: { credits: 0 } });
  });

  it('cancels a running task, and deletes one that has ended', async () => {
    const { id } = await client.textToVideo.create({ ...order, promptText: 'A boat [[hang]]' });
    await client.tasks.retrieve(id);
    await client.tasks.delete(id);
    expect(await client.tasks.retrieve(id)).toMatchObject({ status: 'CANCELLED' });

    const { id: finished } = await client.textToVideo.create(order);
    let task = await client.tasks.retrieve(finished);
    while (task.status !== 'SUCCEEDED') task = await client.tasks.retrieve(finished);
    await client.tasks.delete(finished);
    await expect(client.tasks.retrieve(finished)).rejects.toBeInstanceOf(NotFoundError);
  });
});
