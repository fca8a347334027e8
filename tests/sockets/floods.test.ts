import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { wireOptions } from '../../server/sockets/audio-sockets';
import { startAudioServer, type AudioServer } from '../support/audio-server';

// One client that sends as much as it can must neither stop the process nor delay others.

let server: AudioServer;
beforeAll(async () => {
  server = await startAudioServer();
});
afterAll(() => server.close());

const tts = { type: 'tts', model: 'sandbox-tts', input: 'x', voice: 'rms' };

describe('a flood of', () => {
  it.each([
    ['texts that supersede one another', JSON.stringify(tts), 6_000],
    ['texts for a model that does not exist', JSON.stringify({ ...tts, model: 'no-such' }), 6_000],
    ['messages that are not JSON', '{', 100_000],
    ['cancels', '{"type":"cancel"}', 20_000],
  ])(
    '%s closes each of four sockets with 1008, and another one speaks',
    async (_what, message, count) => {
      const floods = Array.from({ length: 4 }, () => server.speak());
      await Promise.all(floods.map(({ socket }) => once(socket, 'open')));
      for (const { socket } of floods) for (let index = 0; index < count; index++) socket.send(message);
      const other = server.speak();
      other.send({ ...tts, input: 'Hello.' });
      await other.next(({ type }) => type === 'done');
      other.cut();
      for (const { closed, messages } of floods) {
        expect((await closed).code).toBe(1008);
        expect(messages.filter(({ type }) => type === 'error').length).toBeLessThanOrEqual(21);
      }
      while (server.gateway.audio.count() > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    60_000,
  );

  it('audio frames of one sample ends like any other audio', async () => {
    const flood = server.transcribe();
    flood.send({ type: 'configure', model: 'sandbox-stt' });
    await flood.next(({ type }) => type === 'session_started');
    for (let index = 0; index < 4_000; index++) flood.send(new Uint8Array(2));
    flood.send({ type: 'stop' });
    expect(await flood.next(({ type }) => type === 'done')).toMatchObject({ audio_duration_seconds: 0.25 });
  }, 60_000);
});

describe('messages that arrive together', () => {
  it('are handled one per turn of the event loop', async () => {
    const http = createServer().listen(0, '127.0.0.1');
    await once(http, 'listening');
    const sockets = new WebSocketServer(wireOptions);
    let turn = 0;
    const turns: number[] = [];
    http.on('upgrade', (req, socket, head) =>
      sockets.handleUpgrade(req, socket, head, (ws) => ws.on('message', () => turns.push(turn))),
    );
    const client = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
    await once(client, 'open');
    let timer = setImmediate(function count() {
      turn += 1;
      timer = setImmediate(count);
    });
    for (let index = 0; index < 100; index++) client.send('{}');
    while (turns.length < 100) await new Promise((resolve) => setTimeout(resolve, 5));
    clearImmediate(timer);
    expect(new Set(turns).size).toBe(100);
    client.terminate();
    http.close();
  });
});
