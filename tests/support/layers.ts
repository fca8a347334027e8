// Which folder may import which: only those above its own. tests/architecture.test.ts checks every import of lib, app
// and server against this list, type imports included, and compares the linter's rule for app with it.
// docs/architecture.md shows it. A folder that is not listed fails the test.
//
// A folder below lib is named without `lib/`, and so is a file directly in lib. `providers` is the registry, and
// `providers/<provider>` is the folder of any provider that has no row of its own.

/** Folders of which another one may import types, and no values. */
export const typesOnly: Readonly<Record<string, readonly string[]>> = { app: ['db'] };

export const PROVIDER_LAYER = 'providers/<provider>';

export const layers: Readonly<Record<string, readonly string[]>> = {
  // Words, rules and tools
  domain: [],
  // The schemas of the API, from which the types of its bodies come.
  contract: ['domain'],
  // The package for apps: only types of the contract, and nothing of Node.
  client: ['contract'],
  workers: [],
  io: ['domain', 'workers'],
  log: ['domain'],
  'readable-log': [],
  config: ['domain'],
  db: ['domain', 'contract', 'io', 'workers'],
  net: ['domain', 'io'],
  // The archive of finished files.
  store: ['domain', 'io'],
  mail: [],
  // The pages of the documentation.
  docs: [],

  // Providers
  'providers/kit': ['domain', 'io'],
  'providers/dialects': ['domain', 'providers/kit'],
  [PROVIDER_LAYER]: ['domain', 'providers/kit', 'providers/dialects'],
  // Runs on this machine, in worker threads.
  'providers/sandbox': ['domain', 'io', 'workers', 'providers/kit'],
  providers: ['domain', PROVIDER_LAYER, 'providers/sandbox'],

  // What several use cases need
  catalog: ['domain', 'contract'],
  routing: ['domain', 'catalog'],
  billing: ['domain', 'contract', 'db'],
  jobs: ['domain', 'io', 'db'],

  // What is kept of messages and speech.
  contents: ['domain', 'db'],

  // The limits between tenants.
  limits: ['domain', 'io'],

  // Use cases
  health: ['domain', 'contract'],
  activity: ['domain', 'contract', 'db'],
  audit: ['domain', 'contract', 'db'],
  // The log of all requests, with the bills of messages and sessions.
  requests: ['domain', 'contract', 'db', 'billing'],
  search: ['domain', 'contract', 'db', 'catalog'],
  // The list of limits shows the current use of a key.
  accounts: ['domain', 'contract', 'io', 'db', 'net', 'mail', 'billing', 'limits'],
  // Who belongs to which organisation, and what an organisation is.
  organizations: ['domain', 'contract', 'db', 'net', 'mail', 'limits', 'accounts'],
  // Groups of keys with a budget.
  projects: ['domain', 'contract', 'db', 'accounts'],
  // Stores the counters that limits defines.
  redis: ['domain', 'limits'],
  // Manages all organisations, and reports on the installation.
  operator: [
    'domain',
    'contract',
    'catalog',
    'db',
    'net',
    'routing',
    'billing',
    'jobs',
    'limits',
    'health',
    'requests',
    'accounts',
    'organizations',
  ],
  // An organisation's own accounts at providers: routing asks for them, actors of accounts manage them.
  credentials: ['domain', 'contract', 'io', 'db', 'catalog', 'routing', 'accounts'],
  // Deliveries are managed by actors of accounts.
  webhooks: ['domain', 'contract', 'io', 'db', 'net', 'jobs', 'accounts'],
  // The policy of a key is checked by accounts. The transaction that ends a video enqueues its webhook.
  videos: [
    'domain',
    'contract',
    'io',
    'db',
    'net',
    'catalog',
    'routing',
    'billing',
    'jobs',
    'limits',
    'accounts',
    'webhooks',
  ],
  messages: [
    'domain',
    'contract',
    'io',
    'db',
    'workers',
    'catalog',
    'routing',
    'billing',
    'contents',
    'limits',
    'accounts',
  ],
  audio: ['domain', 'contract', 'io', 'db', 'catalog', 'routing', 'billing', 'contents', 'limits', 'accounts'],
  // The simulator passes a request through the checks and the routing of each endpoint.
  policies: ['domain', 'contract', 'db', 'catalog', 'routing', 'billing', 'accounts', 'videos', 'messages', 'audio'],
  // A quote validates its body as the submission of a video or a message does.
  usage: ['domain', 'contract', 'db', 'catalog', 'routing', 'billing', 'videos', 'messages'],
  // A crossing enqueues its e-mails.
  alerts: ['domain', 'contract', 'db', 'jobs', 'mail'],
  // Publishes metrics.
  telemetry: ['domain', 'db', 'routing', 'jobs'],
  // Removes what providers keep of expired videos.
  housekeeping: ['domain', 'db', 'routing', 'billing', 'jobs', 'videos', 'alerts'],

  // Writes and restores backups, for the operator's commands.
  backup: ['io', 'db'],

  // Edges
  gateway: [
    'domain',
    'config',
    'catalog',
    'limits',
    'health',
    'activity',
    'alerts',
    'audit',
    'requests',
    'search',
    'accounts',
    'organizations',
    'projects',
    'operator',
    'routing',
    'credentials',
    'webhooks',
    'videos',
    'messages',
    'audio',
    'usage',
    'policies',
    'docs',
  ],
  runtime: ['gateway'],
  http: [
    'domain',
    'contract',
    'io',
    'net',
    'catalog',
    'limits',
    'health',
    'audit',
    'requests',
    'accounts',
    'operator',
    'webhooks',
    'videos',
    'messages',
    'audio',
    'usage',
    'docs',
    'gateway',
    'runtime',
  ],
  app: [
    'domain',
    'contract',
    'client',
    'io',
    'config',
    'db',
    'catalog',
    'billing',
    'accounts',
    'videos',
    'messages',
    'usage',
    'docs',
    'gateway',
    'runtime',
    'http',
  ],
  // The command `patchbay`: a client of an installation, in a process of its own.
  cli: ['domain', 'contract', 'client', 'io'],
  // Builds every part.
  server: [
    'domain',
    'contract',
    'cli',
    'workers',
    'io',
    'log',
    'readable-log',
    'config',
    'db',
    'net',
    'store',
    'mail',
    'docs',
    'providers/kit',
    'providers',
    'catalog',
    'routing',
    'billing',
    'jobs',
    'limits',
    'health',
    'activity',
    'alerts',
    'audit',
    'requests',
    'search',
    'accounts',
    'organizations',
    'projects',
    'redis',
    'operator',
    'credentials',
    'webhooks',
    'videos',
    'messages',
    'audio',
    'usage',
    'policies',
    'telemetry',
    'housekeeping',
    'backup',
    'gateway',
    'runtime',
    'http',
  ],
};
