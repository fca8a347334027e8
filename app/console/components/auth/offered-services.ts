import type { Config } from '../../../../lib/config';
import type { Service } from './browser-sign-in';

/** The services that are configured here, in the order of their buttons. */
export function offeredServices({ oauth }: Config): readonly Service[] {
  return (['github', 'google'] as const).filter((service) => oauth[service] !== undefined);
}
