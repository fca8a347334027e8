import fc from 'fast-check';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkBooks } from '../../lib/db/check-books';
import { proofRuns } from '../support/proof-runs';
import { startServer, type TestServer } from '../support/server';

// Malformed bodies. Each is accepted or answered in the shape of our errors; none gets a 5xx, and the books balance
// afterwards.

const BODIES = proofRuns(2_000);
let server: TestServer;
const agent = new Agent({ connections: 8 });

beforeAll(async () => {
  // Accepts submissions but runs no jobs: only the request handling is fuzzed.
  server = await startServer({ config: { role: 'web' } });
});
afterAll(async () => {
  await agent.close();
  await server.close();
});

interface Body {
  readonly type: string;
  readonly bytes: Buffer;
  readonly encoding?: string;
}

const valid = {
  model: 'sandbox-t2v',
  prompt: 'a cat',
  seconds: 5,
  size: '1280x720',
  width: 1280,
  height: 720,
  fps: 24,
  seed: 1,
  image_url: 'https://example.com/a.png',
  input_reference: { image_url: 'https://example.com/a.png' },
  image_list: ['https://example.com/a.png', 'https://example.com/b.png'],
  video_list: ['https://example.com/a.mp4'],
  video_url: 'https://example.com/a.mp4',
  input_seconds: 5,
  webhook: 'https://example.com/hook',
  generate_audio: true,
};
const models = [
  'sandbox-t2v',
  'sandbox-i2v',
  'sandbox-r2v',
  'sandbox-start-end',
  'sandbox-video-edit',
  'kling-3.0-t2v',
  'sora-2',
  'nobody/sandbox-t2v',
  'sandbox/sandbox-t2v',
  '__proto__',
  '',
];

const strange = fc.oneof(
  fc.anything({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    0,
    -1,
    1e308,
    Number.MAX_SAFE_INTEGER + 1,
    '5s',
    '0x10',
    '1e400',
    true,
    [],
    {},
    [[]],
    '\u0000',
    '\ud800',
    'a'.repeat(40_000),
    'http://127.0.0.1/',
    'file:///etc/passwd',
    'data:image/png;base64,',
    'data:,x',
    'https://[::1]/',
  ),
);
const json = (value: unknown) => ({
  type: 'application/json',
  bytes: Buffer.from(
    JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? Number(inner) : inner)) ?? 'undefined',
  ),
});

const mutated: fc.Arbitrary<Body> = fc
  .record({
    model: fc.constantFrom(...models),
    changes: fc.dictionary(fc.oneof(fc.constantFrom(...Object.keys(valid)), fc.string({ maxLength: 80 })), strange, {
      maxKeys: 6,
    }),
    drop: fc.subarray(Object.keys(valid)),
  })
  .map(({ model, changes, drop }) => {
    const body: Record<string, unknown> = { ...valid, model };
    for (const name of drop) delete body[name];
    return json({ ...body, ...changes });
  });
const brokenJson: fc.Arbitrary<Body> = fc
  .tuple(
    fc.constantFrom(
      JSON.stringify(valid),
      '{"model":"sandbox-t2v","prompt":',
      '[',
      '{"a":1e400}',
      '{"__proto__":{"model":"x"},"model":"sandbox-t2v","prompt":"x"}',
      '{"model":"sandbox-t2v","model":7}',
    ),
    fc.nat(200),
    fc.string({ maxLength: 10 }),
  )
  .map(([text, at, insert]) => ({
    type: 'application/json',
    bytes: Buffer.from(text.slice(0, at) + insert + text.slice(at)),
  }));
const deep: fc.Arbitrary<Body> = fc.integer({ min: 60, max: 20_000 }).map((depth) => ({
  type: 'application/json',
  bytes: Buffer.from(`{"prompt":${'['.repeat(depth)}${']'.repeat(depth)}}`),
}));
const anyBytes: fc.Arbitrary<Body> = fc
  .tuple(
    fc.constantFrom(
      'application/json',
      'application/json; charset=latin1',
      'text/plain',
      '',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
    ),
    fc.uint8Array({ maxLength: 400 }),
  )
  .map(([type, bytes]) => ({ type, bytes: Buffer.from(bytes) }));
const form: fc.Arbitrary<Body> = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.oneof(
          fc.constantFrom(
            'model',
            'prompt',
            'seconds',
            'input_reference[image_url]',
            'input_reference[file_id]',
            'image_list[]',
            'a[b][c]',
            'a[',
            ']',
            '[]',
            '__proto__[x]',
          ),
          fc.string({ maxLength: 20 }),
        ),
        fc.string({ maxLength: 60 }),
      ),
      { maxLength: 8 },
    ),
    fc.nat(40),
    fc.boolean(),
  )
  .map(([parts, cut, file]) => {
    const lines = parts.map(
      ([name, value]) =>
        `--xyz\r\nContent-Disposition: form-data; name="${name.replace(/["\r\n]/g, '')}"${file ? '; filename="f.png"' : ''}\r\n\r\n${value}\r\n`,
    );
    const whole = Buffer.from(`${lines.join('')}--xyz--\r\n`);
    return {
      type: 'multipart/form-data; boundary=xyz',
      bytes: whole.subarray(0, Math.max(0, whole.length - (cut > 20 ? cut : 0))),
    };
  });
const encoded: fc.Arbitrary<Body> = fc
  .constantFrom('gzip', 'br', 'identity')
  .map((encoding) => ({ ...json(valid), encoding }));

const bodies = fc.oneof(
  { arbitrary: mutated, weight: 6 },
  { arbitrary: brokenJson, weight: 2 },
  { arbitrary: deep, weight: 1 },
  { arbitrary: anyBytes, weight: 2 },
  { arbitrary: form, weight: 3 },
  { arbitrary: encoded, weight: 1 },
);

describe('POST /v1/videos', () => {
  it(`answers ${BODIES} malformed bodies in the shape of an error, never with 5xx`, { timeout: 180_000 }, async () => {
    const samples = fc.sample(bodies, { numRuns: BODIES, seed: 20_261_121 });
    const statuses = new Map<number, number>();
    const send = async (sample: Body) => {
      const response = await request(`${server.baseUrl}/v1/videos`, {
        method: 'POST',
        dispatcher: agent,
        headers: {
          authorization: `Bearer ${server.firstRun.keys.test}`,
          ...(sample.type ? { 'content-type': sample.type } : {}),
          ...(sample.encoding ? { 'content-encoding': sample.encoding } : {}),
        },
        body: sample.bytes,
      });
      const text = await response.body.text();
      const what = `${sample.type} ${sample.bytes.subarray(0, 300).toString()}\n→ ${response.statusCode} ${text.slice(0, 300)}`;
      statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1);
      expect(response.statusCode, what).toBeLessThan(500);
      const answer = JSON.parse(text) as { error?: Record<string, unknown>; id?: string };
      if (response.statusCode === 202) {
        expect(answer.id, what).toMatch(/^video_[0-9a-f]{32}$/);
        return;
      }
      expect(answer.error, what).toMatchObject({
        message: expect.any(String),
        type: expect.any(String),
        code: expect.any(String),
        request_id: response.headers['x-request-id'],
      });
      expect(answer.error, what).toHaveProperty('param');
      expect(String(answer.error?.message).length, what).toBeLessThanOrEqual(500);
    };
    const waiting = [...samples];
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let sample = waiting.pop(); sample; sample = waiting.pop()) await send(sample);
      }),
    );
    console.log(
      `fuzz: ${[...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, n]) => `${n} × ${status}`)
        .join(', ')}`,
    );
    // The sample contains both kinds, otherwise it proves nothing.
    expect(statuses.get(202) ?? 0).toBeGreaterThan(0);
    expect(statuses.get(400) ?? 0).toBeGreaterThan(BODIES / 2);
    expect(await checkBooks(server.db)).toEqual([]);
  });
});
