import { cookies } from 'next/headers';
import type { Mode } from '../../../../lib/domain/video';
import { MODE_COOKIE, parseMode } from './mode-cookie';

export { parseMode };

/** Returns the mode of a page: from its URL, otherwise the last used mode, otherwise test. */
export async function currentMode(requested?: string | readonly string[]): Promise<Mode> {
  return parseMode(requested) ?? parseMode((await cookies()).get(MODE_COOKIE)?.value) ?? 'test';
}
