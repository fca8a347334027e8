import type { Clock } from '../domain/clock';

/** A request waits no longer than this for the shared store. */
const REPLY_TIMEOUT_MS = 100;
/** After a failure of the store, a process decides alone for this long. */
export const STORE_RETRY_MS = 1_000;

/** Resolves with the reply of the shared store; undefined if it fails or takes longer than REPLY_TIMEOUT_MS. */
export function replyWithin<T>(clock: Clock, pending: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const cancel = clock.after(REPLY_TIMEOUT_MS, () => resolve(undefined));
    void pending
      .catch(() => undefined)
      .then((reply) => {
        cancel();
        resolve(reply);
      });
  });
}
