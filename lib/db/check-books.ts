import type { Db } from './database';

// The invariants of every database of the product. Each rule is a query for rows that violate it, and reads whole
// tables. The rules are checked by `patchbay backup` and `patchbay restore`, and in tests after every integration suite
// and every killed process.

interface Rule {
  readonly name: string;
  /** Returns the violating rows. Rows from before `$1` may have been deleted by age. */
  readonly breaks: string;
  /** Whether the rule holds only while no work is running. */
  readonly whenQuiet?: true;
}

const rules: readonly Rule[] = [
  {
    name: 'one video per idempotency key',
    breaks: `select video_id as id from idempotency_keys group by video_id having count(*) > 1`,
  },
  {
    name: 'a finished video has its time of completion, an unfinished one has none',
    breaks: `select id from videos where (status in ('completed', 'failed')) <> (completed_at is not null)`,
  },
  {
    name: 'every video is finished',
    whenQuiet: true,
    breaks: `select id from videos where status not in ('completed', 'failed')`,
  },
  {
    name: 'every video has exactly one hold, which is its own',
    breaks: `select v.id from videos v left join holds h on h.id = v.hold_id and h.subject_id = v.id and h.amount_nano_usd = v.quote_nano_usd where h.id is null`,
  },
  {
    name: 'a hold is resolved exactly when its video is finished, by one transfer',
    breaks: `select v.id from videos v join holds h on h.id = v.hold_id
      where (v.completed_at is not null) <> (h.state <> 'open')
         or (select count(distinct transfer_id) from ledger_entries e where e.hold_id = h.id and e.kind = 'hold') <> case when h.amount_nano_usd = 0 then 0 else 1 end
         or (select count(distinct transfer_id) from ledger_entries e where e.hold_id = h.id and e.kind in ('capture', 'release')) > 1`,
  },
  {
    name: 'completed means captured as quoted, failed means nothing captured',
    breaks: `select v.id from videos v join holds h on h.id = v.hold_id
      where (v.status = 'completed' and (h.state <> 'captured' or h.captured_nano_usd <> v.quote_nano_usd or v.cost_nano_usd <> v.quote_nano_usd))
         or (v.status = 'failed' and (h.state <> 'released' or h.captured_nano_usd <> 0 or v.cost_nano_usd <> 0))`,
  },
  {
    name: 'the messages of a hold cost what it captured',
    breaks: `select h.id from holds h left join messages m on m.hold_id = h.id where h.subject_kind = 'message'
      group by h.id, h.captured_nano_usd having coalesce(sum(m.cost_nano_usd), 0) <> h.captured_nano_usd`,
  },
  {
    name: 'the entries of a transfer add up to zero',
    breaks: `select transfer_id as id from ledger_entries group by transfer_id having sum(amount_nano_usd) <> 0`,
  },
  {
    name: 'an account is what its entries say, with the sums of the deleted ones, and never below zero',
    breaks: `select a.org_id || ' ' || a.mode as id from accounts a left join (
        select org_id, mode, bucket, amount_nano_usd from ledger_entries union all select org_id, mode, bucket, amount_nano_usd from ledger_days
      ) e on e.org_id = a.org_id and e.mode = a.mode
      group by a.org_id, a.mode, a.available_nano_usd, a.held_nano_usd, a.spent_nano_usd
      having a.available_nano_usd < 0 or a.held_nano_usd < 0 or a.spent_nano_usd < 0
          or coalesce(sum(e.amount_nano_usd) filter (where e.bucket = 'available'), 0) <> a.available_nano_usd
          or coalesce(sum(e.amount_nano_usd) filter (where e.bucket = 'held'), 0) <> a.held_nano_usd
          or coalesce(sum(e.amount_nano_usd) filter (where e.bucket = 'revenue'), 0) <> a.spent_nano_usd`,
  },
  {
    // In tests of the ledger alone, a hold for a video has no video.
    name: 'the daily sums of an account are what the ledger charged on that day, less the refunds',
    breaks: `select org_id || ' ' || mode || ' ' || day as id from (
        select org_id, mode, (created_at at time zone 'UTC')::date as day, amount_nano_usd as amount from ledger_entries e
        where bucket = 'revenue' and not exists (
          select 1 from holds h where h.id = e.hold_id and e.kind = 'capture' and h.subject_kind = 'video'
            and not exists (select 1 from videos v where v.id = h.subject_id))
        union all select org_id, mode, day, amount_nano_usd from ledger_days where bucket = 'revenue'
        union all select org_id, mode, day, refunded_nano_usd - cost_nano_usd from usage_days
      ) both_sides group by org_id, mode, day having sum(amount) <> 0`,
  },
  {
    name: 'the daily sums count the work that ended on their day, by key, model and provider',
    breaks: `select org_id || ' ' || mode || ' ' || day || ' ' || kind || ' ' || key_id || ' ' || model || ' ' || provider as id from (
        select v.org_id, v.mode, (h.resolved_at at time zone 'UTC')::date as day, 'video' as kind, v.key_id, v.model, coalesce(v.provider, '') as provider,
          1 as finished, (v.status = 'completed')::int as succeeded, coalesce(v.cost_nano_usd, 0) as cost from videos v join holds h on h.id = v.hold_id where v.completed_at is not null
        union all select m.org_id, m.mode, (coalesce(h.resolved_at, m.created_at) at time zone 'UTC')::date, 'message', m.key_id, m.model, coalesce(m.provider, ''),
          1, (m.outcome = 'completed')::int, m.cost_nano_usd from messages m left join holds h on h.id = m.hold_id
        union all select m.org_id, m.mode, (h.resolved_at at time zone 'UTC')::date, m.kind, m.key_id, m.model, m.provider,
          1, (m.outcome <> 'failed')::int, m.cost_nano_usd from meters m join holds h on h.id = m.hold_id where m.ended_at is not null
        union all select org_id, mode, day, kind, key_id, model, provider, -finished, -succeeded, -cost_nano_usd from usage_days
      ) both_sides where day > ($1::timestamptz at time zone 'UTC')::date
      group by org_id, mode, day, kind, key_id, model, provider
      having sum(cost) <> 0 or sum(finished) <> 0 or sum(succeeded) <> 0`,
  },
  {
    name: 'the durations of a day are those of its successful videos and messages',
    breaks: `select org_id || ' ' || mode || ' ' || day || ' ' || model || ' ' || provider as id from (
        select org_id, mode, model, day, provider, count from usage_durations
        union all select org_id, mode, model, day, provider, -succeeded from usage_days where kind in ('video', 'message') and provider <> ''
      ) both_sides where day > ($1::timestamptz at time zone 'UTC')::date group by org_id, mode, model, day, provider having sum(count) <> 0`,
  },
  {
    name: 'the times to the first content of a day are those of its successful messages',
    breaks: `select org_id || ' ' || mode || ' ' || day || ' ' || model || ' ' || provider as id from (
        select org_id, mode, model, day, provider, first_count as count from usage_durations
        union all select m.org_id, m.mode, m.model, (coalesce(h.resolved_at, m.created_at) at time zone 'UTC')::date, m.provider, -1
        from messages m left join holds h on h.id = m.hold_id
        where m.outcome = 'completed' and m.provider is not null and m.first_token_ms is not null
      ) both_sides where day > ($1::timestamptz at time zone 'UTC')::date group by org_id, mode, model, day, provider having sum(count) <> 0`,
  },
  {
    name: 'what is held is the sum of the open holds',
    breaks: `select a.org_id || ' ' || a.mode as id from accounts a left join holds h on h.org_id = a.org_id and h.mode = a.mode and h.state = 'open'
      group by a.org_id, a.mode, a.held_nano_usd having coalesce(sum(h.amount_nano_usd), 0) <> a.held_nano_usd`,
  },
  {
    name: 'the running videos of an account and of a key are its open holds for videos',
    breaks: `select org_id || ' ' || mode || ' ' || coalesce(key_id, '') as id from (
        select org_id, mode, null as key_id, running_videos as count from accounts
        union all select org_id, mode, key_id, running from running_videos
        union all select org_id, mode, case when of_key then key_id end, -1 from holds, (values (true), (false)) as each (of_key)
          where subject_kind = 'video' and state = 'open'
      ) both_sides group by org_id, mode, key_id having sum(count) <> 0`,
  },
  {
    name: 'a credit transfer moved what it says, into or out of the available credits',
    breaks: `select t.id from credit_transfers t left join ledger_entries e on e.transfer_id = t.id and e.kind = t.kind and e.org_id = t.org_id and e.mode = t.mode
      group by t.id, t.kind, t.amount_nano_usd
      having coalesce(sum(e.amount_nano_usd) filter (where e.bucket = 'available'), 0) <> t.amount_nano_usd
          or coalesce(sum(e.amount_nano_usd) filter (where e.bucket = case t.kind when 'refund' then 'revenue' else 'world' end), 0) <> -t.amount_nano_usd`,
  },
  {
    name: 'every adjustment and refund is a credit transfer',
    breaks: `select transfer_id as id from ledger_entries e where e.kind in ('adjust', 'refund') and not exists (select 1 from credit_transfers t where t.id = e.transfer_id)`,
  },
  {
    name: 'the refunds of a subject are at most what it was charged in that account',
    breaks: `select t.subject as id from credit_transfers t where t.subject is not null
      group by t.org_id, t.mode, t.subject
      having sum(t.amount_nano_usd) > coalesce(
        (select v.cost_nano_usd from videos v where v.id = t.subject and v.org_id = t.org_id and v.mode = t.mode),
        (select m.cost_nano_usd from messages m where m.id = t.subject and m.org_id = t.org_id and m.mode = t.mode),
        (select sum(m.cost_nano_usd) from meters m where m.session_id = t.subject and m.org_id = t.org_id and m.mode = t.mode),
        case when $1::timestamptz = 'epoch' then 0 end)`,
  },
  {
    name: 'every credit transfer has exactly one entry in the audit log of its organisation',
    breaks: `select t.id from credit_transfers t left join audit_entries a on a.target = t.id and a.org_id = t.org_id group by t.id, t.created_at
      having count(a.id) > 1 or (count(a.id) = 0 and t.created_at >= $1)`,
  },
  {
    name: 'a meter has its own hold, resolved exactly when it has ended, and charged what it cost',
    breaks: `select m.id from meters m left join holds h on h.id = m.hold_id and h.subject_id = m.id and h.subject_kind = m.kind
      where h.id is null or (m.ended_at is not null) <> (h.state <> 'open')
         or (m.ended_at is not null and (h.captured_nano_usd <> m.cost_nano_usd or m.outcome is null))
         or (m.ended_at is null and (m.cost_nano_usd <> 0 or m.outcome is not null))`,
  },
  {
    name: 'every hold of a session belongs to a meter',
    breaks: `select h.id from holds h left join meters m on m.hold_id = h.id where h.subject_kind in ('transcription', 'speech') and m.id is null`,
  },
  {
    name: 'every meter has ended',
    whenQuiet: true,
    breaks: `select id from meters where ended_at is null`,
  },
  {
    name: 'a finished video with a webhook has exactly one delivery to it, of the right event',
    breaks: `select v.id from videos v left join webhook_deliveries d on d.video_id = v.id and d.endpoint_id is null
      where v.webhook_url is not null and v.completed_at is not null
      group by v.id, v.status, v.completed_at
      having count(d.id) > 1 or min(d.event) <> 'video.' || v.status or (count(d.id) = 0 and v.completed_at >= $1)`,
  },
  {
    name: 'no webhook before the end',
    breaks: `select d.id from webhook_deliveries d join videos v on v.id = d.video_id where v.completed_at is null`,
  },
  {
    name: 'a provider accepted a video at most once',
    breaks: `select video_id as id from video_attempts where outcome = 'accepted' group by video_id having count(*) > 1`,
  },
  {
    name: 'no job is held longer than its lease and a round of maintenance',
    whenQuiet: true,
    breaks: `select id::text from jobs where leased_until < now() - interval '30 seconds'`,
  },
  {
    name: 'an unfinished video has a job that will move it',
    breaks: `select v.id from videos v where v.completed_at is null
      and not exists (select from jobs j where j.payload->>'videoId' = v.id)`,
  },
];

/** Checks all rules. Returns one sentence for each violated rule, with its rows; empty if all rules hold. */
export async function checkBooks(
  db: Db,
  options: { readonly quiet?: boolean; readonly deletedBefore?: Date } = {},
): Promise<string[]> {
  const deletedBefore = (options.deletedBefore ?? new Date(0)).toISOString();
  const errors: string[] = [];
  for (const rule of rules) {
    if (rule.whenQuiet && !options.quiet) continue;
    const { rows } = await db.query(rule.breaks, rule.breaks.includes('$1') ? [deletedBefore] : []);
    if (rows.length > 0) errors.push(`${rule.name}: ${rows.map((row) => String(row.id)).join(', ')}`);
  }
  return errors;
}
