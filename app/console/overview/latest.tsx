'use client';

import { Clapperboard } from 'lucide-react';
import type { ActivityEntryJson } from '../../../lib/contract/activity';
import type { Mode } from '../../../lib/domain/video';
import { requestKinds } from '../components/request/request-kinds';
import { requestPath } from '../components/request/request-path';
import { requestStatuses } from '../components/request/request-status-chip';
import { NavLink } from '../components/shell/page-transition';
import { Card, Section } from '../components/ui/card';
import { buttonClass } from '../components/ui/button-class';
import { EmptyState } from '../components/ui/list-states';
import { ExactMoney } from '../components/ui/money';
import { useNow } from '../components/ui/now';
import { TimeAgo } from '../components/ui/time-ago';
import type { FoundVideoJson } from '../../../lib/contract/videos';
import { VideoThumb } from '../components/video/video-thumb';
import { paths } from '../paths';

const TONES = {
  neutral: 'text-muted',
  info: 'text-info',
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
} as const;

/** The newest requests of every kind. `videos` adds thumbnails and prompts. */
export function Latest({
  entries,
  videos,
  mode,
}: {
  readonly entries: readonly ActivityEntryJson[];
  readonly videos: readonly FoundVideoJson[];
  readonly mode: Mode;
}) {
  return (
    <Section
      id="latest"
      title="Recent activity"
      actions={
        entries.length > 0 && (
          <NavLink
            href={paths.requests()}
            title="Requests"
            className={buttonClass({ variant: 'quiet', size: 'small' }, '-mr-2.5')}
          >
            All requests
          </NavLink>
        )
      }
    >
      {entries.length === 0 ? (
        <EmptyState
          icon={Clapperboard}
          title={`No activity in ${mode} mode yet`}
          description="Your video, message and speech requests appear here."
        >
          <NavLink href={paths.playground()} title="Playground" className={buttonClass({ variant: 'primary' })}>
            Create a video
          </NavLink>
        </EmptyState>
      ) : (
        <Card>
          <ul>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} video={videos.find(({ id }) => id === entry.id)} />
            ))}
          </ul>
        </Card>
      )}
    </Section>
  );
}

function Entry({ entry, video }: { readonly entry: ActivityEntryJson; readonly video: FoundVideoJson | undefined }) {
  const nowMs = useNow();
  const { icon: Kind, word: kind } = requestKinds[entry.kind];
  const { icon: Status, word: status, tone } = requestStatuses[entry.status];
  return (
    <li className="relative flex min-h-15 items-center gap-3 border-line px-4 py-2 transition-colors not-last:border-b hover:bg-hover">
      {video ? (
        <VideoThumb video={video} nowMs={nowMs} />
      ) : (
        <span
          aria-hidden="true"
          className="grid h-10 w-17.5 shrink-0 place-items-center rounded-md border border-line bg-sunken text-muted"
        >
          <Kind size={16} />
        </span>
      )}
      <div className="min-w-0 flex-1">
        <div className="truncate text-sm font-medium">
          {/* The link covers the whole row; interactive elements are above it. */}
          <NavLink href={requestPath(entry)} title={entry.model} className="after:absolute after:inset-0">
            {video?.prompt ?? entry.model}
            {video?.prompt === undefined && <span className="sr-only"> {entry.id}</span>}
          </NavLink>
        </div>
        <div className="truncate text-xs text-muted">{video?.prompt === undefined ? kind : entry.model}</div>
      </div>
      <span className={`flex shrink-0 items-center gap-1.5 text-xs font-medium ${TONES[tone]}`}>
        <Status size={14} aria-hidden="true" className={entry.status === 'in_progress' ? 'animate-spin' : undefined} />
        <span className="max-sm:sr-only">{status}</span>
      </span>
      <span className="min-w-26 shrink-0 text-right text-sm tabular-nums max-sm:min-w-0">
        {entry.status === 'failed' && entry.cost === '0' ? (
          <span className="text-xs text-muted">Not charged</span>
        ) : (
          <ExactMoney amount={entry.cost} />
        )}
      </span>
      <span className="relative w-22 shrink-0 text-right text-xs text-muted max-sm:hidden">
        <TimeAgo at={entry.created_at} />
      </span>
    </li>
  );
}
