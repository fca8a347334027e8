'use client';

import { useMemo, useState, useSyncExternalStore } from 'react';
import { fieldsOf } from '../../../lib/domain/json';
import { keepTabText, readTabText } from './tab-storage';

/**
 * Values of a form that survive a reload of the tab and are gone when it is closed. `initial` must be constant JSON. A
 * stored value is ignored if its type differs from that in `initial`.
 */
export function useTabState<Values extends object>(
  name: string,
  initial: Values,
): readonly [Values, (part: Partial<Values>) => void] {
  const kept = useSyncExternalStore(
    never,
    () => readTabText(name),
    () => null,
  );
  const begun = useMemo(() => ({ ...initial, ...readValues(kept, initial) }), [initial, kept]);
  const [changed, setChanged] = useState<Values>();
  const values = changed ?? begun;
  return [
    values,
    (part) => {
      const next = { ...values, ...part };
      setChanged(next);
      keepTabText(name, JSON.stringify(next));
    },
  ];
}

const never = () => () => undefined;

function readValues<Values extends object>(text: string | null, initial: Values): Partial<Values> {
  try {
    const known = new Map<string, unknown>(Object.entries(initial));
    const entries = Object.entries(fieldsOf(JSON.parse(text ?? 'null'))).filter(
      ([name, value]) => known.has(name) && typeof value === typeof known.get(name),
    );
    // Safe: only names of `initial`, with its types.
    return Object.fromEntries(entries) as Partial<Values>;
  } catch {
    return {};
  }
}
