import type { Mode } from '../../../../lib/domain/video';

/** Stores the last used mode. */
export const MODE_COOKIE = 'mode';

export function parseMode(text: string | readonly string[] | undefined): Mode | undefined {
  return text === 'live' || text === 'test' ? text : undefined;
}
