import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMeters } from '../../lib/audio/meters';
import { createLedger } from '../../lib/billing/ledger';
import type { Database } from '../../lib/db/database';
import { systemClock } from '../../lib/domain/clock';
import type { OrgId } from '../../lib/domain/ids';
import { checkBooks } from '../../lib/db/check-books';
import { freePort } from './child-server';
import { startCrashServer } from './crash-gateway';
import { sharedSecrets } from './gateway';
import { keepHouse } from './housekeeping';
import { makeLimits } from './limits';
import { recordLog } from './log';
import { makeOrganization } from './organization';
import { openDatabaseAt, type TestDatabases } from './postgres';
import { PRODUCT_ARGS } from './project';

// Several processes of the product on one Postgres, as docs/operating.md runs them, each of which can be killed, stopped
// and started again at its own port.

export type FleetRole = 'web' | 'worker' | 'all';

export interface FleetProcess {
  readonly role: FleetRole;
  readonly baseUrl: string;
  readonly pid: number;
  /** Starts it again after its end; also changes its environment. */
  start(env?: Readonly<Record<string, string>>): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM. */
  stop(): Promise<void>;
}

export interface AddOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The point of `crash-server.ts` at which it is killed or paused. */
  readonly point?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Record<string, unknown>;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Fleet {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly orgId: OrgId;
  readonly keys: { readonly test: string; readonly live: string };
  /** Where videos can send their webhooks. */
  readonly hook: string;
  /** The ids of the received webhooks of each video. */
  readonly webhooks: ReadonlyMap<string, readonly string[]>;
  add(role: FleetRole, options?: AddOptions): Promise<FleetProcess>;
  /**
   * Calls the processes that answer requests in turn until one answers with less than 500 and not with 429, as a client
   * with retries does. `first` is the one that it begins with.
   */
  call(method: string, route: string, options?: CallOptions, first?: number): Promise<Answer>;
  /** Submits a video with a webhook and a new idempotency key, and returns its id. Throws if it is refused. */
  submit(
    order: Readonly<Record<string, unknown>>,
    options?: { readonly key?: string; readonly first?: number },
  ): Promise<string>;
  /** The finished video. */
  ended(id: string, key?: string): Promise<Record<string, unknown>>;
  /** Ends the leases of the jobs that a killed process had, in place of the wait for their end. */
  passLeases(): Promise<void>;
  /** Lets the minutes pass in which a start that a killed process has left is not decided yet. */
  passUnconfirmed(): Promise<void>;
  /** Stops all processes and returns the errors of the books; nothing may be running or held after it. */
  finish(): Promise<string[]>;
  remove(): Promise<void>;
}

export interface FleetOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly liveCredits?: string;
}

const ATTEMPT_TIMEOUT_MS = 20_000;
const RETRY_PAUSE_MS = 200;

export async function makeFleet(
  postgres: TestDatabases,
  { env: fleetEnv = {}, liveCredits = '25' }: FleetOptions = {},
): Promise<Fleet> {
  const url = await postgres.createDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-fleet-'));
  const db = await openDatabaseAt(url);
  const { orgId, keys } = await makeOrganization(db, {
    name: 'Acme',
    masterKey: sharedSecrets.MASTER_KEY,
    clock: systemClock,
    liveCredits,
    scopes: ['inference', 'manage'],
  });
  const webhooks = new Map<string, string[]>();
  const receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { id } = JSON.parse(Buffer.concat(parts).toString()) as { id: string };
      webhooks.set(id, [...(webhooks.get(id) ?? []), String(request.headers['webhook-id'])]);
      response.writeHead(200).end();
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const processes: FleetProcess[] = [];

  async function add(role: FleetRole, { env: ownEnv = {}, point = 'none' }: AddOptions = {}): Promise<FleetProcess> {
    const port = await freePort();
    let child: ChildProcess | undefined;
    async function end(signal: NodeJS.Signals): Promise<void> {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    }
    const one: FleetProcess = {
      role,
      baseUrl: `http://127.0.0.1:${port}`,
      get pid() {
        return child?.pid ?? 0;
      },
      async start(env = {}) {
        const started = startCrashServer(
          [point],
          {
            DATABASE_URL: url,
            DATA_DIR: dataDir,
            ...sharedSecrets,
            ...fleetEnv,
            ...ownEnv,
            ...env,
            PORT: String(port),
            PATCHBAY_ROLE: role,
          },
          { nodeArgs: PRODUCT_ARGS },
        );
        child = started.child;
        await started.listens;
      },
      kill: () => end('SIGKILL'),
      stop: () => end('SIGTERM'),
    };
    processes.push(one);
    await one.start();
    return one;
  }

  const web = () => processes.filter(({ role }) => role !== 'worker');

  const call: Fleet['call'] = async (method, route, options = {}, first = 0) => {
    for (let attempt = first; ; attempt += 1) {
      const { baseUrl } = web()[attempt % web().length]!;
      const answer = await callOnce(baseUrl, method, route, { key: keys.test, ...options }).catch(() => undefined);
      if (answer && answer.status < 500 && answer.status !== 429) return answer;
      await systemClock.sleep(RETRY_PAUSE_MS);
    }
  };

  async function stopAll(): Promise<void> {
    await Promise.all(processes.map((one) => one.stop()));
  }

  return {
    db,
    databaseUrl: url,
    dataDir,
    orgId,
    keys,
    hook,
    webhooks,
    add,
    call,
    async submit(order, { key = keys.test, first = 0 } = {}) {
      const headers = { 'idempotency-key': randomUUID() };
      const { status, json } = await call(
        'POST',
        '/v1/videos',
        { body: { webhook: hook, ...order }, key, headers },
        first,
      );
      if (status !== 202) throw new Error(`The video was refused with ${status}: ${JSON.stringify(json)}`);
      return String(json.id);
    },
    async ended(id, key = keys.test) {
      for (;;) {
        const { json } = await call('GET', `/v1/videos/${id}`, { key });
        if (json.status === 'completed' || json.status === 'failed') return json;
        await systemClock.sleep(RETRY_PAUSE_MS);
      }
    },
    async passLeases() {
      // A living process has renewed its own within ten seconds.
      await db.query(
        `update jobs set leased_until = now() - interval '1 second' where leased_until < now() + interval '18 seconds'`,
      );
    },
    async passUnconfirmed() {
      await db.query(
        `with left_open as (
           update video_attempts as attempt set submitted_at = attempt.submitted_at - interval '2 minutes'
           from jobs
           where jobs.kind = 'video.start' and jobs.subject = attempt.video_id and jobs.leased_until is null
             and jobs.due_at > now() and attempt.ended_at is null
           returning attempt.video_id
         )
         update jobs set due_at = now()
         where kind = 'video.start' and leased_until is null and subject in (select video_id from left_open)`,
      );
    },
    async finish() {
      await stopAll();
      // What killed processes left behind is recovered after minutes and hours.
      await db.query(`update meters set checked_at = checked_at - interval '1 hour' where ended_at is null`);
      await db.query(
        `update holds set created_at = created_at - interval '3 hours' where state = 'open' and subject_kind = 'message'`,
      );
      const deps = { db, clock: systemClock, log: recordLog() };
      await createMeters({ ...deps, ledger: createLedger(deps), limits: makeLimits() }).recover();
      await keepHouse(deps);
      const errors = await checkBooks(db, { quiet: true });
      const { rows } = await db.query(
        'select mode, held_nano_usd::text as held from accounts where held_nano_usd <> 0',
      );
      return [
        ...errors,
        ...rows.map(({ mode, held }) => `${String(held)} nano USD of ${String(mode)} credits are held`),
      ];
    },
    async remove() {
      await Promise.all(processes.map((one) => one.kill()));
      receiver.closeAllConnections();
      await new Promise((resolve) => receiver.close(resolve));
      await db.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** One request; rejects if the process does not answer. */
export async function callOnce(
  baseUrl: string,
  method: string,
  route: string,
  { body, key, headers = {} }: CallOptions,
): Promise<Answer> {
  const response = await fetch(`${baseUrl}${route}`, {
    method,
    signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    // Safe: every JSON body of the product is an object.
    json: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}
