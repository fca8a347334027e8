import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Content } from '../../../lib/domain/files';
import { contentResponse } from '../../../lib/http/content-response';
import type { GatewayRequest } from '../../../lib/http/handler';

// Safe: nothing else of the request is read.
const request = { method: 'GET' } as GatewayRequest;
const respond = (body: Readable) =>
  contentResponse(request, { status: 200, start: 0, body } satisfies Content, {
    part: undefined,
    headers: {},
    fileHeaders: {},
  });

describe('a file whose source', () => {
  it('gives its first bytes is a response with them', async () => {
    const { status, body } = await respond(Readable.from([Buffer.from('abc')]));
    expect(status).toBe(200);
    // Safe: the response has the stream that it was made from.
    expect(await (body as Readable).toArray()).toEqual([Buffer.from('abc')]);
  });

  it('fails before its first byte is an error', async () => {
    const body = new Readable({ read: () => {} });
    const response = respond(body);
    body.destroy(new Error('reset'));
    await expect(response).rejects.toMatchObject({ code: 'upstream_content_unavailable' });
  });

  it('has failed before it was read is an error too, and not a response that never begins', async () => {
    const body = new Readable({ read: () => {} }).on('error', () => {});
    const isClosed = new Promise((resolve) => body.once('close', resolve));
    body.destroy(new Error('reset'));
    await isClosed;
    await expect(respond(body)).rejects.toMatchObject({ code: 'upstream_content_unavailable' });
  });
});
