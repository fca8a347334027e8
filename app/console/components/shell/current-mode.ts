import { cookies } from 'next/headers';
import type { Mode } from '../../../../lib/domain/video';
import { MODE_COOKIE, parseMode } from './mode-cookie';

export { parseMode };

/** The mode that a page shows: what its address says, or else what was looked at last; a new installation is tried in test mode. */
export async function currentMode(asked?: string | readonly string[]): Promise<Mode> {
  return parseMode(asked) ?? parseMode((await cookies()).get(MODE_COOKIE)?.value) ?? 'test';
}
