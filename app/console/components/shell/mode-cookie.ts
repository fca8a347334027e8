import type { Mode } from '../../../../lib/domain/video';

/** The mode that was looked at last. */
export const MODE_COOKIE = 'mode';

export function parseMode(text: string | readonly string[] | undefined): Mode | undefined {
  return text === 'live' || text === 'test' ? text : undefined;
}
