'use client';

import { CircleDashed, CircleX, Film, LoaderCircle } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { isExpired, videoSource, type ShownVideo } from './shown-video';

const ART = { queued: CircleDashed, in_progress: LoaderCircle, completed: Film, failed: CircleX } as const;

/** A thumbnail of the video, or an icon of its status. Loads when visible, and only from this origin. */
export function VideoThumb({ video, nowMs }: { readonly video: ShownVideo; readonly nowMs: number }) {
  const [seen, setSeen] = useState(false);
  const [broken, setBroken] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const source = video.status === 'completed' ? videoSource(video) : undefined;
  const isThere = source?.own === true && !broken && !isExpired(video, nowMs);
  useEffect(() => {
    const element = frame.current;
    if (!element || !isThere) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      setSeen(true);
      observer.disconnect();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isThere]);
  const Icon = ART[video.status];
  return (
    <div
      ref={frame}
      aria-hidden="true"
      className="grid h-10 w-17.5 shrink-0 place-items-center overflow-hidden rounded-md border border-line bg-sunken text-muted"
    >
      {isThere && seen ? (
        // Slightly after the start, because the first frame of many videos is black.
        <video
          src={`${source.href}#t=0.4`}
          muted
          playsInline
          preload="metadata"
          tabIndex={-1}
          onError={() => setBroken(true)}
          className="size-full object-cover"
        />
      ) : (
        <Icon size={16} className={video.status === 'in_progress' ? 'animate-spin' : undefined} />
      )}
    </div>
  );
}
