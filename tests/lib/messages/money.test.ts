import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFirstOrganization } from '../../../lib/accounts/first-organization';
import { makeKey } from '../../../lib/accounts/keys';
import { createSealer } from '../../../lib/accounts/seal';
import { unrestricted } from '../../../lib/accounts/seed';
import { createLedger } from '../../../lib/billing/ledger';
import { insertKey } from '../../../lib/db/keys';
import type { Caller } from '../../../lib/domain/caller';
import { isGatewayError } from '../../../lib/domain/errors';
import type { Message } from '../../../lib/domain/messages';
import type { NanoUsd } from '../../../lib/domain/money';
import type { Answer } from '../../../lib/messages/messages';
import { whileTimePasses } from '../../support/clock';
import { makeGateway, type TestGateway } from '../../support/gateway';
import { messagesInput } from '../../support/messages-input';
import { ofKey } from '../../support/policy-levels';
import { proofRuns } from '../../support/proof-runs';

// Many messages, and long ones, on a small balance. The books are checked when each gateway is closed.

/** Prices of `sandbox-text`: $0.10 and $0.40 per million tokens. */
const INPUT: NanoUsd = 100n;
const OUTPUT: NanoUsd = 400n;
const MAX_TOKENS = 100;
const SLICE_TOKENS = 4_096n;
const MANY = proofRuns(1_000, 200);

let test: TestGateway;
beforeEach(async () => {
  test = await makeGateway();
});
afterEach(async () => {
  await test.gateway.messages.settled();
  await test.close();
});

/** A caller of a new organisation with this credit, and a key with this spend limit. */
async function callerWith(credit: NanoUsd, limit?: NanoUsd): Promise<Caller> {
  const { gateway, db, clock } = test;
  const key = await db.inTransaction(async (tx) => {
    const made = await makeFirstOrganization(
      { ledger: createLedger({ clock }), sealer: createSealer('a master key of the tests of money'), clock },
      tx,
      {
        name: 'Poor',
        owner: { email: 'poor@example.com', passwordHash: 'none' },
        liveCredits: credit,
      },
    );
    const { key: text, row } = makeKey(made, clock.now(), {
      ...unrestricted,
      mode: 'live',
      scopes: ['inference'],
      name: 'live',
      ...(limit !== undefined && { limitNanoUsd: limit, limitPeriod: 'total' as const }),
    });
    await insertKey(tx, row);
    return text;
  });
  return gateway.accounts.authenticate({ authorization: `Bearer ${key}` }, '127.0.0.1');
}

function ask(
  caller: Caller,
  change: {
    readonly text?: string;
    readonly scenario?: string;
    readonly maxTokens?: number;
    readonly stream?: boolean;
  } = {},
): Promise<Answer> {
  const values = {
    model: 'sandbox-text',
    max_tokens: change.maxTokens ?? MAX_TOKENS,
    stream: change.stream ?? false,
    messages: [{ role: 'user', content: change.text ?? 'Hello' }],
  };
  return test.gateway.messages.answer(caller, messagesInput(values, { scenario: change.scenario }));
}

async function balances(caller: Caller) {
  const { rows } = await test.db.query(
    `select available_nano_usd::text as available, held_nano_usd::text as held, spent_nano_usd::text as spent from accounts where org_id = $1 and mode = 'live'`,
    [caller.orgId],
  );
  // Safe: three columns of text.
  const { available, held, spent } = rows[0] as Record<'available' | 'held' | 'spent', string>;
  return { available: BigInt(available), held: BigInt(held), spent: BigInt(spent) };
}

/** The cost of one of these messages, and the amount that is reserved for it. */
async function priceOfOne(): Promise<{ readonly cost: NanoUsd; readonly hold: NanoUsd }> {
  const answer = await ask(await test.caller('test'));
  if (answer.kind !== 'message') throw new Error('The answer is a stream.');
  const { usage } = JSON.parse(answer.json) as { readonly usage: Message['usage'] }; // Safe: it was created as one.
  const { input_tokens: input, output_tokens: output } = usage;
  return {
    cost: BigInt(input) * INPUT + BigInt(output) * OUTPUT,
    hold: BigInt(Math.ceil(input * 1.1)) * INPUT + BigInt(MAX_TOKENS) * OUTPUT,
  };
}

const codes = (results: readonly PromiseSettledResult<unknown>[]) =>
  new Set(
    results.flatMap((result) =>
      result.status === 'rejected' ? [isGatewayError(result.reason) ? result.reason.code : String(result.reason)] : [],
    ),
  );

describe('many messages at once on credit for fifty', () => {
  it('fifty are answered when all of them run at the same time, and each of the others is refused with a reason', async () => {
    const { cost, hold } = await priceOfOne();
    const credit = 50n * hold + hold / 2n;
    const caller = await callerWith(credit);
    let settled = 0;
    const results = Array.from({ length: MANY }, () =>
      ask(caller, { scenario: 'slow:60' }).finally(() => (settled += 1)),
    );
    const all = Promise.allSettled(results);
    // The refusals arrive while the fifty run for a minute.
    await expect.poll(() => settled, { timeout: 50_000 }).toBe(MANY - 50);
    expect(await balances(caller)).toMatchObject({ available: hold / 2n, held: 50n * hold, spent: 0n });
    const outcomes = await whileTimePasses(test.clock, all);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    expect(
      [...codes(outcomes)].every((code) => code === 'insufficient_credits' || code === 'credits_held_by_running_jobs'),
    ).toBe(true);
    await test.gateway.messages.settled();
    expect(await balances(caller)).toEqual({ available: credit - 50n * cost, held: 0n, spent: 50n * cost });
  });

  it('as many are answered as the credit pays for when they come and go, and it never falls below zero', async () => {
    const { cost, hold } = await priceOfOne();
    const credit = 50n * hold;
    const caller = await callerWith(credit);
    const outcomes = await Promise.allSettled(Array.from({ length: MANY }, () => ask(caller)));
    await test.gateway.messages.settled();
    const answered = BigInt(outcomes.filter(({ status }) => status === 'fulfilled').length);
    expect(answered).toBeGreaterThanOrEqual(50n);
    expect(answered).toBeLessThanOrEqual(credit / cost);
    expect(await balances(caller)).toEqual({ available: credit - answered * cost, held: 0n, spent: answered * cost });
    const { rows } = await test.db.query(
      `select count(*)::int as count from messages where org_id = $1 and outcome = 'completed'`,
      [caller.orgId],
    );
    expect(rows[0]?.count).toBe(Number(answered));
  });
});

/** With a price ceiling of its key. */
const capped = (caller: Caller, most: NanoUsd): Caller => ({
  ...caller,
  policy: { ...caller.policy, ...ofKey({ maxRequestNanoUsd: most }) },
});

describe('a price ceiling', () => {
  it('refuses a message whose first reservation is above it, and nothing is held', async () => {
    const { hold } = await priceOfOne();
    const caller = await callerWith(1_000_000_000n);
    await expect(ask(capped(caller, hold - 1n))).rejects.toMatchObject({ code: 'price_not_allowed' });
    expect((await balances(caller)).held).toBe(0n);
    await ask(capped(caller, hold));
  });
});

describe('a long answer', () => {
  const text = 'Hello [[words:4000]]';
  const slice = SLICE_TOKENS * OUTPUT;

  // Streams that end this way are tested in tests/conformance, with an upstream without pacing.
  it.each([
    ['credits_held_by_running_jobs', (most: NanoUsd) => callerWith(most)],
    ['key_limit_exceeded', (most: NanoUsd) => callerWith(1_000_000_000n, most)],
    ['price_not_allowed', async (most: NanoUsd) => capped(await callerWith(1_000_000_000n), most)],
  ])(
    'that is not streamed is stopped at the same place and charged, and its error says so: %s',
    async (code, makeCaller) => {
      const most = slice + slice / 2n;
      const caller = await makeCaller(most);
      await expect(whileTimePasses(test.clock, ask(caller, { text, maxTokens: 64_000 }))).rejects.toMatchObject({
        code,
        message: expect.stringContaining('what was written until then is charged') as string,
        // A client that retries by itself would pay again.
        extra: { retry: false },
      });
      await test.gateway.messages.settled();
      const { held, spent } = await balances(caller);
      expect(held).toBe(0n);
      expect(spent).toBeGreaterThan(slice / 2n);
      expect(spent).toBeLessThanOrEqual(most);
    },
  );

  it('is complete when the credit suffices, whatever max_tokens allows', async () => {
    const caller = await callerWith(4n * slice);
    const answer = await whileTimePasses(test.clock, ask(caller, { text, maxTokens: 64_000 }));
    if (answer.kind !== 'message') throw new Error('The answer is a stream.');
    expect(JSON.parse(answer.json)).toMatchObject({ stop_reason: 'end_turn' });
  });
});

describe('an answer that takes too long', () => {
  it('is ended after 90 minutes with an error, even if its client does not read, and is charged for what was generated', async () => {
    const caller = await test.caller('live');
    const answer = await whileTimePasses(
      test.clock,
      ask(caller, { text: 'Hello [[words:4000]]', maxTokens: 64_000, stream: true }),
    );
    if (answer.kind !== 'stream' || Buffer.isBuffer(answer.events)) throw new Error('The answer is not a stream.');
    const { events } = answer;
    // The first events have arrived and nothing more is read: the provider waits, and nothing else would ever end it.
    await whileTimePasses(test.clock, once(events, 'readable'));
    await test.clock.advance(85 * 60_000);
    const { held } = await balances(caller);
    expect(held).toBeGreaterThan(0n);
    await test.clock.advance(6 * 60_000);
    await test.gateway.messages.settled();
    const { rows } = await test.db.query('select outcome, code, output_tokens as tokens from messages');
    expect(rows).toEqual([{ outcome: 'partial', code: 'upstream_timeout', tokens: expect.any(Number) as number }]);
    expect((await balances(caller)).held).toBe(0n);
    let text = '';
    for await (const chunk of events) text += String(chunk);
    expect(text).toMatch(/event: error\ndata: .*"timeout_error".*The answer was ended after 90 minutes/);
  });
});
