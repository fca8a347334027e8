import { isIP } from 'node:net';
import { z } from 'zod';
import { keyLimitNames, linkLimitNames, parseLimitList } from '../domain/limits';
import { allOf } from '../domain/phrases';
import { parseUrl } from '../domain/url';
import { baseUrl, mediaStore } from './media-store';

// Every environment variable with its documentation, except those of the providers. `npm run docs:config` generates
// `.env.example` and docs/configuration.md from it.

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
/** `google-vertex=eu,alibaba=sg` */
const regionList = nameList
  .refine((pairs) => pairs.every((pair) => /^[a-z\d][a-z\d._-]*=[a-z\d][a-z\d-]{0,31}$/.test(pair)))
  .transform((pairs): Readonly<Record<string, string>> =>
    Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string])),
  );
const hostList = nameList.refine(
  (hosts) => hosts.every((host) => /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?)(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i.test(host)),
  'must be a comma-separated list of host names without scheme and port, such as patchbay.internal,gateway.lan',
);
const securityContact = z
  .union([z.email().transform((address) => `mailto:${address}`), z.url({ protocol: /^(?:https|mailto|tel)$/ })])
  // It becomes one line of a file, so it must not contain line breaks.
  .refine((contact) => !/\s/.test(contact));
const secret = z.string().min(32, 'must have at least 32 characters');

const HTTP_URL = 'must be a URL that begins with http:// or https://';

const limitList = z.string().superRefine((text, context) => {
  const parsed = parseLimitList(text);
  if (typeof parsed === 'string') context.addIssue(`must be ${parsed}`);
});
const keyLimitList = limitList.superRefine((text, context) => {
  const parsed = parseLimitList(text);
  if (typeof parsed !== 'string' && linkLimitNames.some((name) => name in parsed))
    context.addIssue(`must be a list without ${allOf(linkLimitNames)}: requests by signed links have no key`);
});
/** Paths are appended to it. */
const publicUrl = z.url({ protocol: /^https?$/ }).refine((text) => {
  const { search = '', hash = '', username = '', password = '' } = parseUrl(text) ?? {};
  // For an empty query or fragment, `search` and `hash` are empty too.
  return search + hash + username + password === '' && !/[?#]/.test(text);
});
// Generous: they stop runaway use, not heavy use.
export const ORGANIZATION_LIMITS =
  'requests_per_second=10000,submits_per_minute=30000,running_videos=10000,open_streams=2000,body_mebibytes=256,link_requests_per_second=1000,open_links=500';
export const KEY_LIMITS = 'token_counts_per_minute=600,counted_characters_per_minute=5000000';

/** `must` completes the validation error, after the variable's name. */
export interface Variable {
  readonly group: keyof typeof groups;
  readonly schema: z.ZodType;
  readonly must?: string;
  /** What the variable does, with units, in sentences of Markdown without code marks. */
  readonly description: string;
  /** What applies when the variable is not set and its schema has no default. */
  readonly unset?: string;
}

/** The sections of docs/configuration.md, in its order. */
export const groups = {
  address: 'Address and TLS',
  storage: 'Storage and secrets',
  signIn: 'Sign-in to the console',
  process: 'Processes and logs',
  retention: 'Retention',
  limits: 'Limits',
  outbound: 'Outbound requests',
  models: 'Models',
} as const;

const MAX_DAYS = 36_500;
const days = (min: number, byDefault: number) => ({
  schema: z.coerce.number().int().min(min).max(MAX_DAYS).default(byDefault),
  must: `must be a whole number from ${min} to ${MAX_DAYS}`,
});

export const variables = {
  HOST: { group: 'address', schema: z.string().default('127.0.0.1'), description: 'Address to listen on.' },
  PORT: {
    group: 'address',
    schema: port.default(3000),
    must: 'must be a whole number from 0 to 65535',
    description: 'Port to listen on.',
  },
  PUBLIC_BASE_URL: {
    group: 'address',
    schema: publicUrl.optional(),
    must: 'must be a URL that begins with http:// or https://, without a user name, a password, a query or a fragment',
    description:
      'Public URL of this installation, used in links and webhooks. If providers can reach it by https, they report finished videos to it and read media from it.',
    unset: 'made from HOST and PORT',
  },
  ALLOWED_HOSTS: {
    group: 'address',
    schema: hostList.default([]),
    description:
      'Comma-separated host names that may serve the console, such as patchbay.internal. The host of PUBLIC_BASE_URL, HOST, localhost and IP addresses are always allowed; other hosts get 421.',
  },
  TRUSTED_PROXIES: {
    group: 'address',
    schema: cidrList.default([]),
    description: 'Comma-separated CIDRs of reverse proxies whose X-Forwarded-For header is trusted.',
  },
  TLS_CERT_FILE: {
    group: 'address',
    schema: z.string().optional(),
    description:
      'File with the certificate chain (PEM). Set it together with TLS_KEY_FILE to serve https directly. The commands of the operator call PUBLIC_BASE_URL, or 127.0.0.1 if that is not set, which certificates rarely include: set PUBLIC_BASE_URL, or give them --url. For a certificate that Node does not trust, set NODE_EXTRA_CA_CERTS in their environment to a file with the certificate of its issuer.',
    unset: 'plain http',
  },
  TLS_KEY_FILE: {
    group: 'address',
    schema: z.string().optional(),
    description: 'File with the private key (PEM) of that certificate.',
  },
  SECURITY_CONTACT: {
    group: 'address',
    schema: securityContact.optional(),
    must: 'must be an e-mail address, or a URL that begins with https://, mailto: or tel:',
    description:
      'Where to report a vulnerability of this installation: an e-mail address or a URL, published in /.well-known/security.txt.',
    unset: 'no security.txt',
  },
  DATA_DIR: {
    group: 'storage',
    schema: z.string().min(1).default('.data'),
    description: 'Directory of the embedded database, the generated secrets and the sandbox media.',
  },
  MEDIA_STORE: {
    group: 'storage',
    schema: mediaStore.optional(),
    description:
      'Archive for the finished videos of providers: a directory, such as /var/lib/patchbay/media, or a bucket, as s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1&path_style=true. Without endpoint it is a bucket of Amazon S3, and region is required. path_style is true or false; if it is left out, it is true with an endpoint. Instances that run jobs or answer requests need the same archive.',
    unset: 'videos stay with their providers, for as long as each keeps them',
  },
  MEDIA_STORE_ACCESS_KEY_ID: {
    group: 'storage',
    schema: z.string().optional(),
    description: 'Access key id for the bucket of MEDIA_STORE; required with a bucket.',
  },
  MEDIA_STORE_SECRET_ACCESS_KEY: {
    group: 'storage',
    schema: z.string().optional(),
    description: 'Secret access key for the bucket of MEDIA_STORE; required with a bucket.',
  },
  DATABASE_URL: {
    group: 'storage',
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    must: 'must be a URL that begins with postgres:// or postgresql://',
    description: 'Postgres or Neon database, as a postgres:// URL.',
    unset: 'the embedded database in DATA_DIR',
  },
  DATABASE_POOL_SIZE: {
    group: 'storage',
    schema: z.coerce.number().int().min(2).max(1_000).default(10),
    must: 'must be a whole number from 2 to 1000',
    description:
      'Connections to DATABASE_URL that one process may open, 2 to 1000. In a process that answers requests and runs jobs, two fifths of them are for jobs. All processes together (see WEB_CONCURRENCY) must stay below max_connections of the server; the log has the sum at the start.',
  },
  REDIS_URL: {
    group: 'storage',
    schema: z.url({ protocol: /^rediss?$/ }).optional(),
    must: 'must be a URL that begins with redis:// or rediss://',
    description:
      'Redis, as a redis:// or rediss:// URL. It announces changed keys to other instances at once, and counts limits and failed sign-ins for all instances together.',
    unset:
      'other instances read a changed key within 5 seconds, and each of the WEB_CONCURRENCY processes allows its share of most limits (docs/limits.md)',
  },
  AUTH_SECRET: {
    group: 'storage',
    schema: secret.optional(),
    description:
      'Signs console sign-ins and download links; at least 32 characters. Required with DATABASE_URL, the same for all instances.',
    unset: 'with the embedded database, generated into DATA_DIR',
  },
  MASTER_KEY: {
    group: 'storage',
    schema: secret.optional(),
    description:
      'Encrypts stored secrets; at least 32 characters. Required with DATABASE_URL, the same for all instances. Stored secrets cannot be read without it.',
    unset: 'with the embedded database, generated into DATA_DIR',
  },
  MASTER_KEY_FALLBACKS: {
    group: 'storage',
    schema: nameList.refine((keys) => keys.every((key) => secret.safeParse(key).success)).default([]),
    must: 'must be secrets of at least 32 characters, separated by commas',
    description:
      'Other master keys, comma-separated, which only decrypt: for the rotation of MASTER_KEY (docs/operating.md).',
  },
  MASTER_KEY_LOST: {
    group: 'storage',
    schema: z.enum(['true', 'false']).default('false'),
    must: 'must be true or false',
    description:
      'Set it to true if MASTER_KEY is lost: otherwise an installation whose stored secrets cannot be decrypted does not start. After the start, rotate every webhook secret, store the provider credentials of organisations again, and remove this variable.',
  },
  OPERATOR_TOKEN: {
    group: 'storage',
    // It is sent in a header.
    schema: secret.regex(/^[\x21-\x7e]+$/, 'must consist of visible ASCII characters').optional(),
    description:
      'The credential of the operator for scripts and commands (npm run credits, limits, providers); at least 32 visible ASCII characters.',
    unset: 'with the embedded database, generated into DATA_DIR; with DATABASE_URL, the operator endpoints are off',
  },
  BOOTSTRAP_OWNER_EMAIL: {
    group: 'storage',
    schema: z.email().optional(),
    must: 'must be an e-mail address',
    description:
      'E-mail address of the first owner, who is also the first operator. Read only when the external database is empty.',
  },
  BOOTSTRAP_OWNER_PASSWORD: {
    group: 'storage',
    schema: z.string().min(10).optional(),
    must: 'must have at least 10 characters',
    description: 'Password of the first owner; at least 10 characters.',
  },
  OAUTH_GITHUB_ID: {
    group: 'signIn',
    schema: z.string().optional(),
    description:
      'Client ID of a GitHub OAuth app, to offer sign-in with GitHub. Its callback URL is {PUBLIC_BASE_URL}/api/auth/callback/github.',
    unset: 'no sign-in with GitHub',
  },
  OAUTH_GITHUB_SECRET: {
    group: 'signIn',
    schema: z.string().optional(),
    description: 'Client secret of the GitHub OAuth app.',
  },
  OAUTH_GITHUB_BASE_URL: {
    group: 'signIn',
    schema: baseUrl.optional(),
    must: HTTP_URL,
    description: 'URL of a GitHub Enterprise server.',
    unset: 'github.com',
  },
  OAUTH_GOOGLE_ID: {
    group: 'signIn',
    schema: z.string().optional(),
    description:
      'Client ID of a Google OAuth client, to offer sign-in with Google. Its callback URL is {PUBLIC_BASE_URL}/api/auth/callback/google.',
    unset: 'no sign-in with Google',
  },
  OAUTH_GOOGLE_SECRET: {
    group: 'signIn',
    schema: z.string().optional(),
    description: 'Client secret of the Google OAuth client.',
  },
  OAUTH_GOOGLE_BASE_URL: {
    group: 'signIn',
    schema: baseUrl.optional(),
    must: HTTP_URL,
    description: 'Overrides the URL of the OpenID issuer.',
    unset: 'accounts.google.com',
  },
  SMTP_URL: {
    group: 'signIn',
    schema: z.url({ protocol: /^smtps?$/ }).optional(),
    must: 'must be a URL that begins with smtp:// or smtps://',
    description:
      'Mail server, such as smtp://user:password@host:587, to offer sign-in by a link in an e-mail, and to mail invitations and alerts. Set it together with MAIL_FROM.',
    unset: 'no sign-in by e-mail link, no e-mails of invitations and alerts',
  },
  MAIL_FROM: {
    group: 'signIn',
    schema: z.string().optional(),
    description: 'Sender of those e-mails, such as Patchbay <patchbay@example.com>.',
  },
  WEB_CONCURRENCY: {
    group: 'process',
    schema: z.coerce.number().int().min(1).max(64).default(1),
    must: 'must be a whole number from 1 to 64',
    description: 'Number of processes on this machine, 1 to 64. More than 1 needs DATABASE_URL.',
  },
  PATCHBAY_ROLE: {
    group: 'process',
    schema: z.enum(['all', 'web', 'worker']).default('all'),
    must: 'must be all, web or worker',
    description:
      'What this instance does: all, web (answers requests; no jobs, no housekeeping) or worker (runs jobs; of requests it answers only /livez and /readyz). Values other than all need DATABASE_URL.',
  },
  METRICS_PORT: {
    group: 'process',
    schema: port.optional(),
    must: 'must be a whole number from 0 to 65535',
    description:
      'Port on which HOST serves metrics for Prometheus at /metrics, for all processes of this machine together (docs/observability.md). They need no credential, so do not make the port public.',
    unset: 'no metrics',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group: 'process',
    schema: baseUrl.optional(),
    must: HTTP_URL,
    description:
      'Base URL of an OpenTelemetry receiver (OTLP over HTTP) for traces, such as http://127.0.0.1:4318 (docs/observability.md).',
    unset: 'no traces',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    group: 'process',
    schema: z.coerce.number().min(0).max(1).default(0.01),
    must: 'must be a number from 0 to 1',
    description: 'Share of the requests without a traceparent header that are traced, 0 to 1.',
  },
  LOG_LEVEL: {
    group: 'process',
    schema: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    must: 'must be debug, info, warn, error or silent',
    description: 'Lowest level that is logged: debug, info, warn, error or silent.',
  },
  USAGE_RETENTION_DAYS: {
    group: 'retention',
    ...days(32, 400),
    description:
      'Days for which finished videos, messages and audio sessions are kept, with their holds and ledger entries; at least 32. Balances, daily sums and credit transfers are kept for good.',
  },
  WEBHOOK_RETENTION_DAYS: {
    group: 'retention',
    ...days(1, 90),
    description:
      'Days for which a webhook and its attempts are kept after the last attempt. Until then it can be sent again.',
  },
  INPUT_RETENTION_DAYS: {
    group: 'retention',
    ...days(1, 30),
    description:
      'Days for which the prompt and the request of a completed video are kept; those of a failed video are kept for 1 day.',
  },
  AUDIT_RETENTION_DAYS: {
    group: 'retention',
    ...days(1, 365),
    description: 'Days for which entries of the audit log are kept.',
  },
  ORGANIZATION_LIMITS: {
    group: 'limits',
    schema: limitList.default(ORGANIZATION_LIMITS),
    description:
      'Limits of each organisation, as a comma-separated list of names with a value or off. Names that are left out keep their default; see docs/limits.md. Live and test requests are counted separately. The operator can change them for one organisation (npm run limits).',
  },
  KEY_LIMITS: {
    group: 'limits',
    schema: keyLimitList.default(KEY_LIMITS),
    description: `Limits of each API key, in the same form. A key may have its own ${allOf(keyLimitNames)} instead.`,
  },
  INSTALLATION_LIMITS: {
    group: 'limits',
    schema: limitList.default(''),
    description:
      'Limits of all organisations together, in the same form. Test requests may use 80 % of each, and half of body_mebibytes. body_mebibytes is for each process.',
    unset: 'no limits, except that request bodies may take an eighth of the heap of each process',
  },
  OUTBOUND_ALLOW: {
    group: 'outbound',
    schema: cidrList.default([]),
    description:
      'Comma-separated CIDRs of private addresses that webhooks, media and the result files of providers may reach, on any port and without https. For a receiver on your own machine: 127.0.0.0/8.',
  },
  CATALOG_FILE: {
    group: 'models',
    schema: z.string().optional(),
    description:
      'JSON file with models, bindings, prices and limits of your own, over those of Patchbay; see docs/catalog-file.md. A change of the file is taken up without a restart.',
    unset: 'the catalog of this version',
  },
  CONFIRMED_PRICES: {
    group: 'models',
    schema: nameList.default([]),
    description:
      'Comma-separated unverified prices that you confirm: `<model>` for those of all providers of the model, or `<provider>/<model>` for that of one. A provider whose price is not verified serves no live requests until its price is confirmed; where only some rates of a price are not verified, the same holds for orders at these rates.',
  },
  PROVIDER_REGIONS: {
    group: 'models',
    schema: regionList.optional(),
    must: 'must be a list such as google-vertex=eu,alibaba=sg: ids of providers, each with a region of small letters, digits and hyphens',
    description:
      'Comma-separated data regions of providers, such as google-vertex=eu,alibaba=sg: where your contract with each says that data is processed. Policies can allow regions; a provider without one is then not used. The sandbox is in the region local.',
    unset: 'no region is known',
  },
  EXTRA_SPEECH_PROVIDERS: {
    group: 'models',
    schema: nameList.default([]),
    description: 'Comma-separated ids of optional text-to-speech providers to offer: deepgram, elevenlabs.',
  },
} as const satisfies Record<string, Variable>;

/** The variables as their schemas read them. */
export type Values = { [Name in keyof typeof variables]: z.output<(typeof variables)[Name]['schema']> };

function isCidr(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
