import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../lib/domain/clock';
import { createUpstream, type Upstream } from '../../../../lib/providers/kit/http/http';
import { askInline, openInlineFile } from '../../../../lib/providers/kit/video/inline-file';
import { recordLog } from '../../../support/log';
import { RESULT } from '../../../support/upstreams/fake-video-vendor';
import { makeCall, readBody } from '../../contract/video';

describe('a file inside an answer', () => {
  let server: Server;
  let upstream: Upstream;
  let parts: readonly string[] = [];
  let answers = 0;

  beforeAll(async () => {
    server = createServer(async (_request, response) => {
      answers += 1;
      response.writeHead(200, { 'content-type': 'application/json' });
      for (const part of parts) {
        response.write(part);
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // Safe: it listens on a port.
    const { port } = server.address() as AddressInfo;
    upstream = createUpstream({ baseUrl: `http://127.0.0.1:${port}`, clock: systemClock });
  });
  afterAll(async () => {
    await upstream.close();
    server.closeAllConnections();
    server.close();
  });

  const call = makeCall(recordLog());
  const ask = () =>
    askInline(
      upstream,
      { method: 'GET', path: '/', headers: {}, headersMs: 10_000, signal: call.signal },
      'data',
      systemClock,
    );
  const read = async (body: AsyncIterable<unknown>) => {
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(Buffer.from(chunk as Buffer));
    return Buffer.concat(chunks);
  };
  const textOf = (file: Buffer) => `{"done": true, "file": {"data" : "${file.toString('base64')}", "type": "x"}}`;

  it('has what comes before it as JSON, wherever the answer is cut into pieces', async () => {
    const before = { name: 'a "quoted" \\ } ] name: ё', done: true, list: [{ x: [1, {}] }, ']}"'], empty: {} };
    const text = JSON.stringify({ ...before, files: [{ type: 'x', data: 'AAAA', name: 'later' }], name2: 'later' });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 6 }), async (cuts) => {
        const ends = [0, ...cuts.toSorted((one, other) => one - other), text.length];
        parts = ends.slice(1).map((end, at) => text.slice(ends[at], end));
        const { json, file } = await ask();
        file?.destroy();
        expect(json).toEqual({ ...before, files: [{ type: 'x', data: '' }] });
      }),
      { numRuns: 50 },
    );
  });

  it('is the same bytes, wherever the answer is cut into pieces and whatever is escaped', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.array(fc.nat(400), { maxLength: 6 }),
        fc.boolean(),
        async (bytes, cuts, escaped) => {
          const text = textOf(Buffer.from(bytes)).replace(/(?<=" : ")[^"]+/, (base64) =>
            escaped ? base64.replaceAll('/', '\\/').replaceAll('=', '\\u003d').replaceAll('+', '\\u002B') : base64,
          );
          const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
          parts = at
            .slice(1)
            .map((end, index) => text.slice(at[index], end))
            .filter((part) => part !== '');
          const { file } = await ask();
          if (!file) throw new Error('There is no file.');
          expect(await read(file)).toEqual(Buffer.from(bytes));
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([
    ['{"done": false, "name": "a \\"data\\": \\"AAAA\\""}', { done: false, name: 'a "data": "AAAA"' }],
    ['{"data": "", "id": 12345678901234567890}', { data: '', id: '12345678901234567890' }],
    ['{"data": null, "text": "é"}', { data: null, text: 'é' }],
    ['<html></html>', undefined],
  ])('that is absent from %s leaves the answer', async (text, json) => {
    parts = [text];
    const answer = await ask();
    expect([answer.file, answer.json]).toEqual([undefined, json]);
  });

  it('is not looked for in an answer that never has it', async () => {
    parts = Array.from({ length: 20 }, () => ' '.repeat(64 * 1024));
    await expect(ask()).rejects.toMatchObject({ code: 'upstream_invalid_response' });
  });

  it.each([
    ['before its end', '{"data": "AAAA'],
    ['in an escape', '{"data": "AAAA\\u00'],
    ['by something else than base64', '{"data": "AAAA****"}'],
  ])('fails if it is interrupted %s', async (_title, text) => {
    parts = [text];
    const { file } = await ask();
    if (!file) throw new Error('There is no file.');
    await expect(read(file)).rejects.toThrow();
  });

  it('is read once for the whole, and once more for its length', async () => {
    parts = [textOf(RESULT)];
    answers = 0;
    const whole = await openInlineFile(ask, undefined, { clock: systemClock }, call);
    expect([(await readBody(whole)).equals(RESULT), whole.length, answers]).toEqual([true, undefined, 1]);
    const head = await openInlineFile(ask, 'head', { clock: systemClock }, call);
    expect([head.length, answers]).toEqual([RESULT.length, 2]);
    const part = await openInlineFile(ask, { start: 8, end: 15 }, { clock: systemClock }, call);
    expect(part).toMatchObject({ status: 206, start: 8, length: 8, total: RESULT.length });
    expect([(await readBody(part)).equals(RESULT.subarray(8, 16)), answers]).toEqual([true, 4]);
  });
});
