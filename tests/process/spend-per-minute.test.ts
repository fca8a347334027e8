import { afterAll, describe, expect, it } from 'vitest';
import { callOnce, makeFleet, type FleetProcess } from '../support/fleet';
import { runPostgres } from '../support/run-postgres';

// Two processes without Redis, as on two machines, and a key whose limit of spending per minute is that of two videos.

const postgres = runPostgres();
afterAll(() => postgres?.close());

describe.skipIf(!postgres)('the limit of spending per minute of two processes without Redis', () => {
  it('is exact', { timeout: 120_000 }, async ({ onTestFinished }) => {
    const fleet = await makeFleet(postgres!, { env: { KEY_LIMITS: 'spend_per_minute=0.025' } });
    onTestFinished(() => fleet.remove());
    const processes = [await fleet.add('web'), await fleet.add('web')];
    const body = { model: 'sandbox-t2v', prompt: 'a boat', seconds: 1, size: '640x360' };
    const submit = (baseUrl: string) => callOnce(baseUrl, 'POST', '/v1/videos', { key: fleet.keys.test, body });

    const answers = await Promise.all(
      processes.flatMap(({ baseUrl }) => Array.from({ length: 6 }, () => submit(baseUrl))),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(2);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);

    // A message costs less than is left. A process may remember for a second what the other has taken back since.
    const message = { model: 'sandbox-text', max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] };
    const send = async ({ baseUrl }: FleetProcess) =>
      (await callOnce(baseUrl, 'POST', '/v1/messages', { key: fleet.keys.test, body: message })).status;
    for (const each of processes) await expect.poll(() => send(each), { timeout: 10_000 }).toBe(200);
  });
});
