'use client';

import { useSWRConfig } from 'swr';
import type { KeyJson } from '../../../lib/accounts/accounts';
import { notify } from '../components/ui/notices';
import { Question } from '../components/ui/question';
import { TimeAgo } from '../components/ui/time-ago';
import { send } from '../console-api';
import { apiPaths } from '../paths';

export function RevokeKeyDialog({ of: key, onClose }: { readonly of: KeyJson; onClose(): void }) {
  const { mutate } = useSWRConfig();

  async function revoke() {
    await send('DELETE', apiPaths.key(key.id));
    await mutate(apiPaths.keys());
    notify(`“${key.name}” is revoked.`);
    onClose();
  }

  return (
    <Question
      title={`Revoke “${key.name}”?`}
      act="Revoke key"
      failed="Revoking did not work. Try again."
      onAct={revoke}
      onClose={onClose}
    >
      <p className="text-sm">
        Requests with <code className="font-mono text-xs">{key.display}</code> are refused within 5 seconds, on every
        instance. Videos that it has started go on. This cannot be undone.
      </p>
      <p className="text-sm text-muted">
        {key.last_used_at === null ? (
          'It has never been used.'
        ) : (
          <>
            It was last used <TimeAgo at={key.last_used_at} />.
          </>
        )}
      </p>
    </Question>
  );
}
