import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { createPrometheus } from '../../lib/telemetry/prometheus';
import { createTestClock } from '../support/clock';
import { projectRoot } from '../support/project';
import { promtool, promtoolMissing } from '../support/promtool';
import { codeWords, docsText, sectionOf, tableRows } from '../docs/pages';

// The dashboard, the alerts and the page of the metrics name only metrics and labels that a gateway has. promtool checks
// the files and every query of the dashboard.

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

const file = (name: string) => path.join(projectRoot, 'deploy', name);
const dashboard = JSON.parse(readFileSync(file('grafana/patchbay.json'), 'utf8')) as {
  readonly panels: readonly Panel[];
};
const alerts = (parse(readFileSync(file('prometheus/alerts.yml'), 'utf8')) as Rules).groups.flatMap(
  ({ rules }) => rules,
);
const panelQueries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

interface KnownMetric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
}

/** All metrics of a process. */
function knownMetrics(): KnownMetric[] {
  const prometheus = createPrometheus({ version: '1', role: 'all' });
  prometheus.watch({
    clock: createTestClock(),
    readStored: async () => ({ queue: [], holds: [] }),
    readReadiness: async () => ({ ready: true, database: true, redis: true }),
    sessions: () => ({}),
    circuits: () => [],
    pools: {},
    isOverloaded: () => false,
  });
  // Safe: a metric has the names of its labels, which its type leaves out.
  const metrics = prometheus.registry.getMetricsAsArray() as unknown as {
    name: string;
    type: string;
    labelNames: string[];
  }[];
  return metrics.map(({ name, type, labelNames }) => ({ name, type, labels: labelNames }));
}

const known = knownMetrics();
/** Labels that Prometheus or the cluster adds. */
const ADDED_LABELS = ['instance', 'job', 'worker', 'le'];

/** The series that a query names, with the labels in their selectors. */
function seriesIn(query: string): { name: string; labels: string[] }[] {
  return [...query.matchAll(/\b((?:patchbay|nodejs|process)_[a-z\d_]+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', labels = '']) => ({
      name,
      labels: [...labels.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }),
  );
}

const metricOf = (name: string) =>
  known.find((metric) => metric.name === name) ??
  known.find((metric) => metric.type === 'histogram' && /^_(?:bucket|sum|count)$/.test(name.replace(metric.name, '')));

describe.each([
  ['the dashboard', panelQueries],
  ['the alerts', alerts.map(({ expr }) => expr)],
])('%s', (_name, queries) => {
  it('query metrics and labels that a process has', () => {
    const named = queries.flatMap(seriesIn);
    expect(named.length).toBeGreaterThanOrEqual(queries.length);
    for (const { name, labels } of named) {
      const metric = metricOf(name);
      expect(metric, name).toBeDefined();
      expect([...metric!.labels, ...ADDED_LABELS], name).toEqual(expect.arrayContaining(labels));
    }
  });
});

describe('the dashboard', () => {
  it('shows every metric of Patchbay, except its version', () => {
    const shown = new Set(panelQueries.flatMap(seriesIn).map(({ name }) => metricOf(name)?.name));
    const own = known.map(({ name }) => name).filter((name) => name.startsWith('patchbay_'));
    expect(own.filter((name) => !shown.has(name))).toEqual(['patchbay_info', 'patchbay_backend_up']);
  });

  it('has panels with different ids that do not overlap, each with a description and the chosen data source', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const taken = new Set<string>();
    for (const { title, gridPos, type, description, targets = [] } of panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken.has(`${x} ${y}`), title).toBe(false);
          taken.add(`${x} ${y}`);
        }
      if (type === 'row') continue;
      expect(description, title).toMatch(/\.$/);
      expect(targets.length, title).toBeGreaterThan(0);
      expect(targets.map(({ datasource }) => datasource.uid)).toEqual(targets.map(() => '${datasource}'));
    }
  });

  it('has queries that Prometheus can parse', ({ skip }) => {
    if (promtoolMissing !== undefined) return skip(promtoolMissing);
    const folder = mkdtempSync(path.join(tmpdir(), 'patchbay-dashboard-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const rules = panelQueries.map((query, at) => ({
      record: `panel:${at}`,
      expr: query.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
    }));
    const asRules = path.join(folder, 'rules.yml');
    writeFileSync(asRules, stringify({ groups: [{ name: 'panels', rules }] }));
    const { ok, output } = promtool(['check', 'rules', asRules]);
    expect(ok, output).toBe(true);
    expect(output).toContain(`${panelQueries.length} rules found`);
  });
});

describe('deploy/prometheus', () => {
  it('has a configuration and alerts that promtool accepts', ({ skip }) => {
    if (promtoolMissing !== undefined) return skip(promtoolMissing);
    const { ok, output } = promtool(['check', 'config', file('prometheus/prometheus.yml')]);
    expect(ok, output).toBe(true);
    expect(output).toContain(`${alerts.length} rules found`);
  });
});

describe('docs/observability.md', () => {
  const page = docsText('docs/observability.md');
  const words = (cell = '') => codeWords(cell);

  it('lists every metric of Patchbay with its type and labels, and only those', () => {
    const rows = tableRows(sectionOf(page, 'Metrics')).map(([name, type, labels]) => ({
      name: words(name)[0],
      type,
      labels: words(labels),
    }));
    expect(rows).toEqual(known.filter(({ name }) => name.startsWith('patchbay_')));
  });

  it('names metrics of Node.js that exist', () => {
    const named = codeWords(page).filter((word) => /^(?:nodejs|process)_/.test(word));
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !metricOf(name))).toEqual([]);
  });

  it('lists every alert', () => {
    expect(tableRows(sectionOf(page, 'Alerts')).map(([name]) => words(name)[0])).toEqual(
      alerts.map(({ alert }) => alert),
    );
  });
});
