'use client';

import { useEffect, useRef, useState } from 'react';

// A field whose text lives in the address would lose letters: the address follows a moment after each of them. So the field
// keeps its own text, and the address gets it when the typing pauses.

const PAUSE_MS = 200;

/** What the field shows, and what to call when somebody types; `act` gets the text after a pause. It follows `settled` when that changes by itself, as by Back. */
export function useTypedText(settled: string, act: (text: string) => void): readonly [string, (text: string) => void] {
  const [text, setText] = useState(settled);
  const acting = useRef<number>(undefined);
  useEffect(() => {
    if (acting.current === undefined) setText(settled);
  }, [settled]);
  useEffect(() => () => window.clearTimeout(acting.current), []);
  return [
    text,
    (typed) => {
      setText(typed);
      window.clearTimeout(acting.current);
      acting.current = window.setTimeout(() => {
        acting.current = undefined;
        act(typed.trim());
      }, PAUSE_MS);
    },
  ];
}
