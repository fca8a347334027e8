import type { Db } from '../db/database';
import { countOpenHolds } from '../db/activity';
import { listRequests, type LoggedRequest } from '../db/requests';
import { sumSpentByDay } from '../db/usage-days';
import type { ActivityEntryJson, ActivityJson } from '../contract/activity';
import type { Account } from '../domain/caller';
import { unixSeconds, utcDay, type Clock } from '../domain/clock';
import { usdText } from '../domain/money';

// The overview of an account: its latest requests of every kind, and its spending from the daily sums.

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
      const [latest, sums, running] = await Promise.all([
        listRequests(db, account, {}, { limit: SHOWN }),
        sumSpentByDay(db, account, utcDay((today - DAYS + 1) * DAY_MS)),
        countOpenHolds(db, account),
      ]);
      const spentOn = new Map(sums.map(({ day, spent }) => [day, spent]));
      const days = Array.from({ length: DAYS }, (_, index) => {
        const day = utcDay((today - DAYS + 1 + index) * DAY_MS);
        return { day, spent: spentOn.get(day) ?? 0n };
      });
      return {
        object: 'activity',
        mode: account.mode,
        spent: {
          today: usdText(days.at(-1)?.spent ?? 0n),
          last_30_days: usdText(days.reduce((sum, { spent }) => sum + spent, 0n)),
          days: days.map(({ day, spent }) => ({ day, amount: usdText(spent) })),
        },
        running,
        latest: latest.map(presentEntry),
      };
    },
  };
}

function presentEntry({ kind, id, model, status, costNanoUsd, createdAt }: LoggedRequest): ActivityEntryJson {
  return {
    kind,
    id,
    model,
    status,
    cost: usdText(costNanoUsd),
    created_at: unixSeconds(createdAt),
  };
}
