import path from 'node:path';
import { createPolicies } from '../lib/policies/policies';
import { createKeyRevocationWatch } from '../lib/accounts/key-revocation-watch';
import { createPasswords, type Passwords } from '../lib/accounts/password';
import { seedFirstRun, type Seeded } from '../lib/accounts/seed';
import { createActivity } from '../lib/activity/activity';
import { createAlerts } from '../lib/alerts/alerts';
import { createAudioSessions } from '../lib/audio/audio-sessions';
import { createMeters } from '../lib/audio/meters';
import { createLedger } from '../lib/billing/ledger';
import { canOrderWith } from '../lib/catalog/can-order';
import { createCatalogResponses } from '../lib/catalog/catalog-responses';
import { allModels } from '../lib/catalog/models';
import { baseUrlOf, readConfig, type Config } from '../lib/config/config';
import { createCredentialUse } from '../lib/credentials/credential-use';
import { createCredentials } from '../lib/credentials/credentials';
import type { Database } from '../lib/db/database';
import { readOpenHolds } from '../lib/db/ledger';
import { createGuides } from '../lib/docs/guides';
import { systemClock, type Clock } from '../lib/domain/clock';
import type { Log } from '../lib/domain/log';
import type { Model } from '../lib/domain/model';
import type { ProviderDefinition } from '../lib/domain/provider';
import type { Gateway } from '../lib/gateway';
import { readEnvFile } from '../lib/config/env-file';
import { createHealth } from '../lib/health/check-health';
import { createQueue } from '../lib/jobs/queue';
import { readQueueDepth } from '../lib/jobs/queue-state';
import { divertConsole } from '../lib/log';
import type { LookupName } from '../lib/net/lookup-name';
import { providerDefinitions, testProviderDefinition } from '../lib/providers/registry';
import { openRedis } from '../lib/redis/open-redis';
import { installGateway } from '../lib/runtime';
import { createMailer } from '../lib/mail/mailer';
import { createMessages } from '../lib/messages/create-messages';
import { createCreditTransfers } from '../lib/operator/credit-transfers';
import { createVerifyProvider } from '../lib/operator/verify-provider';
import { ownCatalog } from '../lib/routing/own-catalog';
import { createProviderHealth } from '../lib/routing/provider-health';
import { createRouters } from '../lib/routing/router';
import { createRequests } from '../lib/requests/requests';
import { createSearch } from '../lib/search/search';
import { openMediaStore } from '../lib/store/open-store';
import { createCheckUrls } from '../lib/videos/check-urls';
import type { Prometheus } from '../lib/telemetry/prometheus';
import { createUsage } from '../lib/usage/usage';
import { createCallbacks } from '../lib/videos/callbacks';
import { createCheckSource, type CheckSource } from '../lib/videos/check-source';
import { createVideos } from '../lib/videos/create-videos';
import { createFinishVideo } from '../lib/videos/finish-video';
import { createLinks } from '../lib/videos/links';
import { createPublishedMedia } from '../lib/videos/published-media';
import { createWebhooks } from '../lib/webhooks/create-webhooks';
import { createScheduleWebhooks } from '../lib/webhooks/schedule-webhooks';
import { createWorkerStarter, type StartWorker } from '../lib/workers';
import { version } from '../package.json';
import { composeAccounts } from './compose-accounts';
import { composeCatalog, openCatalogFile } from './compose-catalog';
import { composeJobs } from './compose-jobs';
import { composeLimits } from './compose-limits';
import { composeNetwork } from './compose-network';
import { composeOperator } from './compose-operator';
import { composeProviders } from './compose-providers';
import { composeSecrets } from './compose-secrets';
import { composeStorage } from './compose-storage';
import { composeTelemetry } from './compose-telemetry';
import { examineSettings } from './examine-settings';
import { createLifecycle } from './lifecycle';
import { testProviderOf } from './make-providers';

// The composition root: every part gets its dependencies here, and nothing else imports a provider, opens a database or
// starts a worker.

/** Replacements of real parts, for tests and other entry points. */
export interface ComposeOverrides {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly database?: Database;
  readonly providers?: readonly ProviderDefinition[];
  /** The provider that replaces all others in test mode; one of `providers`. */
  readonly testProvider?: ProviderDefinition;
  /** The models of the catalog. */
  readonly models?: readonly Model[];
  readonly lookup?: LookupName;
  /** For tests whose orders name URLs that do not exist. */
  readonly checkSource?: CheckSource;
  readonly random?: () => number;
  readonly passwords?: Passwords;
  readonly startWorker?: StartWorker;
  readonly neonProxy?: string;
}

export interface Composed {
  readonly gateway: Gateway;
  /** The metrics of this process; undefined without METRICS_PORT. */
  readonly prometheus: Prometheus | undefined;
  /** The result of the first start, printed once. */
  readonly seeded: Seeded | undefined;
  readonly authSecret: string;
}

/** The project's root; the scripts of package.json start the server there. */
const projectRoot = process.cwd();
/** Bundled by `npm run build`, or run from source. */
const built = __filename.endsWith('.cjs');

/**
 * How long messages have to end after their connections were cut, including messages that came through Next's routes.
 */
const MESSAGES_GRACE_MS = 5_000;
/**
 * How long the running jobs of a stopping process have, counted from the signal. It is longer than a provider may take
 * to answer a submit: a submit that is cut off may have started a video.
 */
const JOB_GRACE_MS = 45_000;

export async function composeGateway(config: Config, overrides: ComposeOverrides = {}): Promise<Composed> {
  const clock = overrides.clock ?? systemClock;
  const random = overrides.random ?? Math.random;
  const { log, telemetry, prometheus, traces } = await composeTelemetry(config, {
    version,
    random,
    log: overrides.log,
  });
  const baseUrl = baseUrlOf(config);
  const startWorker = overrides.startWorker ?? createWorkerStarter(projectRoot, built);
  const definitions = overrides.providers ?? providerDefinitions;
  const canOrder = canOrderWith(definitions);
  // Before the database is opened: a process that cannot start should fail before it changes anything.
  const catalogFile = await openCatalogFile(config, { base: overrides.models ?? allModels, canOrder, clock, log });

  const { database, neonProxy } = overrides;
  const { db, jobDb, pools } = await composeStorage(config, { projectRoot, startWorker, log, database, neonProxy });
  const { secrets, sealer, thinkingSigner } = await composeSecrets(config, { db, log }).catch(
    async (error: unknown) => {
      await Promise.all([db.close(), jobDb.close()]);
      throw error;
    },
  );
  // What most parts need.
  const core = { db, clock, log, telemetry, random };
  const isEmbedded = config.databaseUrl === undefined;
  const runsJobs = config.role !== 'web';
  const queue = await createQueue({ ...core, db: jobDb, exclusive: isEmbedded, maintains: runsJobs });
  const ledger = createLedger({ clock });
  const mailer = config.mail && createMailer(config.mail);
  const redis = config.redisUrl === undefined ? undefined : await openRedis(config.redisUrl, log);
  const tenantLimits = composeLimits(config, { ...core, redis });
  const { limits, windows, load } = tenantLimits;

  const links = createLinks({ secret: secrets.authSecret, baseUrl });
  const callbacks = createCallbacks({ secret: secrets.authSecret, baseUrl });
  const publishedMedia = createPublishedMedia({ ...core, secret: secrets.authSecret, baseUrl });
  const { lookup } = overrides;
  const network = composeNetwork(config, { ...core, baseUrl, version, lookup, startWorker });
  const { outbound, files, probe } = network;
  const store = config.mediaStore && (await openMediaStore(config.mediaStore, core));
  const archive = store && { store };
  const keyRevocations = createKeyRevocationWatch(core);
  const { installed, providers, makeOwn, content, media } = composeProviders(config, definitions, {
    ...core,
    sealer,
    links,
    keyRevocations,
    limits,
    outbound,
    files,
    probe,
    thinkingSigner,
    startWorker,
    ...archive,
  });

  const { catalog, stopWatching } = composeCatalog(config, {
    ...core,
    ...catalogFile,
    definitions,
    installed,
    canOrder,
  });
  const isProvider = (id: string) =>
    definitions.some((definition) => definition.id === id) || catalog().hasProvider(id);
  const health = createProviderHealth({ ...core, credentials: createCredentialUse(core) });
  const testProvider = testProviderOf(installed, overrides.testProvider ?? testProviderDefinition, definitions);
  const routers = createRouters({ providers: installed, testProvider, catalog, health });
  const meters = createMeters({ ...core, ledger, limits });
  const audio = createAudioSessions({ ...core, catalog, routers, health, meters, keyRevocations });

  const finishVideo = createFinishVideo({
    ...core,
    ledger,
    links,
    scheduleWebhooks: createScheduleWebhooks({ ...core, queue }),
  });
  const videos = createVideos({
    ...core,
    catalog,
    router: routers.video,
    ledger,
    limits,
    queue,
    checkUrls: createCheckUrls({ outbound, links, mayUse: content.mayUse }),
    links,
    providers,
    finishVideo,
    content,
    callbacks,
    publishedMedia,
    ...archive,
  });
  const messages = createMessages({
    ...core,
    ledger,
    catalog,
    health,
    keyRevocations,
    limits,
    startWorker,
    router: routers.messages,
    providers,
  });

  const passwords = overrides.passwords ?? createPasswords();
  const people = composeAccounts({
    ...core,
    baseUrl,
    secret: secrets.authSecret,
    ledger,
    sealer,
    passwords,
    mailer,
    counters: windows,
    limits,
    redis,
    isProvider,
  });
  const { accounts } = people;
  const seeded = await seedFirstRun({
    ...core,
    ledger,
    sealer,
    passwords,
    baseUrl,
    dataDir: config.dataDir,
    embedded: isEmbedded,
    bootstrap: config.bootstrapOwner,
  });

  const creditTransfers = createCreditTransfers({ ...core, ledger });
  const requests = createRequests(core);
  const serviceHealth = createHealth({
    version,
    clock,
    pingDatabase: db.ping,
    ...(redis ? { pingRedis: redis.ping } : {}),
  });
  const verify = createVerifyProvider({ ...core, definitions, catalog });

  const jobs = composeJobs(config, {
    ...core,
    db: jobDb,
    catalog,
    router: routers.video,
    providers,
    installed,
    health,
    queue,
    ledger,
    finishVideo,
    checkSource: overrides.checkSource ?? createCheckSource(media),
    callbacks,
    publishedMedia,
    store,
    sealer,
    outbound,
    baseUrl,
    mailer,
  });
  const lifecycle = createLifecycle({
    log,
    // Now, and not when the last request has ended, so that jobs finish in parallel with requests.
    onDrain: () => queue.drain(JOB_GRACE_MS),
    onClose() {
      stopWatching?.();
      jobs.stopPlanning();
    },
    steps: [
      { 'audio sessions': () => audio.drain().then(audio.settled) },
      // In parallel: each may wait for an unavailable database, and the stop has a time limit.
      {
        meters: () => meters.close(),
        messages: () => messages.ended(MESSAGES_GRACE_MS).then(() => messages.settled()),
        queue: () => queue.stop(JOB_GRACE_MS),
        'calls of waiting starts': () => jobs.stopSlots(),
      },
      Object.fromEntries([...installed.values()].map((provider) => [provider.id, () => provider.close?.()])),
      { 'providers with credentials of organisations': () => providers.close() },
      { 'token counter': () => messages.close() },
      { 'video probe': () => network.closeProbe() },
      { 'outbound connections': () => Promise.all([outbound.close(), files.close()]) },
      { keys: () => accounts.close() },
      { limits: () => tenantLimits.stop() },
      { redis: () => redis?.close() },
      { traces: () => traces?.close() },
      { database: () => Promise.all([db.close(), jobDb.close()]) },
    ],
  });
  if (runsJobs) {
    jobs.start();
    meters.start();
  }
  // A worker answers no requests, so it has no share of the limits.
  if (config.role !== 'worker') tenantLimits.start();
  lifecycle.begin();

  prometheus?.watch({
    clock,
    async readStored() {
      const [stored, holds] = await Promise.all([readQueueDepth(jobDb), readOpenHolds(jobDb)]);
      return { queue: stored, holds };
    },
    async readReadiness() {
      const { health: checked } = await serviceHealth.check(new Set());
      const { database, redis: ofRedis } = checked;
      return {
        ready: lifecycle.phase() === 'ready' && database.connected,
        database: database.connected,
        redis: redis ? ofRedis.connected : undefined,
      };
    },
    sessions: () => ({ transcription: audio.count('transcription'), speech: audio.count('speech') }),
    circuits: health.list,
    pools,
    isOverloaded: load.isOverloaded,
  });

  return {
    gateway: {
      config,
      version,
      baseUrl,
      clock,
      log,
      telemetry,
      ...people,
      limits,
      operator: composeOperator(config, {
        ...core,
        ...people,
        ledger,
        sealer,
        requests,
        counters: windows,
        transfers: creditTransfers,
        token: secrets.operatorToken,
        version,
        health: serviceHealth,
        load,
        circuits: health,
        catalog,
        catalogFile: catalogFile.file,
        definitions,
        installed,
        verify,
      }),
      creditTransfers,
      activity: createActivity(core),
      alerts: createAlerts({ ...core, canMail: mailer !== undefined }),
      catalog,
      catalogOf: async (account) => ownCatalog(catalog(), await providers.servedBy(account)),
      catalogFileErrors: () => catalogFile.file?.errors() ?? [],
      catalogResponses: createCatalogResponses(catalog),
      providers,
      credentials: createCredentials({
        ...core,
        sealer,
        catalog,
        definitions,
        directory: providers,
        make: makeOwn,
        verify,
      }),
      videos,
      messages,
      audio,
      guides: createGuides({ directory: path.join(projectRoot, 'docs'), baseUrl }),
      policies: createPolicies({
        ...core,
        catalog,
        routers,
        providers,
        mediaReach: publishedMedia.reach,
        isProvider,
        forgetKeys: () => accounts.forgetKeys(),
      }),
      usage: createUsage({ ...core, catalog, routers, mediaReach: publishedMedia.reach, messages }),
      requests,
      search: createSearch({ db, catalog }),
      webhooks: createWebhooks({ ...core, queue, sealer, outbound }),
      health: serviceHealth,
      phase: lifecycle.phase,
      drain: lifecycle.drain,
      close: lifecycle.close,
    },
    prometheus,
    seeded,
    authSecret: secrets.authSecret,
  };
}

/**
 * Starts the gateway in a process that did not compose one: plain `next start` calls this from `instrumentation.ts`. It
 * runs jobs, but serves no WebSockets.
 */
export async function startGateway(): Promise<void> {
  const config = readConfig({ ...readEnvFile(path.join(projectRoot, '.env')), ...process.env }, providerDefinitions);
  await examineSettings(config, providerDefinitions);
  const composed = await composeGateway(config);
  process.env.NEXTAUTH_URL = composed.gateway.baseUrl;
  process.env.NEXTAUTH_SECRET = composed.authSecret;
  installGateway(composed.gateway);
  if (config.production) divertConsole(composed.gateway.log);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void composed.gateway.close());
}
