import path from 'node:path';
import { request } from 'undici';
import { afterAll, describe, expect, it } from 'vitest';
import type { Database } from '../../lib/db/database';
import { openDatabase } from '../../lib/db/open-database';
import { checkBooks } from '../../lib/db/check-books';
import { makeCrashGateway, type CrashGateway } from '../support/crash-gateway';
import { projectRoot, startWorker } from '../support/database';
import { providerDefinitions, testProviderDefinition } from '../../lib/providers/registry';
import { makeGateway, sharedSecrets } from '../support/gateway';
import { recordLog } from '../support/log';
import { openDatabaseAt } from '../support/postgres';
import { runPostgres } from '../support/run-postgres';
import { isFullRun, leftToGate, proofRuns } from '../support/proof-runs';
import { openSocket } from '../support/socket-client';

// SIGTERM during work: what was delivered is charged, and nothing stays held.

const STREAMS = proofRuns(50, 15);

const postgres = runPostgres();
afterAll(() => postgres?.close());

interface RunningGateway {
  readonly gateway: CrashGateway;
  readonly key: string;
  /** The database, once the process is gone. */
  open(): Promise<Database>;
}

async function embedded(stopMs: number): Promise<RunningGateway> {
  const gateway = await makeCrashGateway({}, { stopMs });
  await gateway.start();
  const open = () =>
    openDatabase({
      dataDir: gateway.dataDir,
      migrationsFolder: path.join(projectRoot, 'drizzle'),
      startWorker,
      log: recordLog(),
    });
  return { gateway, key: (await gateway.firstRun()).keys.test, open };
}

async function onPostgres(stopMs: number): Promise<RunningGateway> {
  const databaseUrl = await postgres!.createDatabase();
  const seeding = await makeGateway({ databaseUrl });
  await seeding.close();
  const gateway = await makeCrashGateway({ DATABASE_URL: databaseUrl, ...sharedSecrets }, { stopMs });
  await gateway.start();
  return { gateway, key: seeding.firstRun.keys.test, open: () => openDatabaseAt(databaseUrl) };
}

/** A streamed answer that would take a minute, of which some text has arrived. */
async function beginStream({ gateway, key }: RunningGateway): Promise<void> {
  const { statusCode, body } = await request(`${gateway.baseUrl}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-test-scenario': 'slow:60' },
    body: JSON.stringify({
      model: 'sandbox-text',
      max_tokens: 8_000,
      stream: true,
      messages: [{ role: 'user', content: 'Tell me a story. [[long]]' }],
    }),
  });
  expect(statusCode).toBe(200);
  body.on('error', () => {});
  await new Promise<void>((resolve) => {
    let text = '';
    body.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('text_delta')) resolve();
    });
  });
}

async function endedBooks({ gateway, open }: RunningGateway) {
  const stoppedAt = performance.now();
  await gateway.stop();
  expect(performance.now() - stoppedAt).toBeLessThan(20_000);
  const db = await open();
  const rowsOf = async (text: string) => (await db.query(text)).rows;
  const books = {
    errors: await checkBooks(db),
    open: await rowsOf(`select id, subject_kind from holds where state = 'open'`),
    held: await rowsOf('select mode, held_nano_usd::text as held from accounts where held_nano_usd <> 0'),
    messages: await rowsOf('select outcome, code, output_tokens as tokens, cost_nano_usd::text as cost from messages'),
    meters: await rowsOf('select kind, outcome, audio_millis as millis, cost_nano_usd::text as cost from meters'),
    spent: BigInt(String((await rowsOf(`select sum(spent_nano_usd)::text as spent from accounts`))[0]?.spent)),
  };
  await db.close();
  return books;
}

describe('a stop', () => {
  it('closes every other part when one cannot be closed, and logs which', async () => {
    const broken = {
      ...testProviderDefinition,
      create: (deps: Parameters<typeof testProviderDefinition.create>[0]) => ({
        ...testProviderDefinition.create(deps),
        close: () => Promise.reject(new Error('cannot be closed')),
      }),
    };
    const test = await makeGateway({
      providers: [...providerDefinitions.filter((each) => each !== testProviderDefinition), broken],
      testProvider: broken,
    });
    await test.gateway.close();
    await expect(test.db.ping()).rejects.toThrow();
    expect(test.log.lines).toContainEqual(
      expect.objectContaining({ level: 'error', fields: expect.objectContaining({ part: 'sandbox' }) as object }),
    );
    await test.close({ checked: false });
  });
});

describe.each([
  { name: 'the embedded database', make: embedded, skip: false },
  { name: 'Postgres', make: onPostgres, skip: !postgres },
])('SIGTERM on $name', ({ make, skip }) => {
  it.skipIf(skip)(
    `in the middle of ${STREAMS} streamed answers charges each of them for what was delivered and leaves nothing held`,
    { timeout: 120_000, ...leftToGate(make === embedded && postgres !== undefined && !isFullRun()) },
    async ({ onTestFinished }) => {
      const running = await make(1_000);
      onTestFinished(() => running.gateway.remove());
      await Promise.all(Array.from({ length: STREAMS }, () => beginStream(running)));
      const { messages, open, held, errors, spent } = await endedBooks(running);
      expect(messages).toHaveLength(STREAMS);
      for (const message of messages) {
        expect(message).toMatchObject({ outcome: 'partial', code: 'caller_left' });
        expect(Number(message.tokens)).toBeGreaterThan(0);
        expect(BigInt(String(message.cost))).toBeGreaterThan(0n);
      }
      expect(messages.reduce((sum, { cost }) => sum + BigInt(String(cost)), 0n)).toBe(spent);
      expect({ open, held, errors }).toEqual({ open: [], held: [], errors: [] });
    },
  );

  it.skipIf(skip)(
    'in the middle of transcriptions and of speech charges what was transcribed and spoken and leaves nothing held',
    { timeout: 120_000, ...leftToGate(make === onPostgres && !isFullRun()) },
    async ({ onTestFinished }) => {
      const running = await make(1_000);
      onTestFinished(() => running.gateway.remove());
      const { gateway, key } = running;
      const url = gateway.baseUrl.replace('http', 'ws');
      const speaking = openSocket(`${url}/v1/audio/speech/ws`, { key });
      const speak = (input: string, until: 'audio' | 'done') => {
        speaking.send({ type: 'tts', model: 'sandbox-tts', voice: 'rms', input });
        return speaking.next(({ type }) => type === until);
      };
      // Loads the voice: on a busy machine that takes too long next to three recognizers.
      await speak('Hello.', 'done');
      const listening = await Promise.all(
        Array.from({ length: 3 }, async () => {
          const client = openSocket(`${url}/v1/audio/transcriptions/ws`, { key });
          client.send({ type: 'configure', model: 'sandbox-stt' });
          await client.next(({ type }) => type === 'session_started');
          for (let frames = 0; frames < 20; frames += 1) client.send(new Uint8Array(3_200));
          return client;
        }),
      );
      await speak('A sentence that is spoken for a while. '.repeat(40), 'audio');
      const { meters, open, held, errors, spent } = await endedBooks(running);
      expect((await Promise.all(listening.map(({ closed }) => closed))).map(({ code }) => code)).toEqual([
        1001, 1001, 1001,
      ]);
      expect(meters.filter(({ kind, millis }) => kind === 'transcription' && millis === 2_000)).toHaveLength(3);
      expect(meters.filter(({ kind }) => kind === 'speech')).toHaveLength(2);
      for (const { outcome, cost } of meters)
        expect([outcome === null, BigInt(String(cost)) > 0n]).toEqual([false, true]);
      expect(meters.reduce((sum, { cost }) => sum + BigInt(String(cost)), 0n)).toBe(spent);
      expect({ open, held, errors }).toEqual({ open: [], held: [], errors: [] });
    },
  );
});
