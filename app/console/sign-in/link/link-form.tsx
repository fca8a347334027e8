'use client';

import { useState, useSyncExternalStore } from 'react';
import { signInSentence, signInWithLink } from '../../components/auth/browser-sign-in';
import { Button } from '../../components/ui/button';
import { buttonClass } from '../../components/ui/button-class';
import { FormError } from '../../components/ui/field';
import { paths } from '../../paths';

// The link needs a click, because e-mail scanners visit every URL and would use up the token.

function onHashChange(changed: () => void) {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

export function LinkForm() {
  const token = useSyncExternalStore(
    onHashChange,
    () => window.location.hash.slice(1),
    () => undefined,
  );
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const message = error ?? (token === '' ? signInSentence('link-spent') : undefined);

  async function open() {
    setBusy(true);
    const result = await signInWithLink(token ?? '');
    if (result.ok) {
      // Replaced, so that Back does not return to a used link.
      window.location.replace(paths.overview());
      return;
    }
    setError(result.message);
    setBusy(false);
  }

  return (
    <div className="flex flex-col gap-4">
      <FormError>{message}</FormError>
      {message === undefined ? (
        <Button
          variant="primary"
          busy={busy}
          disabled={token === undefined}
          onClick={() => void open()}
          className="h-10 w-full"
          data-first
        >
          Sign in
        </Button>
      ) : (
        <a href={paths.signIn()} className={buttonClass({ variant: 'primary' }, 'h-10 w-full')}>
          Request a new link
        </a>
      )}
    </div>
  );
}
