import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { messageContentSchema, messageDetailsSchema } from '../../../../lib/contract/requests';
import { systemClock } from '../../../../lib/domain/clock';
import { createReadContent } from '../../../../lib/messages/answer/read-content';
import { keepHouse } from '../../../support/housekeeping';
import { startServer, type TestServer } from '../../../support/server';

// The conversations of messages, over HTTP as clients and scripts use them.

const DAY_MS = 86_400_000;
const SETTINGS = '/console/api/organization';

let served: TestServer;
beforeAll(async () => {
  served = await startServer();
});
afterAll(() => served.close());

const send = (path: string, body: unknown, init: RequestInit = {}) =>
  served.call(path, {
    method: 'POST',
    ...init,
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...init.headers },
    body: JSON.stringify(body),
  });

async function keepFor(days: number | null): Promise<void> {
  const response = await send(SETTINGS, { keep_messages_days: days }, { method: 'PATCH' });
  expect(await response.json()).toMatchObject({ keep_messages_days: days });
}

const requestOf = (change: Readonly<Record<string, unknown>> = {}) => ({
  model: 'sandbox-text',
  max_tokens: 60,
  system: 'Answer shortly.',
  messages: [{ role: 'user', content: 'What is a patch bay?' }],
  ...change,
});

/** Sends a message and returns its id and the whole answer. */
async function ask(body: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>> = {}) {
  const response = await send('/v1/messages', body, { headers });
  const text = await response.text();
  const id = /"id":\s*"(msg_\w+)"/.exec(text)?.[1] ?? '';
  await served.gateway.messages.settled();
  return { id, text, status: response.status };
}

const readContent = (id: string) => served.call(`/console/api/messages/${id}/content`);

async function contentOf(id: string) {
  const response = await readContent(id);
  expect(response.status).toBe(200);
  return messageContentSchema.parse(await response.json());
}

async function detailsOf(id: string) {
  return messageDetailsSchema.parse(await (await served.call(`/console/api/messages/${id}`)).json());
}

const countRows = async () => Number((await served.db.query('select count(*) as n from message_contents')).rows[0]?.n);

it('are not stored, unless the organisation chooses to', async () => {
  const { id } = await ask(requestOf());
  const response = await readContent(id);
  expect([response.status, await response.json()]).toMatchObject([
    404,
    { error: { code: 'message_not_found', message: expect.stringContaining('settings') as string } },
  ]);
  expect(await detailsOf(id)).toMatchObject({ content_expires_at: null });
  expect(await countRows()).toBe(0);
});

it.each([0, 91, 1.5, '7', true])('are not kept for %j days', async (days) => {
  const response = await send(SETTINGS, { keep_messages_days: days }, { method: 'PATCH' });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { param: 'keep_messages_days', message: expect.stringContaining('from 1 to 90') as string } },
  ]);
});

describe('of an organisation that keeps them for a week', () => {
  beforeEach(() => keepFor(7));

  it.each([false, true])(
    'are the request as it was sent and the answer as it was delivered (stream: %j)',
    async (stream) => {
      const body = requestOf({ stream, metadata: { user_id: 'ü' } });
      const { id, text } = await ask(body);
      const { request, answer, expires_at: expiresAt } = await contentOf(id);
      expect(request).toEqual(body);
      expect(Math.abs(expiresAt * 1000 - (Date.now() + 7 * DAY_MS))).toBeLessThan(DAY_MS);
      expect(await detailsOf(id)).toMatchObject({ content_expires_at: expiresAt });
      if (stream) {
        const deltas = [...text.matchAll(/"text_delta","text":("(?:[^"\\]|\\.)*")/g)].map(
          ([, part]) => JSON.parse(part!) as string,
        );
        expect(answer).toMatchObject({ id, model: 'sandbox-text', content: [{ type: 'text', text: deltas.join('') }] });
        expect(deltas.join('')).not.toBe('');
      } else expect(answer).toEqual(JSON.parse(text));
    },
  );

  it('end where the answer broke off', async () => {
    const { id } = await ask(requestOf({ stream: true }), { 'x-test-scenario': 'error-mid' });
    expect(await detailsOf(id)).toMatchObject({ status: 'partial' });
    const { answer } = await contentOf(id);
    expect(answer).toMatchObject({ id, content: [{ type: 'text', text: expect.stringMatching(/./) as string }] });
  });

  it('have no answer if none was delivered', async () => {
    const { status } = await ask(requestOf(), { 'x-test-scenario': 'fail' });
    expect(status).toBeGreaterThanOrEqual(400);
    const { rows } = await served.db.query("select id from messages where outcome = 'failed'");
    expect(await contentOf(String(rows[0]?.id))).toMatchObject({ request: requestOf(), answer: null });
  });

  it('are not those of another organisation', async () => {
    const { id } = await ask(requestOf());
    const { orgId } = await served.gateway.accounts.authenticate(
      { authorization: `Bearer ${(await served.makeOrganization('Strangers')).live}` },
      '127.0.0.1',
    );
    await expect(served.gateway.messages.content(orgId, id)).rejects.toThrow('There is no message');
  });

  it('are deleted when their time is over, and not before', async () => {
    const { id } = await ask(requestOf());
    const endMs = (await contentOf(id)).expires_at * 1000;
    const { orgId } = await served.caller();
    const at = (ms: number) => ({
      ...served,
      clock: { ...systemClock, nowMs: () => ms, now: () => new Date(ms) },
    });
    await keepHouse(at(endMs - 60_000));
    expect(await createReadContent(at(endMs - 60_000))(orgId, id)).toMatchObject({ id });
    await expect(createReadContent(at(endMs + 1_000))(orgId, id)).rejects.toThrow('not kept');
    await keepHouse(at(endMs + 1_000));
    expect(await countRows()).toBe(0);
    expect(await detailsOf(id)).toMatchObject({ content_expires_at: null, status: 'completed' });
  });

  it('are erased when it keeps them no more, also those that are stored a moment later', async () => {
    const { id } = await ask(requestOf());
    expect(await countRows()).toBeGreaterThan(0);
    await keepFor(null);
    expect(await countRows()).toBe(0);
    expect((await readContent(id)).status).toBe(404);
    // The key is cached for seconds.
    await ask(requestOf());
    expect(await countRows()).toBe(0);
  });
});
