import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageDetailsSchema, requestPageSchema, sessionDetailsSchema } from '../../../lib/contract/requests';
import { createLedger } from '../../../lib/billing/ledger';
import { insertMessages, messageText } from '../../../lib/db/messages';
import type { Caller } from '../../../lib/domain/caller';
import { newId } from '../../../lib/domain/ids';
import { parseRequestSearch } from '../../../lib/http/console/requests-endpoints';
import { createWork } from '../../support/work';
import { makeAcme, type Acme } from '../videos/make-acme';

// At each of two instants a video, two messages, a transcription and a spoken text; then a failed message.

let acme: Acme;
let live: Caller;
const newestFirst: string[] = [];
const sessionId = newId('session');
let failed: string;
let spoken: string;

beforeAll(async () => {
  acme = await makeAcme({ config: { role: 'web' } });
  live = acme.live;
  const work = createWork(acme);
  for (let instant = 0; instant < 2; instant += 1) {
    const video = (await acme.submit(live, {}, { requestId: `req_video_${instant}` })).id;
    const messages = await work.messages(live, [1_000n, 2_000n]);
    const heard = await work.audio(live, 3_000n, { kind: 'transcription' });
    spoken = await work.audio(live, 4_000n, { sessionId });
    newestFirst.unshift(video, ...messages.toSorted().toReversed(), ...[heard, spoken].toSorted().toReversed());
    await acme.clock.advance(60_000);
  }
  failed = await failedMessage();
  newestFirst.unshift(failed);
});
afterAll(() => acme.close());

/** A message that no provider answered: two calls, the second 300 ms after the end of the first. */
async function failedMessage(): Promise<string> {
  const id = `msg_${newId('request').slice('req_'.length)}`;
  const { orgId, keyId, mode } = live;
  const ledger = createLedger({ clock: acme.clock });
  await acme.db.inTransaction(async (tx) => {
    const subject = { kind: 'message', id: newId('transfer') } as const;
    const holdId = await ledger.hold(tx, { account: { orgId, mode }, keyId, amount: 5_000n, subject });
    const chargedAt = acme.clock.now();
    await ledger.renew(tx, { hold: holdId, charged: 0n }, chargedAt);
    const row = messageText({
      id,
      requestId: 'req_of_failed_message',
      model: 'sandbox-text',
      attempts: [
        { provider: 'north', upstreamModel: 'n', code: 'upstream_timeout', ms: 1_000 },
        { provider: 'south', upstreamModel: 's', code: 'upstream_overloaded', ms: 200, startMs: 1_300 },
      ],
      streamed: true,
      outcome: 'failed',
      code: 'upstream_overloaded',
      inputTokens: 0,
      cacheReadTokens: 0,
      cacheWrite5mTokens: 0,
      cacheWrite1hTokens: 0,
      outputTokens: 0,
      webSearches: 0,
      estimated: false,
      totalMs: 1_500,
      costNanoUsd: '0',
      createdAt: chargedAt.toISOString(),
    });
    await insertMessages(tx, { orgId, mode, keyId, holdId, chargedAt }, [row]);
  });
  return id;
}

async function find(query: string, caller = live) {
  const found = await acme.gateway.requests.list(
    caller,
    parseRequestSearch(new URLSearchParams(query), acme.clock.now()),
  );
  return requestPageSchema.parse(found);
}
const idsOf = async (query: string, caller = live) => (await find(query, caller)).data.map(({ id }) => id);
const kindsOf = async (query: string) => (await find(query)).data.map(({ kind }) => kind);

describe('the log of requests', () => {
  it.each([1, 2, 3, 5, 10, 11, 100])(
    'in pages of %i shows each request once, the newest first, also among those of one instant',
    async (limit) => {
      const seen: string[] = [];
      let after = '';
      for (;;) {
        const page = await find(`limit=${limit}${after && `&after=${after}`}`);
        seen.push(...page.data.map(({ id }) => id));
        if (!page.has_more) break;
        expect(page.data).toHaveLength(limit);
        after = page.last_id ?? '';
      }
      expect(seen).toEqual(newestFirst);
    },
  );

  it('shows what each kind has used, and what it costs', async () => {
    const { data } = await find('limit=6');
    expect(data).toMatchObject([
      { kind: 'message', status: 'failed', code: 'upstream_overloaded', cost: '0', duration_ms: 1_500 },
      { kind: 'video', status: 'queued', seconds: 5, cost: '0.5', request_id: 'req_video_1' },
      { kind: 'message', status: 'completed', tokens: { input: 10, output: 20 }, provider: 'sandbox' },
      { kind: 'message', key: { id: live.keyId, name: 'First live key' } },
      { status: 'completed' },
      { status: 'completed' },
    ]);
    expect(data.find(({ kind }) => kind === 'speech')).toMatchObject({
      id: spoken,
      characters: 12,
      cost: '0.000004',
      request_id: sessionId,
    });
    expect(data.find(({ kind }) => kind === 'transcription')).toMatchObject({ seconds: 1, cost: '0.000003' });
  });

  it('is narrowed by kind, status, model, provider, error code, key and time', async () => {
    expect(await kindsOf('kind=speech')).toEqual(['speech', 'speech']);
    expect(await idsOf('status=failed')).toEqual([failed]);
    expect(await kindsOf('status=queued')).toEqual(['video', 'video']);
    expect(await idsOf('status=partial')).toEqual([]);
    expect((await idsOf('status=completed')).length).toBe(8);
    expect(await kindsOf('model=sandbox-stt')).toEqual(['transcription', 'transcription']);
    expect((await idsOf('provider=sandbox')).length).toBe(8);
    expect(await idsOf('code=upstream_overloaded')).toEqual([failed]);
    expect((await idsOf(`key=${live.keyId}`)).length).toBe(11);
    expect(await idsOf('key=console')).toEqual([]);
    expect((await idsOf('created_within=90')).length).toBe(6);
  });

  it('finds a request by its id, that of its HTTP request or of its session', async () => {
    expect(await idsOf(`search=${failed}`)).toEqual([failed]);
    expect(await idsOf('search=req_of_failed_message')).toEqual([failed]);
    expect(await kindsOf('search=req_video_0')).toEqual(['video']);
    expect(await idsOf(`search=${spoken.slice(0, 12)}`)).toEqual([spoken]);
    expect(await kindsOf(`search=${sessionId}`)).toEqual(['speech', 'speech']);
  });

  it('shows nothing of the other mode and of other organisations', async () => {
    expect(await idsOf('', acme.test)).toEqual([]);
    const stranger = await acme.stranger('Neighbours');
    expect(await idsOf('', stranger)).toEqual([]);
    await expect(find(`after=${failed}`, stranger)).rejects.toMatchObject({ extra: { param: 'after' } });
  });

  it.each([
    ['kind=image', 'kind'],
    ['status=lost', 'status'],
    ['key=somebody', 'key'],
    ['after=nothing', 'after'],
    ['limit=101', 'limit'],
    ['search=a%00b', 'search'],
  ])('refuses %s and names the field', async (query, param) => {
    await expect(find(query)).rejects.toMatchObject({ extra: { param } });
  });
});

describe('the history of a message', () => {
  it('has every call of a provider with its time and error, the hold, and no charge', async () => {
    const message = messageDetailsSchema.parse(await acme.gateway.requests.message(live.orgId, failed));
    const start = message.created_at;
    expect(
      message.attempts.map(({ outcome, code, started_at: at }) => [outcome, code, Math.round((at - start) * 1000)]),
    ).toEqual([
      ['failed', 'upstream_timeout', 0],
      ['failed', 'upstream_overloaded', 1_300],
    ]);
    expect(message.timeline.map(({ event, at }) => [event, Math.round((at - start) * 1000)])).toEqual([
      ['accepted', 0],
      ['called', 0],
      ['provider_failed', 1_000],
      ['called', 1_300],
      ['provider_failed', 1_500],
      ['ended', 1_500],
    ]);
    expect(message.price).toMatchObject({ held: { state: 'released' }, shared: true, charged: '0' });
    expect(message.price.calculation).toBeUndefined();
    expect(message.price.ledger.map(({ kind }) => kind)).toEqual(['hold', 'release']);
  });

  it('is a missing one for other organisations', async () => {
    const { orgId } = await acme.stranger('Readers');
    for (const id of [failed, 'nonsense', 'a\0b'])
      await expect(acme.gateway.requests.message(orgId, id)).rejects.toMatchObject({ code: 'message_not_found' });
  });
});

describe('the history of a session', () => {
  it('is found by the id of the text or of the session, which shows its latest text', async () => {
    const text = sessionDetailsSchema.parse(await acme.gateway.requests.session(live.orgId, spoken));
    expect(text).toMatchObject({ kind: 'speech', characters: 12, price: { shared: false, charged: '0.000004' } });
    expect(text.price.ledger.map(({ kind }) => kind)).toEqual(['hold', 'capture']);
    expect((await acme.gateway.requests.session(live.orgId, sessionId)).id).toBe(spoken);
  });

  it('is a missing one for other organisations', async () => {
    const { orgId } = await acme.stranger('Listeners');
    for (const id of [spoken, sessionId, 'nonsense'])
      await expect(acme.gateway.requests.session(orgId, id)).rejects.toMatchObject({ code: 'session_not_found' });
  });
});
