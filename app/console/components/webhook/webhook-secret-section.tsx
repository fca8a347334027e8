'use client';

import { Eye, EyeOff, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { WebhookSecretJson } from '../../../../lib/contract/webhooks';
import { Button } from '../ui/button';
import { Card, Section } from '../ui/card';
import { CopyButton } from '../ui/copy-button';
import { FormError } from '../ui/field';
import { TimeAgo } from '../ui/time-ago';
import { useAsyncAction } from '../ui/use-async-action';
import { ask } from '../../console-api';
import { apiPaths } from '../../api-paths';
import { onDemand } from '../ui/on-demand';

const RotateSecretDialog = onDemand(() => import('./rotate-secret-dialog').then((module) => module.RotateSecretDialog));

/** The secret that signs webhooks to URLs that requests name. Loaded on reveal and dropped when hidden. */
export function WebhookSecretSection({ title }: { readonly title: string }) {
  const [secret, setSecret] = useState<WebhookSecretJson>();
  const [rotating, setRotating] = useState(false);
  const { busy, error, run } = useAsyncAction('The secret could not be read. Try again.');
  const reveal = () => run(() => ask<WebhookSecretJson>(apiPaths.webhookSecret()).then(setSecret));

  return (
    <Section
      id="webhooks"
      title={title}
      description="If a request has a webhook, the finished video is sent to it, signed with this secret."
    >
      <Card className="p-4 sm:px-5">
        <FormError>{error}</FormError>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <div className="min-w-0 flex-1 basis-64">
            <div className="text-sm font-medium">Signing secret</div>
            <code className="block font-mono text-xs leading-6 break-all">{secret?.secret ?? '•'.repeat(24)}</code>
            {secret?.previous_secret_until !== undefined && (
              <p className="text-xs text-muted">
                The previous secret is also used; it expires <TimeAgo at={secret.previous_secret_until} />.
              </p>
            )}
          </div>
          <div className="flex items-center gap-2">
            {secret ? (
              <>
                <CopyButton variant="secondary" size="small" visible text={secret.secret} label="Copy" />
                <Button size="small" onClick={() => setSecret(undefined)}>
                  <EyeOff size={13} aria-hidden="true" /> Hide
                </Button>
              </>
            ) : (
              <Button size="small" busy={busy} onClick={() => void reveal()}>
                <Eye size={13} aria-hidden="true" /> Reveal
              </Button>
            )}
            <Button size="small" onClick={() => setRotating(true)}>
              <RefreshCw size={13} aria-hidden="true" /> Rotate…
            </Button>
          </div>
        </div>
      </Card>
      {rotating && (
        <RotateSecretDialog
          path={apiPaths.rotateWebhookSecret()}
          onRotated={(rotated) => {
            setSecret(rotated);
            setRotating(false);
          }}
          onClose={() => setRotating(false)}
        />
      )}
    </Section>
  );
}
