import { CircleCheck, CirclePause, CircleX, Clock } from 'lucide-react';
import Link from 'next/link';
import type { EndpointJson, ReceiverJson } from '../../../lib/contract/webhooks';
import type { Mode } from '../../../lib/domain/video';
import { Chip } from '../components/ui/chip';
import { linkClass } from '../components/ui/link-class';
import { TimeAgo } from '../components/ui/time-ago';
import { paths } from '../paths';

const HEALTH = {
  unused: { tone: 'neutral', icon: Clock, word: 'Not used yet' },
  healthy: { tone: 'good', icon: CircleCheck, word: 'Healthy' },
  failing: { tone: 'bad', icon: CircleX, word: 'Failing' },
} as const;

const PAUSED = { person: 'Paused', gone: 'Paused (answered 410)' } as const;

type Shown = ReceiverJson | undefined;

export function Health({ receiver, paused }: { readonly receiver: Shown; readonly paused: EndpointJson['paused'] }) {
  if (paused !== null)
    return (
      <Chip tone="warn" icon={CirclePause}>
        {PAUSED[paused]}
      </Chip>
    );
  const { tone, icon, word } = HEALTH[receiver?.health ?? 'unused'];
  return (
    <Chip tone={tone} icon={icon}>
      {word}
    </Chip>
  );
}

export function LastAttempt({ receiver }: { readonly receiver: Shown }) {
  const { last_attempt: last, latency_ms: latencyMs } = receiver ?? {};
  if (!last) return '–';
  return (
    <>
      <span className={last.error === undefined ? 'text-good' : 'text-bad'}>{last.status ?? last.error}</span>,{' '}
      <TimeAgo at={last.at} />
      {latencyMs !== undefined && ` · usually ${latencyMs} ms`}
    </>
  );
}

export function NewestDeliveries({ receiver, mode }: { readonly receiver: Shown; readonly mode: Mode }) {
  if (!receiver) return '–';
  const { endpoint_id: endpoint, deliveries } = receiver;
  const { delivered, failed, disabled, pending } = deliveries;
  const link = (count: number, state: string, word: string) =>
    count > 0 && (
      <>
        {' · '}
        {endpoint === undefined ? (
          `${count} ${word}`
        ) : (
          <Link href={paths.webhooks({ mode, state, endpoint })} prefetch={false} className={linkClass}>
            {count} {word}
          </Link>
        )}
      </>
    );
  return (
    <>
      {delivered} delivered{link(failed, 'failed', 'failed')}
      {link(disabled, 'disabled', 'not sent')}
      {link(pending, 'pending', 'waiting')}
    </>
  );
}
