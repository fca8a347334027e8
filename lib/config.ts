import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import type { ProviderSetting } from './domain/provider';

// Every variable of the environment, named once, with the sentence that documents it. `readConfig` is the only reader of the
// environment, and reports all errors together; `.env.example` is made from the same list.

const port = z.coerce.number().int().min(0).max(65_535);
const cidrList = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine((parts) => parts.every(isCidr), 'must be a comma-separated list of CIDRs, such as 10.0.0.0/8,fd00::/8');
const nameList = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);
const hostList = nameList.refine(
  (hosts) => hosts.every((host) => /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?)(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i.test(host)),
  'must be a comma-separated list of host names without scheme and port, such as patchbay.internal,gateway.lan',
);
const securityContact = z
  .union([z.email().transform((address) => `mailto:${address}`), z.url({ protocol: /^(?:https|mailto|tel)$/ })])
  // It becomes a line of a file, so it must be one line.
  .refine((contact) => !/\s/.test(contact));
const secret = z.string().min(32, 'must have at least 32 characters');

const baseAddress = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));
const BASE_ADDRESS = 'must be an address that begins with http:// or https://';

/** `must` ends the sentence of an error, after the variable's name. */
interface Variable {
  readonly schema: z.ZodType;
  readonly must?: string;
  readonly says: string;
}

const variables = {
  HOST: { schema: z.string().default('127.0.0.1'), says: 'Address to listen on.' },
  PORT: { schema: port.default(3000), must: 'must be a whole number from 0 to 65535', says: 'Port to listen on.' },
  PUBLIC_BASE_URL: {
    schema: z.url({ protocol: /^https?$/ }).optional(),
    must: 'must be an address that begins with http:// or https://',
    says: 'Address under which callers reach this installation, for links and webhooks. Default: from HOST and PORT.',
  },
  ALLOWED_HOSTS: {
    schema: hostList.default([]),
    says: 'Further host names under which the console may be opened, such as patchbay.internal. The host of PUBLIC_BASE_URL, HOST, localhost and IP addresses are always allowed.',
  },
  SECURITY_CONTACT: {
    schema: securityContact.optional(),
    must: 'must be an e-mail address, or an address that begins with https://, mailto: or tel:',
    says: 'Where to report a vulnerability of this installation, published in /.well-known/security.txt: an e-mail address or an https:// address.',
  },
  DATA_DIR: {
    schema: z.string().min(1).default('.data'),
    says: 'Embedded database, generated secrets, sandbox media.',
  },
  DATABASE_URL: {
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    must: 'must be an address that begins with postgres:// or postgresql://',
    says: 'postgres://… or a Neon address. Default: the embedded database in DATA_DIR.',
  },
  REDIS_URL: {
    schema: z.url({ protocol: /^rediss?$/ }).optional(),
    must: 'must be an address that begins with redis:// or rediss://',
    says: 'Shared revocation of keys between instances. Default: in-process.',
  },
  AUTH_SECRET: {
    schema: secret.optional(),
    says: 'Signs console sign-ins and download links. Generated into DATA_DIR with the embedded database; required with DATABASE_URL.',
  },
  MASTER_KEY: {
    schema: secret.optional(),
    says: 'Encrypts stored secrets. Generated into DATA_DIR with the embedded database; required with DATABASE_URL.',
  },
  OPERATOR_TOKEN: {
    // It travels in a header.
    schema: secret.regex(/^[\x21-\x7e]+$/, 'must consist of visible ASCII characters').optional(),
    says: 'Lets the operator grant, adjust and refund credits (npm run credits). Generated into DATA_DIR with the embedded database; with DATABASE_URL those endpoints are off without it.',
  },
  BOOTSTRAP_OWNER_EMAIL: {
    schema: z.email().optional(),
    must: 'must be an e-mail address',
    says: 'First owner on an empty external database.',
  },
  BOOTSTRAP_OWNER_PASSWORD: {
    schema: z.string().min(10).optional(),
    must: 'must have at least 10 characters',
    says: 'Password of that owner.',
  },
  OAUTH_GITHUB_ID: {
    schema: z.string().optional(),
    says: 'Client id of a GitHub OAuth app, to offer signing in with GitHub. Its callback: {PUBLIC_BASE_URL}/api/auth/callback/github.',
  },
  OAUTH_GITHUB_SECRET: { schema: z.string().optional(), says: 'Client secret of that app.' },
  OAUTH_GITHUB_BASE_URL: {
    schema: baseAddress.optional(),
    must: BASE_ADDRESS,
    says: 'Another address of GitHub, such as that of an own server.',
  },
  OAUTH_GOOGLE_ID: {
    schema: z.string().optional(),
    says: 'Client id of Google, to offer signing in with Google. Its callback: {PUBLIC_BASE_URL}/api/auth/callback/google.',
  },
  OAUTH_GOOGLE_SECRET: { schema: z.string().optional(), says: 'Client secret of that.' },
  OAUTH_GOOGLE_BASE_URL: {
    schema: baseAddress.optional(),
    must: BASE_ADDRESS,
    says: 'Another address of the OpenID issuer.',
  },
  SMTP_URL: {
    schema: z.url({ protocol: /^smtps?$/ }).optional(),
    must: 'must be an address that begins with smtp:// or smtps://',
    says: 'smtp://user:password@host:587 or smtps://…, to offer signing in by a link in an e-mail.',
  },
  MAIL_FROM: {
    schema: z.string().optional(),
    says: 'Sender of those e-mails, such as Patchbay <patchbay@example.com>.',
  },
  OUTBOUND_ALLOW: {
    schema: cidrList.default([]),
    says: 'CIDRs that webhooks and media may reach although they are private, on any port and without https (a receiver on your own machine: 127.0.0.0/8).',
  },
  TRUSTED_PROXIES: { schema: cidrList.default([]), says: 'CIDRs whose X-Forwarded-For is believed.' },
  TLS_CERT_FILE: { schema: z.string().optional(), says: 'Certificate chain (PEM), to serve https directly.' },
  TLS_KEY_FILE: { schema: z.string().optional(), says: 'Private key (PEM) of that certificate.' },
  WEB_CONCURRENCY: {
    schema: z.coerce.number().int().min(1).max(64).default(1),
    must: 'must be a whole number from 1 to 64',
    says: 'Processes on this machine; more than 1 needs DATABASE_URL.',
  },
  PATCHBAY_ROLE: {
    schema: z.enum(['all', 'web', 'worker']).default('all'),
    must: 'must be all, web or worker',
    says: 'all, web (answers requests only) or worker (runs jobs only).',
  },
  CONFIRMED_PRICES: {
    schema: nameList.default([]),
    says: 'Ids of models whose unverified price you confirm for live use.',
  },
  EXTRA_SPEECH_PROVIDERS: {
    schema: nameList.default([]),
    says: 'Ids of providers of speech synthesis to be served beside the supported one.',
  },
  LOG_LEVEL: {
    schema: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    must: 'must be debug, info, warn, error or silent',
    says: 'debug, info, warn, error or silent.',
  },
} as const satisfies Record<string, Variable>;

type Values = { [Name in keyof typeof variables]: z.output<(typeof variables)[Name]['schema']> };

export interface OAuthClient {
  readonly id: string;
  readonly secret: string;
  /** Another address of the service. */
  readonly baseUrl?: string;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Without a slash at the end. Undefined: made from the port that was really opened. */
  readonly publicBaseUrl?: string;
  /** Host names beside that of the base URL under which the console may be opened. */
  readonly allowedHosts: readonly string[];
  /** A URI: where to report a vulnerability. */
  readonly securityContact?: string;
  readonly dataDir: string;
  readonly databaseUrl?: string;
  readonly redisUrl?: string;
  readonly authSecret?: string;
  readonly masterKey?: string;
  /** With the embedded database the one in DATA_DIR counts when this is absent (`readSecrets`). */
  readonly operatorToken?: string;
  readonly bootstrapOwner?: { readonly email: string; readonly password: string };
  /** Ways to sign in beside the password; each only when all of its variables are set. */
  readonly oauth: { readonly github?: OAuthClient; readonly google?: OAuthClient };
  readonly mail?: { readonly smtpUrl: string; readonly from: string };
  readonly outboundAllow: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  readonly webConcurrency: number;
  readonly role: 'all' | 'web' | 'worker';
  readonly confirmedPrices: readonly string[];
  readonly extraSpeechProviders: readonly string[];
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Of each provider, those of its variables that are set. */
  readonly providerSettings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly production: boolean;
}

/** What config asks of a provider: its id and its variables. */
export interface ConfigurableProvider {
  readonly id: string;
  readonly settings: readonly ProviderSetting[];
}

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
  // Safe: a value that did not parse left an error, and then nothing is returned.
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
  if (!values.DATABASE_URL && values.WEB_CONCURRENCY > 1)
    errors.push('WEB_CONCURRENCY above 1 needs DATABASE_URL: the embedded database takes one process.');
  if (!values.DATABASE_URL && values.PATCHBAY_ROLE && values.PATCHBAY_ROLE !== 'all')
    errors.push('PATCHBAY_ROLE other than all needs DATABASE_URL.');
  if (values.DATABASE_URL && !values.AUTH_SECRET)
    errors.push('AUTH_SECRET is required with DATABASE_URL: all instances must share it.');
  if (values.DATABASE_URL && !values.MASTER_KEY)
    errors.push('MASTER_KEY is required with DATABASE_URL: all instances must share it.');
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
    webConcurrency: values.WEB_CONCURRENCY,
    role: values.PATCHBAY_ROLE,
    confirmedPrices: values.CONFIRMED_PRICES,
    extraSpeechProviders: values.EXTRA_SPEECH_PROVIDERS,
    logLevel: values.LOG_LEVEL,
    production: env.NODE_ENV === 'production',
    providerSettings: Object.fromEntries(providers.map((provider) => [provider.id, settingsOf(provider, env)])),
    ...(values.PUBLIC_BASE_URL ? { publicBaseUrl: values.PUBLIC_BASE_URL.replace(/\/+$/, '') } : {}),
    ...(values.SECURITY_CONTACT ? { securityContact: values.SECURITY_CONTACT } : {}),
    ...(values.DATABASE_URL ? { databaseUrl: values.DATABASE_URL } : {}),
    ...(values.REDIS_URL ? { redisUrl: values.REDIS_URL } : {}),
    ...(values.AUTH_SECRET ? { authSecret: values.AUTH_SECRET } : {}),
    ...(values.MASTER_KEY ? { masterKey: values.MASTER_KEY } : {}),
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

/** The address under which callers reach the installation, without a slash at the end. */
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

function settingsOf(
  provider: ConfigurableProvider,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const set = provider.settings.flatMap(({ name }) => (env[name] ? [[name, env[name]] as const] : []));
  return Object.fromEntries(set);
}

/** The text of `.env.example`: every variable, commented out, with its sentence and its default. */
export function exampleEnv(providers: readonly ConfigurableProvider[]): string {
  const blocks = ['# Every variable is optional. Remove the # to set one.'];
  for (const [name, { schema, says }] of Object.entries(variables)) {
    const standard = schema.safeParse(undefined).data;
    const value = Array.isArray(standard) ? standard.join(',') : (standard ?? '');
    blocks.push(`# ${says}\n#${name}=${String(value)}`);
  }
  for (const provider of providers) {
    for (const setting of provider.settings) {
      blocks.push(
        `# ${setting.description}${setting.required ? ` Without it, ${provider.id} is not offered.` : ''}\n#${setting.name}=`,
      );
    }
  }
  return `${blocks.join('\n\n')}\n`;
}

function isCidr(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
