import type { BindingOf, Capability } from '../domain/model';
import type { Provider } from '../domain/provider';
import type { WithHealth } from './provider-health';

/** A binding chosen for a request, with the provider that does the work. */
export interface Route<C extends Capability> extends WithHealth {
  /** If an organisation's own account serves it: without a price, and limited to what that account can order. */
  readonly binding: BindingOf<C>;
  readonly provider: NonNullable<Provider[C]>;
}

/** At least one, best first. */
export type Routes<C extends Capability> = readonly [Route<C>, ...Route<C>[]];
