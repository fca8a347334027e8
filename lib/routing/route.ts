import type { BindingOf, Capability } from '../domain/model';
import type { Provider } from '../domain/provider';
import type { WithHealth } from './provider-health';

/** A binding chosen for a request, with the provider that does the work. */
export interface Route<C extends Capability> extends WithHealth {
  /** Over an organisation's own account: without a price, and as that account can order it. */
  readonly binding: BindingOf<C>;
  readonly provider: NonNullable<Provider[C]>;
}

/** At least one, best first. */
export type Routes<C extends Capability> = readonly [Route<C>, ...Route<C>[]];
