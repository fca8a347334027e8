import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../lib/domain/caller';
import { startAudioServer, type AudioServer } from '../support/audio-server';
import { openSocket } from '../support/socket-client';

let server: AudioServer;
beforeAll(async () => {
  server = await startAudioServer();
});
afterAll(() => server.close());

const speech = '/v1/audio/speech/ws';
const transcriptions = '/v1/audio/transcriptions/ws';
const manager = async (): Promise<Actor> => ({ orgId: (await server.caller('live')).orgId, role: 'owner' });
const refusal = async (socket: ReturnType<AudioServer['speak']>) => {
  const [message, closed] = [await socket.next(), await socket.closed];
  return [message.type, message.code, closed.code];
};

describe('the key', () => {
  it.each([speech, transcriptions])('in the header opens %s', async (path) => {
    const socket = openSocket(`ws://127.0.0.1:${server.port}${path}`, { key: server.firstRun.keys.live });
    socket.send({ type: 'cancel' });
    await new Promise((resolve) => socket.socket.once('open', resolve));
    expect(socket.messages.some(({ code }) => code === 401)).toBe(false);
    socket.cut();
  });

  it('in the query opens it too, and may be encoded', async () => {
    const key = Array.from(server.firstRun.keys.test, (character) => `%${character.charCodeAt(0).toString(16)}`).join(
      '',
    );
    const socket = server.speak({ key: '', query: `?token=${key}` });
    socket.send({ type: 'tts', model: 'sandbox-tts', input: 'Hi.', voice: 'kal' });
    expect((await socket.next()).type).toBe('audio');
    socket.cut();
  });

  it('in the header takes precedence over another one in the query', async () => {
    const good = server.speak({ query: '?token=pb_test_nonsense' });
    good.send({ type: 'tts', model: 'sandbox-tts', input: 'Hi.', voice: 'kal' });
    expect((await good.next()).type).toBe('audio');
    good.cut();
    expect(
      await refusal(server.speak({ key: 'pb_test_nonsense', query: `?token=${server.firstRun.keys.test}` })),
    ).toEqual(['error', 401, 4401]);
  });

  it.each(['', '?token=', '?token=pb_live_unknown', '?token=sk-proj-abcdef'])(
    'that is missing or wrong (%j) is refused in the socket, with 401',
    async (query) => {
      expect(await refusal(server.transcribe({ key: '', query }))).toEqual(['error', 401, 4401]);
    },
  );

  it('that is wrong in the header is refused in the socket, with 401', async () => {
    expect(await refusal(server.speak({ key: `pb_live_${'x'.repeat(36)}` }))).toEqual(['error', 401, 4401]);
  });

  it('that may not be used for this endpoint is refused with 403', async () => {
    const made = await server.gateway.accounts.createKey(await manager(), {
      name: 'videos only',
      mode: 'test',
      allowed_endpoints: ['/v1/videos'],
    });
    expect(await refusal(server.speak({ key: made.key }))).toEqual(['error', 403, 4403]);
  });

  it('of a suspended organisation is refused with 403, even in a running session', async () => {
    const other = await server.makeOrganization('Suspended');
    const socket = server.speak({ key: other.test });
    socket.send({ type: 'tts', model: 'sandbox-tts', input: 'Hi.', voice: 'kal' });
    await socket.next(({ type }) => type === 'done');
    await server.db.query(`update organizations set suspended_at = now() where name = 'Suspended'`);
    expect(await refusal(socket)).toEqual(['error', 403, 4403]);
    const later = server.speak({ key: other.live });
    expect(await refusal(later)).toEqual(['error', 403, 4403]);
  }, 15_000);

  it('that is revoked ends its sessions within five seconds, with 401', async () => {
    const made = await server.gateway.accounts.createKey(await manager(), { name: 'short-lived', mode: 'test' });
    const socket = server.transcribe({ key: made.key });
    socket.send({ type: 'configure', model: 'sandbox-stt' });
    await socket.next(({ type }) => type === 'session_started');
    const revokedAt = performance.now();
    await server.gateway.accounts.revokeKey(await manager(), made.id);
    expect(await refusal(socket)).toEqual(['error', 401, 4401]);
    expect(performance.now() - revokedAt).toBeLessThan(5_000);
  }, 15_000);
});

describe('a key with new restrictions', () => {
  it('ends the sessions that it no longer allows within five seconds, with 403, and the others refuse forbidden requests', async () => {
    const made = await server.gateway.accounts.createKey(await manager(), { name: 'narrowed', mode: 'test' });
    const [listens, waits] = [server.transcribe({ key: made.key }), server.speak({ key: made.key })];
    listens.send({ type: 'configure', model: 'sandbox-stt' });
    await listens.next(({ type }) => type === 'session_started');
    const narrowedAt = performance.now();
    await server.gateway.accounts.updateKey(await manager(), made.id, { allowed_models: ['aura-2'] });
    expect(await refusal(listens)).toEqual(['error', 403, 4403]);
    expect(performance.now() - narrowedAt).toBeLessThan(5_000);
    waits.send({ type: 'tts', model: 'sandbox-tts', input: 'Hi.', voice: 'kal' });
    expect(await refusal(waits)).toEqual(['error', 403, 4403]);
  }, 15_000);
});

describe('a ticket', () => {
  it('opens one socket of its path, once', async () => {
    const { ticket } = await server.gateway.tickets.create(await manager(), { path: speech, mode: 'test' });
    const first = server.speak({ key: '', query: `?token=${ticket}` });
    first.send({ type: 'tts', model: 'sandbox-tts', input: 'Hi.', voice: 'kal' });
    expect((await first.next()).type).toBe('audio');
    first.cut();
    expect(await refusal(server.speak({ key: '', query: `?token=${ticket}` }))).toEqual(['error', 401, 4401]);
  });

  it('does not open another path, and stays valid after the attempt', async () => {
    const { ticket } = await server.gateway.tickets.create(await manager(), { path: speech });
    expect(await refusal(server.transcribe({ key: '', query: `?token=${ticket}` }))).toEqual(['error', 401, 4401]);
    const right = server.speak({ key: '', query: `?token=${ticket}` });
    right.send({ type: 'tts', model: 'sandbox-tts', input: 'Hi.', voice: 'kal' });
    expect((await right.next()).type).toBe('audio');
    right.cut();
  });

  it('opens one of two sockets that use it at the same instant', async () => {
    const { ticket } = await server.gateway.tickets.create(await manager(), { path: speech });
    const both = [1, 2].map(() => server.speak({ key: '', query: `?token=${ticket}` }));
    for (const socket of both) socket.send({ type: 'tts', model: 'sandbox-tts', input: 'Hi.', voice: 'kal' });
    const answers = await Promise.all(both.map(async (socket) => (await socket.next()).type));
    expect(answers.toSorted()).toEqual(['audio', 'error']);
    for (const socket of both) socket.cut();
  });

  it('expires after a minute by the clock of the database, which all machines share', async () => {
    const { ticket, expires_at } = await server.gateway.tickets.create(await manager(), { path: speech });
    const { rows } = await server.db.query(`select ($1 - extract(epoch from now()))::float8 as seconds`, [expires_at]);
    expect(Math.abs(Number(rows[0]?.seconds) - 60)).toBeLessThan(10);
    await server.db.query(`update socket_tickets set expires_at = expires_at - interval '1 minute'`);
    expect(await refusal(server.speak({ key: '', query: `?token=${ticket}` }))).toEqual(['error', 401, 4401]);
  });

  it('in a header is not a key', async () => {
    const { ticket } = await server.gateway.tickets.create(await manager(), { path: speech });
    expect(await refusal(server.speak({ key: ticket }))).toEqual(['error', 401, 4401]);
  });

  it('is not issued to a viewer, nor for another path', async () => {
    const actor = await manager();
    await expect(server.gateway.tickets.create({ ...actor, role: 'viewer' }, { path: speech })).rejects.toMatchObject({
      code: 'role_required',
    });
    await expect(server.gateway.tickets.create(actor, { path: '/v1/videos' })).rejects.toMatchObject({
      code: 'unsupported_value',
    });
  });

  it('is stored as a hash only', async () => {
    const { ticket } = await server.gateway.tickets.create(await manager(), { path: speech });
    const { rows } = await server.db.query('select * from socket_tickets');
    expect(JSON.stringify(rows)).not.toContain(ticket);
  });
});

describe('a socket', () => {
  it('with a message of 300 KiB is closed with 1009, and the server stays up', async () => {
    const socket = server.transcribe();
    socket.send({ type: 'configure', model: 'sandbox-stt' });
    await socket.next(({ type }) => type === 'session_started');
    socket.send(new Uint8Array(300 * 1024));
    expect((await socket.closed).code).toBe(1009);
    const next = server.speak();
    next.send({ type: 'tts', model: 'sandbox-tts', input: 'Hi.', voice: 'kal' });
    expect((await next.next()).type).toBe('audio');
    next.cut();
  });

  it('with a message in very many fragments is closed, and the server stays up', async () => {
    const socket = server.speak();
    await new Promise((resolve) => socket.socket.once('open', resolve));
    for (let fragment = 0; fragment < 1_000 && socket.socket.readyState === 1; fragment++)
      socket.socket.send('x', { fin: false });
    expect([1002, 1008, 1009]).toContain((await socket.closed).code);
  });

  it('does not compress, although the client offers it', async () => {
    const socket = server.speak();
    await new Promise((resolve) => socket.socket.once('open', resolve));
    expect(socket.socket.extensions).toBe('');
    socket.cut();
  });

  it('of an unknown path is answered 404, and a plain request 426', async () => {
    expect(await rawStatus('/v1/audio/nothing/ws')).toContain('404');
    const plain = await fetch(`http://127.0.0.1:${server.port}${speech}`);
    expect(plain.status).toBe(426);
  });

  it('with an invalid handshake is answered and closed', async () => {
    expect(await rawStatus(speech, 'Sec-WebSocket-Version: 7\r\n')).toMatch(/HTTP\/1.1 4\d\d/);
  });
});

describe('a token', () => {
  it('appears in no log line', async () => {
    const canary = 'canary-d9-5f2e';
    for (const query of [`?token=${canary}`, `?token=pb_live_${canary}`, `?x=1&token=${canary}&token=${canary}2`]) {
      await refusal(server.speak({ key: '', query }));
    }
    const good = server.transcribe({ key: '', query: `?token=${server.firstRun.keys.test}` });
    good.send({ type: 'configure', model: 'nothing' });
    await good.closed;
    const written = JSON.stringify(server.log.lines);
    expect(server.log.lines.length).toBeGreaterThan(3);
    expect(written).not.toContain('canary');
    expect(written).not.toContain(server.firstRun.keys.test);
  });
});

function rawStatus(
  path: string,
  more = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => {
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${more}\r\n`,
      );
    });
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
      if (text.includes('\r\n')) {
        resolve(text.slice(0, text.indexOf('\r\n')));
        socket.destroy();
      }
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}
