import type { AlertJson } from '../alerts';
import type { LedgerPageJson, PerformanceJson, StatementJson, UsageJson, UsageMeasuresJson } from '../usage';
import { keyExample } from './keys';

const measures: UsageMeasuresJson = {
  requests: 2,
  succeeded: 2,
  failed: 0,
  excused: 0,
  charged: '0.1',
  refunded: '0',
  spent: '0.1',
  input_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 0,
  media_seconds: 10,
  characters: 0,
};

export const usageExample: UsageJson = {
  object: 'usage',
  mode: 'test',
  from: '2026-10-26',
  to: '2026-11-24',
  by: 'model',
  interval: 'day',
  total: measures,
  groups: [{ id: 'sandbox-t2v', name: 'sandbox-t2v', ...measures }],
  periods: [
    {
      start: '2026-11-24',
      ...measures,
      groups: [{ id: 'sandbox-t2v', requests: 2, failed: 0, spent: '0.1' }],
    },
  ],
};

export const performanceExample: PerformanceJson = {
  object: 'performance',
  mode: 'test',
  from: '2026-10-26',
  to: '2026-11-24',
  models: [
    {
      model: 'sandbox-text',
      requests: 120,
      failed: 3,
      excused: 2,
      error_rate: 0.0085,
      first_content: { p50: 0.09, p95: 0.21, p99: 0.4 },
      duration: { p50: 0.4, p95: 1.1, p99: 1.9 },
    },
  ],
};

const video = 'video_5b1f0a3c9d2e4f67a8b90c1d2e3f4a5b';
export const ledgerPageExample: LedgerPageJson = {
  object: 'list',
  data: [
    {
      id: 'tr_7d9f1b3c5e6a8b0c2d4f6a8c0e1b3d5f',
      object: 'ledger_entry',
      kind: 'capture',
      available: '0',
      held: '-0.05',
      charged: '0.05',
      balance: { available: '999.95', held: '0' },
      cause: { kind: 'video', id: video, model: 'sandbox-t2v', deleted: false },
      hold: { id: 'hold_2f4a6c8e0b1d3f5a7c9e1b3d5f7a9c0e', state: 'captured' },
      key: { id: keyExample.id, name: keyExample.name },
      created_at: 1_795_480_003,
    },
  ],
  next: null,
};

export const statementExample: StatementJson = {
  object: 'statement',
  mode: 'live',
  organization: { id: 'org_0c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f', name: 'Acme' },
  month: '2026-11',
  complete: false,
  first_month: '2026-11',
  opening: '0',
  granted: '25',
  adjusted: '0',
  charged: '0.1',
  refunded: '0',
  closing: '24.9',
  models: [
    {
      id: 'sandbox-t2v',
      name: 'sandbox-t2v',
      kind: 'video',
      requests: 2,
      charged: '0.1',
      refunded: '0',
      spent: '0.1',
    },
  ],
  keys: [{ id: keyExample.id, name: keyExample.name, requests: 2, charged: '0.1', refunded: '0', spent: '0.1' }],
  transfers: [
    {
      id: 'tr_1e2d3c4b5a69788796a5b4c3d2e1f0a9',
      kind: 'grant',
      amount: '25',
      reference: 'invoice-1742',
      reason: 'Top-up',
      subject: null,
      created_at: 1_795_480_000,
    },
  ],
};

export const alertExample = {
  id: 'alert_5e7a9c1b3d4f6a8c0e2b4d6f8a0c1e3b',
  object: 'alert',
  mode: 'live',
  kind: 'low_balance',
  amount: '5',
  value: '24.9',
  crossed: false,
  announced_at: null,
  created_at: 1_795_480_000,
} as const satisfies AlertJson;
