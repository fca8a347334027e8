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
