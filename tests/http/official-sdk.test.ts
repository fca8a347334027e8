import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewayError } from '../../lib/domain/errors';
import { DONE, FILE, FOREIGN, LIVE_KEY, QUEUED, startEdge, type RunningEdge } from '../support/edge';

// The official client of the API convention, unchanged, with our base URL.

let edge: RunningEdge;
let client: OpenAI;
beforeEach(async () => {
  edge = await startEdge();
  client = new OpenAI({ apiKey: LIVE_KEY, baseURL: `${edge.url}/v1` });
});
afterEach(() => edge.close());

describe('the official client', () => {
  it('submits a form with fields that its types lack', async () => {
    const more = {
      image_list: ['https://example.com/a.png', 'https://example.com/b.png'],
      generate_audio: false,
      input_reference: { image_url: 'https://example.com/c.png' },
    };
    const video = await client.videos.create({ model: 'm', prompt: 'p', seconds: '8', ...(more as object) });
    expect(video).toMatchObject({ object: 'video', status: 'queued' });
    expect(edge.submissions[0]).toMatchObject({
      textOnly: true,
      automaticRetry: false,
      body: { prompt: 'p', seconds: '8', ...more, generate_audio: 'false' },
    });
  });

  it('reads, lists, deletes and downloads', async () => {
    expect(await client.videos.retrieve(QUEUED)).toMatchObject({ id: QUEUED });
    expect((await client.videos.list({ limit: 5, order: 'asc' })).data).toEqual([]);
    expect(await client.videos.delete(DONE)).toMatchObject({ id: DONE, deleted: true });
    const file = await client.videos.downloadContent(DONE, { variant: 'video' });
    expect(Buffer.from(await file.arrayBuffer()).equals(FILE)).toBe(true);
    expect((await client.models.list()).data.length).toBeGreaterThan(0);
    expect(await client.models.retrieve('sandbox/sandbox-t2v')).toMatchObject({ id: 'sandbox-t2v' });
  });

  it('throws its own error classes, with the request id, the code and the field', async () => {
    const missing = await client.videos.retrieve(FOREIGN).catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(OpenAI.NotFoundError);
    expect(missing).toMatchObject({
      status: 404,
      code: 'video_not_found',
      type: 'not_found_error',
      requestID: expect.stringMatching(/^req_/),
    });
    await expect(client.videos.list({ limit: 1000 })).rejects.toMatchObject({ status: 400, param: 'limit' });
    const stranger = new OpenAI({ apiKey: 'wrong', baseURL: `${edge.url}/v1` });
    await expect(stranger.videos.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });

  it('retries what may succeed and says so, and nothing else', async () => {
    let calls = 0;
    edge.fail = (name) => {
      if (name !== 'submit') return;
      calls += 1;
      if (calls === 1) throw new GatewayError('rate_limit_exceeded', 'Slower.');
    };
    await client.videos.create({ prompt: 'p' });
    expect(edge.submissions.map(({ automaticRetry }) => automaticRetry)).toEqual([false, true]);

    for (const code of ['insufficient_credits', 'idempotency_key_reused', 'unsupported_value'] as const) {
      edge.submissions.length = 0;
      edge.fail = (name) => {
        if (name === 'submit') throw new GatewayError(code, 'No.');
      };
      await expect(client.videos.create({ prompt: 'p' })).rejects.toMatchObject({ code });
      expect(edge.submissions, code).toHaveLength(1);
    }
  });

  it('does not retry the content of an unfinished video', async () => {
    await expect(client.videos.downloadContent(QUEUED)).rejects.toMatchObject({ status: 409, code: 'video_not_ready' });
    expect(edge.addresses).toHaveLength(1);
  });
});
