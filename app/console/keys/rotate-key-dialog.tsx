'use client';

import { useState, type FormEvent } from 'react';
import useSWR, { useSWRConfig } from 'swr';
import type { KeyJson, KeyListJson, CreatedKeyJson } from '../../../lib/contract/keys';
import { FormDialog } from '../components/ui/form-dialog';
import { SelectField } from '../components/ui/select';
import { TimeAgo } from '../components/ui/time-ago';
import { useAsyncAction } from '../components/ui/use-async-action';
import { ask, send } from '../console-api';
import { apiPaths } from '../api-paths';
import { RevealKeyDialog } from './reveal-key-dialog';

const OVERLAPS = [
  [86_400, 'For 24 hours'],
  [3_600, 'For an hour'],
  [604_800, 'For 7 days'],
  [0, 'No overlap: it stops now'],
] as const;

export function RotateKeyDialog({
  of: key,
  baseUrl,
  onClose,
}: {
  readonly of: KeyJson;
  readonly baseUrl: string;
  onClose(): void;
}) {
  const { mutate } = useSWRConfig();
  const { busy, error, run } = useAsyncAction('The key could not be rotated. Try again.');
  const [made, setMade] = useState<CreatedKeyJson>();

  function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const overlap = Number(new FormData(event.currentTarget).get('overlap'));
    return run(async () => {
      setMade(await send<CreatedKeyJson>('POST', apiPaths.rotateKey(key.id), { overlap_seconds: overlap }));
      await mutate(apiPaths.keys());
    });
  }

  if (made) {
    return (
      <RevealKeyDialog
        made={made}
        baseUrl={baseUrl}
        description="Copy it now. It cannot be shown again."
        onClose={onClose}
      >
        <OldKey id={key.id} />
      </RevealKeyDialog>
    );
  }
  return (
    <FormDialog
      title={`Rotate “${key.name}”`}
      description="Creates a new key with the same rights and limits."
      error={error}
      submitLabel="Rotate key"
      busy={busy}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
    >
      <SelectField label="The old key keeps working" name="overlap" defaultValue={OVERLAPS[0][0]}>
        {OVERLAPS.map(([seconds, label]) => (
          <option key={seconds} value={seconds}>
            {label}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}

const REFRESH_INTERVAL_MS = 5_000;

/** Shows whether the old key is still in use, so that the user knows when it can stop. */
function OldKey({ id }: { readonly id: string }) {
  const { data } = useSWR(apiPaths.keys(), (path) => ask<KeyListJson>(path), {
    refreshInterval: REFRESH_INTERVAL_MS,
  });
  const old = data?.data.find((key) => key.id === id);
  if (!old) return null;
  return (
    <p className="text-sm text-muted" aria-live="polite">
      The old key <code className="font-mono text-xs">{old.display}</code>{' '}
      {old.status === 'revoked' || old.expires_at === null ? (
        'has ended.'
      ) : (
        <>
          ends <TimeAgo at={old.expires_at} />.
        </>
      )}{' '}
      {old.last_used_at === null ? (
        'It was never used.'
      ) : (
        <>
          Last used <TimeAgo at={old.last_used_at} />.
        </>
      )}
    </p>
  );
}
