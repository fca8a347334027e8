'use client';

import {
  CircleX,
  Clapperboard,
  Ellipsis,
  ExternalLink,
  Film,
  LoaderCircle,
  Play,
  RotateCcw,
  Shuffle,
  Trash2,
} from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import type { Mode } from '../../../lib/domain/video';
import { buttonClass } from '../components/ui/button';
import { classNames } from '../components/ui/class-names';
import { Menu, type MenuEntry } from '../components/ui/menu';
import { useNow } from '../components/ui/now';
import { relativeTime } from '../components/ui/time-ago';
import { isRunning } from '../components/video/shown-video';
import { paths } from '../paths';
import { isExpired, playableAt, type ShownJob } from './shown-job';
import type { JobActions } from './stage';
import { useElapsedSeconds } from './waiting';
import { clockWords } from './waiting-time';

/** From so many seconds before its end on a file says that it will expire. */
const SOON_SECONDS = 3 * 86_400;

export function GalleryCard({
  job,
  mode,
  mayEdit,
  isSelected,
  actions,
  onSelect,
}: {
  readonly job: ShownJob;
  readonly mode: Mode;
  readonly mayEdit: boolean;
  readonly isSelected: boolean;
  readonly actions: JobActions;
  onSelect(): void;
}) {
  const nowMs = useNow();
  const router = useRouter();
  const entries: MenuEntry[] = [
    ...(mayEdit
      ? [
          { says: 'Remix', icon: Shuffle, onSelect: () => actions.onRemix(job) },
          { says: 'Retry', icon: RotateCcw, onSelect: () => actions.onRetry(job) },
          ...(actions.onUseAsSource && job.status === 'completed'
            ? [{ says: 'Use as the source', icon: Film, onSelect: () => actions.onUseAsSource?.(job) }]
            : []),
          ...(actions.onLastFrame && job.status === 'completed'
            ? [{ says: 'Continue from its last frame', icon: Clapperboard, onSelect: () => actions.onLastFrame?.(job) }]
            : []),
        ]
      : []),
    { says: 'Open the job', icon: ExternalLink, onSelect: () => router.push(paths.job(job.id)) },
    ...(mayEdit && !isRunning(job)
      ? [{ says: 'Delete…', icon: Trash2, tone: 'danger' as const, apart: true, onSelect: () => actions.onDelete(job) }]
      : []),
  ];
  return (
    <li
      data-job={job.id}
      data-status={job.status}
      className={classNames(
        'group relative overflow-hidden rounded-lg border bg-surface transition-colors',
        isSelected ? 'border-accent' : 'border-line hover:border-line-strong',
      )}
    >
      <button
        type="button"
        onClick={onSelect}
        aria-current={isSelected || undefined}
        className="block w-full text-left focus-visible:-outline-offset-2"
      >
        <span className="relative block aspect-video overflow-hidden bg-sunken">
          <Thumbnail job={job} mode={mode} />
          <Badge job={job} nowMs={nowMs} />
        </span>
        <span className="block px-2.5 py-2 pr-9">
          <span className="block truncate text-xs font-medium">{job.prompt ?? job.model}</span>
          <span className="block truncate text-2xs text-muted">
            {job.prompt ? job.model : `${job.seconds} s · ${job.size.replace('x', ' × ')}`}
          </span>
          <span className="block truncate text-2xs text-muted">
            {relativeTime(job.created_at, nowMs)}
            <span className="sr-only">, {job.status.replace('_', ' ')}</span>
          </span>
        </span>
      </button>
      <span className="absolute right-0.5 bottom-1">
        <Menu
          trigger={
            <button
              type="button"
              aria-label={`Actions for ${job.id}`}
              className={buttonClass({ look: 'quiet', size: 'icon' })}
            >
              <Ellipsis size={15} aria-hidden="true" />
            </button>
          }
          entries={entries}
        />
      </span>
    </li>
  );
}

/** The first frame, fetched once the card comes into view; it plays under the pointer. */
function Thumbnail({ job, mode }: { readonly job: ShownJob; readonly mode: Mode }) {
  const place = useRef<HTMLSpanElement>(null);
  const [seen, setSeen] = useState(false);
  const [broken, setBroken] = useState(false);
  const source = playableAt(job, mode);

  useEffect(() => {
    if (!place.current || seen) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true), {
      rootMargin: '200px',
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [seen]);

  const play = (video: HTMLVideoElement) => {
    if (!window.matchMedia('(prefers-reduced-motion: reduce)').matches) void video.play().catch(() => undefined);
  };

  return (
    <span ref={place} className="absolute inset-0 grid place-items-center text-muted">
      {isRunning(job) ? (
        <LoaderCircle size={18} aria-hidden="true" className="animate-spin" />
      ) : job.status === 'failed' ? (
        <CircleX size={18} aria-hidden="true" className="text-bad" />
      ) : seen && source !== undefined && !broken ? (
        <video
          src={source}
          muted
          loop
          playsInline
          preload="metadata"
          tabIndex={-1}
          aria-hidden="true"
          onPointerEnter={(event) => play(event.currentTarget)}
          onPointerLeave={(event) => {
            event.currentTarget.pause();
            event.currentTarget.currentTime = 0;
          }}
          onError={() => setBroken(true)}
          className="size-full object-cover"
        />
      ) : (
        <Play size={18} aria-hidden="true" />
      )}
    </span>
  );
}

function Badge({ job, nowMs }: { readonly job: ShownJob; readonly nowMs: number }) {
  const elapsed = useElapsedSeconds(job.created_at);
  const text = badgeWords(job, nowMs, elapsed);
  return text === undefined ? null : (
    <span className="absolute right-1.5 bottom-1.5 rounded-md bg-ink/80 px-1.5 py-0.5 text-2xs font-medium text-inverse tabular-nums">
      {text}
    </span>
  );
}

function badgeWords(job: ShownJob, nowMs: number, elapsed: number): string | undefined {
  if (isRunning(job)) return clockWords(elapsed);
  if (job.status === 'failed') return 'Not charged';
  if (isExpired(job, nowMs)) return 'Expired';
  const leftSeconds = job.expires_at === undefined ? undefined : job.expires_at - nowMs / 1000;
  if (leftSeconds !== undefined && leftSeconds < SOON_SECONDS)
    return `Expires ${relativeTime(job.expires_at ?? 0, nowMs)}`;
  return `${job.duration_seconds ?? job.seconds} s`;
}
