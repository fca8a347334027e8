import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, type ConfigurableProvider } from '../../../lib/config/config';
import { documentedVariables } from '../../../lib/config/documented-variables';

const acme = {
  id: 'acme',
  settings: [
    { name: 'ACME_API_KEY', required: true, description: 'Key of an Acme account.' },
    { name: 'ACME_BASE_URL', required: false, description: 'Overrides the API base URL.' },
  ],
};
const secrets = { AUTH_SECRET: 'a'.repeat(32), MASTER_KEY: 'b'.repeat(32) };
const external = { DATABASE_URL: 'postgres://user:word@db.example.com/patchbay', ...secrets };

function errorsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env, [acme]);
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  it('needs no variable', () => {
    expect(readConfig({}, [acme])).toEqual({
      host: '127.0.0.1',
      port: 3000,
      allowedHosts: [],
      dataDir: path.resolve('.data'),
      outboundAllow: [],
      trustedProxies: [],
      oauth: {},
      webConcurrency: 1,
      databasePoolSize: 10,
      role: 'all',
      limits: {
        organization: {
          requests_per_second: 10_000,
          submits_per_minute: 30_000,
          running_videos: 10_000,
          open_streams: 2_000,
          body_mebibytes: 256,
          link_requests_per_second: 1_000,
          open_links: 500,
        },
        key: { token_counts_per_minute: 600, counted_characters_per_minute: 5_000_000 },
        installation: {},
      },
      confirmedPrices: [],
      extraSpeechProviders: [],
      providerRegions: {},
      retention: { usageDays: 400, webhookDays: 90, inputDays: 30, auditDays: 365 },
      logLevel: 'info',
      masterKeyFallbacks: [],
      masterKeyLost: false,
      production: false,
      providerSettings: { acme: {} },
    });
  });

  it('reads limits: names that are left out keep their default, and off switches one off', () => {
    const { limits } = readConfig(
      {
        ORGANIZATION_LIMITS: ' requests_per_second = 50, open_streams=off,spend_per_minute=2.50',
        KEY_LIMITS: 'token_counts_per_minute=off',
        INSTALLATION_LIMITS: 'body_mebibytes=100',
      },
      [acme],
    );
    expect(limits).toEqual({
      organization: {
        requests_per_second: 50,
        submits_per_minute: 30_000,
        spend_per_minute: 2_500_000_000,
        running_videos: 10_000,
        body_mebibytes: 256,
        link_requests_per_second: 1_000,
        open_links: 500,
      },
      key: { counted_characters_per_minute: 5_000_000 },
      installation: { body_mebibytes: 100 },
    });
  });

  it.each([
    [
      'requests=5',
      'ORGANIZATION_LIMITS must be a list such as requests_per_second=50,open_streams=off, with these names:',
    ],
    ['requests_per_second', 'ORGANIZATION_LIMITS must be a list in which requests_per_second is a whole number from 1'],
    ['open_streams=0', 'ORGANIZATION_LIMITS must be a list in which open_streams is a whole number from 1'],
    ['spend_per_minute=-1', 'ORGANIZATION_LIMITS must be a list in which spend_per_minute is an amount of dollars'],
  ])('refuses the limits %s', (text, error) => {
    expect(errorsOf({ ORGANIZATION_LIMITS: text })).toEqual([expect.stringContaining(error)]);
  });

  it('treats an empty variable as an absent one', () => {
    const empty = Object.fromEntries(
      ['HOST', 'PORT', 'DATABASE_URL', 'REDIS_URL', 'AUTH_SECRET', 'LOG_LEVEL', 'ACME_API_KEY', 'OUTBOUND_ALLOW'].map(
        (name) => [name, ''],
      ),
    );
    expect(readConfig(empty, [acme])).toEqual(readConfig({}, [acme]));
  });

  it('reads every variable', () => {
    const config = readConfig(
      {
        ...external,
        HOST: '::',
        PORT: '8080',
        PUBLIC_BASE_URL: 'https://gateway.example.com//',
        DATA_DIR: '/var/lib/patchbay',
        MEDIA_STORE: 's3://videos/patchbay/media/?endpoint=http://10.0.0.7:9000/&region=eu-central-1&path_style=false',
        MEDIA_STORE_ACCESS_KEY_ID: 'store key',
        MEDIA_STORE_SECRET_ACCESS_KEY: 'store secret',
        REDIS_URL: 'rediss://redis.example.com:6380',
        OPERATOR_TOKEN: 'c'.repeat(32),
        BOOTSTRAP_OWNER_EMAIL: 'owner@example.com',
        BOOTSTRAP_OWNER_PASSWORD: 'long enough',
        OAUTH_GITHUB_ID: 'hub',
        OAUTH_GITHUB_SECRET: 'hub secret',
        OAUTH_GOOGLE_ID: 'goo',
        OAUTH_GOOGLE_SECRET: 'goo secret',
        OAUTH_GOOGLE_BASE_URL: 'http://127.0.0.1:9000/',
        MASTER_KEY_LOST: 'true',
        MASTER_KEY_FALLBACKS: `${'c'.repeat(32)}, ${'d'.repeat(32)}`,
        ALLOWED_HOSTS: 'Patchbay.internal, gateway.lan',
        SECURITY_CONTACT: 'security@example.com',
        SMTP_URL: 'smtps://user:word@mail.example.com',
        MAIL_FROM: 'Patchbay <patchbay@example.com>',
        OUTBOUND_ALLOW: '127.0.0.0/8, fd00::/8,10.1.2.3',
        TRUSTED_PROXIES: '10.0.0.0/8',
        TLS_CERT_FILE: 'cert.pem',
        TLS_KEY_FILE: 'key.pem',
        WEB_CONCURRENCY: '4',
        PATCHBAY_ROLE: 'worker',
        DATABASE_POOL_SIZE: '7',
        CONFIRMED_PRICES: 'one-t2v, acme/two-i2v,',
        EXTRA_SPEECH_PROVIDERS: 'acme',
        PROVIDER_REGIONS: 'acme=eu-central-1',
        USAGE_RETENTION_DAYS: '40',
        WEBHOOK_RETENTION_DAYS: '7',
        INPUT_RETENTION_DAYS: '1',
        AUDIT_RETENTION_DAYS: '3650',
        ORGANIZATION_LIMITS:
          'requests_per_second=1,submits_per_minute=off,running_videos=off,open_streams=off,body_mebibytes=off,link_requests_per_second=off,open_links=off',
        KEY_LIMITS: 'token_counts_per_minute=off,counted_characters_per_minute=2',
        INSTALLATION_LIMITS: 'open_streams=3',
        LOG_LEVEL: 'debug',
        NODE_ENV: 'production',
        ACME_API_KEY: 'secret',
        UNKNOWN: 'ignored',
      },
      [acme],
    );
    expect(config).toEqual({
      host: '::',
      port: 8080,
      publicBaseUrl: 'https://gateway.example.com',
      allowedHosts: ['patchbay.internal', 'gateway.lan'],
      securityContact: 'mailto:security@example.com',
      dataDir: '/var/lib/patchbay',
      mediaStore: {
        kind: 's3',
        bucket: 'videos',
        prefix: 'patchbay/media',
        endpoint: 'http://10.0.0.7:9000',
        region: 'eu-central-1',
        pathStyle: false,
        credentials: { accessKeyId: 'store key', secretAccessKey: 'store secret' },
      },
      databaseUrl: external.DATABASE_URL,
      redisUrl: 'rediss://redis.example.com:6380',
      authSecret: secrets.AUTH_SECRET,
      masterKey: secrets.MASTER_KEY,
      masterKeyFallbacks: ['c'.repeat(32), 'd'.repeat(32)],
      masterKeyLost: true,
      operatorToken: 'c'.repeat(32),
      bootstrapOwner: { email: 'owner@example.com', password: 'long enough' },
      oauth: {
        github: { id: 'hub', secret: 'hub secret' },
        google: { id: 'goo', secret: 'goo secret', baseUrl: 'http://127.0.0.1:9000' },
      },
      mail: { smtpUrl: 'smtps://user:word@mail.example.com', from: 'Patchbay <patchbay@example.com>' },
      outboundAllow: ['127.0.0.0/8', 'fd00::/8', '10.1.2.3'],
      trustedProxies: ['10.0.0.0/8'],
      tls: { certFile: 'cert.pem', keyFile: 'key.pem' },
      webConcurrency: 4,
      databasePoolSize: 7,
      role: 'worker',
      limits: {
        organization: { requests_per_second: 1 },
        key: { counted_characters_per_minute: 2 },
        installation: { open_streams: 3 },
      },
      confirmedPrices: ['one-t2v', 'acme/two-i2v'],
      extraSpeechProviders: ['acme'],
      providerRegions: { acme: 'eu-central-1' },
      retention: { usageDays: 40, webhookDays: 7, inputDays: 1, auditDays: 3650 },
      logLevel: 'debug',
      production: true,
      providerSettings: { acme: { ACME_API_KEY: 'secret' } },
    });
  });

  it('reports every error together, each with what is allowed, and quotes no value', () => {
    const errors = errorsOf({
      PORT: '70000',
      PUBLIC_BASE_URL: 'ftp://example.com',
      ALLOWED_HOSTS: 'https://example.com:3000',
      SECURITY_CONTACT: 'ask me',
      DATABASE_URL: 'mysql://user:hunter2@example.com',
      REDIS_URL: 'example.com',
      AUTH_SECRET: 'hunter2',
      MASTER_KEY: 'hunter2',
      OPERATOR_TOKEN: `hunter2 ${'c'.repeat(32)}`,
      BOOTSTRAP_OWNER_EMAIL: 'nobody',
      BOOTSTRAP_OWNER_PASSWORD: 'hunter2',
      OUTBOUND_ALLOW: '10.0.0.0/33',
      TRUSTED_PROXIES: 'example.com',
      TLS_CERT_FILE: 'cert.pem',
      WEB_CONCURRENCY: '0.5',
      PATCHBAY_ROLE: 'boss',
      LOG_LEVEL: 'loud',
    });
    expect(errors).toEqual([
      'PORT must be a whole number from 0 to 65535.',
      'PUBLIC_BASE_URL must be a URL that begins with http:// or https://, without a user name, a password, a query or a fragment.',
      'ALLOWED_HOSTS must be a comma-separated list of host names without scheme and port, such as patchbay.internal,gateway.lan.',
      'TRUSTED_PROXIES must be a comma-separated list of CIDRs, such as 10.0.0.0/8,fd00::/8.',
      'SECURITY_CONTACT must be an e-mail address, or a URL that begins with https://, mailto: or tel:.',
      'DATABASE_URL must be a URL that begins with postgres:// or postgresql://.',
      'REDIS_URL must be a URL that begins with redis:// or rediss://.',
      'AUTH_SECRET must have at least 32 characters.',
      'MASTER_KEY must have at least 32 characters.',
      'OPERATOR_TOKEN must consist of visible ASCII characters.',
      'BOOTSTRAP_OWNER_EMAIL must be an e-mail address.',
      'BOOTSTRAP_OWNER_PASSWORD must have at least 10 characters.',
      'WEB_CONCURRENCY must be a whole number from 1 to 64.',
      'PATCHBAY_ROLE must be all, web or worker.',
      'LOG_LEVEL must be debug, info, warn, error or silent.',
      'OUTBOUND_ALLOW must be a comma-separated list of CIDRs, such as 10.0.0.0/8,fd00::/8.',
      'TLS_CERT_FILE and TLS_KEY_FILE must be set together.',
    ]);
    expect(String(new ConfigError(errors))).not.toContain('hunter2');
    expect(new ConfigError(errors).message).toMatch(/^The configuration has 17 errors:\n  - PORT /);
    expect(new ConfigError(['PORT is wrong.']).message).toBe('The configuration has an error:\n  - PORT is wrong.');
  });

  it.each<[string, Record<string, string>, string[]]>([
    [
      'one owner variable of two',
      { BOOTSTRAP_OWNER_EMAIL: 'a@example.com' },
      ['BOOTSTRAP_OWNER_EMAIL and BOOTSTRAP_OWNER_PASSWORD must be set together.'],
    ],
    [
      'half of a way to sign in',
      { OAUTH_GITHUB_ID: 'x', MAIL_FROM: 'a@example.com' },
      ['OAUTH_GITHUB_ID and OAUTH_GITHUB_SECRET must be set together.', 'SMTP_URL and MAIL_FROM must be set together.'],
    ],
    [
      'several processes on the embedded database',
      { WEB_CONCURRENCY: '2' },
      ['WEB_CONCURRENCY above 1 needs DATABASE_URL: the embedded database takes one process.'],
    ],
    [
      'half a product on the embedded database',
      { PATCHBAY_ROLE: 'web' },
      ['PATCHBAY_ROLE other than all needs DATABASE_URL.'],
    ],
    [
      'an external database without the secrets that instances share',
      { DATABASE_URL: external.DATABASE_URL },
      [
        'AUTH_SECRET is required with DATABASE_URL: all instances must share it.',
        'MASTER_KEY is required with DATABASE_URL: all instances must share it.',
      ],
    ],
    ['one port for requests and metrics', { PORT: '4000', METRICS_PORT: '4000' }, ['METRICS_PORT must not be PORT.']],
    [
      'a share of traces above 1',
      { OTEL_TRACES_SAMPLER_ARG: '1.5' },
      ['OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.'],
    ],
    [
      'ids of providers that do not exist',
      { CONFIRMED_PRICES: 'nope,flal/one-t2v,acme/two-t2v', EXTRA_SPEECH_PROVIDERS: 'foo', PROVIDER_REGIONS: 'bar=eu' },
      [
        'CONFIRMED_PRICES names the provider flal, which does not exist.',
        'PROVIDER_REGIONS names the provider bar, which does not exist.',
        'EXTRA_SPEECH_PROVIDERS names the provider foo, which does not exist.',
      ],
    ],
    [
      'limits of signed links for keys',
      { KEY_LIMITS: 'link_requests_per_second=1', INSTALLATION_LIMITS: 'open_links=1' },
      [
        'KEY_LIMITS must be a list without link_requests_per_second and open_links: requests by signed links have no key.',
      ],
    ],
    ['all of these with an external database', { ...external, WEB_CONCURRENCY: '2', PATCHBAY_ROLE: 'web' }, []],
  ])('checks %s', (_name, env, errors) => {
    expect(errorsOf(env)).toEqual(errors);
  });

  it.each([
    ['https://x.example/path', true],
    ['http://x.example/path?x=1', false],
    ['http://x.example/path?', false],
    ['http://x.example/#top', false],
    ['http://user@x.example', false],
    ['http://user:word@x.example', false],
  ])('accepts %s as the public URL: %s', (text, valid) => {
    expect(errorsOf({ PUBLIC_BASE_URL: text }).length === 0).toBe(valid);
  });

  it.each([
    ['10.0.0.0/8', true],
    ['10.0.0.1', true],
    ['::1', true],
    ['fd00::/128', true],
    ['10.0.0.0/', false],
    ['10.0.0.0/8/8', false],
    ['10.0.0/8', false],
    ['0x7f.0.0.1', false],
    ['fd00::/129', false],
    ['localhost', false],
  ])('accepts %s as a CIDR: %s', (text, valid) => {
    expect(errorsOf({ TRUSTED_PROXIES: text }).length === 0).toBe(valid);
  });
});

describe('a setting of a provider with other names', () => {
  const provider: ConfigurableProvider = {
    id: 'acme',
    settings: [{ name: 'ACME_API_KEY', aliases: ['ACME_KEY', 'ACME_TOKEN'], required: true, description: 'The key.' }],
  };
  const settingsOf = (env: Record<string, string>) => readConfig(env, [provider]).providerSettings.acme;

  it.each(['ACME_API_KEY', 'ACME_KEY', 'ACME_TOKEN'])('is read from %s', (name) => {
    expect(settingsOf({ [name]: 'secret' })).toEqual({ ACME_API_KEY: 'secret' });
  });

  it('may be set twice to the same value; an empty one does not count', () => {
    expect(settingsOf({ ACME_API_KEY: 'secret', ACME_KEY: '', ACME_TOKEN: 'secret' })).toEqual({
      ACME_API_KEY: 'secret',
    });
  });

  it('must not be set to two values', () => {
    expect(() => settingsOf({ ACME_API_KEY: 'secret', ACME_TOKEN: 'other' })).toThrow(
      'ACME_API_KEY and ACME_TOKEN are names of the same setting but have different values. Set only one of them.',
    );
  });

  it('shows them in the documentation', () => {
    const documented = documentedVariables([provider]).find(({ name }) => name === 'ACME_API_KEY');
    expect(documented?.description).toBe('The key. ACME_KEY and ACME_TOKEN are read too.');
  });

  describe('that hold an id and a secret', () => {
    const twoParts: ConfigurableProvider = {
      id: 'acme',
      settings: [
        { name: 'ACME_ID', aliases: [{ part: 'id', of: 'ACME_PAIR' }], required: true, description: 'The id.' },
        {
          name: 'ACME_SECRET',
          aliases: [{ part: 'secret', of: 'ACME_PAIR' }],
          required: true,
          description: 'The rest.',
        },
      ],
    };
    const onePart: ConfigurableProvider = {
      id: 'acme',
      settings: [
        {
          name: 'ACME_API_KEY',
          aliases: [{ id: 'ACME_KEY_ID', secret: 'ACME_KEY_SECRET' }],
          required: true,
          description: 'The key.',
        },
      ],
    };
    const read = (provider: ConfigurableProvider, env: Record<string, string>) =>
      readConfig(env, [provider]).providerSettings.acme;

    it('are read from one variable with both', () => {
      expect(read(twoParts, { ACME_PAIR: 'me:secret' })).toEqual({ ACME_ID: 'me', ACME_SECRET: 'secret' });
      expect(read(twoParts, { ACME_PAIR: 'me:secret', ACME_ID: 'me' })).toEqual({
        ACME_ID: 'me',
        ACME_SECRET: 'secret',
      });
    });

    it.each(['hf_token', ':secret', 'me:', 'a:b:c'])('are not read from another text: %s', (text) => {
      expect(read(twoParts, { ACME_PAIR: text })).toEqual({});
    });

    it('are read from two variables, and not from one of them', () => {
      expect(read(onePart, { ACME_KEY_ID: 'me', ACME_KEY_SECRET: 'secret' })).toEqual({ ACME_API_KEY: 'me:secret' });
      expect(read(onePart, { ACME_KEY_ID: 'me' })).toEqual({});
    });

    it('must not differ', () => {
      expect(() => read(twoParts, { ACME_PAIR: 'me:secret', ACME_SECRET: 'other' })).toThrow(
        'ACME_SECRET and ACME_PAIR (the secret) are names of the same setting but have different values. Set only one of them.',
      );
      expect(() => read(onePart, { ACME_API_KEY: 'x', ACME_KEY_ID: 'me', ACME_KEY_SECRET: 'secret' })).toThrow(
        'ACME_API_KEY and ACME_KEY_ID with ACME_KEY_SECRET are names of the same setting but have different values. Set only one of them.',
      );
    });

    it('shows them in the documentation', () => {
      const descriptions = (provider: ConfigurableProvider) =>
        documentedVariables([provider]).flatMap(({ name, description }) =>
          name.startsWith('ACME') ? [description] : [],
        );
      expect(descriptions(twoParts)[1]).toBe('The rest. ACME_PAIR (the secret) is read too.');
      expect(descriptions(onePart)).toEqual(['The key. ACME_KEY_ID with ACME_KEY_SECRET is read too.']);
    });
  });
});

describe('MEDIA_STORE', () => {
  const keys = { MEDIA_STORE_ACCESS_KEY_ID: 'id', MEDIA_STORE_SECRET_ACCESS_KEY: 'secret' };
  const storeOf = (text: string) => readConfig({ MEDIA_STORE: text, ...keys }, []).mediaStore;

  it('is a directory, seen from the current one', () => {
    expect(storeOf('/var/lib/media')).toEqual({ kind: 'directory', directory: '/var/lib/media' });
    expect(storeOf('media')).toEqual({ kind: 'directory', directory: path.resolve('media') });
  });

  it.each([
    ['s3://videos?region=eu-west-1', { prefix: '', region: 'eu-west-1', pathStyle: false }],
    ['s3://videos/a/b?region=eu-west-1&path_style=true', { prefix: 'a/b', region: 'eu-west-1', pathStyle: true }],
    ['s3://videos?endpoint=https://s3.lan', { region: 'us-east-1', endpoint: 'https://s3.lan', pathStyle: true }],
  ])('is a bucket: %s', (text, expected) => {
    expect(storeOf(text)).toMatchObject({ kind: 's3', bucket: 'videos', ...expected });
  });

  it.each([
    ['gs://videos', 'a directory or a bucket'],
    ['s3://videos:9000', 'a directory or a bucket'],
    ['s3://id:hunter2@videos?region=eu-west-1', 'must not contain credentials'],
    ['s3://Videos?region=eu-west-1', 'must name a bucket'],
    ['s3:///media?region=eu-west-1', 'must name a bucket'],
    ['s3://videos/a%2Fb?region=eu-west-1', 'must name a bucket'],
    ['s3://videos/.hidden?region=eu-west-1', 'must name a bucket'],
    ['s3://videos?regoin=eu-west-1', 'takes only these options'],
    ['s3://videos?endpoint=s3.lan', 'takes only these options'],
    ['s3://videos?endpoint=https://s3.lan&path_style=1', 'takes only these options'],
    ['s3://videos', 'needs the region'],
  ])('must not be %s', (text, problem) => {
    const errors = errorsOf({ MEDIA_STORE: text, ...keys });
    expect(errors).toEqual([expect.stringContaining('MEDIA_STORE')]);
    expect(errors[0]).toContain(problem);
    expect(errors[0]).not.toContain('hunter2');
  });

  it.each([[{}], [{ MEDIA_STORE_ACCESS_KEY_ID: 'id' }], [{ MEDIA_STORE_SECRET_ACCESS_KEY: 'secret' }]])(
    'needs both credentials for a bucket, reported with every other error: %j',
    (some) => {
      expect(errorsOf({ MEDIA_STORE: 's3://videos?region=eu-west-1', TLS_CERT_FILE: 'cert.pem', ...some })).toEqual([
        'TLS_CERT_FILE and TLS_KEY_FILE must be set together.',
        'MEDIA_STORE_ACCESS_KEY_ID and MEDIA_STORE_SECRET_ACCESS_KEY are required with a bucket in MEDIA_STORE.',
      ]);
    },
  );

  it('needs no credentials for a directory', () => {
    expect(readConfig({ MEDIA_STORE: '/media' }, []).mediaStore).toEqual({ kind: 'directory', directory: '/media' });
  });
});
