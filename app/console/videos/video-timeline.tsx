import { ArrowUpRight, Ban, BellRing, CircleCheck, CircleX, Inbox, Radar, TriangleAlert, Wrench } from 'lucide-react';
import type { TimelineEvent, VideoDetails } from '../../../lib/contract/videos';
import { stepsOf, Timeline, type EventWords } from '../components/ui/timeline';

export function VideoTimeline({ video }: { readonly video: VideoDetails }) {
  return <Timeline label="Timeline" steps={stepsOf(video.timeline, wordsOf)} />;
}

function wordsOf(event: TimelineEvent): EventWords {
  switch (event.event) {
    case 'accepted':
      return {
        icon: Inbox,
        tone: 'neutral',
        title: 'Accepted',
        description: <span className="font-mono">{event.request_id}</span>,
      };
    case 'submitted':
      return {
        icon: ArrowUpRight,
        tone: 'info',
        title: `Submitted to ${event.provider}`,
        description: `Attempt ${event.attempt}, as ${event.upstream_model}`,
      };
    case 'refused':
      return {
        icon: TriangleAlert,
        tone: 'warn',
        title: `${event.provider} rejected it`,
        ...(event.code === undefined ? {} : { description: <span className="font-mono">{event.code}</span> }),
      };
    case 'started':
      return {
        icon: CircleCheck,
        tone: 'info',
        title: `${event.provider} accepted it`,
        ...(event.provider_job_id === undefined
          ? {}
          : { description: <span className="font-mono">{event.provider_job_id}</span> }),
      };
    case 'in_progress':
      return { icon: Wrench, tone: 'info', title: 'In progress' };
    case 'checked':
      return {
        icon: Radar,
        tone: 'neutral',
        title: event.count === 1 ? 'Polled once' : `Polled ${event.count}×`,
        description: event.count === 1 ? 'Fetched the status from the provider' : 'Time of the last poll',
      };
    case 'completed':
      return { icon: CircleCheck, tone: 'good', title: 'Completed' };
    case 'failed':
      return {
        icon: event.code === 'cancelled' ? Ban : CircleX,
        tone: 'bad',
        title: event.code === 'cancelled' ? 'Cancelled' : 'Failed',
        description: <span className="font-mono">{event.code}</span>,
      };
    case 'webhook':
      return {
        icon: BellRing,
        tone: event.delivered ? 'good' : 'warn',
        title: event.delivered ? 'Webhook delivered' : 'Webhook not delivered',
        description: `Attempt ${event.attempt}: ${event.status ?? event.error ?? 'no answer'}`,
      };
  }
}
