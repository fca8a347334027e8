import { createPrivateKey, X509Certificate } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { CatalogFileError } from '../lib/catalog/apply-catalog-file';
import { canOrderWith } from '../lib/catalog/can-order';
import { createCatalogFile } from '../lib/catalog/catalog-file';
import { allModels } from '../lib/catalog/models';
import { ConfigError, type Config } from '../lib/config/config';
import { systemClock } from '../lib/domain/clock';
import type { ProviderDefinition, ProviderDeps } from '../lib/domain/provider';
import { missingSettings, SettingError } from '../lib/domain/provider-settings';
import { createLog } from '../lib/log';

// Checks what a schema cannot: whether files can be read, folders can be written, and providers can be created. A start
// would stop at the first of these errors.

/** Throws a ConfigError that lists every error. Changes nothing. */
export async function examineSettings(config: Config, definitions: readonly ProviderDefinition[]): Promise<void> {
  const errors = [
    await folderError('DATA_DIR', config.dataDir),
    config.mediaStore?.kind === 'directory' ? await folderError('MEDIA_STORE', config.mediaStore.directory) : undefined,
    ...(config.tls ? await tlsErrors(config.tls) : []),
    ...(config.catalogFile === undefined ? [] : await catalogErrors(config.catalogFile, definitions)),
    ...(await Promise.all(definitions.map((definition) => providerErrors(definition, config)))).flat(),
  ].filter((error) => error !== undefined);
  if (errors.length > 0) throw new ConfigError(errors);
}

/**
 * Returns what is wrong with the folder, or undefined. If the folder does not exist, the start creates it, so its
 * nearest existing parent must be writable.
 */
export async function folderError(variable: string, directory: string): Promise<string | undefined> {
  const must = `${variable} must be a directory that this user can write to;`;
  for (let existing = directory; ; existing = path.dirname(existing)) {
    try {
      if (!(await stat(existing)).isDirectory()) return `${must} ${existing} is a file.`;
      await access(existing, constants.R_OK | constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTDIR' || (code === 'ENOENT' && path.dirname(existing) !== existing)) continue;
      return `${must} this user may not write to ${existing}.`;
    }
  }
}

async function tlsErrors({ certFile, keyFile }: NonNullable<Config['tls']>): Promise<readonly string[]> {
  const errors: string[] = [];
  const read = (variable: string, file: string) =>
    readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      errors.push(
        `${variable} names ${file}, which ${unreadable[error.code ?? ''] ?? `cannot be read (${error.code})`}.`,
      );
      return undefined;
    });
  const cert = await read('TLS_CERT_FILE', certFile);
  const key = await read('TLS_KEY_FILE', keyFile);
  // A TLS context accepts only PEM, and a whole chain of certificates.
  const isCertificate = cert !== undefined && attempt(() => createSecureContext({ cert })) !== undefined;
  const privateKey = key === undefined ? undefined : attempt(() => createPrivateKey(key));
  if (cert !== undefined && !isCertificate)
    errors.push(`TLS_CERT_FILE must be a certificate in PEM format; ${certFile} is not one.`);
  if (key !== undefined && privateKey === undefined)
    errors.push(`TLS_KEY_FILE must be a private key in PEM format, without a passphrase; ${keyFile} is not one.`);
  if (errors.length === 0 && cert !== undefined && privateKey && !new X509Certificate(cert).checkPrivateKey(privateKey))
    errors.push(
      'TLS_KEY_FILE must be the private key of the certificate in TLS_CERT_FILE; it belongs to another certificate.',
    );
  return errors;
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by this user',
  EISDIR: 'is a directory',
};

async function catalogErrors(file: string, definitions: readonly ProviderDefinition[]): Promise<readonly string[]> {
  const canOrder = canOrderWith(definitions);
  try {
    await createCatalogFile({ file, base: allModels, canOrder, clock: systemClock, log: createLog('silent') }).read();
    return [];
  } catch (error) {
    if (!(error instanceof CatalogFileError)) throw error;
    return error.errors.map((reason) => `CATALOG_FILE ${file}: ${reason}`);
  }
}

/**
 * Creates the provider. After an error, tries again without the invalid value, so that further errors are found too.
 */
async function providerErrors(definition: ProviderDefinition, config: Config): Promise<readonly string[]> {
  const errors = new Map<string, string>();
  let settings = config.providerSettings[definition.id] ?? {};
  // A provider without settings has no invalid ones.
  while (Object.keys(settings).length > 0 && missingSettings(definition, settings) === undefined) {
    try {
      const provider = definition.create({ ...idleDeps, settings, dataDir: config.dataDir });
      await provider.close?.();
      break;
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      const { variable, message } = error;
      if (errors.has(variable)) break;
      errors.set(variable, message);
      const { [variable]: _wrong, ...others } = settings;
      // The URL may be required, so it is replaced and not removed.
      settings = variable.endsWith('BASE_URL') ? { ...others, [variable]: 'https://provider.example' } : others;
    }
  }
  return [...errors.values()];
}

const unused = (): never => {
  throw new Error('A provider that is created to read its settings must not do any work.');
};

const idleDeps: Omit<ProviderDeps, 'settings' | 'dataDir'> = {
  clock: systemClock,
  log: createLog('silent'),
  cores: 1,
  media: { read: unused, as: unused },
  files: { open: unused, upload: unused },
  probe: unused,
  thinkingSigner: { sign: unused, open: unused },
  startWorker: unused,
};

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
