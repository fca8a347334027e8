import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../lib/domain/clock';
import { askJson } from '../../../../lib/providers/kit/http/ask-json';
import { createUpstream } from '../../../../lib/providers/kit/http/http';
import { startSentinel } from '../../../support/sentinel';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

async function ask(status: number, body: string, maxBytes?: number) {
  const server = await startSentinel(
    (_request, response) => void response.writeHead(status, { 'x-id': '1' }).end(body),
  );
  const upstream = createUpstream({ baseUrl: `http://127.0.0.1:${server.port}`, clock: systemClock });
  open.push(server, upstream);
  const { signal } = new AbortController();
  return askJson(upstream, { method: 'GET', path: '/x', headers: {}, headersMs: 5_000, signal }, systemClock, maxBytes);
}

describe('askJson', () => {
  it.each([200, 202, 400, 500])('resolves with the parsed body of a %i', async (status) => {
    const answer = await ask(status, '{"id": 1}');
    expect(answer).toMatchObject({ status, json: { id: 1 }, bytes: 9 });
    expect(answer.headers['x-id']).toBe('1');
  });

  it.each(['', '<html>', '{"id": 1'])('resolves without JSON for the body %j', async (body) => {
    expect(await ask(200, body)).toMatchObject({ status: 200, json: undefined, bytes: body.length });
  });

  it('ignores the mark of the byte order before the body', async () => {
    expect((await ask(200, '\uFEFF{"id": 1}')).json).toEqual({ id: 1 });
  });

  it('reads a body of 1 MiB with a long integer at once, also one that breaks off inside a text of quotes', async () => {
    const quotes = '\\"'.repeat(500_000);
    const started = performance.now();
    expect((await ask(200, `{"id": 9007199254740993, "text": "${quotes}"}`)).json).toMatchObject({
      id: '9007199254740993',
    });
    expect((await ask(200, `{"id": 9007199254740993, "text": "${quotes}`)).json).toBeUndefined();
    // Each quote as the beginning of a text of its own would take minutes.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('keeps every digit of a long integer, as text', async () => {
    const body =
      '{"id": 9007199254740993, "text": "\\"12345678901234567890\\"", "part": 0.1234567890123456, "n": -123456789012345}';
    expect((await ask(200, body)).json).toEqual({
      id: '9007199254740993',
      text: '"12345678901234567890"',
      part: 0.1234567890123456,
      n: -123456789012345,
    });
  });

  it('reads a text of more than 64 KiB as empty, and does not count it', async () => {
    const media = `data:image/png;base64,${'A'.repeat(3 * 1024 * 1024)}`;
    const body = JSON.stringify({ input: { image: media, prompt: 'a "quoted" word' }, id: 'a1' });
    expect((await ask(200, body)).json).toEqual({ input: { image: '', prompt: 'a "quoted" word' }, id: 'a1' });
  });

  it('rejects a longer body than allowed, which may be the answer to begun work', async () => {
    expect(await ask(200, '"12345678"', 10)).toMatchObject({ json: '12345678' });
    await expect(ask(200, '"123456789"', 10)).rejects.toMatchObject({ extra: { upstream: { started: 'maybe' } } });
  });
});
