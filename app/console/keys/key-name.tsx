'use client';

import { Pencil } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useSWRConfig } from 'swr';
import type { KeyJson, KeyListJson } from '../../../lib/contract/keys';
import { buttonClass } from '../components/ui/button-class';
import { inputClass } from '../components/ui/input-class';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

type Keys = Pick<KeyListJson, 'data'>;

/**
 * Inline editor of the key's name: Enter saves, Escape cancels. The update is optimistic and reverts if the server
 * refuses.
 */
export function KeyName({ of: key }: { readonly of: KeyJson }) {
  const { mutate } = useSWRConfig();
  const [editing, setEditing] = useState(false);
  const [error, setError] = useState<string>();
  const opener = useRef<HTMLButtonElement>(null);
  // Enter and blur both end the editing; only the first counts.
  const ended = useRef(false);

  function end(returnFocus: boolean) {
    ended.current = true;
    if (!returnFocus) return setEditing(false);
    flushSync(() => setEditing(false));
    opener.current?.focus();
  }

  async function rename(text: string, returnFocus: boolean) {
    if (ended.current) return;
    end(returnFocus);
    const name = text.trim();
    if (name === '' || name === key.name) return;
    setError(undefined);
    const withName = (keys: Keys | undefined): Keys => ({
      data: (keys?.data ?? []).map((each) => (each.id === key.id ? { ...each, name } : each)),
    });
    try {
      await mutate<Keys>(
        apiPaths.keys(),
        async (keys) => {
          await send('PATCH', apiPaths.key(key.id), { name });
          return withName(keys);
        },
        { optimisticData: withName, rollbackOnError: true, revalidate: false },
      );
    } catch (error) {
      setError(error instanceof Error ? error.message : 'Try again.');
    }
  }

  return (
    <>
      {editing ? (
        <input
          aria-label={`New name of ${key.name}`}
          defaultValue={key.name}
          maxLength={100}
          autoComplete="off"
          ref={(field) => {
            if (!field || document.activeElement === field) return;
            field.focus();
            field.select();
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && event.key !== 'Escape') return;
            // Otherwise Enter would also press the button that gets the focus.
            event.preventDefault();
            if (event.key === 'Enter') void rename(event.currentTarget.value, true);
            else end(true);
          }}
          onBlur={(event) => void rename(event.currentTarget.value, false)}
          className={`${inputClass} -ml-2 h-8! px-2! font-medium`}
        />
      ) : (
        <span className="flex min-w-0 items-center gap-1">
          <span className="truncate font-medium">{key.name}</span>
          <button
            ref={opener}
            type="button"
            aria-label={`Rename ${key.name}`}
            title="Rename"
            onClick={() => {
              ended.current = false;
              setEditing(true);
            }}
            className={buttonClass(
              { variant: 'quiet' },
              'size-6! px-0! max-sm:-my-3 max-sm:size-11! @4xl/table:opacity-0 @4xl/table:group-hover/row:opacity-100 @4xl/table:focus-visible:opacity-100',
            )}
          >
            <Pencil size={12} aria-hidden="true" />
          </button>
        </span>
      )}
      <span role="alert" className={error ? 'block text-xs text-bad' : 'sr-only'}>
        {error && `Not renamed. ${error}`}
      </span>
    </>
  );
}
