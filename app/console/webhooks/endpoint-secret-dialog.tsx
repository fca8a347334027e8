'use client';

import { Eye, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { EndpointJson, WebhookSecretJson } from '../../../lib/contract/webhooks';
import { Button } from '../components/ui/button';
import { CopyButton } from '../components/ui/copy-button';
import { Dialog, DialogBody, DialogFooter } from '../components/ui/dialog';
import { FormError } from '../components/ui/field';
import { TimeAgo } from '../components/ui/time-ago';
import { useAsyncAction } from '../components/ui/use-async-action';
import { RotateSecretDialog } from '../components/webhook/rotate-secret-dialog';
import { ask } from '../console-api';
import { apiPaths } from '../api-paths';

/** The secret that signs the webhooks of an endpoint. Loaded on reveal. */
export function EndpointSecretDialog({ of: endpoint, onClose }: { readonly of: EndpointJson; onClose(): void }) {
  const [secret, setSecret] = useState<WebhookSecretJson>();
  const [rotating, setRotating] = useState(false);
  const { busy, error, run } = useAsyncAction('The secret could not be read. Try again.');

  if (rotating)
    return (
      <RotateSecretDialog
        path={apiPaths.rotateEndpointSecret(endpoint.id)}
        onRotated={(rotated) => {
          setSecret(rotated);
          setRotating(false);
        }}
        onClose={() => setRotating(false)}
      />
    );
  return (
    <Dialog open onOpenChange={onClose} title="Signing secret" description={endpoint.url}>
      <DialogBody>
        <FormError>{error}</FormError>
        <code className="block font-mono text-xs leading-6 break-all">{secret?.secret ?? '•'.repeat(24)}</code>
        {secret?.previous_secret_until !== undefined && (
          <p className="text-xs text-muted">
            The previous secret is also used; it expires <TimeAgo at={secret.previous_secret_until} />.
          </p>
        )}
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => setRotating(true)}>
          <RefreshCw size={14} aria-hidden="true" /> Rotate…
        </Button>
        {secret ? (
          <CopyButton variant="primary" visible text={secret.secret} label="Copy" />
        ) : (
          <Button
            variant="primary"
            busy={busy}
            data-first
            onClick={() => void run(() => ask<WebhookSecretJson>(apiPaths.endpointSecret(endpoint.id)).then(setSecret))}
          >
            <Eye size={14} aria-hidden="true" /> Reveal
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  );
}
