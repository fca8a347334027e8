import { once } from 'node:events';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usdText } from '../../lib/domain/money';
import { sendRaw, userTurn } from './raw';
import { chatModel, nativeModel, say, startWorld, type World } from './world';

// What happens to the upstream and to the account when somebody leaves, reads slowly, or has no more credit.

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

let seen = 0;
const forget = async () => void (seen = (await world.rows()).length);

async function lastRow() {
  // The end is noticed behind our back; a second is what is promised.
  for (let tries = 0; tries < 40; tries += 1) {
    const row = (await world.rows()).slice(seen).at(-1);
    if (row) return row;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('No message was charged.');
}

describe('a caller who leaves', () => {
  it.each([nativeModel, chatModel])('closes the upstream within a second, and pays for what was delivered: %s', async (model) => {
    await forget();
    const answer = await open(model, say(model === nativeModel ? 'long count=400 delay=10' : 'text delay=400'));
    await once(answer.body, 'data');
    const leftAt = performance.now();
    answer.body.destroy();
    const upstream = model === nativeModel ? world.native : world.chat;
    const { early, atMs } = await upstream.last().closed;
    expect(early).toBe(true);
    expect(atMs - leftAt).toBeLessThan(1_000);
    const row = await lastRow();
    expect(row).toMatchObject({ outcome: 'partial', code: 'caller_left', estimated: true });
    expect(BigInt(row.cost_nano_usd as string)).toBeGreaterThan(0n);
    expect(Number(row.output_tokens)).toBeGreaterThan(0);
    expect(Number(row.output_tokens)).toBeLessThan(400);
  });

  it('also stops an answer that was wanted whole', async () => {
    const controller = new AbortController();
    const answer = request(`${world.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${world.key}` },
      body: JSON.stringify(userTurn(nativeModel, say('long count=400 delay=10'), { stream: false })),
      signal: controller.signal,
    });
    await new Promise((resolve) => setTimeout(resolve, 150));
    const leftAt = performance.now();
    controller.abort();
    await expect(answer).rejects.toThrow();
    const { early, atMs } = await world.native.last().closed;
    expect(early).toBe(true);
    expect(atMs - leftAt).toBeLessThan(1_000);
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
  it('is what the last usage says, to the billionth', async () => {
    await forget();
    const before = await world.server.gateway.accounts.credits(await world.server.caller('live'));
    await sendRaw(world.baseUrl, world.key, userTurn(nativeModel, say('cached')));
    const row = await lastRow();
    // 40 × $1 + 6000 × $0.10 + 300 × $1.25 + 200 × $2 + 25 × $5, for a million tokens.
    expect(row).toMatchObject({ input_tokens: 40, cache_read_tokens: 6000, cache_write_5m_tokens: 300, cache_write_1h_tokens: 200, output_tokens: 25, estimated: false, outcome: 'completed' });
    expect(usdText(BigInt(row.cost_nano_usd as string))).toBe('0.00154');
    const after = await world.server.gateway.accounts.credits(await world.server.caller('live'));
    expect(Number(after.spent) - Number(before.spent)).toBeCloseTo(0.00154, 9);
    expect(after.held).toBe('0');
  });

  it('takes the last value of each count, also where it differs from the first', async () => {
    await forget();
    await sendRaw(world.baseUrl, world.key, userTurn(nativeModel, say('input-corrected')));
    expect(await lastRow()).toMatchObject({ input_tokens: 61, output_tokens: 5 });
  });

  it('is not asked for a refusal before the first word, nor for an error before it', async () => {
    for (const scenario of ['refusal', 'overloaded', 'too-long']) {
      await forget();
      await sendRaw(world.baseUrl, world.key, userTurn(nativeModel, say(scenario)));
      expect(await lastRow(), scenario).toMatchObject({ cost_nano_usd: '0' });
    }
  });

  it('is asked for what was delivered before an answer broke off', async () => {
    await forget();
    const { text } = await sendRaw(world.baseUrl, world.key, userTurn(nativeModel, say('text errorAt=5')));
    expect(text).toContain('event: error');
    expect(await lastRow()).toMatchObject({ outcome: 'partial', code: 'upstream_overloaded', input_tokens: 12 });
  });

  it('is asked for web searches', async () => {
    await forget();
    await sendRaw(world.baseUrl, world.key, userTurn(nativeModel, say('web-search')));
    // 2037 × $1 and 44 × $5 for a million tokens, and a search for a cent.
    const row = await lastRow();
    expect(usdText(BigInt(row.cost_nano_usd as string))).toBe('0.012257');
  });
});

describe('an account without enough credit', () => {
  const setCredit = (usd: string) => world.server.db.query(`update accounts set available_nano_usd = $1 where mode = 'live'`, [usd]);

  it('is refused with the billing error of the vendor, and keeps what it has', async () => {
    await world.server.gateway.messages.settled();
    const { rows } = await world.server.db.query(`select available_nano_usd::text as credit from accounts where mode = 'live'`);
    await setCredit('1000');
    try {
      const { status, text, headers } = await sendRaw(world.baseUrl, world.key, userTurn(nativeModel, say('text')));
      expect([status, JSON.parse(text).error.type, headers['x-should-retry']]).toEqual([402, 'billing_error', 'false']);
      expect(JSON.parse(text).request_id).toBe(headers['request-id']);
    } finally {
      await setCredit(String(rows[0]?.credit));
    }
  });

  it('is not blocked by a large max_tokens, and a long answer ends with the billing error when the credit does', async () => {
    await world.server.gateway.messages.settled();
    const { rows } = await world.server.db.query(`select available_nano_usd::text as credit from accounts where mode = 'live'`);
    // 4,096 tokens at $5 for a million are 20,480,000 billionths; 64,000 would be 320,000,000.
    await setCredit('21000000');
    let spent = 0n;
    try {
      const short = await sendRaw(world.baseUrl, world.key, userTurn(nativeModel, say('text'), { max_tokens: 64_000 }));
      expect(short.status).toBe(200);
      await world.server.gateway.messages.settled();
      const long = await sendRaw(world.baseUrl, world.key, userTurn(nativeModel, say('long count=6000'), { max_tokens: 64_000 }));
      expect(long.status).toBe(200);
      expect(long.text).toContain('event: error');
      expect(long.text).toContain('billing_error');
      await world.server.gateway.messages.settled();
      const { rows: left } = await world.server.db.query(`select available_nano_usd::text as credit, held_nano_usd::text as held from accounts where mode = 'live'`);
      expect(BigInt(left[0]?.credit as string)).toBeGreaterThanOrEqual(0n);
      expect(left[0]?.held).toBe('0');
      spent = 21_000_000n - BigInt(left[0]?.credit as string);
    } finally {
      // What was charged stays charged, or the books would not add up.
      await setCredit(String(BigInt(String(rows[0]?.credit)) - spent));
    }
  });
});

describe('two hundred slow readers', () => {
  it('cost no memory: the vendor waits for them', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => open(nativeModel, say('long count=4000 chunking=whole'))));
    for (const answer of answers) answer.body.pause();
    await new Promise((resolve) => setTimeout(resolve, 500));
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    globalThis.gc?.();
    const later = process.memoryUsage();
    expect(later.heapUsed + later.external - heapUsed - external).toBeLessThan(40 * 1024 * 1024);
    for (const answer of answers) answer.body.destroy();
    await world.rows();
  }, 20_000);
});
