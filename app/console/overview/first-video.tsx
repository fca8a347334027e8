'use client';

import { ArrowRight, LoaderCircle } from 'lucide-react';
import { NavLink } from '../components/shell/page-transition';
import { Button } from '../components/ui/button';
import { buttonClass } from '../components/ui/button-class';
import { VideoCost } from '../components/video/video-cost';
import { VideoPlayer } from '../components/video/video-player';
import { RequestStatusChip } from '../components/request/request-status-chip';
import { isRunning, videoSource, type ShownVideo } from '../components/video/shown-video';
import { paths } from '../paths';

/** The first video: in progress, playable, or failed. */
export function FirstVideo({ video, onDone }: { readonly video: ShownVideo; onDone(): void }) {
  const source = videoSource(video);
  return (
    <div className="flex flex-col gap-4">
      {video.status === 'completed' && source?.own ? (
        <VideoPlayer source={source.href} size={video.size} label="Your first video" height="max-h-80" />
      ) : (
        <div className="grid aspect-video max-h-80 w-full place-items-center rounded-lg border border-line bg-sunken px-6 text-center text-sm text-muted">
          {isRunning(video) ? (
            <span className="flex items-center gap-2">
              <LoaderCircle size={16} aria-hidden="true" className="animate-spin" /> Rendering on this machine…
            </span>
          ) : (
            (video.error?.message ?? 'The provider stores this video.')
          )}
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex items-center gap-3 text-sm">
          <RequestStatusChip status={video.status} />
          <span className="tabular-nums">
            <VideoCost video={video} />
          </span>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <NavLink href={paths.video(video.id)} title={video.model} className={buttonClass({ size: 'small' })}>
            View details
          </NavLink>
          {isRunning(video) ? null : (
            <>
              <Button size="small" onClick={onDone}>
                Done
              </Button>
              <NavLink
                href={paths.playground()}
                title="Playground"
                className={buttonClass({ variant: 'primary', size: 'small' })}
              >
                Try the playground <ArrowRight size={13} aria-hidden="true" />
              </NavLink>
            </>
          )}
        </div>
      </div>
    </div>
  );
}
