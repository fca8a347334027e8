import { once } from 'node:events';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userTurn } from './raw';
import { chatModel, nativeModel, say, startWorld, type World } from './world';

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.close());

describe('a key that is revoked', () => {
  it.each([
    ['passed on', nativeModel, 'long count=2000 delay=10'],
    ['translated', chatModel, 'text delay=8000'],
  ])('ends its streams within five seconds, with the error of the vendor: one that is %s', async (_what, model, scenario) => {
    const { orgId } = await world.server.caller('live');
    const actor = { orgId, role: 'owner' } as const;
    const made = await world.server.gateway.accounts.createKey(actor, { name: 'short-lived', mode: 'live' });
    const answer = await request(`${world.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${made.key}` },
      body: JSON.stringify(userTurn(model, say(scenario))),
    });
    let text = '';
    answer.body.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk));
    await once(answer.body, 'data');
    const revokedAt = performance.now();
    await world.server.gateway.accounts.revokeKey(actor, made.id);
    await once(answer.body, 'end');
    expect(performance.now() - revokedAt).toBeLessThan(5_000);
    const last = text.trimEnd().split('\n\n').at(-1) ?? '';
    expect(last).toMatch(/^event: error\ndata: \{"type":"error","error":\{"type":"authentication_error"/);
    expect(text).not.toContain('message_stop');
    expect((await (model === nativeModel ? world.native : world.chat).last().closed).early).toBe(true);
    expect((await world.rows()).at(-1)).toMatchObject({ outcome: 'partial', code: 'revoked_api_key', streamed: true });
  }, 15_000);
});

describe('a key that is narrowed to other models', () => {
  it.each([
    ['passed on', nativeModel, 'long count=2000 delay=10'],
    ['translated', chatModel, 'text delay=8000'],
  ])('ends its streams within five seconds, with the error of the vendor: one that is %s', async (_what, model, scenario) => {
    const { orgId } = await world.server.caller('live');
    const actor = { orgId, role: 'owner' } as const;
    const made = await world.server.gateway.accounts.createKey(actor, { name: 'narrowed', mode: 'live' });
    const answer = await request(`${world.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${made.key}` },
      body: JSON.stringify(userTurn(model, say(scenario))),
    });
    let text = '';
    answer.body.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk));
    await once(answer.body, 'data');
    const narrowedAt = performance.now();
    await world.server.gateway.accounts.updateKey(actor, made.id, { allowed_models: ['sandbox-t2v'] });
    await once(answer.body, 'end');
    expect(performance.now() - narrowedAt).toBeLessThan(5_000);
    expect(text.trimEnd().split('\n\n').at(-1)).toMatch(/^event: error\ndata: \{"type":"error","error":\{"type":"permission_error"/);
    expect((await world.rows()).at(-1)).toMatchObject({ outcome: 'partial', code: 'model_not_allowed', streamed: true });
  }, 15_000);
});
