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
import { buttonClass } from '../components/ui/button-class';
import { classNames } from '../components/ui/class-names';
import { Menu } from '../components/ui/menu';
import type { MenuItem } from '../components/ui/menu-content';
import { useNow } from '../components/ui/now';
import { relativeTime } from '../components/ui/time-ago';
import { FavoriteButton } from '../components/video/favorite-button';
import { isExpired, isRunning } from '../components/video/shown-video';
import { paths } from '../paths';
import { playableAt, type GalleryVideo } from './gallery-video';
import type { VideoActions } from './stage';
import { useElapsedSeconds } from './waiting';
import { clockWords } from './waiting-time';

/** A video that expires within this time shows when. */
const EXPIRY_WARNING_SECONDS = 3 * 86_400;

export function GalleryCard({
  video,
  mode,
  mayEdit,
  isSelected,
  actions,
  onSelect,
  onFavorite,
}: {
  readonly video: GalleryVideo;
  readonly mode: Mode;
  readonly mayEdit: boolean;
  readonly isSelected: boolean;
  readonly actions: VideoActions;
  onSelect(): void;
  onFavorite(favorite: boolean): void;
}) {
  const nowMs = useNow();
  const source = playableAt(video, mode, nowMs);
  const router = useRouter();
  const items: MenuItem[] = [
    ...(mayEdit
      ? [
          { label: 'Remix', icon: Shuffle, onSelect: () => actions.onRemix(video) },
          { label: 'Retry', icon: RotateCcw, onSelect: () => actions.onRetry(video) },
          ...(actions.onUseAsSource && source !== undefined
            ? [{ label: 'Use as source', icon: Film, onSelect: () => actions.onUseAsSource?.(video) }]
            : []),
          ...(actions.onLastFrame && source !== undefined
            ? [
                {
                  label: 'Continue from last frame',
                  icon: Clapperboard,
                  onSelect: () => actions.onLastFrame?.(video),
                },
              ]
            : []),
        ]
      : []),
    { label: 'Open video page', icon: ExternalLink, onSelect: () => router.push(paths.video(video.id)) },
    ...(mayEdit && !isRunning(video)
      ? [
          {
            label: 'Delete…',
            icon: Trash2,
            tone: 'danger' as const,
            separatorAbove: true,
            onSelect: () => actions.onDelete(video),
          },
        ]
      : []),
  ];
  return (
    <li
      data-video={video.id}
      data-status={video.status}
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
          <Thumbnail video={video} source={source} />
          <Badge video={video} nowMs={nowMs} />
        </span>
        <span className="block px-2.5 py-2 pr-9">
          <span className="block truncate text-xs font-medium">{video.prompt ?? video.model}</span>
          <span className="block truncate text-2xs text-muted">
            {video.prompt ? video.model : `${video.seconds} s · ${video.size.replace('x', ' × ')}`}
          </span>
          <span className="block truncate text-2xs text-muted">
            {relativeTime(video.created_at, nowMs)}
            <span className="sr-only">, {video.status.replace('_', ' ')}</span>
          </span>
        </span>
      </button>
      <span className="absolute top-1 right-1 rounded-lg bg-surface/85">
        <FavoriteButton
          id={video.id}
          name={video.prompt ?? video.id}
          favorite={video.favorite ?? false}
          onChanged={onFavorite}
        />
      </span>
      <span className="absolute right-0.5 bottom-1">
        <Menu
          trigger={
            <button
              type="button"
              aria-label={`Actions for ${video.id}`}
              className={buttonClass({ variant: 'quiet', size: 'icon' })}
            >
              <Ellipsis size={15} aria-hidden="true" />
            </button>
          }
          items={items}
        />
      </span>
    </li>
  );
}

/** The first frame, loaded when the card becomes visible. Plays on hover. */
function Thumbnail({ video, source }: { readonly video: GalleryVideo; readonly source: string | undefined }) {
  const place = useRef<HTMLSpanElement>(null);
  const [seen, setSeen] = useState(false);
  const [broken, setBroken] = useState(false);

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
      {isRunning(video) ? (
        <LoaderCircle size={18} aria-hidden="true" className="animate-spin" />
      ) : video.status === 'failed' ? (
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

function Badge({ video, nowMs }: { readonly video: GalleryVideo; readonly nowMs: number }) {
  const elapsed = useElapsedSeconds(video.created_at);
  const text = badgeWords(video, nowMs, elapsed);
  return text === undefined ? null : (
    <span className="absolute right-1.5 bottom-1.5 rounded-md bg-ink/80 px-1.5 py-0.5 text-2xs font-medium text-inverse tabular-nums">
      {text}
    </span>
  );
}

function badgeWords(video: GalleryVideo, nowMs: number, elapsed: number): string | undefined {
  if (isRunning(video)) return clockWords(elapsed);
  if (video.status === 'failed') return 'Not charged';
  if (isExpired(video, nowMs)) return 'Expired';
  const leftSeconds = video.expires_at === undefined ? undefined : video.expires_at - nowMs / 1000;
  if (leftSeconds !== undefined && leftSeconds < EXPIRY_WARNING_SECONDS)
    return `Expires ${relativeTime(video.expires_at ?? 0, nowMs)}`;
  return `${video.duration_seconds ?? video.seconds} s`;
}
