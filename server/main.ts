import cluster from 'node:cluster';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import next from 'next';
import { CatalogFileError } from '../lib/catalog/apply-catalog-file';
import { baseUrlOf, ConfigError, readConfig, type Config } from '../lib/config/config';
import { readEnvFile } from '../lib/config/env-file';
import { SecretsFileError } from '../lib/config/secrets';
import { DirectoryInUse } from '../lib/db/directory-lock';
import { DatabaseUnreachable } from '../lib/db/open-database';
import { errorForLog } from '../lib/domain/errors';
import { providerDefinitions } from '../lib/providers/registry';
import { divertConsole } from '../lib/log';
import { installGateway } from '../lib/runtime';
import { MasterKeyError } from './check-master-key';
import { composeGateway, type Composed } from './compose';
import { examineSettings } from './examine-settings';
import { createHttpServer } from './http';
import { lowerPriority } from './lower-priority';
import { answerPrimary, readWorkers, startMetricsServer, type MetricsServer } from './metrics-server';
import { createAudioSockets } from './sockets/audio-sockets';
import { stopServer } from './stop';
import { isFirstProcess, reportStartFailure, supervise } from './supervise';

// The process: reads the configuration, composes and installs the gateway, listens. On a stop signal it reports that it
// is not ready, stops accepting connections, finishes running work, requeues jobs and exits with 0.

/** The time between "not ready" and closing the port: load balancers check every few seconds. */
const DRAIN_NOTICE_MS = 5_000;
/** A stop that hangs is forced after this time, and logged. */
const STOP_TIMEOUT_MS = 60_000;

/** The port cannot be opened; the message says why and what to do. */
class ListenError extends Error {}

async function main(): Promise<void> {
  // The S3 client warns at each start that its later versions need a newer Node. package-lock.json pins our version, so
  // the warning is of no use.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  // The files of this process (database, rendered videos, secrets) are readable only by its own user.
  process.umask(0o077);
  const env = { ...readEnvFile(path.join(process.cwd(), '.env')), ...process.env };
  const config = readConfig(env, providerDefinitions);
  if (cluster.isPrimary) await examineSettings(config, providerDefinitions);
  if (config.webConcurrency > 1 && cluster.isPrimary) {
    await openMetrics(config, readWorkers());
    return supervise(config.webConcurrency);
  }
  await serve(config);
}

async function serve(config: Config): Promise<void> {
  if (config.role === 'worker') lowerPriority();
  const composed = await composeGateway(config);
  const { gateway } = composed;
  installGateway(gateway);
  // next-auth reads these two from the environment. This is the one exception to passing the configuration explicitly.
  process.env.NEXTAUTH_URL = gateway.baseUrl;
  process.env.NEXTAUTH_SECRET = composed.authSecret;

  const pages =
    config.role === 'worker'
      ? undefined
      : next({ dev: !config.production, dir: process.cwd(), hostname: config.host, port: config.port });
  await pages?.prepare();
  const server = createHttpServer({
    gateway,
    ...(pages && { nextHandler: pages.getRequestHandler(), sessions: createAudioSockets(gateway) }),
    ...(config.tls ? { tls: { cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile) } } : {}),
  });
  try {
    await server.listen(config.port, config.host);
  } catch (error) {
    await gateway.close();
    throw listenError(error, config);
  }
  const metrics = await serveMetrics(composed, config).catch(async (error: unknown) => {
    await stopServer({ gateway, server, noticeMs: 0 });
    throw error;
  });
  // In development, people read the output of the console directly.
  if (config.production) divertConsole(gateway.log);

  let stopping = false;
  async function stop(): Promise<void> {
    if (stopping) return;
    stopping = true;
    const force = setTimeout(() => {
      gateway.log.error('the stop took too long and was forced');
      process.exit(1);
    }, STOP_TIMEOUT_MS);
    force.unref();
    const mayBeBalanced = config.databaseUrl !== undefined && config.role !== 'worker';
    await stopServer({ gateway, server, noticeMs: mayBeBalanced ? DRAIN_NOTICE_MS : 0 });
    await pages?.close();
    await metrics?.close();
    gateway.log.info('stopped');
    process.exit(0);
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
  // An unhandled rejection leaves the process in an unknown state, so the process ends and its supervisor restarts it.
  process.on('unhandledRejection', (error) => {
    gateway.log.error('an error was not handled; the process ends', { error: errorForLog(error) });
    process.exit(1);
  });
  // Last, because a supervisor may stop the process as soon as it reads that it is ready.
  announce(composed, config);
}

/** Serves the metrics of this process, or reports them to the primary process. */
async function serveMetrics({ prometheus }: Composed, config: Config): Promise<MetricsServer | undefined> {
  if (!prometheus) return undefined;
  if (cluster.isPrimary) return openMetrics(config, () => prometheus.registry.metrics());
  answerPrimary(prometheus.registry);
  return undefined;
}

/** Opens the metrics server. Resolves to undefined without METRICS_PORT. Rejects with a ListenError. */
async function openMetrics(config: Config, read: () => Promise<string>): Promise<MetricsServer | undefined> {
  const { metricsPort: port, host } = config;
  if (port === undefined) return undefined;
  try {
    return await startMetricsServer({ port, host }, read);
  } catch (error) {
    throw listenError(error, { host, port }, 'METRICS_PORT');
  }
}

function listenError(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>, setting = 'PORT'): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new ListenError(
      `Port ${port} of ${host} is already in use. Stop the program that uses it, or set ${setting} to a free port.`,
    );
  if (code === 'EACCES')
    return new ListenError(`This user may not listen on port ${port}. Set ${setting} to a port above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new ListenError(
      `HOST ${host} is not an address of this machine. Use 127.0.0.1, 0.0.0.0 or one of its own addresses.`,
    );
  return error;
}

/**
 * Prints the URLs of the installation. The secrets of the first run are printed only on a terminal: otherwise standard
 * output is a log that others read and keep.
 */
function announce({ gateway, seeded }: Composed, config: Config): void {
  gateway.log.info('listening', { host: config.host, port: config.port });
  const lines: string[] = [];
  if (isFirstProcess())
    lines.push(
      `Patchbay is ready at ${baseUrlOf(config)}`,
      config.role === 'worker' ? '  runs jobs only' : `  console   ${baseUrlOf(config)}/console`,
    );
  // Any process of this machine may have created the first organisation.
  if (seeded?.kind === 'first-run') {
    const { firstRun, file } = seeded;
    if (process.stdout.isTTY)
      lines.push(
        `  sign in   ${firstRun.owner.email} / ${firstRun.owner.password}`,
        `  test key  ${firstRun.keys.test}`,
      );
    lines.push(`  password, keys and webhook secret are in ${file}`);
  } else if (seeded) {
    lines.push(`  first owner ${seeded.email}`);
  } else if (isFirstProcess() && existsSync(path.join(config.dataDir, 'first-run.json')))
    lines.push(`  password and keys of the first start are in ${path.join(config.dataDir, 'first-run.json')}`);
  if (lines.length > 0) process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

main().catch((error: unknown) => {
  const isForOperator =
    error instanceof ConfigError ||
    error instanceof CatalogFileError ||
    error instanceof DirectoryInUse ||
    error instanceof MasterKeyError ||
    error instanceof SecretsFileError ||
    error instanceof ListenError;
  if (isForOperator && cluster.isWorker) return reportStartFailure(error.message);
  // Not reported to the primary process, which would stop the other workers: the database may become reachable again.
  const isSentence = isForOperator || error instanceof DatabaseUnreachable;
  process.stderr.write(
    `${isSentence ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
