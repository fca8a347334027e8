import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNameLookup } from '../../../lib/net/lookup-name';
import type { NameServer } from '../../support/name-server';
import { startNameServer } from '../../support/name-server';

const v6 = (last: number) => [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last];

let server: NameServer;
beforeAll(async () => {
  server = await startNameServer({
    'both.example': {
      a: [
        [1, 2, 3, 4],
        [1, 2, 3, 5],
      ],
      aaaa: [v6(1)],
    },
    'four.example': { a: [[1, 2, 3, 4]] },
    'six.example': { aaaa: [v6(1)] },
    'half.example': { a: [[1, 2, 3, 4]], silent: 'aaaa' },
    'silent.example': { silent: 'all' },
  });
});
afterAll(() => server.close());

const never = new AbortController().signal;
const find = (host: string, signal = never) => createNameLookup([server.address])(host, signal);

describe('the lookup of a name', () => {
  it('returns every address of either kind', async () => {
    expect([...(await find('both.example'))].sort()).toEqual(['1.2.3.4', '1.2.3.5', '2001:db8::1']);
    expect(await find('four.example')).toEqual(['1.2.3.4']);
    expect(await find('six.example')).toEqual(['2001:db8::1']);
  });

  it('asks the system for a name that the name server does not have', async () => {
    expect(await find('localhost')).toContain('127.0.0.1');
  });

  it('ends with its signal, with the addresses so far', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 400);
    expect(await find('half.example', controller.signal)).toEqual(['1.2.3.4']);
  });

  it('ends with its signal, even without an address', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('out of time')), 20);
    const startedAt = performance.now();
    await expect(find('silent.example', controller.signal)).rejects.toThrow('out of time');
    // Without the signal, the two tries take 1.8 s.
    expect(performance.now() - startedAt).toBeLessThan(1_500);
  });

  it('does not ask the system for a name on a silent name server', async () => {
    await expect(find('silent.example')).rejects.toThrow('No name server answered.');
  });
});
