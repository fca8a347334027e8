import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { certificateSentence } from '../lib/cli/certificate-error';
import { CommandError, usageError } from '../lib/cli/command-error';
import { baseUrlOf, ConfigError, readConfig, type Config } from '../lib/config/config';
import { readEnvFile } from '../lib/config/env-file';
import { missingSettings } from '../lib/domain/provider-settings';
import { providerDefinitions } from '../lib/providers/registry';
import { examineDatabase } from './examine-database';
import { examineSettings, folderError } from './examine-settings';
import { checkNode, ok, report, warning, wrong, type Finding } from './findings';
import { InstallationRuns, withInstallation } from './maintained-installation';
import { run } from './operator-command';

// `patchbay doctor`: what is wrong with an installation, from its settings to its running server. It changes nothing.

const HELP = `Explains what is wrong with an installation: settings, data, database, Redis, archive, server, providers.

  patchbay doctor
  patchbay doctor --json

It reads the settings as the server does, from the environment and .env of this folder, and changes nothing.
Exit codes: 0 nothing is wrong; 1 something is; 2 wrong command.
`;

const LOW_DISK_BYTES = 2 * 1024 ** 3;
const TIMEOUT_MS = 5_000;
const MAX_CLOCK_SKEW_MS = 30_000;

async function main(args: readonly string[]): Promise<string> {
  const { json, help } = readArguments(args);
  if (help) return HELP;
  const findings = await examine({ ...readEnvFile(path.join(process.cwd(), '.env')), ...process.env });
  return report(findings, json === true);
}

function readArguments(args: readonly string[]): { readonly json?: boolean; readonly help?: boolean } {
  try {
    const options = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw usageError(`${error instanceof Error ? error.message : String(error)}\n${HELP}`);
  }
}

async function examine(env: Readonly<Record<string, string | undefined>>): Promise<readonly Finding[]> {
  const node = checkNode();
  let config: Config;
  try {
    config = readConfig(env, providerDefinitions);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [node, wrong('settings', error.message)];
  }
  const server = await checkServer(config);
  const checks = [
    await checkSettings(config),
    await checkData(config),
    ...(await checkDatabase(config, server.state === 'ok')),
    await checkRedis(config),
    await checkStore(config),
    server,
    checkAddress(config),
    ...checkProviders(config),
  ];
  return [node, ...checks];
}

async function checkSettings(config: Config): Promise<Finding> {
  try {
    await examineSettings(config, providerDefinitions);
    return ok('settings', 'The settings are valid.');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return wrong('settings', error.message);
  }
}

async function checkData({ dataDir }: Config): Promise<Finding> {
  const error = await folderError('DATA_DIR', dataDir);
  if (error !== undefined) return wrong('data', error);
  if (!existsSync(dataDir)) return warning('data', `${dataDir} does not exist yet. The first start creates it.`);
  const { bavail, bsize } = await statfs(dataDir);
  const gib = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GiB are free in ${dataDir}.`;
  return bavail * bsize < LOW_DISK_BYTES ? warning('data', `Only ${gib} Make room.`) : ok('data', gib);
}

async function checkDatabase({ databaseUrl, dataDir }: Config, isRunning: boolean): Promise<readonly Finding[]> {
  const embedded = ok(
    'database',
    `Embedded, in ${dataDir}.${isRunning ? '' : ' It is examined when Patchbay starts.'}`,
  );
  // Only one process can open the embedded database.
  if (databaseUrl === undefined && (isRunning || !isOwn(path.join(dataDir, 'database')))) return [embedded];
  try {
    return await withInstallation(examineDatabase);
  } catch (error) {
    if (error instanceof InstallationRuns) return [embedded];
    if (error instanceof CommandError) return [wrong('database', error.message)];
    const why = error instanceof Error ? error.message : String(error);
    return [wrong('database', `The database cannot be opened or read: ${why}`)];
  }
}

/**
 * Whether the folder exists and belongs to this user. Opening a database creates its folder and files; if they belonged
 * to another user, such as root, the server could not use them.
 */
function isOwn(folder: string): boolean {
  try {
    return statSync(folder).uid === (process.geteuid?.() ?? 0);
  } catch {
    return false;
  }
}

async function checkRedis({ redisUrl, webConcurrency }: Config): Promise<Finding> {
  if (redisUrl === undefined) {
    return webConcurrency > 1
      ? warning(
          'Redis',
          'REDIS_URL is not set, so each process enforces its own share of the limits. Set it for exact limits.',
        )
      : ok('Redis', 'Redis is not used.');
  }
  const { createClient } = await import('redis');
  const client = createClient({ url: redisUrl, socket: { connectTimeout: TIMEOUT_MS, reconnectStrategy: false } });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.ping();
    return ok('Redis', 'It answers.');
  } catch {
    return wrong(
      'Redis',
      'Redis does not answer. Check REDIS_URL. Until Redis answers, each process enforces its own share of the limits.',
    );
  } finally {
    if (client.isOpen) client.destroy();
  }
}

async function checkStore({ mediaStore }: Config): Promise<Finding> {
  if (mediaStore === undefined)
    return warning(
      'archive',
      'There is no archive, so files are lost when their provider deletes them. Set MEDIA_STORE to keep them.',
    );
  if (!('directory' in mediaStore))
    return ok(
      'archive',
      'The archive is a bucket. It is not tested by this command or at the start, but first used when a video is finished.',
    );
  const { directory } = mediaStore;
  const error = await folderError('MEDIA_STORE', directory);
  if (error !== undefined) return wrong('archive', error);
  return existsSync(directory)
    ? ok('archive', directory)
    : warning('archive', `${directory} does not exist yet. The first start creates it.`);
}

async function checkServer(config: Config): Promise<Finding> {
  const url = baseUrlOf(config);
  let response: Response;
  try {
    response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' });
  } catch (error) {
    const certificate = certificateSentence(url, error);
    if (certificate !== undefined) return warning('server', certificate);
    return warning('server', `Nothing answers at ${url}. Start it with "npm start".`);
  }
  const body = (await response.json().catch(() => undefined)) as { readonly status?: string } | undefined;
  if (body?.status === undefined)
    return wrong('server', `Another program answers at ${url}. Change PORT or PUBLIC_BASE_URL.`);
  if (body.status !== 'ready') return wrong('server', `${url} is not ready: ${body.status}. Its log says why.`);
  const skewMs = Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now());
  return skewMs > MAX_CLOCK_SKEW_MS
    ? warning(
        'server',
        `${url} is ready, but its clock differs by ${Math.round(skewMs / 1_000)} seconds from this one.`,
      )
    : ok('server', `${url} is ready.`);
}

function checkAddress(config: Config): Finding {
  const { publicBaseUrl } = config;
  if (publicBaseUrl === undefined)
    return warning(
      'address',
      'PUBLIC_BASE_URL is not set: links, and the webhooks that providers call, use a URL of this machine.',
    );
  return publicBaseUrl.startsWith('https://')
    ? ok('address', publicBaseUrl)
    : warning(
        'address',
        `${publicBaseUrl} is not an HTTPS URL: providers cannot read media from it or send webhooks to it.`,
      );
}

function checkProviders(config: Config): readonly Finding[] {
  const states = providerDefinitions.map((definition) => ({
    id: definition.id,
    missing: missingSettings(definition, config.providerSettings[definition.id] ?? {}),
  }));
  const offered = states.filter(({ missing }) => missing === undefined).map(({ id }) => id);
  const partial = states.flatMap(({ id, missing }) =>
    missing?.isPartial ? [wrong(`provider ${id}`, missing.sentence)] : [],
  );
  const hasVendor = providerDefinitions.some(
    (definition) => offered.includes(definition.id) && missingSettings(definition, {}) !== undefined,
  );
  return [
    !hasVendor
      ? warning(
          'providers',
          'No provider that needs a key of a vendor is offered. Set such a key to serve live requests.',
        )
      : ok('providers', `${offered.join(', ')}. "patchbay providers verify" checks the credentials of each.`),
    ...partial,
  ];
}

run(main);
