'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Label of the command key on this keyboard: `⌘` or `Ctrl`. */
export function useCommandKey(): string {
  return useSyncExternalStore(
    never,
    () => (/mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl'),
    () => 'Ctrl',
  );
}
