import type { Db } from './database';
import type { messages } from './schema/index';

// Queries about messages.

export type MessageRow = typeof messages.$inferInsert;

/**
 * Written when messages are over, many at a time and therefore as arrays: a statement with a parameter for each value costs
 * twenty times as much. A second writing of the same message changes nothing.
 */
export async function insertMessages(db: Db, rows: readonly MessageRow[]): Promise<void> {
  if (rows.length === 0) return;
  const columns: readonly (readonly [name: string, type: string, of: (row: MessageRow) => unknown])[] = [
    ['id', 'text', (row) => row.id],
    ['org_id', 'text', (row) => row.orgId],
    ['key_id', 'text', (row) => row.keyId],
    ['mode', 'text', (row) => row.mode],
    ['request_id', 'text', (row) => row.requestId],
    ['model', 'text', (row) => row.model],
    ['provider', 'text', (row) => row.provider],
    ['upstream_model', 'text', (row) => row.upstreamModel],
    ['attempts', 'jsonb', (row) => JSON.stringify(row.attempts)],
    ['streamed', 'boolean', (row) => row.streamed],
    ['outcome', 'text', (row) => row.outcome],
    ['code', 'text', (row) => row.code],
    ['stop_reason', 'text', (row) => row.stopReason],
    ['input_tokens', 'integer', (row) => row.inputTokens],
    ['cache_read_tokens', 'integer', (row) => row.cacheReadTokens],
    ['cache_write_5m_tokens', 'integer', (row) => row.cacheWrite5mTokens],
    ['cache_write_1h_tokens', 'integer', (row) => row.cacheWrite1hTokens],
    ['output_tokens', 'integer', (row) => row.outputTokens],
    ['web_searches', 'integer', (row) => row.webSearches],
    ['estimated', 'boolean', (row) => row.estimated],
    ['hold_id', 'text', (row) => row.holdId],
    ['cost_nano_usd', 'bigint', (row) => row.costNanoUsd.toString()],
    ['first_token_ms', 'integer', (row) => row.firstTokenMs],
    ['total_ms', 'integer', (row) => row.totalMs],
    ['created_at', 'timestamptz', (row) => row.createdAt.toISOString()],
  ];
  const names = columns.map(([name]) => name).join(', ');
  const arrays = columns.map(([, type], index) => `$${index + 1}::${type === 'jsonb' ? 'text' : type}[]`).join(', ');
  const selected = columns.map(([name, type]) => (type === 'jsonb' ? `${name}::jsonb` : name)).join(', ');
  await db.query(
    `insert into messages (${names}) select ${selected} from unnest(${arrays}) as given(${names}) on conflict do nothing`,
    columns.map(([, , of]) => rows.map((row) => of(row) ?? null)),
  );
}
