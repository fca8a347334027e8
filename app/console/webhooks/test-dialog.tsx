'use client';

import { CircleCheck, CircleX, Send } from 'lucide-react';
import { useState } from 'react';
import type { EndpointJson, WebhookTestJson } from '../../../lib/contract/webhooks';
import { Button } from '../components/ui/button';
import { Chip } from '../components/ui/chip';
import { Dialog, DialogBody, DialogFooter } from '../components/ui/dialog';
import { FormError } from '../components/ui/field';
import { useAsyncAction } from '../components/ui/use-async-action';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

/** Sends an example to an endpoint and shows the response. */
export function TestDialog({ of: endpoint, onClose }: { readonly of: EndpointJson; onClose(): void }) {
  const [result, setResult] = useState<WebhookTestJson>();
  const { busy, error, run } = useAsyncAction('The test could not be sent. Try again.');

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Send a test"
      description="Sends one example of a completed video now, signed like a real webhook."
    >
      <DialogBody>
        <FormError>{error}</FormError>
        <code className="block font-mono text-xs break-all">{endpoint.url}</code>
        <output aria-live="polite" className="flex flex-col gap-2">
          {result && (
            <>
              <span className="flex flex-wrap items-center gap-2 text-sm">
                <Chip tone={result.delivered ? 'good' : 'bad'} icon={result.delivered ? CircleCheck : CircleX}>
                  {result.delivered ? 'Delivered' : 'Not delivered'}
                </Chip>
                <span className="text-muted tabular-nums">
                  {result.status ?? result.error} · {result.latency_ms} ms
                </span>
              </span>
              {result.response !== undefined && (
                <pre className="max-h-48 overflow-auto rounded-md border border-line bg-sunken px-2.5 py-1.5 font-mono text-xs break-words whitespace-pre-wrap">
                  {result.response}
                </pre>
              )}
            </>
          )}
        </output>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
        <Button
          variant="primary"
          busy={busy}
          data-first
          onClick={() =>
            void run(() => send<WebhookTestJson>('POST', apiPaths.testWebhookEndpoint(endpoint.id)).then(setResult))
          }
        >
          {!busy && <Send size={14} aria-hidden="true" />} {result ? 'Send again' : 'Send'}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
