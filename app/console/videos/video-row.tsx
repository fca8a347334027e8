'use client';

import Link from 'next/link';
import { CopyButton } from '../components/ui/copy-button';
import { useNow } from '../components/ui/now';
import { Cell, Row } from '../components/ui/table';
import { TimeAgo } from '../components/ui/time-ago';
import { keyNameOf } from '../components/request/key-name';
import type { FoundVideoJson } from '../../../lib/contract/videos';
import { FavoriteButton } from '../components/video/favorite-button';
import { VideoCost } from '../components/video/video-cost';
import { RequestStatusChip } from '../components/request/request-status-chip';
import { VideoThumb } from '../components/video/video-thumb';
import { paths } from '../paths';
import { elapsed, milliseconds } from '../components/ui/elapsed';

export function VideoRow({ video }: { readonly video: FoundVideoJson }) {
  const nowMs = useNow();
  return (
    <Row>
      <Cell full className="@4xl/table:w-full @4xl/table:max-w-0">
        <div className="flex min-w-0 items-center gap-3">
          <span className="relative z-1 -mx-1.5">
            <FavoriteButton id={video.id} name={video.prompt ?? video.model} favorite={video.favorite} />
          </span>
          <VideoThumb video={video} nowMs={nowMs} />
          <div className="min-w-0">
            {/* The link covers the whole row; interactive elements are above it. */}
            <Link
              href={paths.video(video.id)}
              prefetch={false}
              className="block truncate font-medium after:absolute after:inset-0"
            >
              {video.prompt ?? video.model}
            </Link>
            <div className="flex min-w-0 items-center gap-1 text-xs text-muted">
              <span className="truncate">
                {video.model} <span className="font-mono">· {video.id.slice(0, 14)}…</span>
              </span>
              <span className="relative z-1 -my-2 @max-4xl/table:hidden">
                <CopyButton text={video.id} label={`Copy the id ${video.id}`} />
              </span>
            </div>
            {video.error && (
              <p className="text-xs text-bad @4xl/table:truncate" title={video.error.message}>
                {video.error.message}
              </p>
            )}
          </div>
        </div>
      </Cell>
      <Cell name="Status" className="@4xl/table:w-32">
        <RequestStatusChip status={video.status} />
      </Cell>
      <Cell name="Time taken" align="right" className="whitespace-nowrap text-muted tabular-nums">
        {video.duration_ms === undefined
          ? elapsed(Math.max(0, nowMs / 1000 - video.created_at))
          : milliseconds(video.duration_ms)}
      </Cell>
      <Cell name="Length and size" align="right" className="whitespace-nowrap text-muted tabular-nums">
        {video.duration_seconds ?? video.seconds} s · {video.size.replace('x', ' × ')}
      </Cell>
      <Cell name="Key" className="max-w-40 truncate text-muted @4xl/table:max-w-32">
        <span title={keyNameOf(video.key)}>{keyNameOf(video.key)}</span>
      </Cell>
      <Cell name="Cost" align="right" className="whitespace-nowrap tabular-nums">
        <VideoCost video={video} />
      </Cell>
      <Cell name="Created" align="right" className="text-muted">
        <span className="relative z-1">
          <TimeAgo at={video.created_at} />
        </span>
      </Cell>
    </Row>
  );
}
