import { writeFileSync } from 'node:fs';
import { readConfig, type Config } from '../../lib/config/config';
import type { Database, Tx } from '../../lib/db/database';
import { openDatabase } from '../../lib/db/open-database';
import { systemClock, type Clock } from '../../lib/domain/clock';
import type { Log } from '../../lib/domain/log';
import type { Provider, ProviderDefinition } from '../../lib/domain/provider';
import { createLog } from '../../lib/log';
import { providerDefinitions } from '../../lib/providers/registry';
import { createWorkerStarter } from '../../lib/workers';
import { composeGateway } from '../../server/compose';
import { createHttpServer } from '../../server/http';
import { lowerPriority } from '../../server/lower-priority';
import { createAudioSockets } from '../../server/sockets/audio-sockets';
import { stopServer } from '../../server/stop';

// The product in its own process, with real parts, that kills itself (SIGKILL, without any clean-up) when it reaches a
// named point. Its arguments: <point or "none"> <ms before a stop cuts responses>. With PAUSE_FILE, the first process
// with that file stops there instead (SIGSTOP), until it is continued. CLOCK_SKEW_MS sets its clock ahead, and
// DRAIN_NOTICE_MS is the time between "not ready" and the end of its port.

const point = process.argv[2] ?? 'none';

const pauseFile = process.env.PAUSE_FILE;

function dieAt(name: string): void {
  if (name !== point) return;
  if (pauseFile === undefined) process.kill(process.pid, 'SIGKILL');
  else pauseOnce(pauseFile);
}

function pauseOnce(file: string): void {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch {
    return;
  }
  process.kill(process.pid, 'SIGSTOP');
}

/** Never returns at the point: the code after the signal must not run. */
async function reach(name: string): Promise<void> {
  dieAt(name);
  if (name === point && pauseFile === undefined) await new Promise(() => {});
}

/** Classifies a transaction by its statements, which are written by hand or by drizzle (with quoted names). */
function kindOf(statements: readonly string[]): string | undefined {
  const did = (pattern: RegExp) => statements.some((text) => pattern.test(text.replaceAll('"', '')));
  if (did(/insert into videos\b/)) return 'submit';
  if (did(/insert into webhook_attempts\b/)) return 'webhook record';
  if (did(/update videos set receipt\b/)) return 'save';
  // The transaction that ends a video schedules its webhook.
  if (did(/insert into webhook_deliveries\b/)) return 'terminal commit';
  return undefined;
}

/** Watches the statements of each transaction, and kills the process before or after its commit. */
function watched(database: Database): Database {
  return {
    ...database,
    // A statement alone is a transaction, too; here it has a commit that can be seen.
    async query(text, ...rest) {
      const kind = kindOf([text]);
      if (kind === undefined) return database.query(text, ...rest);
      const result = await database.inTransaction(async (tx) => {
        const answer = await tx.query(text, ...rest);
        await reach(`before ${kind}`);
        return answer;
      });
      await reach(`after ${kind}`);
      return result;
    },
    async inTransaction(run) {
      let kind: string | undefined;
      const result = await database.inTransaction(async (tx) => {
        const { statements, stop } = listen(tx);
        const answer = await run(tx).finally(stop);
        kind = kindOf(statements);
        if (kind !== undefined) await reach(`before ${kind}`);
        return answer;
      });
      if (kind !== undefined) await reach(`after ${kind}`);
      return result;
    },
  };
}

function listen(tx: Tx): { statements: readonly string[]; stop: () => void } {
  const statements: string[] = [];
  // Safe: drizzle keeps the connection it was made with under this name; every statement passes its `query`.
  const client = (tx.orm as unknown as { $client: { query: (...args: unknown[]) => unknown } }).$client;
  const query = client.query.bind(client);
  client.query = (...args: unknown[]) => {
    const [first] = args;
    statements.push(typeof first === 'string' ? first : String((first as { text?: string }).text));
    return query(...args);
  };
  return {
    statements,
    stop() {
      client.query = query;
    },
  };
}

function crashing(definition: ProviderDefinition): ProviderDefinition {
  return {
    ...definition,
    create(deps): Provider {
      const provider = definition.create(deps);
      const { video } = provider;
      if (!video) return provider;
      return {
        ...provider,
        video: {
          ...video,
          async start(start, call) {
            const started = await video.start(
              {
                ...start,
                async submitting(body) {
                  await reach('while preparing');
                  await start.submitting(body);
                  await reach('before start');
                },
              },
              call,
            );
            await reach('before save of the receipt');
            return started;
          },
          async check(running, call) {
            const progress = await video.check(running, call);
            if (progress.status === 'in_progress') await reach('while rendering');
            await reach('on check');
            return progress;
          },
          async open(file, part, call) {
            const content = await video.open(file, part, call);
            if (point === 'during the download') content.body.once('data', () => dieAt('during the download'));
            return content;
          },
        },
      };
    },
  };
}

function openOwnDatabase({ databaseUrl, dataDir }: Config, root: string, log: Log): Promise<Database> {
  return openDatabase({
    ...(databaseUrl === undefined ? { dataDir } : { url: databaseUrl }),
    migrationsFolder: `${root}/drizzle`,
    startWorker: createWorkerStarter(root, true),
    log,
  });
}

/** The clock of a machine that is ahead of the others by this time. */
function skewedClock(aheadMs: number): Clock {
  return {
    ...systemClock,
    now: () => new Date(systemClock.nowMs() + aheadMs),
    nowMs: () => systemClock.nowMs() + aheadMs,
  };
}

async function main(): Promise<void> {
  const config = readConfig(process.env, providerDefinitions);
  if (config.role === 'worker') lowerPriority();
  const root = process.cwd();
  const log = createLog(config.logLevel);
  const providers = providerDefinitions.map(crashing);
  const { gateway } = await composeGateway(config, {
    // Without a point, the product opens its database itself.
    ...(point === 'none' ? {} : { database: watched(await openOwnDatabase(config, root, log)) }),
    clock: skewedClock(Number(process.env.CLOCK_SKEW_MS ?? 0)),
    providers,
    testProvider: providers[0]!,
    log,
  });
  const server = createHttpServer({
    gateway,
    sessions: createAudioSockets(gateway),
    ...(process.argv[3] === undefined ? {} : { stopMs: Number(process.argv[3]) }),
  });
  await server.listen(config.port, config.host);
  process.once('SIGTERM', () => {
    stopServer({ gateway, server, noticeMs: Number(process.env.DRAIN_NOTICE_MS ?? 0) })
      .then(() => process.exit(0))
      .catch(() => process.exit(1));
  });
  // Last, as in `server/main.ts`: who reads it may stop the process at once.
  process.stdout.write('ready\n');
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
