import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foundListSchema, type FoundJson } from '../../../lib/contract/activity';
import type { Actor } from '../../../lib/domain/caller';
import { createWork } from '../../support/work';
import { newId } from '../../../lib/domain/ids';
import { makeGateway, type TestGateway } from '../../support/gateway';

let made: TestGateway;
let actor: Actor;
const videoIds: string[] = [];
/** The request id of both videos. */
const SUBMITTED = 'req_of_two_videos';

async function find(text: string): Promise<readonly FoundJson[]> {
  const data = await made.gateway.search.find(actor.orgId, text);
  foundListSchema.parse({ object: 'list', data });
  return data;
}

describe('search', () => {
  beforeAll(async () => {
    made = await makeGateway();
    const caller = await made.caller('test');
    actor = { orgId: caller.orgId, role: 'owner' };
    await made.gateway.accounts.createKey(actor, { name: 'Staging 100% _of_ it', mode: 'test' });
    const headers = { authorization: `Bearer ${made.firstRun.keys.test}` };
    const owner = await made.gateway.accounts.authenticate(headers, '127.0.0.1');
    for (const prompt of ['a', 'b']) {
      const body = { model: 'sandbox-t2v', prompt, seconds: 1 };
      const { id } = await made.gateway.videos.submit(owner, {
        body,
        textOnly: false,
        requestId: SUBMITTED,
        automaticRetry: false,
      });
      videoIds.push(id);
    }
  });
  afterAll(async () => {
    await made.close({ checked: false });
  });

  test('finds a model by the beginning of its id before one that only contains the word', async () => {
    const found = (await find('sandbox')).filter(({ kind }) => kind === 'model');
    expect(found.length).toBeGreaterThan(2);
    expect(found[0]?.id).toMatch(/^sandbox/);
  });

  test('finds a key by a part of its name, whatever wildcards the name contains', async () => {
    expect(await find('100% _of')).toMatchObject([{ kind: 'key', title: 'Staging 100% _of_ it', mode: 'test' }]);
    expect((await find('100%%')).length).toBe(0);
  });

  test('finds a job by the beginning of its id, with and without its prefix', async () => {
    const [id = ''] = videoIds;
    for (const text of [id.slice(0, 14), id.slice(6, 14), id])
      expect((await find(text)).map((found) => found.id)).toContain(id);
  });

  test('finds videos, and a message, by the id of their request', async () => {
    expect((await find(SUBMITTED)).map(({ kind, id }) => `${kind} ${id}`).toSorted()).toEqual(
      videoIds.map((id) => `video ${id}`).toSorted(),
    );
    const caller = await made.caller('test');
    const [message = ''] = await createWork(made).messages(caller, [1_000n]);
    const { request_id: requestId } = await made.gateway.requests.message(caller.orgId, message);
    expect(await find(requestId)).toMatchObject([{ kind: 'message', id: message }]);
  });

  test('finds a message by its id, and a session by its own id or the beginning of one of its texts', async () => {
    const caller = await made.caller('test');
    const work = createWork(made);
    const [message = ''] = await work.messages(caller, [1_000n]);
    const sessionId = newId('session');
    const text = await work.audio(caller, 1_000n, { sessionId });
    expect(await find(message)).toMatchObject([{ kind: 'message', id: message, mode: 'test' }]);
    for (const wanted of [sessionId, text.slice(0, 14)])
      expect(await find(wanted)).toMatchObject([{ kind: 'session', id: text, mode: 'test' }]);
    const { test: key } = await made.makeOrganization('Competitors');
    const stranger = await made.gateway.accounts.authenticate({ authorization: `Bearer ${key}` }, '127.0.0.1');
    for (const wanted of [message, sessionId, text])
      expect(await made.gateway.search.find(stranger.orgId, wanted)).toEqual([]);
  });

  test('finds nothing of another organisation', async () => {
    const { test: key } = await made.makeOrganization('Neighbours');
    const stranger = await made.gateway.accounts.authenticate({ authorization: `Bearer ${key}` }, '127.0.0.1');
    const [id = ''] = videoIds;
    for (const text of ['Staging', id, id.slice(0, 14), SUBMITTED])
      expect(await made.gateway.search.find(stranger.orgId, text)).toEqual([]);
  });

  test('returns nothing for one character, and accepts any text', async () => {
    expect(await find('a')).toEqual([]);
    for (const text of ['\0\0\0', '%', "'; drop table users", 'x'.repeat(5_000)])
      expect(Array.isArray(await find(text))).toBe(true);
  });
});
