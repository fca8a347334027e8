import { once } from 'node:events';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userTurn } from './raw';
import { chatModel, nativeModel, say, startWorld, type World } from './world';

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.close());

const streams = [
  { kind: 'passed on', model: nativeModel, scenario: 'long count=2000 delay=10' },
  { kind: 'translated', model: chatModel, scenario: 'text delay=8000' },
];
const ends = [
  { what: 'revoked', type: 'authentication_error', code: 'revoked_api_key' },
  { what: 'narrowed to other models', type: 'permission_error', code: 'model_not_allowed' },
] as const;

describe.each(ends)('a key that is $what', ({ what, type, code }) => {
  it.each(streams)(
    'ends its streams within five seconds, with the error of the vendor: one that is $kind',
    async ({ model, scenario }) => {
      const { orgId } = await world.server.caller('live');
      const actor = { orgId, role: 'owner' } as const;
      const { accounts } = world.server.gateway;
      const made = await accounts.createKey(actor, { name: 'short-lived', mode: 'live' });
      const answer = await request(`${world.baseUrl}/v1/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${made.key}` },
        body: JSON.stringify(userTurn(model, say(scenario))),
      });
      let text = '';
      answer.body.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk));
      await once(answer.body, 'data');
      const endedAt = performance.now();
      if (what === 'revoked') await accounts.revokeKey(actor, made.id);
      else await accounts.updateKey(actor, made.id, { allowed_models: ['sandbox-t2v'] });
      await once(answer.body, 'end');
      expect(performance.now() - endedAt).toBeLessThan(5_000);
      expect(text.trimEnd().split('\n\n').at(-1)).toMatch(
        new RegExp(`^event: error\\ndata: {"type":"error","error":{"type":"${type}"`),
      );
      expect(text).not.toContain('message_stop');
      expect((await (model === nativeModel ? world.native : world.chat).last().closed).early).toBe(true);
      expect((await world.rows()).at(-1)).toMatchObject({ outcome: 'partial', code, streamed: true });
    },
  );
});
