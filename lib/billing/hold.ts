import type { Account } from '../domain/caller';
import type { HoldId, KeyId } from '../domain/ids';
import type { LimitScope } from '../domain/limits';
import type { NanoUsd } from '../domain/money';
import type { HoldSubject } from '../db/schema/index';

// Credits that are set aside for one piece of work, from its start until its price is known:
//
//   new ──hold──▶ open ──capture──▶ captured   charges the hold or a part of it, and gives the rest back
//                  └─────release──▶ released   gives all of it back
//
// `extend` and `reduce` change the amount of an open hold. `renew` resolves one hold and opens the next in the same
// transaction. A resolved hold never changes again.

export interface HoldRequest {
  readonly account: Account;
  readonly keyId: KeyId;
  readonly amount: NanoUsd;
  readonly subject: { readonly kind: HoldSubject; readonly id: string };
  /** For a video: how many videos may be queued or running, including this one. */
  readonly maxRunning?: readonly RunningLimit[];
}

export interface RunningLimit {
  readonly scope: LimitScope;
  readonly max: number;
}

/** The hold that replaces another one. */
export interface NextHold extends HoldRequest {
  /**
   * Chosen by the caller, so that a repeated renewal finds the hold that the first one opened, even if its response was
   * lost.
   */
  readonly id: HoldId;
  /** The amount to hold if the credit does not suffice for `amount`. */
  readonly atLeast: NanoUsd;
}

/** Charges a part of a hold and holds again under a new id. */
export interface Renewal {
  readonly hold: HoldId;
  /** Charged from the old hold; at most its amount. */
  readonly charged: NanoUsd;
  /** The next hold, of the same account and key as the old one. Absent: nothing is held afterwards. */
  readonly next?: NextHold;
  /**
   * The hold to charge if the old one was already released; `amount` is the charge. Absent: nothing is charged then.
   */
  readonly instead?: HoldRequest & { readonly id: HoldId };
}

export interface Renewed {
  /** The amount of the next hold; 0 without one. */
  readonly held: NanoUsd;
  /** The old hold, or the hold that was charged instead. */
  readonly chargedTo: HoldId;
  /** Less than requested only if the old hold was already released and the available credit was not enough. */
  readonly charged: NanoUsd;
}
