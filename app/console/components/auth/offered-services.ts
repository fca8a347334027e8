import type { Config } from '../../../../lib/config/config';
import type { Service } from './browser-sign-in';

/** The configured sign-in services, in the order of their buttons. */
export function offeredServices({ oauth }: Config): readonly Service[] {
  return (['github', 'google'] as const).filter((service) => oauth[service] !== undefined);
}
