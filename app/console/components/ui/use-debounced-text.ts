'use client';

import { useEffect, useRef, useState } from 'react';

// The URL updates a moment after each keystroke, so a field that renders the text of the URL loses letters. The field
// therefore keeps its own text and reports it when the typing pauses.

const DEBOUNCE_MS = 200;

/**
 * Returns the text of the field and its setter. `onChange` is called with the trimmed text after a pause. The field
 * follows `settled` if that changes without typing, for example with the Back button.
 */
export function useDebouncedText(
  settled: string,
  onChange: (text: string) => void,
): readonly [string, (text: string) => void] {
  const [text, setText] = useState(settled);
  const timer = useRef<number>(undefined);
  useEffect(() => {
    if (timer.current === undefined) setText(settled);
  }, [settled]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return [
    text,
    (typed) => {
      setText(typed);
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => {
        timer.current = undefined;
        onChange(typed.trim());
      }, DEBOUNCE_MS);
    },
  ];
}
