import { once } from 'node:events';
import { connect } from 'node:net';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageCost, type TokenCounts } from '../../lib/billing/message-cost';
import { allModels } from '../../lib/catalog/models';
import { usdText } from '../../lib/domain/money';
import { sendRaw, userTurn } from './raw';
import { chatModel, compatibleModel, nativeModel, say, startWorld, type World } from './world';

// What happens to the upstream and to the account when the client disconnects or the credits run out.

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.close());

async function open(model: string, text: string) {
  const answer = await request(`${world.baseUrl}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${world.key}` },
    body: JSON.stringify(userTurn(model, text)),
  });
  answer.body.on('error', () => {});
  return answer;
}

/** The contract says one second; a busy machine may need more. The upstreams would continue for longer than this. */
const PROMPT_MS = 3_000;

const upstreams = [
  { model: nativeModel, fake: () => world.native, scenario: 'long count=400 delay=10' },
  { model: compatibleModel, fake: () => world.compatible, scenario: 'long delay=10' },
  { model: chatModel, fake: () => world.chat, scenario: 'long delay=10' },
];

/** What the tokens of that row cost, by the price of the catalog. */
function costOf(model: string, row: Record<string, unknown>): bigint {
  const found = allModels.find(({ id }) => id === model);
  if (found?.capability !== 'messages') throw new Error(`There is no ${model}.`);
  const tokens = {
    input: row.input_tokens,
    cacheRead: row.cache_read_tokens,
    cacheWrite5m: row.cache_write_5m_tokens,
    cacheWrite1h: row.cache_write_1h_tokens,
    output: row.output_tokens,
    webSearches: row.web_searches,
  };
  // Safe: the columns are whole numbers.
  return messageCost(tokens as TokenCounts, found.bindings[0]!.price);
}

let seen = new Set<unknown>();
const forget = async () => void (seen = new Set((await world.rows()).map(({ id }) => id)));

async function lastRow() {
  // The gateway notices the end asynchronously.
  for (let tries = 0; tries < 200; tries += 1) {
    const row = (await world.rows()).find(({ id }) => !seen.has(id));
    if (row) return row;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('No message was charged.');
}

describe('a client that disconnects', () => {
  it.each(upstreams)(
    'closes the upstream within a second, and pays for what was delivered: $model, streamed',
    async ({ model, fake, scenario }) => {
      await forget();
      const answer = await open(model, say(scenario));
      await once(answer.body, 'data');
      const leftAt = performance.now();
      answer.body.destroy();
      const { early, atMs } = await fake().last().closed;
      expect(early).toBe(true);
      expect(atMs - leftAt).toBeLessThan(PROMPT_MS);
      const row = await lastRow();
      expect(row).toMatchObject({ outcome: 'partial', code: 'caller_left', estimated: true, streamed: true });
      expect(BigInt(row.cost_nano_usd as string)).toBe(costOf(model, row));
      expect(Number(row.output_tokens)).toBeGreaterThan(0);
      expect(Number(row.output_tokens)).toBeLessThan(400);
    },
  );

  it.each([
    ...upstreams.map(({ model, scenario }) => ({ model, text: say(scenario), key: () => world.key })),
    { model: 'sandbox-text', text: 'Hello [[slow:20]]', key: () => world.server.firstRun.keys.test },
  ])('causes no error: $model', async ({ model, text, key }) => {
    await forget();
    const before = world.server.log.lines.length;
    const answer = await request(`${world.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key()}` },
      body: JSON.stringify(userTurn(model, text)),
    });
    answer.body.on('error', () => {});
    await once(answer.body, 'data');
    answer.body.destroy();
    await lastRow();
    expect(world.server.log.lines.slice(before).filter(({ level }) => level === 'warn' || level === 'error')).toEqual(
      [],
    );
  });

  it('ends its second answer too, which waits behind the first one on the same connection', async () => {
    await forget();
    const { hostname, port } = new URL(world.baseUrl);
    const socket = connect(Number(port), hostname);
    const body = JSON.stringify(userTurn(nativeModel, say('long count=4000 delay=10')));
    const lines = [
      'POST /v1/messages HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Authorization: Bearer ${world.key}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    const calls = () => world.native.requests.length;
    const before = calls();
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`.repeat(2));
    await expect.poll(calls).toBe(before + 2);
    await once(socket, 'data');
    socket.destroy();
    const ended = async () => (await world.rows()).filter(({ id }) => !seen.has(id)).map(({ code }) => code);
    await expect.poll(ended, { timeout: PROMPT_MS }).toEqual(['caller_left', 'caller_left']);
  });

  it.each(upstreams)(
    'closes the upstream within a second, and pays for what was generated: $model, non-streaming',
    async ({ model, fake, scenario }) => {
      const row = await leaveNonStreaming(
        model,
        fake,
        userTurn(model, say(scenario), { stream: false, max_tokens: 4_096 }),
      );
      expect(Number(row.output_tokens)).toBeGreaterThan(0);
    },
  );

  it('pays for what was read, by estimate, in a non-streaming answer', async () => {
    const { model, fake, scenario } = upstreams[0]!;
    const row = await leaveNonStreaming(
      model,
      fake,
      userTurn(model, say(scenario), { stream: false, max_tokens: 200 }),
    );
    expect(Number(row.input_tokens)).toBeGreaterThan(0);
    expect(Number(row.output_tokens)).toBe(0);
  });

  async function leaveNonStreaming(model: string, fake: (typeof upstreams)[number]['fake'], body: object) {
    await forget();
    const before = fake().requests.length;
    const controller = new AbortController();
    const answer = request(`${world.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${world.key}` },
      body: JSON.stringify(body),
      signal: controller.signal,
    });
    answer.catch(() => {});
    // Some of it is read by then; the amount does not matter.
    await expect.poll(() => fake().requests.length, { timeout: 30_000 }).toBe(before + 1);
    await new Promise((resolve) => setTimeout(resolve, 150));
    const leftAt = performance.now();
    controller.abort();
    await expect(answer).rejects.toThrow();
    const { early, atMs } = await fake().last().closed;
    expect(early).toBe(true);
    expect(atMs - leftAt).toBeLessThan(PROMPT_MS);
    const row = await lastRow();
    expect(row).toMatchObject({ outcome: 'partial', code: 'caller_left', estimated: true, streamed: false });
    expect(BigInt(row.cost_nano_usd as string)).toBe(costOf(model, row));
    return row;
  }

  it.each([true, false])('pays what the vendor reported, if it did: streamed is %s', async (stream) => {
    await forget();
    const before = world.native.requests.length;
    const controller = new AbortController();
    const answer = request(`${world.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${world.key}` },
      // All but the last event arrived: the total, but not the stop reason.
      body: JSON.stringify(userTurn(nativeModel, say('reported drop=5 stall'), { stream, max_tokens: 4_096 })),
      signal: controller.signal,
    });
    answer.then(
      ({ body }) => void body.on('error', () => {}).resume(),
      () => {},
    );
    await expect.poll(() => world.native.requests.length, { timeout: 30_000 }).toBe(before + 1);
    // The vendor sends everything at once; the gateway reads it in a few milliseconds, or later on a busy machine.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    controller.abort();
    // 40 × $1 + 6000 × $0.10 + 300 × $1.25 + 200 × $2 + 25 × $5, for a million tokens.
    const row = await lastRow();
    expect(row).toMatchObject({
      input_tokens: 40,
      cache_read_tokens: 6000,
      cache_write_5m_tokens: 300,
      cache_write_1h_tokens: 200,
      output_tokens: 25,
      estimated: false,
      outcome: 'partial',
      code: 'caller_left',
    });
    expect(usdText(BigInt(row.cost_nano_usd as string))).toBe('0.00154');
  });

  it('pays nothing before any output', async () => {
    for (const stream of [true, false]) {
      await forget();
      const controller = new AbortController();
      const answer = request(`${world.baseUrl}/v1/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${world.key}` },
        body: JSON.stringify(userTurn(nativeModel, say('hang'), { stream, max_tokens: 4_096 })),
        signal: controller.signal,
      });
      await new Promise((resolve) => setTimeout(resolve, 100));
      controller.abort();
      await expect(answer).rejects.toThrow();
      expect(await lastRow()).toMatchObject({ outcome: 'failed', code: 'caller_left', cost_nano_usd: '0' });
    }
  });

  it('does not count as a failure of the provider', async () => {
    for (let times = 0; times < 6; times += 1) {
      const answer = await open(nativeModel, say('long count=400 delay=10'));
      await once(answer.body, 'data');
      answer.body.destroy();
    }
    const { status, headers } = await sendRaw(world.baseUrl, world.key, userTurn(nativeModel, say('text')));
    expect(status).toBe(200);
    expect(headers['x-patchbay-attempts']).toBe('1');
  });
});

describe('money', () => {
  it('is what the last usage reports, to the nano-dollar', async () => {
    await forget();
    const before = await world.server.gateway.accounts.credits(await world.server.caller('live'));
    await sendRaw(world.baseUrl, world.key, userTurn(nativeModel, say('cached')));
    const row = await lastRow();
    // 40 × $1 + 6000 × $0.10 + 300 × $1.25 + 200 × $2 + 25 × $5, for a million tokens.
    expect(row).toMatchObject({
      input_tokens: 40,
      cache_read_tokens: 6000,
      cache_write_5m_tokens: 300,
      cache_write_1h_tokens: 200,
      output_tokens: 25,
      estimated: false,
      outcome: 'completed',
    });
    expect(usdText(BigInt(row.cost_nano_usd as string))).toBe('0.00154');
    const after = await world.server.gateway.accounts.credits(await world.server.caller('live'));
    expect(Number(after.spent) - Number(before.spent)).toBeCloseTo(0.00154, 9);
    expect(after.held).toBe('0');
  });

  it('takes the last value of each count, even if it differs from the first', async () => {
    await forget();
    await sendRaw(world.baseUrl, world.key, userTurn(nativeModel, say('input-corrected')));
    expect(await lastRow()).toMatchObject({ input_tokens: 61, output_tokens: 5 });
  });

  it('is not charged for a refusal or an error before the first word', async () => {
    for (const scenario of ['refusal', 'overloaded', 'too-long']) {
      await forget();
      await sendRaw(world.baseUrl, world.key, userTurn(nativeModel, say(scenario)));
      expect(await lastRow(), scenario).toMatchObject({ cost_nano_usd: '0' });
    }
  });

  it('is charged for what was delivered before an answer broke off', async () => {
    await forget();
    const { text } = await sendRaw(world.baseUrl, world.key, userTurn(nativeModel, say('text errorAt=5')));
    expect(text).toContain('event: error');
    expect(await lastRow()).toMatchObject({ outcome: 'partial', code: 'upstream_overloaded', input_tokens: 12 });
  });

  it('is charged for web searches', async () => {
    await forget();
    await sendRaw(world.baseUrl, world.key, userTurn(nativeModel, say('web-search')));
    // 2037 × $1 and 44 × $5 for a million tokens, and a search for a cent.
    const row = await lastRow();
    expect(usdText(BigInt(row.cost_nano_usd as string))).toBe('0.012257');
  });
});

describe('an account without enough credit', () => {
  const setCredit = (usd: string) =>
    world.server.db.query(`update accounts set available_nano_usd = $1 where mode = 'live'`, [usd]);

  it("is refused with the vendor's billing error, and keeps its balance", async () => {
    await world.server.gateway.messages.settled();
    const { rows } = await world.server.db.query(
      `select available_nano_usd::text as credit from accounts where mode = 'live'`,
    );
    await setCredit('1000');
    try {
      const { status, text, headers } = await sendRaw(world.baseUrl, world.key, userTurn(nativeModel, say('text')));
      expect([status, JSON.parse(text).error.type, headers['x-should-retry']]).toEqual([402, 'billing_error', 'false']);
      expect(JSON.parse(text).request_id).toBe(headers['request-id']);
    } finally {
      await setCredit(String(rows[0]?.credit));
    }
  });

  it('is not blocked by a large max_tokens, and a long answer ends with the billing error when the credits run out', async () => {
    await world.server.gateway.messages.settled();
    const { rows } = await world.server.db.query(
      `select available_nano_usd::text as credit from accounts where mode = 'live'`,
    );
    // 4,096 tokens at $5 for a million are 20,480,000 nano-dollars; 64,000 would be 320,000,000.
    await setCredit('21000000');
    let spent = 0n;
    try {
      const short = await sendRaw(world.baseUrl, world.key, userTurn(nativeModel, say('text'), { max_tokens: 64_000 }));
      expect(short.status).toBe(200);
      await world.server.gateway.messages.settled();
      const long = await sendRaw(
        world.baseUrl,
        world.key,
        userTurn(nativeModel, say('long count=6000'), { max_tokens: 64_000 }),
      );
      expect(long.status).toBe(200);
      expect(long.text).toContain('event: error');
      expect(long.text).toContain('billing_error');
      await world.server.gateway.messages.settled();
      const { rows: left } = await world.server.db.query(
        `select available_nano_usd::text as credit, held_nano_usd::text as held from accounts where mode = 'live'`,
      );
      expect(BigInt(left[0]?.credit as string)).toBeGreaterThanOrEqual(0n);
      expect(left[0]?.held).toBe('0');
      spent = 21_000_000n - BigInt(left[0]?.credit as string);
    } finally {
      // What was charged stays charged, otherwise the books would not balance.
      await setCredit(String(BigInt(String(rows[0]?.credit)) - spent));
    }
  });

  it.each([true, false])(
    "is refused in the vendor's shape when the key's limit ends a long answer: streamed is %s",
    async (stream) => {
      const caller = await world.server.caller('live');
      await world.server.gateway.messages.settled();
      await forget();
      // One slice of 4,096 tokens at $5 for a million, and half of another.
      const { spent } = await world.server.gateway.accounts.credits(caller);
      const limit = BigInt(Math.round(Number(spent) * 1e9)) + 30_000_000n;
      await world.server.db.query(`update api_keys set limit_nano_usd = $2, limit_period = 'total' where id = $1`, [
        caller.keyId,
        String(limit),
      ]);
      try {
        const { status, headers, text } = await sendRaw(
          world.baseUrl,
          world.key,
          userTurn(nativeModel, say('long count=6000'), { max_tokens: 64_000, stream }),
        );
        const refusal = stream ? text.trimEnd().split('\n').at(-1)!.slice('data: '.length) : text;
        expect([status, JSON.parse(refusal)]).toEqual([
          stream ? 200 : 402,
          {
            type: 'error',
            error: { type: 'billing_error', message: expect.stringContaining('spend limit') },
            request_id: headers['request-id'],
          },
        ]);
        expect(await lastRow()).toMatchObject({ outcome: 'partial', code: 'key_limit_exceeded' });
      } finally {
        await world.server.db.query(`update api_keys set limit_nano_usd = null, limit_period = null where id = $1`, [
          caller.keyId,
        ]);
      }
    },
  );
});
