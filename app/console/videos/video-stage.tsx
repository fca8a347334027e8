'use client';

import { ExternalLink, Film, LoaderCircle } from 'lucide-react';
import dynamic from 'next/dynamic';
import type { ReactNode } from 'react';
import { buttonClass } from '../components/ui/button-class';
import { useNow } from '../components/ui/now';
import { partOnDemand } from '../components/ui/part-on-demand';
import { TimeAgo } from '../components/ui/time-ago';
import { isExpired, isRunning, videoSource } from '../components/video/shown-video';
import { VideoPlayer } from '../components/video/video-player';
import { elapsed } from '../components/ui/elapsed';
import type { VideoDetails } from '../../../lib/contract/videos';

// Loaded on demand, because it contains the advice for every error.
const FailureNote = partOnDemand(() =>
  dynamic(() => import('../components/request/failure-note').then((module) => module.FailureNote)),
);

/** The video, its progress, or why it is not available. */
export function VideoStage({ video }: { readonly video: VideoDetails }) {
  const nowMs = useNow();
  if (isRunning(video)) {
    return (
      <Frame>
        <LoaderCircle size={22} className="animate-spin text-info" aria-hidden="true" />
        <p className="mt-3 text-base font-medium">
          {video.status === 'queued' ? 'Waiting for the provider' : 'The provider is generating the video'}
        </p>
        <p className="mt-1 text-sm text-muted tabular-nums">
          {elapsed(Math.max(0, nowMs / 1000 - video.created_at))} so far. This page updates automatically.
        </p>
      </Frame>
    );
  }
  if (video.status === 'failed')
    return <FailureNote title={video.error?.message} code={video.error?.code} charged={false} />;
  const source = videoSource(video);
  const hasExpired = isExpired(video, nowMs);
  if (!source || hasExpired) {
    return (
      <Frame>
        <Film size={22} className="text-muted" aria-hidden="true" />
        <p className="mt-3 text-base font-medium">The file has expired</p>
        {video.expires_at !== undefined && (
          <p className="mt-1 text-sm text-muted">
            It was available until <TimeAgo at={video.expires_at} />.
          </p>
        )}
      </Frame>
    );
  }
  // Files of other origins open in a new tab, because the content security policy allows no other origins.
  if (!source.own) {
    return (
      <Frame>
        <Film size={22} className="text-good" aria-hidden="true" />
        <p className="mt-3 mb-4 text-base font-medium">The file is stored at the provider</p>
        <a href={source.href} target="_blank" rel="noreferrer" className={buttonClass({})}>
          <ExternalLink size={14} aria-hidden="true" /> Open at the provider
        </a>
      </Frame>
    );
  }
  return (
    <VideoPlayer source={source.href} size={video.size} label={`Video of ${video.model}`} height="max-h-[60dvh]" />
  );
}

function Frame({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex aspect-video max-h-[40dvh] min-h-52 w-full flex-col items-center justify-center rounded-xl border border-line bg-sunken px-6 text-center">
      {children}
    </div>
  );
}
