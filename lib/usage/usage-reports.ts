import { csvLine } from '../contract/csv';
import { errorRateOf } from '../contract/error-rate';
import type { PerformanceJson, UsageGroupJson, UsageJson, UsageMeasuresJson } from '../contract/usage';
import type { Database } from '../db/database';
import {
  listModelPerformance,
  reportUsage,
  type Days,
  type Percentiles,
  type UsageDimension,
  type UsageFilter,
  type UsageInterval,
  type UsageMeasures,
} from '../db/usage-reports';
import { consoleKeyId, type Account } from '../domain/caller';
import { usdText } from '../domain/money';

// Usage by day and the performance of models, as the API and the console show them.

export interface UsageQuery {
  readonly days: Days;
  readonly filter: UsageFilter;
  readonly by: UsageDimension;
  readonly interval: UsageInterval;
}

export interface UsageReports {
  /** Returns the hundred largest groups at most; all others are summed up in one more. */
  read(account: Account, query: UsageQuery): Promise<UsageJson>;
  /** Returns the lines of a CSV table with a header: one for each period and group. */
  readCsv(account: Account, query: UsageQuery): Promise<readonly string[]>;
  performance(account: Account, query: Pick<UsageQuery, 'days' | 'filter'>): Promise<PerformanceJson>;
  performanceCsv(account: Account, query: Pick<UsageQuery, 'days' | 'filter'>): Promise<readonly string[]>;
}

const MAX_GROUPS = 100;
const MAX_CSV_GROUPS = 100_000;

export function createUsageReports({ db }: { readonly db: Database }): UsageReports {
  return {
    async read(account, query) {
      const { days, filter, by, interval } = query;
      const { total, groups, periods } = await reportUsage(db, account, days, filter, by, interval, MAX_GROUPS);
      return {
        object: 'usage',
        mode: account.mode,
        ...days,
        by,
        interval,
        total: presentMeasures(total),
        groups: groups.map((group) => ({
          id: group.id,
          name: groupName(by, group.id, group.name),
          ...presentMeasures(group),
        })),
        periods: periods.map(({ start, groups: parts, ...measures }) => ({
          start,
          ...presentMeasures(measures),
          groups: parts.map((part) => {
            const { requests, failed, spent } = presentMeasures(part);
            return { id: part.id, requests, failed, spent };
          }),
        })),
      };
    },

    async readCsv(account, { days, filter, by, interval }) {
      const { periods } = await reportUsage(db, account, days, filter, by, interval, MAX_CSV_GROUPS);
      return [
        csvLine([interval, by, `${by}_name`, ...MEASURE_NAMES]),
        ...periods.flatMap(({ start, groups }) =>
          groups.map((group) => {
            const measures = presentMeasures(group);
            return csvLine([
              start,
              group.id,
              groupName(by, group.id, group.name),
              ...MEASURE_NAMES.map((name) => measures[name]),
            ]);
          }),
        ),
      ];
    },

    async performance(account, { days, filter }) {
      const models = await listModelPerformance(db, account, days, filter);
      return {
        object: 'performance',
        mode: account.mode,
        ...days,
        models: models.map(({ model, requests, succeeded, excused, durations, firstContents }) => ({
          model,
          requests,
          failed: requests - succeeded,
          excused,
          error_rate: errorRateOf({ requests, failed: requests - succeeded, excused }),
          first_content: rounded(firstContents),
          duration: rounded(durations),
        })),
      };
    },

    async performanceCsv(account, query) {
      const { models } = await this.performance(account, query);
      const percentiles = (name: string) => ['p50', 'p95', 'p99'].map((each) => `${name}_${each}_seconds`);
      return [
        csvLine([
          'model',
          'requests',
          'failed',
          'excused',
          'error_rate',
          ...percentiles('first_content'),
          ...percentiles('duration'),
        ]),
        ...models.map(({ model, requests, failed, excused, error_rate: rate, first_content: first, duration }) =>
          csvLine([
            model,
            requests,
            failed,
            excused,
            rate,
            ...[first, duration].flatMap((times) => [times?.p50, times?.p95, times?.p99]),
          ]),
        ),
      ];
    },
  };
}

const MEASURE_NAMES = [
  'requests',
  'succeeded',
  'failed',
  'excused',
  'charged',
  'refunded',
  'spent',
  'input_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'output_tokens',
  'media_seconds',
  'characters',
] as const satisfies readonly (keyof UsageMeasuresJson)[];

export function presentMeasures(measures: UsageMeasures): UsageMeasuresJson {
  return {
    requests: measures.requests,
    succeeded: measures.succeeded,
    failed: measures.requests - measures.succeeded,
    excused: measures.excused,
    charged: usdText(measures.charged),
    refunded: usdText(measures.refunded),
    spent: usdText(measures.charged - measures.refunded),
    input_tokens: measures.inputTokens,
    cache_read_tokens: measures.cacheReadTokens,
    cache_write_tokens: measures.cacheWriteTokens,
    output_tokens: measures.outputTokens,
    media_seconds: measures.mediaMillis / 1000,
    characters: measures.characters,
  };
}

/** Rounds to milliseconds; the values themselves are accurate to 5 %. */
function rounded(times: Percentiles | null): Percentiles | null {
  const exact = (seconds: number) => Math.round(seconds * 1000) / 1000;
  return times && { p50: exact(times.p50), p95: exact(times.p95), p99: exact(times.p99) };
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  video: 'Videos',
  message: 'Messages',
  transcription: 'Transcriptions',
  speech: 'Speech',
};

/** Returns the display name of a group; `known` is the name of a key or person that still exists. */
export function groupName(by: UsageDimension, id: UsageGroupJson['id'], known: string | null): string {
  if (id === null) return 'All others';
  if (known !== null) return known;
  if (id === '') return by === 'person' ? 'Unknown' : by === 'provider' ? 'No provider' : 'Refunds without a request';
  if (by === 'kind') return KIND_NAMES[id] ?? id;
  if (by === 'key') return keyName(id, null);
  if (by === 'person')
    return id === consoleKeyId ? 'People in the console' : id === 'operator' ? 'Operator' : 'Former member';
  return id;
}

/** Returns the display name of a key, or of the source of work that no key has sent. */
export function keyName(id: string, known: string | null): string {
  if (known !== null) return known;
  if (id === consoleKeyId) return 'Console';
  return id === '' ? 'Refunds without a request' : 'Deleted key';
}
