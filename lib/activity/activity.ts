import type { Db } from '../db/database';
import { countOpenHolds, listLatestMessages, listLatestMeters, listLatestVideos } from '../db/activity';
import { sumSpentByDay } from '../db/usage-days';
import type { ActivityEntryJson, ActivityJson } from '../contract/activity';
import type { Account } from '../domain/caller';
import { unixSeconds, utcDay, type Clock } from '../domain/clock';
import { usdText, type NanoUsd } from '../domain/money';

// An account's recent work of every kind from the tables of the work, and its spending from the daily sums.

export interface Activity {
  read(account: Account): Promise<ActivityJson>;
}

const DAYS = 30;
const DAY_MS = 86_400_000;
const SHOWN = 8;

export function createActivity({ db, clock }: { readonly db: Db; readonly clock: Clock }): Activity {
  return {
    async read(account) {
      const today = Math.floor(clock.nowMs() / DAY_MS);
      const [videos, messages, meters, sums, running] = await Promise.all([
        listLatestVideos(db, account, SHOWN),
        listLatestMessages(db, account, SHOWN),
        listLatestMeters(db, account, SHOWN),
        sumSpentByDay(db, account, utcDay((today - DAYS + 1) * DAY_MS)),
        countOpenHolds(db, account),
      ]);
      const spentOn = new Map(sums.map(({ day, spent }) => [day, spent]));
      const days = Array.from({ length: DAYS }, (_, index) => {
        const day = utcDay((today - DAYS + 1 + index) * DAY_MS);
        return { day, spent: spentOn.get(day) ?? 0n };
      });
      const entry = (
        kind: ActivityEntryJson['kind'],
        id: string,
        model: string,
        status: ActivityEntryJson['status'],
        cost: NanoUsd,
        at: Date,
      ): ActivityEntryJson => ({
        kind,
        id,
        model,
        status,
        cost: usdText(cost),
        created_at: unixSeconds(at),
      });
      const latest = [
        ...videos.map((video) =>
          entry(
            'video',
            video.id,
            video.model,
            video.status,
            video.status === 'failed' ? 0n : (video.cost ?? video.quote),
            video.at,
          ),
        ),
        ...messages.map((message) =>
          entry(
            'message',
            message.id,
            message.model,
            message.outcome === 'failed' ? 'failed' : 'completed',
            message.cost,
            message.at,
          ),
        ),
        ...meters.map((meter) =>
          entry(
            meter.kind,
            meter.id,
            meter.model,
            meterStatus(meter),
            meter.endedAt ? meter.cost : meter.accrued,
            meter.at,
          ),
        ),
      ];
      return {
        object: 'activity',
        mode: account.mode,
        spent: {
          today: usdText(days.at(-1)?.spent ?? 0n),
          last_30_days: usdText(days.reduce((sum, { spent }) => sum + spent, 0n)),
          days: days.map(({ day, spent }) => ({ day, amount: usdText(spent) })),
        },
        running,
        latest: latest.sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1)).slice(0, SHOWN),
      };
    },
  };
}

function meterStatus({
  endedAt,
  outcome,
}: {
  readonly endedAt: Date | null;
  readonly outcome: string | null;
}): ActivityEntryJson['status'] {
  if (!endedAt) return 'in_progress';
  if (outcome === 'failed') return 'failed';
  return outcome === 'cancelled' ? 'cancelled' : 'completed';
}
