import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server';

// The unmodified official client against the product on a real port.

let server: TestServer;
let client: OpenAI;

beforeAll(async () => {
  server = await startServer();
  client = new OpenAI({ apiKey: server.firstRun.keys.test, baseURL: `${server.baseUrl}/v1` });
});
afterAll(() => server.close());

const small = { seconds: '1', size: '640x360', fps: 8 };
/** Beyond the client's types; it sends extra fields unchanged. */
const create = (from: OpenAI, body: Record<string, unknown>) =>
  from.videos.create(body as unknown as OpenAI.VideoCreateParams);

async function finished(id: string): Promise<OpenAI.Video> {
  for (;;) {
    const video = await client.videos.retrieve(id);
    if (video.status === 'completed' || video.status === 'failed') return video;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('the official openai package', () => {
  it('creates, retrieves until completed, and downloads an MP4', async () => {
    const video = await create(client, { model: 'sandbox-t2v', prompt: 'a paper boat', ...small });
    expect(video).toMatchObject({
      object: 'video',
      status: 'queued',
      progress: 0,
      model: 'sandbox-t2v',
      seconds: '1',
      size: '640x360',
    });
    const done = await finished(video.id);
    expect(done).toMatchObject({ status: 'completed', progress: 100 });
    const file = Buffer.from(await (await client.videos.downloadContent(video.id)).arrayBuffer());
    expect(file.subarray(4, 8).toString()).toBe('ftyp');
  });

  it('sends nested and repeated form fields that arrive as an image', async () => {
    const pixel =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    const video = await create(client, {
      model: 'sandbox-i2v',
      prompt: 'a dot',
      input_reference: { image_url: pixel },
      generate_audio: false,
      ...small,
    });
    expect(await finished(video.id)).toMatchObject({ status: 'completed' });
    const pair = await create(client, {
      model: 'sandbox-start-end',
      prompt: 'two dots',
      image_list: [pixel, pixel],
      ...small,
    });
    expect(await finished(pair.id)).toMatchObject({ status: 'completed' });
  });

  it('lists by pages and deletes', async () => {
    const made = await create(client, { model: 'sandbox-t2v', prompt: 'to be deleted', ...small });
    await finished(made.id);
    const seen: string[] = [];
    for await (const video of client.videos.list({ limit: 1 })) seen.push(video.id);
    expect(seen).toContain(made.id);
    expect(new Set(seen).size).toBe(seen.length);
    expect(await client.videos.delete(made.id)).toEqual({ id: made.id, object: 'video.deleted', deleted: true });
    await expect(client.videos.retrieve(made.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  it('throws its own error classes, with param, code and request id', async () => {
    const bad = await create(client, { model: 'sandbox-t2v', prompt: 'x', seconds: '99' }).catch(
      (error: unknown) => error,
    );
    expect(bad).toBeInstanceOf(OpenAI.BadRequestError);
    expect(bad).toMatchObject({
      status: 400,
      param: 'seconds',
      code: 'unsupported_value',
      type: 'invalid_request_error',
    });
    expect((bad as InstanceType<typeof OpenAI.APIError>).requestID).toMatch(/^req_/);
    const stranger = new OpenAI({
      apiKey: `pb_test_${'0'.repeat(36)}`,
      baseURL: `${server.baseUrl}/v1`,
      maxRetries: 0,
    });
    await expect(stranger.videos.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    await expect(client.videos.retrieve('video_00000000000000000000000000000000')).rejects.toBeInstanceOf(
      OpenAI.NotFoundError,
    );
    await expect(create(client, { model: 'no-such-model', prompt: 'x' })).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
    });
  });

  it('requests the content of an unfinished video once, because the answer forbids a retry', async () => {
    const video = await create(client, { model: 'sandbox-t2v', prompt: '[[slow:30]]', ...small });
    const refused = await client.videos.downloadContent(video.id).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OpenAI.ConflictError);
    expect(refused).toMatchObject({ code: 'video_not_ready' });
    await fetch(`${server.baseUrl}/v1/videos/${video.id}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.firstRun.keys.test}` },
    });
  });

  it('makes one job and one hold when its first answer is dropped and it retries by itself', async () => {
    const proxy = await dropFirstAnswer(server.baseUrl);
    const before = await count(server);
    const impatient = new OpenAI({ apiKey: server.firstRun.keys.test, baseURL: `${proxy.url}/v1`, maxRetries: 2 });
    const video = await create(impatient, { model: 'sandbox-t2v', prompt: 'sent twice', ...small });
    expect(proxy.requests()).toBe(2);
    expect(await count(server)).toEqual({ videos: before.videos + 1, holds: before.holds + 1 });
    expect(await finished(video.id)).toMatchObject({ status: 'completed' });
    await proxy.close();
  });
});

async function count({ db }: TestServer): Promise<{ videos: number; holds: number }> {
  const { rows } = await db.query(
    'select (select count(*)::int from videos) as videos, (select count(*)::int from holds) as holds',
  );
  return rows[0] as { videos: number; holds: number };
}

/** Passes everything on, but cuts the client's connection when the first answer has arrived. */
async function dropFirstAnswer(
  target: string,
): Promise<{ url: string; requests: () => number; close: () => Promise<unknown> }> {
  let requests = 0;
  const proxy: Server = createServer((incoming, outgoing) => {
    const nth = ++requests;
    const onward = forward(
      `${target}${incoming.url ?? ''}`,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        if (nth === 1) {
          answer.resume();
          answer.once('end', () => outgoing.destroy());
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    requests: () => requests,
    close: () => new Promise((resolve) => proxy.close(resolve)),
  };
}
