/** How long data is kept, in days. */
export interface Retention {
  /** Finished videos, messages and audio sessions, with their holds and ledger entries. */
  readonly usageDays: number;
  /** Webhooks with their attempts, from the last attempt. */
  readonly webhookDays: number;
  /** Prompt and request of a completed video. */
  readonly inputDays: number;
  readonly auditDays: number;
}

const DAY_MS = 86_400_000;

/** Returns the time before which rows may have been deleted by age. */
export function deletedBefore({ usageDays, webhookDays, auditDays }: Retention, nowMs: number): Date {
  return new Date(nowMs - Math.min(usageDays, webhookDays, auditDays) * DAY_MS);
}
