import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../lib/config/config';
import { providerDefinitions } from '../../lib/providers/registry';
import { openTestDatabase, projectRoot } from '../support/database';

// The files in deploy/, as far as they can be checked without a container tool or a cluster: they name settings, paths
// and objects that exist, and agree with each other. The workflow in .github/workflows/check.yml runs them.

const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
const STOP_LIMIT_SECONDS = 60;
/** That of deploy/prometheus/prometheus.yml. */
const METRICS_PORT = 9464;
/** What Postgres allows by default, less the three that it keeps for its administrators. */
const POSTGRES_CONNECTIONS = 97;

/** What `deploy/secrets.sh` prints. */
function newSecrets(): Record<string, string> {
  const printed = execFileSync(path.join(projectRoot, 'deploy/secrets.sh'), { encoding: 'utf8' });
  return settingsIn(printed);
}

const settingsIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile');
  const [, runtime = ''] = dockerfile.split(/^FROM debian.*$/m);

  it('copies only the folder of server/image.mjs and Node into the image, and runs as a user without rights', () => {
    expect(
      [...runtime.matchAll(/^COPY .*$/gm)].map(([line]) => line.replace(/^COPY --from=build (?:--chown=\S+ )?/, '')),
    ).toEqual(['/usr/local/bin/node /usr/local/bin/node', '/image /app', '/data /data']);
    expect(dockerfile).toContain('node server/image.mjs /image');
    expect(/^USER (\S+)$/m.exec(runtime)?.[1]).toBe('1000:1000');
  });

  it('and the systemd unit start the server as npm start does', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
    const options = [...scripts.start.matchAll(/--\S+/g)].map(String);
    const [command = '[]'] = /^CMD (\[.*\])$/m.exec(runtime)?.slice(1) ?? [];
    expect(JSON.parse(command)).toEqual(['node', ...options, 'dist/main.cjs']);
    expect(read('deploy/systemd/patchbay.service')).toContain(
      `\nExecStart=/usr/bin/node ${options.join(' ')} dist/main.cjs\n`,
    );
  });
});

describe('deploy/image.sh', () => {
  /** Runs it with a program that writes down how it is called, in place of docker. Its third `exec` finds the server. */
  function run(inspected: string, args: readonly string[] = []) {
    const folder = mkdtempSync(path.join(tmpdir(), 'patchbay-deploy-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const calls = path.join(folder, 'calls');
    writeFileSync(
      path.join(folder, 'docker'),
      `#!/bin/sh
echo "$*" >> ${calls}
case $1 in
  exec) [ "$(grep -c ^exec ${calls})" -ge 3 ] ;;
  inspect) echo ${inspected} ;;
  logs) echo "it failed because of a reason" ;;
esac
`,
    );
    chmodSync(path.join(folder, 'docker'), 0o755);
    const { status, stdout, stderr } = spawnSync(path.join(projectRoot, 'deploy/image.sh'), args, {
      env: { NODE_ENV: 'test', PATH: `${folder}:/usr/bin:/bin`, PORT: '4321' },
      encoding: 'utf8',
    });
    return { status, stdout, stderr, calls: readFileSync(calls, 'utf8').trim().split('\n') };
  }

  it('builds the image, starts it read-only without rights, and waits until it is ready', () => {
    const { status, stdout, calls } = run('true', ['--env-file', '.env']);
    expect(status).toBe(0);
    expect(calls[1]).toMatch(/^build --tag patchbay .*deploy\/\.\.$/);
    const started = calls.find((call) => call.startsWith('run ')) ?? '';
    for (const option of [
      '--read-only --tmpfs /tmp',
      '--cap-drop ALL',
      '--security-opt no-new-privileges',
      `--stop-timeout ${STOP_LIMIT_SECONDS}`,
      '--volume patchbay-data:/data',
      '--publish 127.0.0.1:4321:3000',
    ])
      expect(started).toContain(option);
    expect(started).toMatch(/ --env-file \.env patchbay$/);
    expect(calls.filter((call) => call.startsWith('exec'))).toHaveLength(3);
    expect(stdout).toContain('Patchbay is ready at http://127.0.0.1:4321');
  });

  it('ends with the log of a container that has stopped', () => {
    const { status, stderr } = run('false');
    expect(status).toBe(1);
    expect(stderr).toContain('it failed because of a reason');
  });
});

interface Service {
  readonly image: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly stop_grace_period?: string;
  readonly env_file?: readonly string[];
  readonly healthcheck?: object;
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
  readonly volumes?: readonly string[];
}

describe('deploy/compose.yaml', () => {
  // Safe: the tests below read only what they check.
  const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
    volumes: Record<string, null>;
  };
  const { web, worker, ...others } = compose.services;

  it('runs both roles with settings that the product accepts', () => {
    const secrets = newSecrets();
    for (const [service, role] of [
      [web, 'web'],
      [worker, 'worker'],
    ] as const) {
      const own = Object.entries(service!.environment).map(([name, value]) => [
        name,
        value.replace(/\$\{(\w+):\?[^}]*\}/g, (_, secret: string) => secrets[secret]!),
      ]);
      const config = readConfig({ ...secrets, ...Object.fromEntries(own) }, providerDefinitions);
      expect(config).toMatchObject({
        role,
        databaseUrl: `postgres://patchbay:${secrets.POSTGRES_PASSWORD}@postgres:5432/patchbay`,
        redisUrl: 'redis://redis:6379',
        metricsPort: METRICS_PORT,
        mediaStore: { kind: 's3', bucket: 'patchbay', endpoint: 'http://store:9000', pathStyle: true },
      });
      expect(service).toMatchObject({
        read_only: true,
        env_file: ['.env'],
        stop_grace_period: `${STOP_LIMIT_SECONDS}s`,
      });
    }
  });

  it('waits for servers that exist, and keeps their data in declared volumes', () => {
    for (const [name, { condition }] of Object.entries(web!.depends_on!)) {
      expect(others, name).toHaveProperty(name);
      if (condition === 'service_healthy') expect(others[name]?.healthcheck, name).toBeDefined();
    }
    const used = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((each) => each.split(':')[0]),
    );
    expect(new Set(used)).toEqual(new Set(Object.keys(compose.volumes)));
    for (const { image } of Object.values(others)) expect(image).toMatch(/:[\w.-]*\d/);
  });
});

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: unknown;
}

type Labels = Readonly<Record<string, string>>;

interface Probe {
  readonly httpGet: { readonly path: string };
}

/** What the tests read of each kind. */
interface Specs {
  Deployment: {
    readonly replicas?: number;
    readonly selector: { readonly matchLabels: Labels };
    readonly strategy: { readonly rollingUpdate: { readonly maxUnavailable: number } };
    readonly template: {
      readonly metadata: { readonly labels: Labels; readonly annotations: Labels };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: object;
        readonly volumes: readonly { readonly persistentVolumeClaim?: { readonly claimName: string } }[];
        readonly containers: readonly {
          readonly securityContext: object;
          readonly env: readonly { readonly name: string; readonly value: string }[];
          readonly ports: readonly object[];
          readonly envFrom: readonly object[];
          readonly startupProbe: Probe;
          readonly livenessProbe: Probe;
          readonly readinessProbe: Probe;
        }[];
      };
    };
  };
  PodDisruptionBudget: object;
  PersistentVolumeClaim: object;
  HorizontalPodAutoscaler: { readonly scaleTargetRef: { readonly name: string }; readonly maxReplicas: number };
  ScaledObject: {
    readonly scaleTargetRef: { readonly name: string };
    readonly maxReplicaCount: number;
    readonly triggers: readonly { readonly metadata: { readonly query: string } }[];
  };
}

describe('deploy/kubernetes', () => {
  const folder = 'deploy/kubernetes';
  // Safe: the tests below read only what they check.
  const kustomization = parse(read(`${folder}/kustomization.yaml`)) as {
    resources: string[];
    configMapGenerator: { name: string; literals: string[] }[];
    secretGenerator: { name: string }[];
  };
  const manifests = kustomization.resources.flatMap((file) =>
    parseAllDocuments(read(`${folder}/${file}`), { merge: true }).map((document) => document.toJS() as Manifest),
  );
  const of = <K extends keyof Specs>(kind: K, name: string): Specs[K] => {
    const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
    if (!found) throw new Error(`There is no ${kind} ${name}.`);
    // Safe: the tests below read only what they check.
    return found.spec as Specs[K];
  };
  const settings = settingsIn(kustomization.configMapGenerator[0]!.literals.join('\n'));

  it('uses every manifest of the folder', () => {
    const files = readdirSync(path.join(projectRoot, folder)).filter((file) => file.endsWith('.yaml'));
    const others = ['kustomization.yaml', 'name-references.yaml'];
    expect(files.filter((file) => !others.includes(file)).sort()).toEqual([...kustomization.resources].sort());
  });

  it.each(['web', 'worker'])('%s: has probes, a budget, an autoscaler, no rights, and time to stop', (role) => {
    const name = `patchbay-${role}`;
    const { template, selector, replicas, strategy } = of('Deployment', name);
    const pod = template.spec;
    const container = pod.containers[0]!;
    expect(template.metadata.labels).toEqual(selector.matchLabels);
    expect(template.metadata.annotations).toEqual({
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': String(METRICS_PORT),
    });
    expect(container.ports).toContainEqual({ name: 'metrics', containerPort: METRICS_PORT });
    expect(replicas).toBeUndefined();
    expect(strategy.rollingUpdate.maxUnavailable).toBe(0);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(STOP_LIMIT_SECONDS);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const { startupProbe, livenessProbe, readinessProbe } = container;
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
      '/livez',
      '/livez',
      '/readyz',
    ]);
    // docs/operating.md: a load balancer has to ask at least every two seconds.
    expect(readinessProbe).toMatchObject({ periodSeconds: 2, failureThreshold: 1 });
    expect(container.envFrom).toEqual([
      { configMapRef: { name: kustomization.configMapGenerator[0]!.name } },
      { secretRef: { name: kustomization.secretGenerator[0]!.name } },
    ]);
    of('PersistentVolumeClaim', pod.volumes[0]?.persistentVolumeClaim?.claimName ?? '');
    const budget = of('PodDisruptionBudget', name);
    expect(budget).toEqual({ maxUnavailable: 1, selector: { matchLabels: selector.matchLabels } });

    const example = settingsIn(read(`${folder}/secrets.example`));
    const env = { ...example, ...newSecrets(), MEDIA_STORE_ACCESS_KEY_ID: 'id', MEDIA_STORE_SECRET_ACCESS_KEY: 'key' };
    const own = Object.fromEntries(container.env.map((each) => [each.name, each.value]));
    expect(readConfig({ ...env, ...settings, ...own }, providerDefinitions)).toMatchObject({
      role,
      dataDir: '/data/patchbay',
      metricsPort: METRICS_PORT,
    });
  });

  it('lets the pods open fewer connections than Postgres allows', () => {
    const web = of('HorizontalPodAutoscaler', 'patchbay-web');
    const worker = of('ScaledObject', 'patchbay-worker');
    expect(web.scaleTargetRef.name).toBe('patchbay-web');
    expect(worker.scaleTargetRef.name).toBe('patchbay-worker');
    // One more of each while a new version is rolled out.
    const pods = web.maxReplicas + 1 + worker.maxReplicaCount + 1;
    expect(pods * Number(settings.DATABASE_POOL_SIZE)).toBeLessThanOrEqual(POSTGRES_CONNECTIONS);
  });

  it('scales the workers by the jobs that are due and that no process has taken', async () => {
    const db = await openTestDatabase();
    onTestFinished(() => db.close());
    const { query } = of('ScaledObject', 'patchbay-worker').triggers[0]!.metadata;
    const waiting = async () => Object.values((await db.query(query)).rows[0]!)[0];
    expect(Number(await waiting())).toBe(0);
    const job = (values: string) =>
      db.query(
        `insert into jobs (kind, mode, org_id, place, payload, subject, turn, due_at, leased_until) values ${values}`,
      );
    await job(`('video.start', 'test', 'org_1', 'p', '{}', 'due', null, now() - interval '1 second', null)`);
    await job(`('video.start', 'test', 'org_1', 'p', '{}', 'in line', 1, null, null)`);
    expect(Number(await waiting())).toBe(2);
    await job(`('video.start', 'test', 'org_1', 'p', '{}', 'later', null, now() + interval '1 hour', null)`);
    await job(`('video.start', 'test', 'org_1', 'p', '{}', 'runs', 2, null, now() + interval '1 minute')`);
    expect(Number(await waiting())).toBe(2);
  });
});

describe('the systemd unit', () => {
  const unit = read('deploy/systemd/patchbay.service');

  it('writes only to its state directory, as another user, and has time to stop', () => {
    expect(unit).toMatch(/^DynamicUser=yes$/m);
    expect(unit).toMatch(/^ProtectSystem=strict$/m);
    expect(unit).toMatch(/^StateDirectory=patchbay$/m);
    expect(unit).toMatch(/^Environment=.*DATA_DIR=\/var\/lib\/patchbay METRICS_PORT=9464$/m);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(STOP_LIMIT_SECONDS);
  });
});

describe('the workflows', () => {
  it('pin every action to a commit, with its version beside it', () => {
    const folder = '.github/workflows';
    const used = readdirSync(path.join(projectRoot, folder)).flatMap((file) =>
      [...read(`${folder}/${file}`).matchAll(/^\s*-? ?uses: (.*)$/gm)].map(([, action = '']) => action),
    );
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  it('publish a release with its provenance and a list of its packages', () => {
    const { jobs } = parse(read('.github/workflows/release.yml')) as {
      jobs: { release: { permissions: Labels; steps: { uses?: string; run?: string; with?: Labels }[] } };
    };
    const { permissions, steps } = jobs.release;
    expect(permissions).toMatchObject({ 'id-token': 'write', attestations: 'write' });
    const step = (begin: string) =>
      steps.find(({ uses = '', run = '' }) => uses.startsWith(begin) || run.startsWith(begin));
    expect(step('npm sbom --sbom-format cyclonedx --omit dev > sbom.cdx.json')).toBeDefined();
    const digest = '${{ steps.image.outputs.digest }}';
    expect(step('actions/attest-build-provenance@')?.with?.['subject-digest']).toBe(digest);
    expect(step('actions/attest-sbom@')?.with).toMatchObject({
      'subject-digest': digest,
      'sbom-path': 'sbom.cdx.json',
    });
  });
});
