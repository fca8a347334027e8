import type { Account } from '../domain/caller';
import type { KeyId } from '../domain/ids';
import type { NanoUsd } from '../domain/money';
import type { HoldSubject } from '../db/schema/index';

/** Credits to set aside: for which account and key, and for what. */
export interface HoldRequest {
  readonly account: Account;
  readonly keyId: KeyId;
  readonly amount: NanoUsd;
  readonly subject: { readonly kind: HoldSubject; readonly id: string };
}
