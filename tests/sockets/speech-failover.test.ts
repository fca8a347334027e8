import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ttsModel } from '../../lib/catalog/speech-entry';
import type { ProviderDefinition } from '../../lib/domain/provider';
import { createCartesiaTts } from '../../lib/providers/cartesia/tts';
import { sandbox } from '../../lib/providers/sandbox/index';
import { samplesIn } from '../providers/contract/tts';
import { startAudioServer, type AudioServer } from '../support/audio-server';
import { freePort } from '../support/child-server';
import { createCartesia } from '../support/upstreams/cartesia';
import { sampleOf } from '../support/upstreams/speaking';
import { goodKey, type Upstream } from '../support/upstreams/upstream';

// Speech of a model that two providers serve, over the real socket: if the first cannot begin, the second speaks, and
// the text is charged once. Both providers are the real adapter of Cartesia; one has nothing behind its URL at all.

const speaks = (id: string, baseUrl: () => string): ProviderDefinition => ({
  id,
  name: id,
  capabilities: ['tts'],
  settings: [],
  create: ({ clock }) => ({ id, tts: createCartesiaTts({ baseUrl: baseUrl(), key: goodKey }, { clock }) }),
});

const model = (id: string, first: string) =>
  ttsModel({
    id,
    name: id,
    description: 'Served by two.',
    family: 'tests',
    created: 1_795_219_200,
    facts: {
      voices: [{ name: 'Katie' }],
      otherVoices: false,
      languages: ['en'],
      formats: ['pcm_24000'],
      maxInputCharacters: 1_000,
      maxSessionSeconds: 600,
    },
    bindings: [
      { providerId: first, modelName: 'sonic', price: priceOf('10') },
      { providerId: 'south', modelName: 'sonic', price: priceOf('90') },
    ],
  });
const priceOf = (perMillionCharacters: string) => ({ perMillionCharacters, source: 'tests', verified: true });

let north: Upstream;
let south: Upstream;
let server: AudioServer;
beforeAll(async () => {
  [north, south] = await Promise.all([createCartesia(), createCartesia()]);
  const nothing = `http://127.0.0.1:${await freePort()}`;
  server = await startAudioServer({
    providers: [
      sandbox,
      speaks('nowhere', () => nothing),
      speaks('north', () => north.baseUrl),
      speaks('south', () => south.baseUrl),
    ],
    models: [model('twin-refused', 'nowhere'), model('twin', 'north')],
  });
});
afterEach(() => {
  for (const { errors } of [north, south]) for (const name of Object.keys(errors)) Reflect.deleteProperty(errors, name);
});
afterAll(async () => {
  await server.close();
  await Promise.all([north.close(), south.close()]);
});

const input = 'Hello there, how are you?';
// At the first provider's price of $10 for a million characters.
const priceNanoUsd = input.length * 10_000;

async function speak(name: string) {
  const client = server.speak({ key: server.firstRun.keys.live });
  client.send({ type: 'tts', model: name, input, voice: 'Katie' });
  const last = await client.next(({ type }) => type === 'done' || type === 'error');
  const messages = [...client.messages];
  client.socket.close();
  await client.closed;
  await expect.poll(() => server.gateway.audio.count()).toBe(0);
  const { rows } = await server.db.query(
    `select provider, attempts, outcome, code, characters, first_result_ms, unit_price, cost_nano_usd::int as cost from meters where model = $1 order by started_at`,
    [name],
  );
  const sound = messages.filter(({ type }) => type === 'audio').map(({ data }) => Buffer.from(String(data), 'base64'));
  return { last, messages, sound: Buffer.concat(sound), meter: rows.at(-1), meters: rows.length };
}

const refusedThenServed = (first: string) => ({
  provider: 'south',
  attempts: [
    { provider: first, outcome: 'refused', code: 'upstream_invalid_response' },
    { provider: 'south', outcome: 'served' },
  ],
  outcome: 'done',
  code: null,
  first_result_ms: expect.any(Number) as number,
  unit_price: '10000000000000',
  characters: input.length,
  cost: priceNanoUsd,
});

describe('a text whose first provider', () => {
  it('refuses the connection is spoken by the second, and charged once at the price of the first', async () => {
    const { last, messages, sound, meter, meters } = await speak('twin-refused');
    expect(last.type).toBe('done');
    expect(new Set(messages.map(({ context_id }) => context_id)).size).toBe(1);
    expect(samplesIn(sound)).toEqual([sampleOf(input)]);
    expect([meters, meter]).toMatchObject([1, refusedThenServed('nowhere')]);
  });

  it.each([
    ['takes the text and breaks off before the first audio', { dropAfterSeconds: 0 }],
    ['closes the socket at once', { closeAtOnce: true }],
    ['refuses the upgrade', { refuse: 503 }],
  ])('%s is spoken by the second, completely, and charged once', async (_what, errors) => {
    Object.assign(north.errors, errors);
    const { last, messages, sound, meter } = await speak('twin');
    expect(last.type).toBe('done');
    expect(messages.some(({ type }) => type === 'error')).toBe(false);
    expect(samplesIn(sound)).toEqual([sampleOf(input)]);
    expect(meter).toMatchObject(refusedThenServed('north'));
    await Promise.all([north.drained(), south.drained()]);
  });

  it('breaks off after the first audio is not spoken by the second: the session ends with 502', async () => {
    Object.assign(north.errors, { dropAfterSeconds: 0.2 });
    const known = south.sockets.length;
    const { last, meter } = await speak('twin');
    expect(last).toMatchObject({ type: 'error', code: 502 });
    expect(south.sockets).toHaveLength(known);
    expect(meter).toMatchObject({
      provider: 'north',
      code: 'upstream_invalid_response',
      attempts: [{ provider: 'north', outcome: 'lost', code: 'upstream_invalid_response' }],
      cost: priceNanoUsd,
    });
  });
});

describe('a text whose providers all fail before the first audio', () => {
  it('ends with 502 and costs nothing', async () => {
    Object.assign(north.errors, { refuse: 503 });
    Object.assign(south.errors, { refuse: 503 });
    const { last, meter } = await speak('twin');
    expect(last).toMatchObject({ type: 'error', code: 502 });
    expect(meter).toMatchObject({
      outcome: 'failed',
      code: 'upstream_invalid_response',
      first_result_ms: null,
      cost: 0,
      attempts: [
        { provider: 'north', outcome: 'refused' },
        { provider: 'south', outcome: 'refused' },
      ],
    });
  });
});
