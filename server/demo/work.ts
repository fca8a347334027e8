import type { Ledger } from '../../lib/billing/ledger';
import type { Database } from '../../lib/db/database';
import type { BindingIdentity } from '../../lib/domain/binding';
import type { Account, Actor } from '../../lib/domain/caller';
import type { KeyId, ProviderId } from '../../lib/domain/ids';
import type { ModelOf } from '../../lib/domain/model';
import type { Mode } from '../../lib/domain/video';
import type { Gateway } from '../../lib/gateway';
import { testProviderDefinition } from '../../lib/providers/registry';
import type { Links } from '../../lib/videos/links';
import type { DemoClock } from './clock';
import type { DemoRandom } from './random';

export interface DemoDeps {
  readonly db: Database;
  readonly gateway: Gateway;
  readonly links: Links;
  /** The clock that `gateway` was composed with. */
  readonly clock: DemoClock;
  /** The organisation's owner. */
  readonly owner: Actor;
}

/** The dependencies that the writers of one run share. */
export interface DemoWork extends DemoDeps {
  readonly ledger: Ledger;
  readonly random: DemoRandom;
  /** The time at which the demo data ends. */
  readonly nowMs: number;
  /** Makes the references of transfers unique, because seed can run several times. */
  readonly run: string;
}

/** Writes one piece of work of a key. It begins at the clock's time and moves the clock forward. */
export type WritePiece = (account: Account, keyId: KeyId) => Promise<void>;

/** Returns the provider that serves a request: in test mode always the sandbox. */
export function servingProvider(mode: Mode, { providerId }: BindingIdentity): ProviderId {
  return mode === 'test' ? testProviderDefinition.id : providerId;
}

/** Returns the model of the catalog. Throws if the catalog has no model with this id and capability. */
export function findModel<C extends 'video' | 'messages'>(
  { gateway }: DemoWork,
  capability: C,
  id: string,
): ModelOf<C> {
  const model = gateway.catalog().find(id);
  if (model?.capability !== capability) throw new Error(`${id} is not a ${capability} model.`);
  // Safe: the capability was compared; the compiler cannot narrow by a type parameter.
  return model as ModelOf<C>;
}
