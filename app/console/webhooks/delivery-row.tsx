'use client';

import { RotateCw } from 'lucide-react';
import Link from 'next/link';
import type { DeliveryJson, EndpointJson } from '../../../lib/contract/webhooks';
import { Button } from '../components/ui/button';
import { Cell, Row } from '../components/ui/table';
import { TimeAgo } from '../components/ui/time-ago';
import { toast } from '../components/ui/toast';
import { useAsyncAction } from '../components/ui/use-async-action';
import { DeliveryChip } from '../components/webhook/delivery-chip';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';

/**
 * A delivery, which links to the page of its video with every attempt. Without `onResent`, and while its endpoint is
 * paused, it cannot be resent.
 */
export function DeliveryRow({
  delivery,
  endpoint,
  onResent,
}: {
  readonly delivery: DeliveryJson;
  /** Absent for a URL in a request, and for an endpoint that was removed. */
  readonly endpoint: EndpointJson | undefined;
  readonly onResent?: () => void;
}) {
  const { busy, error, run } = useAsyncAction('The webhook could not be resent. Try again.');
  const { id, video_id: videoId, event, url, state, attempts, next_attempt_at: nextAt } = delivery;
  const last = attempts.at(-1);
  const resend = () =>
    run(async () => {
      await send('POST', apiPaths.resendDelivery(id));
      toast('The webhook is resent.');
      onResent?.();
    });
  return (
    <Row>
      <Cell full className="@4xl/table:w-full @4xl/table:max-w-0">
        {/* The link covers the whole row; interactive elements are above it. */}
        <Link
          href={`${paths.video(videoId)}#webhooks`}
          prefetch={false}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          {endpoint === undefined || endpoint.description === '' ? url : endpoint.description}
          <span className="sr-only"> {id}</span>
        </Link>
        <span className="block truncate text-xs text-muted">
          {event} · <span className="font-mono">{videoId.slice(0, 18)}…</span>
        </span>
        <span role="alert" className={error ? 'block text-xs text-bad' : 'sr-only'}>
          {error}
        </span>
      </Cell>
      <Cell name="State">
        <DeliveryChip state={state} />
      </Cell>
      <Cell name="Attempts" className="text-xs whitespace-nowrap text-muted tabular-nums">
        {attempts.length}
        {last && (
          <>
            {' · '}
            <span className={last.error === undefined ? 'text-good' : 'text-bad'}>{last.status ?? last.error}</span>
            {` · ${last.latency_ms} ms`}
          </>
        )}
        {state === 'pending' && nextAt !== undefined && (
          <span className="relative z-1">
            {' · next '}
            <TimeAgo at={nextAt} />
          </span>
        )}
      </Cell>
      <Cell name="Created" align="right" className="text-muted">
        <span className="relative z-1">
          <TimeAgo at={delivery.created_at} />
        </span>
      </Cell>
      <Cell align="right">
        {onResent && !endpoint?.paused && (
          <span className="relative z-1">
            <Button size="small" busy={busy} onClick={() => void resend()} aria-label={`Resend ${id}`}>
              {!busy && <RotateCw size={13} aria-hidden="true" />} Resend
            </Button>
          </span>
        )}
      </Cell>
    </Row>
  );
}
