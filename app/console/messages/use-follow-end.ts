'use client';

import { useEffect, useRef } from 'react';
import type { Turn } from './conversation';

/** Within this distance of the end of the page the page scrolls along with the answer. */
const NEAR_END_PX = 120;

/**
 * Scrolls to the end of the page for a new turn, and keeps it there while the answer grows, unless the user has
 * scrolled up.
 */
export function useFollowEnd(turns: readonly Turn[]): void {
  const isAtEnd = useRef(true);
  useEffect(() => {
    const onScroll = () => {
      isAtEnd.current = restBelow() < NEAR_END_PX;
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, []);
  useEffect(() => {
    if (turns.length > 0) scrollToEnd();
  }, [turns.length]);
  useEffect(() => {
    if (turns.length > 0 && isAtEnd.current) scrollToEnd();
  }, [turns]);
}

/** Returns how much of the page is below the window, in pixels. */
function restBelow(): number {
  const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
  return scrollHeight - scrollTop - clientHeight;
}

function scrollToEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight });
}
