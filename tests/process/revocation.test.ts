import { readdir, truncate } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import { systemClock } from '../../lib/domain/clock';
import { callOnce, makeFleet, type Fleet, type FleetProcess } from '../support/fleet';
import { runPostgres } from '../support/run-postgres';
import { openSocket } from '../support/socket-client';

// Two processes without Redis. A key is changed at one of them, or its organisation is suspended. The other refuses new
// requests with it within five seconds, and ends its open stream, socket and download.

const LIMIT_MS = 5_000;
const OPERATOR_TOKEN = 'operator-token-of-this-test-and-of-no-other';
/** A download that takes longer than the limit, however fast it is read. */
const FILE_BYTES = 1_024 ** 3;

const postgres = runPostgres();
afterAll(() => postgres?.close());

describe.skipIf(!postgres)('within five seconds at every process', () => {
  it('a revoked key, a narrower policy and a suspension refuse new requests and end open connections', async (context) => {
    const fleet = await makeFleet(postgres!, { env: { OPERATOR_TOKEN } });
    context.onTestFinished(() => fleet.remove());
    const [here, there] = [await fleet.add('all'), await fleet.add('web')];
    const videoId = await makeLongVideo(fleet);

    const revoked = await openAll(context, fleet, here, there, videoId);
    const narrowed = await openAll(context, fleet, here, there, videoId);
    const suspended = await openAll(context, fleet, here, there, videoId);
    const manage = (method: string, id: string, body?: unknown) =>
      callOnce(here.baseUrl, method, `/console/api/keys/${id}`, { key: fleet.keys.live, body });

    await Promise.all([
      revoked.losesItsRights(401, 'revoked_api_key', () => manage('DELETE', revoked.id)),
      narrowed.losesItsRights(403, 'endpoint_not_allowed', () =>
        manage('PATCH', narrowed.id, { allowed_endpoints: ['/v1/models'] }),
      ),
    ]);
    await suspended.losesItsRights(403, 'organization_suspended', () =>
      callOnce(here.baseUrl, 'POST', `/internal/operator/organizations/${fleet.orgId}/suspend`, {
        key: OPERATOR_TOKEN,
        body: { reason: 'A test' },
      }),
    );
    await callOnce(here.baseUrl, 'POST', `/internal/operator/organizations/${fleet.orgId}/resume`, {
      key: OPERATOR_TOKEN,
      body: { reason: 'The test is over' },
    });
    await expect
      .poll(async () => (await callOnce(there.baseUrl, 'GET', '/v1/videos', { key: fleet.keys.test })).status, {
        timeout: LIMIT_MS,
      })
      .toBe(200);
    expect(await fleet.finish()).toEqual([]);
  }, 180_000);
});

/** A finished sandbox video with a file that is read for longer than the limit. */
async function makeLongVideo(fleet: Fleet): Promise<string> {
  const id = await fleet.submit({ model: 'sandbox-t2v', prompt: 'a cat', seconds: 1, size: '640x360', fps: 8 });
  expect(await fleet.ended(id)).toMatchObject({ status: 'completed' });
  const files = await readdir(fleet.dataDir, { recursive: true });
  const file = files.find((name) => name.endsWith('.mp4'))!;
  await truncate(path.join(fleet.dataDir, file), FILE_BYTES);
  return id;
}

/** A new key, with a stream, a socket and a download at one process that are open until the key loses its rights. */
async function openAll(
  { onTestFinished }: TestContext,
  { keys }: Fleet,
  here: FleetProcess,
  there: FleetProcess,
  videoId: string,
) {
  const made = await callOnce(here.baseUrl, 'POST', '/console/api/keys', {
    key: keys.live,
    body: { name: 'A key', mode: 'test' },
  });
  expect(made.status).toBe(201);
  const { id, key } = made.json as { id: string; key: string };
  const aborting = new AbortController();
  onTestFinished(() => aborting.abort());
  const authorization = `Bearer ${key}`;
  const { signal } = aborting;

  const stream = await fetch(`${there.baseUrl}/v1/messages`, {
    method: 'POST',
    signal,
    headers: { authorization, 'content-type': 'application/json', 'x-test-scenario': 'slow:60' },
    body: JSON.stringify({
      model: 'sandbox-text',
      max_tokens: 8_000,
      stream: true,
      messages: [{ role: 'user', content: 'Tell me a story. [[long]]' }],
    }),
  });
  expect(stream.status).toBe(200);
  const download = await fetch(`${there.baseUrl}/v1/videos/${videoId}/content`, { signal, headers: { authorization } });
  expect(download.status).toBe(200);
  const socket = openSocket(`${there.baseUrl.replace('http', 'ws')}/v1/audio/speech/ws`, { key });
  socket.send({ type: 'tts', model: 'sandbox-tts', voice: 'rms', input: 'Hello.' });
  await socket.next(({ type }) => type === 'done');
  const streaming = read(stream);
  const downloading = read(download, 2);
  const ask = () => callOnce(there.baseUrl, 'GET', '/v1/videos', { key });
  expect((await ask()).status).toBe(200);

  return {
    id,
    /** Expects that everything ends in time after the change, with this status and code. */
    async losesItsRights(expected: number, code: string, change: () => Promise<unknown>): Promise<void> {
      await change();
      const changedAt = performance.now();
      const ms = () => performance.now() - changedAt;
      const ended = Promise.all([
        streaming.then((text) => ['stream', text, ms()] as const),
        // It has sent its status, so it can only be cut.
        downloading.then((text) => ['download', text, ms()] as const),
        socket.closed.then(() => ['socket', socket.messages.at(-1)?.code, ms()] as const),
      ]);
      let lastAllowedMs = 0;
      for (;;) {
        const sentMs = ms();
        const { status, json } = await ask();
        if (status !== 200) {
          expect([status, json.error]).toMatchObject([expected, { code }]);
          break;
        }
        lastAllowedMs = sentMs;
        await systemClock.sleep(50);
      }
      expect(lastAllowedMs).toBeLessThanOrEqual(LIMIT_MS);
      const ends = new Map<string, unknown>();
      for (const [name, end, afterMs] of await ended) {
        expect(afterMs, name).toBeLessThanOrEqual(LIMIT_MS);
        ends.set(name, end);
      }
      expect(ends.get('stream')).toMatch(/event: error\n.*"(?:authentication|permission)_error".*\n\n$/);
      expect(ends.get('download')).not.toBe('complete');
      expect(ends.get('socket')).toBe(expected);
    },
  };
}

/** The text of a response until it ends or is cut; with a pause between two pieces, only how it ended. */
async function read(response: Response, pauseMs?: number): Promise<string> {
  let text = '';
  try {
    for await (const piece of response.body!) {
      if (pauseMs === undefined) text += Buffer.from(piece as Uint8Array).toString();
      else await systemClock.sleep(pauseMs);
    }
  } catch {
    return text;
  }
  return pauseMs === undefined ? text : 'complete';
}
