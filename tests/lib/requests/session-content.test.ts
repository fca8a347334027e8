import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sessionContentSchema, sessionDetailsSchema } from '../../../lib/contract/requests';
import { systemClock } from '../../../lib/domain/clock';
import { createSessionContent } from '../../../lib/requests/session-content';
import { startAudioServer, type AudioServer } from '../../support/audio-server';
import { keepHouse } from '../../support/housekeeping';

// The texts of speech, with the sockets as clients use them and the console's API as scripts use it.

const DAY_MS = 86_400_000;
const TEXT = 'Send the report before noon.';

let served: AudioServer;
beforeAll(async () => {
  served = await startAudioServer();
});
afterAll(() => served.close());

const call = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${served.port}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${served.firstRun.keys.live}`, 'content-type': 'application/json' },
  });

async function keepFor(days: number | null): Promise<void> {
  const response = await call('/console/api/organization', {
    method: 'PATCH',
    body: JSON.stringify({ keep_speech_days: days }),
  });
  expect(await response.json()).toMatchObject({ keep_speech_days: days, keep_messages_days: null });
}

/** Speaks the text; returns its id and its sound. */
async function say(): Promise<{ readonly id: string; readonly sound: Buffer }> {
  const speaker = served.speak();
  speaker.send({ type: 'tts', model: 'sandbox-tts', input: TEXT, voice: 'rms', output_format: 'pcm_16000' });
  const done = await speaker.next(({ type }) => type === 'done');
  speaker.socket.close();
  await speaker.closed;
  await served.gateway.audio.settled();
  const parts = speaker.messages.filter(({ type }) => type === 'audio');
  return {
    id: String(done.context_id),
    sound: Buffer.concat(parts.map(({ data }) => Buffer.from(String(data), 'base64'))),
  };
}

/** Transcribes the sound; returns the id of the session and its final texts. */
async function transcribe(sound: Buffer): Promise<{ readonly id: string; readonly finals: readonly string[] }> {
  const listener = served.transcribe();
  listener.send({ type: 'configure', model: 'sandbox-stt', encoding: 'pcm_s16le', sample_rate: 16_000 });
  const { session_id: id } = await listener.next(({ type }) => type === 'session_started');
  for (let at = 0; at < sound.byteLength; at += 3_200) {
    listener.send(sound.subarray(at, at + 3_200));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  listener.send({ type: 'stop' });
  await listener.closed;
  await served.gateway.audio.settled();
  const finals = listener.messages.filter((message) => message.is_final === true);
  return { id: String(id), finals: finals.map(({ text }) => String(text)) };
}

const readContent = (id: string) => call(`/console/api/sessions/${id}/content`);
const detailsOf = async (id: string) =>
  sessionDetailsSchema.parse(await (await call(`/console/api/sessions/${id}`)).json());

async function contentOf(id: string) {
  const response = await readContent(id);
  expect(response.status).toBe(200);
  return sessionContentSchema.parse(await response.json());
}

const countRows = async () => Number((await served.db.query('select count(*) as n from session_contents')).rows[0]?.n);

it('are not stored, unless the organisation chooses to', async () => {
  const { id } = await say();
  const response = await readContent(id);
  expect([response.status, await response.json()]).toMatchObject([
    404,
    { error: { code: 'session_not_found', message: expect.stringContaining('settings') as string } },
  ]);
  expect(await detailsOf(id)).toMatchObject({ content_expires_at: null });
  expect(await countRows()).toBe(0);
});

describe('of an organisation that keeps them for a week', () => {
  beforeEach(() => keepFor(7));

  it('are the text that was to be spoken, and what was transcribed, for its session too', async () => {
    const spoken = await say();
    const content = await contentOf(spoken.id);
    expect(content).toMatchObject({ id: spoken.id, object: 'session_content', text: TEXT });
    expect(Math.abs(content.expires_at * 1000 - (Date.now() + 7 * DAY_MS))).toBeLessThan(DAY_MS);
    expect(await detailsOf(spoken.id)).toMatchObject({ content_expires_at: content.expires_at });

    const { id, finals } = await transcribe(spoken.sound);
    expect(finals.length).toBeGreaterThan(0);
    const { id: meterId } = await detailsOf(id);
    expect(await contentOf(id)).toMatchObject({ id: meterId, text: `${finals.join('\n')}\n` });
  });

  it('are not those of another organisation', async () => {
    const { id } = await say();
    const { orgId } = await served.gateway.accounts.authenticate(
      { authorization: `Bearer ${(await served.makeOrganization('Strangers')).live}` },
      '127.0.0.1',
    );
    await expect(served.gateway.requests.sessionContent(orgId, id)).rejects.toThrow('There is no session');
  });

  it('are deleted when their time is over, and not before', async () => {
    const { id } = await say();
    const endMs = (await contentOf(id)).expires_at * 1000;
    const { orgId } = await served.caller();
    const at = (ms: number) => ({ ...served, clock: { ...systemClock, nowMs: () => ms, now: () => new Date(ms) } });
    await keepHouse(at(endMs - 60_000));
    expect(await createSessionContent(at(endMs - 60_000))(orgId, id)).toMatchObject({ text: TEXT });
    await expect(createSessionContent(at(endMs + 1_000))(orgId, id)).rejects.toThrow('not kept');
    await keepHouse(at(endMs + 1_000));
    expect(await countRows()).toBe(0);
    expect(await detailsOf(id)).toMatchObject({ content_expires_at: null, status: 'completed' });
  });

  it('are erased when it keeps them no more, also those of keys that are cached for seconds', async () => {
    await say();
    expect(await countRows()).toBeGreaterThan(0);
    await keepFor(null);
    expect(await countRows()).toBe(0);
    await say();
    expect(await countRows()).toBe(0);
  });
});
