'use client';

import { Check, Link2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../components/ui/button';
import { useCopy } from '../components/ui/copy-button';
import type { RequestBody } from './request';
import { makeLink } from './share-link';

/**
 * Copies a link to this page with the request in it. `onError` receives a sentence for the user, or undefined after
 * success.
 */
export function ShareButton({
  body,
  onError,
}: {
  readonly body: RequestBody | undefined;
  onError(message: string | undefined): void;
}) {
  const { copied, copy } = useCopy();
  const [busy, setBusy] = useState(false);

  async function share() {
    setBusy(true);
    try {
      // The link contains no mode: the page opens in the mode that the recipient uses.
      await copy(await makeLink(body, window.location.origin + window.location.pathname));
      onError(undefined);
    } catch (error) {
      onError(error instanceof Error ? error.message : 'The link could not be copied.');
    }
    setBusy(false);
  }

  const Icon = copied ? Check : Link2;
  return (
    <Button
      disabled={body === undefined}
      busy={busy}
      title="Copies a link that contains the request. Nothing is stored on the server."
      onClick={() => void share()}
    >
      {!busy && <Icon size={15} aria-hidden="true" className={copied ? 'text-good' : undefined} />}
      {copied ? 'Link copied' : 'Share'}
    </Button>
  );
}
