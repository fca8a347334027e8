'use client';

import { ChevronRight, RotateCw } from 'lucide-react';
import type { DeliveryAttemptJson, DeliveryJson } from '../../../lib/contract/webhooks';
import { Button } from '../components/ui/button';
import { CopyButton } from '../components/ui/copy-button';
import { TimeAgo } from '../components/ui/time-ago';
import { useAsyncAction } from '../components/ui/use-async-action';
import { DeliveryChip } from '../components/webhook/delivery-chip';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

/** The webhook deliveries of a video. Without `onResent` they cannot be resent. */
export function VideoWebhooks({
  deliveries,
  hasWebhook,
  onResent,
}: {
  readonly deliveries: readonly DeliveryJson[];
  readonly hasWebhook: boolean;
  readonly onResent?: () => Promise<unknown>;
}) {
  if (deliveries.length === 0) {
    return (
      <p className="text-sm text-muted">
        {hasWebhook ? (
          'The webhook is sent when the video is completed or has failed.'
        ) : (
          <>
            The request had no webhook. With <code className="font-mono text-xs">“webhook”</code> in the request, the
            finished video is sent there.
          </>
        )}
      </p>
    );
  }
  return (
    <ul className="flex flex-col gap-5">
      {deliveries.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} {...(onResent ? { onResent } : {})} />
      ))}
    </ul>
  );
}

function Delivery({
  delivery,
  onResent,
}: {
  readonly delivery: DeliveryJson;
  readonly onResent?: () => Promise<unknown>;
}) {
  const { busy, error, run } = useAsyncAction('The webhook could not be resent. Try again.');
  const resend = () => run(() => send('POST', apiPaths.resendDelivery(delivery.id)).then(() => onResent?.()));

  return (
    <li className="min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex min-w-0 items-center gap-2">
          <DeliveryChip state={delivery.state} />
          <span className="font-mono text-xs text-muted">{delivery.event}</span>
        </span>
        {onResent && (
          <Button size="small" busy={busy} onClick={() => void resend()}>
            {!busy && <RotateCw size={13} aria-hidden="true" />} Resend
          </Button>
        )}
      </div>
      <div role="alert" className={error ? 'mt-2 text-xs text-bad' : 'sr-only'}>
        {error}
      </div>
      <p className="mt-2 font-mono text-xs break-all">{delivery.url}</p>
      <p className="flex min-w-0 items-center gap-1 text-xs text-muted">
        <span className="truncate font-mono">{delivery.id}</span>
        <CopyButton text={delivery.id} label="Copy the webhook-id" />
      </p>
      {delivery.state === 'pending' && delivery.next_attempt_at !== undefined && (
        <p aria-live="polite" className="text-xs text-info">
          Attempt {delivery.attempts.length + 1} <TimeAgo at={delivery.next_attempt_at} />
        </p>
      )}
      {delivery.attempts.length > 0 && (
        <ol className="mt-2 flex flex-col gap-1.5 border-t border-line pt-2">
          {delivery.attempts.map((attempt) => (
            <Attempt key={attempt.attempt} attempt={attempt} />
          ))}
        </ol>
      )}
    </li>
  );
}

function Attempt({
  attempt: { attempt, status, error, latency_ms: latencyMs, at, response },
}: {
  readonly attempt: DeliveryAttemptJson;
}) {
  const isGood = status !== undefined && status >= 200 && status < 300;
  const line = (
    <span className="inline-flex flex-wrap items-baseline gap-x-2 tabular-nums">
      <span className="text-muted">{attempt}.</span>
      <span className={isGood ? 'font-medium text-good' : 'font-medium text-bad'}>
        {status ?? error ?? 'no answer'}
      </span>
      <span className="text-muted">{latencyMs} ms</span>
    </span>
  );
  return (
    <li className="text-xs">
      <div className="flex items-baseline justify-between gap-2">
        {line}
        <span className="text-muted">
          <TimeAgo at={at} />
        </span>
      </div>
      {response !== undefined && response !== '' && (
        <details className="group/answer">
          <summary className="flex min-h-6 w-fit list-none items-center gap-1 rounded text-muted hover:text-ink max-sm:min-h-11">
            <ChevronRight size={12} aria-hidden="true" className="transition-transform group-open/answer:rotate-90" />{' '}
            Response
          </summary>
          <pre className="mt-1 rounded-md border border-line bg-sunken px-2.5 py-1.5 font-mono break-words whitespace-pre-wrap">
            {response}
          </pre>
        </details>
      )}
    </li>
  );
}
