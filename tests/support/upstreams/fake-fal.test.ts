import { ApiError, createFalClient, type FalClient, ValidationError } from '@fal-ai/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAL_KEY, startFakeFal } from './fake-fal';
import type { FakeVideoVendor } from './fake-video-vendor';

// fal's own client against the imitation of its queue.

const ENDPOINT = 'fal-ai/veo3.1/image-to-video';
const input = {
  prompt: 'A paper boat',
  image_url: 'https://media.example.com/first.png',
  duration: '4s',
  generate_audio: false,
} as const;

describe("fal's client against the imitation", () => {
  let vendor: FakeVideoVendor;
  let client: FalClient;
  const clientFor = (credentials: string) =>
    createFalClient({
      credentials,
      requestMiddleware: async (request) => ({
        ...request,
        url: request.url.replace('https://queue.fal.run', vendor.baseUrl),
      }),
    });
  beforeAll(async () => {
    vendor = await startFakeFal();
    client = clientFor(FAL_KEY);
  });
  afterAll(() => vendor.close());

  async function finish(prompt: string): Promise<string> {
    const { request_id: requestId } = await client.queue.submit(ENDPOINT, { input: { ...input, prompt } });
    let { status } = await client.queue.status(ENDPOINT, { requestId });
    while (status !== 'COMPLETED') ({ status } = await client.queue.status(ENDPOINT, { requestId }));
    return requestId;
  }

  it('submits, polls to the end and gets the result', async () => {
    const submitted = await client.queue.submit(ENDPOINT, { input, storageSettings: { expiresIn: '7d' } });
    expect(submitted).toMatchObject({
      status: 'IN_QUEUE',
      status_url: `https://queue.fal.run/fal-ai/veo3.1/requests/${submitted.request_id}/status`,
    });
    const { request_id: requestId } = submitted;
    const words: string[] = [];
    while (words.at(-1) !== 'COMPLETED') words.push((await client.queue.status(ENDPOINT, { requestId })).status);
    expect(words).toEqual(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']);
    const { data } = await client.queue.result(ENDPOINT, { requestId });
    expect(data.video).toMatchObject({ url: `${vendor.cdnUrl}/results/good/1.mp4`, content_type: 'video/mp4' });
  });

  it('requests a lifetime of the result in the header that we send', () => {
    const { headers } = vendor.requests[0] ?? {};
    expect(JSON.parse(String(headers?.['x-fal-object-lifecycle-preference']))).toMatchObject({
      expiration_duration_seconds: 604_800,
    });
  });

  it('reads an invalid field and a result that was moderated as validation errors', async () => {
    const invalid = client.queue.submit(ENDPOINT, { input: { ...input, duration: '5s' as '4s' } });
    const error = await invalid.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error instanceof ValidationError && error.getFieldErrors('duration')).toHaveLength(1);

    const requestId = await finish('A boat [[moderated-output]]');
    const moderated = await client.queue.result(ENDPOINT, { requestId }).catch((reason: unknown) => reason);
    expect(moderated instanceof ValidationError && moderated.fieldErrors[0]?.type).toBe('content_policy_violation');
  });

  it('reads a refused key as an error with the status', async () => {
    const refused = clientFor('another:key').queue.submit(ENDPOINT, { input });
    await expect(refused).rejects.toBeInstanceOf(ApiError);
    await expect(refused).rejects.toMatchObject({ status: 401 });
  });

  it('cancels a running job, and gets an error for one that has ended', async () => {
    const { request_id: requestId } = await client.queue.submit(ENDPOINT, {
      input: { ...input, prompt: 'A boat [[hang]]' },
    });
    await expect(client.queue.cancel(ENDPOINT, { requestId })).resolves.toBeUndefined();
    expect((await client.queue.status(ENDPOINT, { requestId })).status).toBe('COMPLETED');
    await expect(client.queue.cancel(ENDPOINT, { requestId })).rejects.toMatchObject({ status: 400 });
  });
});
