import { ArrowUpRight, Ban, CircleAlert, CircleCheck, CircleX, Inbox, Sparkles, TriangleAlert } from 'lucide-react';
import type { RequestEvent, RequestStatus } from '../../../lib/contract/requests';
import { requestStatuses } from '../components/request/request-status-chip';
import { stepsOf, Timeline, type EventWords, type TimelineTone } from '../components/ui/timeline';

/** The timeline of a message or session. `firstResult` is the title of its first token, text or audio. */
export function RequestTimeline({
  events,
  firstResult,
}: {
  readonly events: readonly RequestEvent[];
  readonly firstResult: string;
}) {
  return <Timeline label="Timeline" steps={stepsOf(events, (event) => wordsOf(event, firstResult))} />;
}

const ENDS = {
  completed: { icon: CircleCheck, tone: 'good' },
  partial: { icon: CircleAlert, tone: 'warn' },
  failed: { icon: CircleX, tone: 'bad' },
  cancelled: { icon: Ban, tone: 'neutral' },
  queued: { icon: Inbox, tone: 'neutral' },
  in_progress: { icon: Inbox, tone: 'info' },
} as const satisfies Record<RequestStatus, { readonly icon: unknown; readonly tone: TimelineTone }>;

function wordsOf(event: RequestEvent, firstResult: string): EventWords {
  switch (event.event) {
    case 'accepted':
      return { icon: Inbox, tone: 'neutral', title: 'Accepted' };
    case 'called':
      return {
        icon: ArrowUpRight,
        tone: 'info',
        title: `Sent to ${event.provider}`,
        description: `Attempt ${event.attempt}`,
      };
    case 'provider_failed':
      return {
        icon: TriangleAlert,
        tone: 'warn',
        title: `${event.provider} failed`,
        ...codeLine(event.code),
      };
    case 'first_result':
      return { icon: Sparkles, tone: 'info', title: firstResult };
    case 'ended':
      return { ...ENDS[event.status], title: requestStatuses[event.status].word, ...codeLine(event.code) };
  }
}

function codeLine(code: string | undefined): Pick<EventWords, 'description'> {
  return code === undefined ? {} : { description: <span className="font-mono">{code}</span> };
}
