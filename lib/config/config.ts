import path from 'node:path';
import type { MediaStoreLocation } from '../domain/files';
import { parseLimitList, withOverrides, type LimitScope, type LimitValues } from '../domain/limits';
import type { ProviderDefinition } from '../domain/provider';
import { list, nameOfAlias, valueOfAlias } from '../domain/provider-settings';
import type { Retention } from '../domain/retention';
import { withCredentials } from './media-store';
import { KEY_LIMITS, ORGANIZATION_LIMITS, variables, type Values, type Variable } from './variables';

// `readConfig` is the only reader of the environment, and reports all errors together.

export interface OAuthClient {
  readonly id: string;
  readonly secret: string;
  /** The base URL of the service, if it is not the default one. */
  readonly baseUrl?: string;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash. Undefined: `baseUrlOf` builds it from HOST and PORT. */
  readonly publicBaseUrl?: string;
  /** Further host names under which the console may be opened. */
  readonly allowedHosts: readonly string[];
  /** A URI for reports of vulnerabilities. */
  readonly securityContact?: string;
  readonly dataDir: string;
  readonly mediaStore?: MediaStoreLocation;
  readonly databaseUrl?: string;
  /** Connections of this process to an external database. */
  readonly databasePoolSize: number;
  readonly redisUrl?: string;
  readonly authSecret?: string;
  readonly masterKey?: string;
  /** Master keys that only decrypt. */
  readonly masterKeyFallbacks: readonly string[];
  /** Whether to start although no stored secret can be read. */
  readonly masterKeyLost: boolean;
  /** If it is absent with the embedded database, the one in DATA_DIR is used (`readSecrets`). */
  readonly operatorToken?: string;
  readonly bootstrapOwner?: { readonly email: string; readonly password: string };
  /** Sign-in methods in addition to the password. Each is present only if all of its variables are set. */
  readonly oauth: { readonly github?: OAuthClient; readonly google?: OAuthClient };
  readonly mail?: { readonly smtpUrl: string; readonly from: string };
  readonly outboundAllow: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  readonly webConcurrency: number;
  readonly role: 'all' | 'web' | 'worker';
  /** An absolute path. */
  readonly catalogFile?: string;
  readonly limits: Readonly<Record<LimitScope, LimitValues>>;
  readonly confirmedPrices: readonly string[];
  /** The data region of each provider, as the operator states it. */
  readonly providerRegions: Readonly<Record<string, string>>;
  readonly extraSpeechProviders: readonly string[];
  readonly retention: Retention;
  /** Absent: no traces. */
  readonly traces?: { readonly endpoint: string; readonly ratio: number };
  /** Absent: no metrics. */
  readonly metricsPort?: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** For each provider, the values of its variables that are set. */
  readonly providerSettings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly production: boolean;
}

/** The parts of a provider that the configuration needs: its id and its variables. */
export type ConfigurableProvider = Pick<ProviderDefinition, 'id' | 'settings' | 'alternatives'>;

export class ConfigError extends Error {
  constructor(readonly errors: readonly string[]) {
    super(
      `The configuration has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}:\n${errors.map((error) => `  - ${error}`).join('\n')}`,
    );
  }
}

/** Reads the environment; throws ConfigError with every error at once. Empty variables count as absent. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  providers: readonly ConfigurableProvider[],
): Config {
  const errors: string[] = [];
  const entries = Object.entries<Variable>(variables).map(([name, { schema, must }]) => {
    const parsed = schema.safeParse(env[name] || undefined);
    if (!parsed.success) errors.push(`${name} ${must ?? parsed.error.issues[0]?.message ?? 'is invalid'}.`);
    return [name, parsed.data] as const;
  });
  // Safe: a value that did not parse has added an error, so nothing is returned.
  const values = Object.fromEntries(entries) as Values;

  if (Boolean(values.TLS_CERT_FILE) !== Boolean(values.TLS_KEY_FILE))
    errors.push('TLS_CERT_FILE and TLS_KEY_FILE must be set together.');
  if (Boolean(values.BOOTSTRAP_OWNER_EMAIL) !== Boolean(values.BOOTSTRAP_OWNER_PASSWORD)) {
    errors.push('BOOTSTRAP_OWNER_EMAIL and BOOTSTRAP_OWNER_PASSWORD must be set together.');
  }
  for (const name of ['GITHUB', 'GOOGLE'] as const) {
    if (Boolean(values[`OAUTH_${name}_ID`]) !== Boolean(values[`OAUTH_${name}_SECRET`]))
      errors.push(`OAUTH_${name}_ID and OAUTH_${name}_SECRET must be set together.`);
  }
  if (Boolean(values.SMTP_URL) !== Boolean(values.MAIL_FROM))
    errors.push('SMTP_URL and MAIL_FROM must be set together.');
  const mediaStoreLocation = withCredentials(
    values.MEDIA_STORE,
    values.MEDIA_STORE_ACCESS_KEY_ID,
    values.MEDIA_STORE_SECRET_ACCESS_KEY,
  );
  if (values.MEDIA_STORE && !mediaStoreLocation)
    errors.push(
      'MEDIA_STORE_ACCESS_KEY_ID and MEDIA_STORE_SECRET_ACCESS_KEY are required with a bucket in MEDIA_STORE.',
    );
  if (!values.DATABASE_URL && values.WEB_CONCURRENCY > 1)
    errors.push('WEB_CONCURRENCY above 1 needs DATABASE_URL: the embedded database takes one process.');
  if (!values.DATABASE_URL && values.PATCHBAY_ROLE && values.PATCHBAY_ROLE !== 'all')
    errors.push('PATCHBAY_ROLE other than all needs DATABASE_URL.');
  if (values.METRICS_PORT !== undefined && values.METRICS_PORT === values.PORT && values.PORT !== 0)
    errors.push('METRICS_PORT must not be PORT.');
  if (values.DATABASE_URL && !values.AUTH_SECRET)
    errors.push('AUTH_SECRET is required with DATABASE_URL: all instances must share it.');
  if (values.DATABASE_URL && !values.MASTER_KEY)
    errors.push('MASTER_KEY is required with DATABASE_URL: all instances must share it.');
  const providerSettings = Object.fromEntries(
    providers.map((provider) => [provider.id, settingsOf(provider, env, errors)]),
  );
  const namedProviders = {
    // Only the providers in `<provider>/<model>` are checked here; whether a model exists is known only with the
    // catalog file.
    CONFIRMED_PRICES: (values.CONFIRMED_PRICES ?? []).flatMap((name) =>
      name.includes('/') ? [name.slice(0, name.indexOf('/'))] : [],
    ),
    PROVIDER_REGIONS: Object.keys(values.PROVIDER_REGIONS ?? {}),
    EXTRA_SPEECH_PROVIDERS: values.EXTRA_SPEECH_PROVIDERS ?? [],
  };
  for (const [name, ids] of Object.entries(namedProviders))
    for (const id of new Set(ids))
      if (providers.length > 0 && !providers.some((provider) => provider.id === id))
        errors.push(`${name} names the provider ${id}, which does not exist.`);
  if (errors.length > 0) throw new ConfigError(errors);

  return {
    host: values.HOST,
    port: values.PORT,
    allowedHosts: values.ALLOWED_HOSTS.map((host) => host.toLowerCase()),
    dataDir: path.resolve(values.DATA_DIR),
    oauth: {
      ...oauthClient('github', values.OAUTH_GITHUB_ID, values.OAUTH_GITHUB_SECRET, values.OAUTH_GITHUB_BASE_URL),
      ...oauthClient('google', values.OAUTH_GOOGLE_ID, values.OAUTH_GOOGLE_SECRET, values.OAUTH_GOOGLE_BASE_URL),
    },
    outboundAllow: values.OUTBOUND_ALLOW,
    trustedProxies: values.TRUSTED_PROXIES,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    webConcurrency: values.WEB_CONCURRENCY,
    role: values.PATCHBAY_ROLE,
    limits: {
      organization: limitsOf(values.ORGANIZATION_LIMITS, ORGANIZATION_LIMITS),
      key: limitsOf(values.KEY_LIMITS, KEY_LIMITS),
      installation: limitsOf(values.INSTALLATION_LIMITS, ''),
    },
    confirmedPrices: values.CONFIRMED_PRICES,
    providerRegions: values.PROVIDER_REGIONS ?? {},
    extraSpeechProviders: values.EXTRA_SPEECH_PROVIDERS,
    retention: {
      usageDays: values.USAGE_RETENTION_DAYS,
      webhookDays: values.WEBHOOK_RETENTION_DAYS,
      inputDays: values.INPUT_RETENTION_DAYS,
      auditDays: values.AUDIT_RETENTION_DAYS,
    },
    logLevel: values.LOG_LEVEL,
    production: env.NODE_ENV === 'production',
    providerSettings,
    ...(values.PUBLIC_BASE_URL ? { publicBaseUrl: values.PUBLIC_BASE_URL.replace(/\/+$/, '') } : {}),
    ...(values.SECURITY_CONTACT ? { securityContact: values.SECURITY_CONTACT } : {}),
    ...(mediaStoreLocation ? { mediaStore: mediaStoreLocation } : {}),
    ...(values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
      ? {}
      : { traces: { endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: values.OTEL_TRACES_SAMPLER_ARG } }),
    ...(values.METRICS_PORT === undefined ? {} : { metricsPort: values.METRICS_PORT }),
    ...(values.CATALOG_FILE ? { catalogFile: path.resolve(values.CATALOG_FILE) } : {}),
    ...(values.DATABASE_URL ? { databaseUrl: values.DATABASE_URL } : {}),
    ...(values.REDIS_URL ? { redisUrl: values.REDIS_URL } : {}),
    ...(values.AUTH_SECRET ? { authSecret: values.AUTH_SECRET } : {}),
    ...(values.MASTER_KEY ? { masterKey: values.MASTER_KEY } : {}),
    masterKeyFallbacks: values.MASTER_KEY_FALLBACKS,
    masterKeyLost: values.MASTER_KEY_LOST === 'true',
    ...(values.OPERATOR_TOKEN ? { operatorToken: values.OPERATOR_TOKEN } : {}),
    ...(values.BOOTSTRAP_OWNER_EMAIL && values.BOOTSTRAP_OWNER_PASSWORD
      ? { bootstrapOwner: { email: values.BOOTSTRAP_OWNER_EMAIL, password: values.BOOTSTRAP_OWNER_PASSWORD } }
      : {}),
    ...(values.SMTP_URL && values.MAIL_FROM ? { mail: { smtpUrl: values.SMTP_URL, from: values.MAIL_FROM } } : {}),
    ...(values.TLS_CERT_FILE && values.TLS_KEY_FILE
      ? { tls: { certFile: values.TLS_CERT_FILE, keyFile: values.TLS_KEY_FILE } }
      : {}),
  };
}

/** Returns the limits of a valid list, and the defaults for names that the list leaves out. */
function limitsOf(text: string, defaults: string): LimitValues {
  const [base, given] = [parseLimitList(defaults), parseLimitList(text)];
  if (typeof base === 'string' || typeof given === 'string') throw new Error('An invalid list of limits was accepted.');
  return withOverrides(withOverrides({}, base), given);
}

/** Returns the base URL of the installation for clients, without a trailing slash. */
export function baseUrlOf(config: Config): string {
  if (config.publicBaseUrl !== undefined) return config.publicBaseUrl;
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  return `${config.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${config.port}`;
}

function oauthClient(
  service: 'github' | 'google',
  id: string | undefined,
  secretOfIt: string | undefined,
  baseUrl: string | undefined,
): Config['oauth'] {
  return id && secretOfIt ? { [service]: { id, secret: secretOfIt, ...(baseUrl ? { baseUrl } : {}) } } : {};
}

/** Returns the values under the names of the variables. Adds an error for each value that an alias contradicts. */
function settingsOf(
  provider: ConfigurableProvider,
  env: Readonly<Record<string, string | undefined>>,
  errors: string[],
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { name, aliases = [] } of provider.settings) {
    const set = [name, ...aliases].flatMap((alias) => {
      const value = valueOfAlias(alias, env);
      return value === undefined ? [] : [{ name: nameOfAlias(alias), value }];
    });
    if (new Set(set.map(({ value }) => value)).size > 1)
      errors.push(
        `${list(set.map((each) => each.name))} are names of the same setting but have different values. Set only one of them.`,
      );
    if (set[0]) values[name] = set[0].value;
  }
  return values;
}
