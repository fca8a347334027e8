import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../../lib/domain/caller';
import { makeGateway, type TestGateway } from '../../support/gateway';

let test: TestGateway;
let owner: Actor;
beforeAll(async () => {
  test = await makeGateway();
  const { rows } = await test.db.query('select id from users');
  owner = { orgId: (await test.caller('live')).orgId, role: 'owner', userId: rows[0]?.['id'] as never };
});
afterAll(() => test.close());

describe('a ticket of a key', () => {
  it('has the rights of the key and of its project, and what its organisation keeps, in the mode of the ticket', async () => {
    const { accounts, organizationSettings, projects, tickets } = test.gateway;
    const project = await projects.create(owner, 'live', { name: 'Calls', limit: { amount: '5.00', period: 'daily' } });
    await organizationSettings.update(owner, { keep_speech_days: 7 });
    const { id: keyId, key } = await accounts.createKey(owner, {
      name: 'server',
      mode: 'live',
      scopes: ['manage'],
      project: project.id,
      limits: { open_streams: 3 },
    });
    const path = '/v1/audio/speech/ws';
    const { ticket } = await tickets.create({ ...owner, keyId: keyId as never }, { path, mode: 'test' });
    const { address: _address, ...ofKey } = await accounts.authenticate({ authorization: `Bearer ${key}` }, '10.1.2.3');
    expect(ofKey).toMatchObject({ keepSpeechDays: 7, project: { name: 'Calls' } });
    expect(await tickets.redeem(ticket, path)).toEqual({
      ...ofKey,
      mode: 'test',
      policy: { ...ofKey.policy, scopes: ['manage', 'inference'] },
      isByTicket: true,
    });
  });
});
