'use client';

import { useEffect, useRef, useState } from 'react';

/** After this time a placeholder replaces the old content. */
const LATE_MS = 150;

/**
 * Returns true from LATE_MS after `waiting` became true until it is false again, and for at least `minShownMs`, so that
 * a placeholder does not flash.
 */
export function useLate(waiting: boolean, minShownMs = 0): boolean {
  const [late, setLate] = useState(false);
  const shownAt = useRef(0);
  // Measured from the commit, which is some milliseconds after the state change.
  useEffect(() => {
    if (late) shownAt.current = performance.now();
  }, [late]);
  useEffect(() => {
    if (waiting === late) return;
    const waitMs = waiting ? LATE_MS : Math.max(0, shownAt.current + minShownMs - performance.now());
    const timer = window.setTimeout(() => setLate(waiting), waitMs);
    return () => window.clearTimeout(timer);
  }, [waiting, late, minShownMs]);
  return late;
}
