'use client';

import { Ban, Clapperboard, CircleX, Download, Film, RotateCcw, Shuffle, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useState, type ReactNode } from 'react';
import type { Mode } from '../../../lib/domain/video';
import { Button } from '../components/ui/button';
import { buttonClass } from '../components/ui/button-class';
import { Chip } from '../components/ui/chip';
import { CopyButton } from '../components/ui/copy-button';
import { milliseconds } from '../components/ui/elapsed';
import { usdFromNumber } from '../components/ui/money';
import { useNow } from '../components/ui/now';
import { TimeAgo } from '../components/ui/time-ago';
import { failureAdvice } from '../components/request/failure-advice';
import { isRunning } from '../components/video/shown-video';
import { paths } from '../paths';
import { Player } from './player';
import { pixelsOf, playableAt, type GalleryVideo } from './gallery-video';
import { RequestStatusChip } from '../components/request/request-status-chip';
import { Waiting } from './waiting';
import { usualTime, usualWords } from './waiting-time';

export interface VideoActions {
  onRetry(video: GalleryVideo): void;
  onRemix(video: GalleryVideo): void;
  onCancel(video: GalleryVideo): Promise<void>;
  onDelete(video: GalleryVideo): void;
  onLastFrame?: ((video: GalleryVideo) => void) | undefined;
  /** Present only if the model of the form edits videos. */
  onUseAsSource?: ((video: GalleryVideo) => void) | undefined;
}

/** The selected video: in progress, completed or failed. */
export function Stage({
  video,
  modelName,
  videos,
  mode,
  mayEdit,
  actions,
}: {
  readonly video: GalleryVideo;
  readonly modelName: string;
  readonly videos: readonly GalleryVideo[];
  readonly mode: Mode;
  readonly mayEdit: boolean;
  readonly actions: VideoActions;
}) {
  return (
    <article
      aria-label={`Video ${video.id}`}
      data-testid="stage"
      data-status={video.status}
      className="flex flex-col gap-4"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <RequestStatusChip status={video.status} />
        <span className="text-sm font-medium">{modelName}</span>
        <span className="text-xs text-muted">
          <TimeAgo at={video.created_at} />
        </span>
        <span className="ml-auto flex min-w-0 items-center text-xs text-muted">
          <code className="max-w-32 truncate font-mono" title={video.id}>
            {video.id}
          </code>
          <CopyButton text={video.id} label="Copy the id" />
        </span>
      </header>
      {isRunning(video) ? (
        <Running video={video} videos={videos} mode={mode} mayEdit={mayEdit} actions={actions} />
      ) : video.status === 'completed' ? (
        <Completed video={video} mode={mode} mayEdit={mayEdit} actions={actions} />
      ) : (
        <Failed video={video} mayEdit={mayEdit} actions={actions} />
      )}
      {video.prompt && (
        <p className="max-h-24 overflow-y-auto text-sm whitespace-pre-wrap text-muted" data-testid="stage-prompt">
          {video.prompt}
        </p>
      )}
      <p className="text-sm">
        <Link href={paths.video(video.id)} prefetch={false} className="text-accent underline-offset-4 hover:underline">
          Details of this video
        </Link>
      </p>
    </article>
  );
}

function Running({
  video,
  videos,
  mode,
  mayEdit,
  actions,
}: {
  readonly video: GalleryVideo;
  readonly videos: readonly GalleryVideo[];
  readonly mode: Mode;
  readonly mayEdit: boolean;
  readonly actions: VideoActions;
}) {
  const [busy, setBusy] = useState(false);
  const [width, height] = pixelsOf(video);
  return (
    <>
      <Waiting
        startedAt={video.created_at}
        width={width}
        height={height}
        description={usualWords(usualTime(videos, video.model), mode === 'test' || video.model.startsWith('sandbox-'))}
        word={video.status === 'queued' ? 'Queued' : 'Generating'}
      />
      <div className="flex flex-wrap items-center justify-between gap-3 text-sm text-muted">
        <span>{usdFromNumber(video.cost)} held. You can leave this page; the video continues.</span>
        {mayEdit && (
          <Button
            size="small"
            busy={busy}
            onClick={() => {
              setBusy(true);
              void actions.onCancel(video).finally(() => setBusy(false));
            }}
          >
            {!busy && <Ban size={13} aria-hidden="true" />} Cancel
          </Button>
        )}
      </div>
    </>
  );
}

function Completed({
  video,
  mode,
  mayEdit,
  actions,
}: {
  readonly video: GalleryVideo;
  readonly mode: Mode;
  readonly mayEdit: boolean;
  readonly actions: VideoActions;
}) {
  const [broken, setBroken] = useState<string>();
  const [width, height] = pixelsOf(video);
  const nowMs = useNow();
  const source = playableAt(video, mode, nowMs);
  return (
    <>
      {source === undefined || broken === video.id ? (
        <div
          role="alert"
          className="grid place-items-center rounded-xl border border-line bg-sunken px-6 py-16 text-center text-sm text-muted"
        >
          <Film size={22} aria-hidden="true" className="mb-2" />
          {source === undefined
            ? `The file has expired and was deleted.${mayEdit ? ' Retry makes the video again.' : ''}`
            : 'The file can no longer be played. It may have expired at the provider.'}
        </div>
      ) : (
        <Player
          key={video.id}
          source={source}
          title={`${video.model}, ${video.seconds} seconds`}
          width={width}
          height={height}
          fps={video.fps ?? 24}
          onBroken={() => setBroken(video.id)}
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        {source !== undefined && (
          <a href={source} download={`${video.id}.mp4`} className={buttonClass({ variant: 'primary' })}>
            <Download size={15} aria-hidden="true" /> Download
          </a>
        )}
        {mayEdit && (
          <>
            <Button onClick={() => actions.onRemix(video)}>
              <Shuffle size={14} aria-hidden="true" /> Remix
            </Button>
            <Button onClick={() => actions.onRetry(video)}>
              <RotateCcw size={14} aria-hidden="true" /> Retry
            </Button>
          </>
        )}
        <span className="ml-auto flex">
          {source !== undefined && video.video_url && <CopyButton text={video.video_url} label="Copy file URL" />}
          {mayEdit && source !== undefined && actions.onLastFrame && (
            <Button
              variant="quiet"
              size="icon"
              aria-label="Continue from last frame"
              title="Use the last frame as the first frame of the next video"
              onClick={() => actions.onLastFrame?.(video)}
            >
              <Clapperboard size={15} aria-hidden="true" />
            </Button>
          )}
          {mayEdit && <DeleteButton onDelete={() => actions.onDelete(video)} />}
        </span>
      </div>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(6.5rem,1fr))] gap-x-5 gap-y-3 border-t border-line pt-4 text-sm">
        <Fact name="Length">{video.duration_seconds ?? video.seconds} s</Fact>
        <Fact name="Size">
          {width} × {height}
        </Fact>
        {video.fps !== undefined && <Fact name="Frame rate">{video.fps} fps</Fact>}
        <Fact name="Charged">{usdFromNumber(video.cost)}</Fact>
        {video.duration_ms !== undefined && <Fact name="Time taken">{milliseconds(video.duration_ms)}</Fact>}
        {video.provider && <Fact name="Provider">{video.provider}</Fact>}
        {video.expires_at !== undefined && (
          <Fact name="File expires">
            <TimeAgo at={video.expires_at} />
          </Fact>
        )}
      </dl>
    </>
  );
}

function Failed({
  video,
  mayEdit,
  actions,
}: {
  readonly video: GalleryVideo;
  readonly mayEdit: boolean;
  readonly actions: VideoActions;
}) {
  const advice = failureAdvice(video.error?.code);
  return (
    <section aria-label="Error" className="flex flex-col gap-4 rounded-xl border border-bad/25 bg-bad/5 p-5">
      <div className="flex items-start gap-3">
        <CircleX size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-bad" />
        <div className="min-w-0">
          <p className="text-base font-medium">{video.error?.message ?? 'The video could not be generated.'}</p>
          {advice && <p className="mt-1 text-sm text-muted">{advice}</p>}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Chip tone="good" icon={Ban}>
          Not charged
        </Chip>
        {video.error?.code && <code className="font-mono text-xs text-muted">{video.error.code}</code>}
        {mayEdit && (
          <span className="flex flex-wrap gap-2 sm:ml-auto">
            <Button size="small" onClick={() => actions.onRemix(video)}>
              <Shuffle size={13} aria-hidden="true" /> Edit request
            </Button>
            <Button size="small" onClick={() => actions.onRetry(video)}>
              <RotateCcw size={13} aria-hidden="true" /> Try again
            </Button>
            <DeleteButton onDelete={() => actions.onDelete(video)} />
          </span>
        )}
      </div>
    </section>
  );
}

function DeleteButton({ onDelete }: { readonly onDelete: () => void }) {
  return (
    <Button variant="quiet" size="icon" aria-label="Delete this video" title="Delete" onClick={onDelete}>
      <Trash2 size={15} aria-hidden="true" />
    </Button>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}
