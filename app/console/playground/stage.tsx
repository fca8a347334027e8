'use client';

import { Ban, Clapperboard, CircleX, Download, Film, RotateCcw, Shuffle, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useState, type ReactNode } from 'react';
import type { Mode } from '../../../lib/domain/video';
import { Button, buttonClass } from '../components/ui/button';
import { Chip } from '../components/ui/chip';
import { CopyButton } from '../components/ui/copy-button';
import { usdFromNumber } from '../components/ui/money';
import { TimeAgo } from '../components/ui/time-ago';
import { isRunning } from '../components/video/shown-video';
import { paths } from '../paths';
import { failureAdvice } from './failure-advice';
import { Player } from './player';
import { pixelsOfJob, playableAt, type ShownJob } from './shown-job';
import { VideoStatusChip } from '../components/video/video-status-chip';
import { Waiting } from './waiting';
import { usualTime, usualWords } from './waiting-time';

export interface JobActions {
  onRetry(job: ShownJob): void;
  onRemix(job: ShownJob): void;
  onCancel(job: ShownJob): Promise<void>;
  onDelete(job: ShownJob): void;
  onLastFrame?: ((job: ShownJob) => void) | undefined;
  /** Where the model of the form edits a video. */
  onUseAsSource?: ((job: ShownJob) => void) | undefined;
}

/** The job that is looked at: while it is made, when it is there, when it failed. */
export function Stage({
  job,
  modelName,
  jobs,
  mode,
  mayEdit,
  actions,
}: {
  readonly job: ShownJob;
  readonly modelName: string;
  readonly jobs: readonly ShownJob[];
  readonly mode: Mode;
  readonly mayEdit: boolean;
  readonly actions: JobActions;
}) {
  return (
    <article
      aria-label={`Video ${job.id}`}
      data-testid="stage"
      data-status={job.status}
      className="flex flex-col gap-4"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <VideoStatusChip status={job.status} />
        <span className="text-sm font-medium">{modelName}</span>
        <span className="text-xs text-muted">
          <TimeAgo at={job.created_at} />
        </span>
        <span className="ml-auto flex min-w-0 items-center text-xs text-muted">
          <code className="max-w-32 truncate font-mono" title={job.id}>
            {job.id}
          </code>
          <CopyButton text={job.id} label="Copy the id" />
        </span>
      </header>
      {isRunning(job) ? (
        <Running job={job} jobs={jobs} mode={mode} mayEdit={mayEdit} actions={actions} />
      ) : job.status === 'completed' ? (
        <Completed job={job} mode={mode} mayEdit={mayEdit} actions={actions} />
      ) : (
        <Failed job={job} mayEdit={mayEdit} actions={actions} />
      )}
      {job.prompt && (
        <p className="max-h-24 overflow-y-auto text-sm whitespace-pre-wrap text-muted" data-testid="stage-prompt">
          {job.prompt}
        </p>
      )}
      <p className="text-sm">
        <Link href={paths.job(job.id)} prefetch={false} className="text-accent underline-offset-4 hover:underline">
          Everything about this job
        </Link>
      </p>
    </article>
  );
}

function Running({
  job,
  jobs,
  mode,
  mayEdit,
  actions,
}: {
  readonly job: ShownJob;
  readonly jobs: readonly ShownJob[];
  readonly mode: Mode;
  readonly mayEdit: boolean;
  readonly actions: JobActions;
}) {
  const [busy, setBusy] = useState(false);
  const [width, height] = pixelsOfJob(job);
  return (
    <>
      <Waiting
        startedAt={job.created_at}
        width={width}
        height={height}
        says={usualWords(usualTime(jobs, job.model), mode === 'test' || job.model.startsWith('sandbox-'))}
        word={job.status === 'queued' ? 'Queued' : 'Being made'}
      />
      <div className="flex flex-wrap items-center justify-between gap-3 text-sm text-muted">
        <span>{usdFromNumber(job.cost)} held. You may leave or close this page: the video is made all the same.</span>
        {mayEdit && (
          <Button
            size="small"
            busy={busy}
            onClick={() => {
              setBusy(true);
              void actions.onCancel(job).finally(() => setBusy(false));
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
  job,
  mode,
  mayEdit,
  actions,
}: {
  readonly job: ShownJob;
  readonly mode: Mode;
  readonly mayEdit: boolean;
  readonly actions: JobActions;
}) {
  const [broken, setBroken] = useState<string>();
  const [width, height] = pixelsOfJob(job);
  const source = playableAt(job, mode);
  return (
    <>
      {source === undefined || broken === job.id ? (
        <div
          role="alert"
          className="grid place-items-center rounded-xl border border-line bg-sunken px-6 py-16 text-center text-sm text-muted"
        >
          <Film size={22} aria-hidden="true" className="mb-2" />
          The file cannot be played any more. It may have expired at the provider.
        </div>
      ) : (
        <Player
          key={job.id}
          source={source}
          title={`${job.model}, ${job.seconds} seconds`}
          width={width}
          height={height}
          fps={job.fps ?? 24}
          onBroken={() => setBroken(job.id)}
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        {source !== undefined && (
          <a href={source} download={`${job.id}.mp4`} className={buttonClass({ look: 'primary' })}>
            <Download size={15} aria-hidden="true" /> Download
          </a>
        )}
        {mayEdit && (
          <>
            <Button onClick={() => actions.onRemix(job)}>
              <Shuffle size={14} aria-hidden="true" /> Remix
            </Button>
            <Button onClick={() => actions.onRetry(job)}>
              <RotateCcw size={14} aria-hidden="true" /> Retry
            </Button>
          </>
        )}
        <span className="ml-auto flex">
          {job.video_url && <CopyButton text={job.video_url} label="Copy the address of the file" />}
          {mayEdit && actions.onLastFrame && (
            <Button
              look="quiet"
              size="icon"
              aria-label="Continue from the last frame"
              title="Continue: the last frame becomes the first of the next video"
              onClick={() => actions.onLastFrame?.(job)}
            >
              <Clapperboard size={15} aria-hidden="true" />
            </Button>
          )}
          {mayEdit && (
            <Button
              look="quiet"
              size="icon"
              aria-label="Delete this video"
              title="Delete"
              onClick={() => actions.onDelete(job)}
            >
              <Trash2 size={15} aria-hidden="true" />
            </Button>
          )}
        </span>
      </div>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(6.5rem,1fr))] gap-x-5 gap-y-3 border-t border-line pt-4 text-sm">
        <Fact name="Length">{job.duration_seconds ?? job.seconds} s</Fact>
        <Fact name="Size">
          {width} × {height}
        </Fact>
        {job.fps !== undefined && <Fact name="Frame rate">{job.fps} fps</Fact>}
        <Fact name="Charged">{usdFromNumber(job.cost)}</Fact>
        {job.completed_at !== undefined && <Fact name="Took">{Math.max(1, job.completed_at - job.created_at)} s</Fact>}
        {job.provider && <Fact name="Provider">{job.provider}</Fact>}
        {job.expires_at !== undefined && (
          <Fact name="File expires">
            <TimeAgo at={job.expires_at} />
          </Fact>
        )}
      </dl>
    </>
  );
}

function Failed({
  job,
  mayEdit,
  actions,
}: {
  readonly job: ShownJob;
  readonly mayEdit: boolean;
  readonly actions: JobActions;
}) {
  const advice = failureAdvice(job, true);
  return (
    <section aria-label="What went wrong" className="flex flex-col gap-4 rounded-xl border border-bad/25 bg-bad/5 p-5">
      <div className="flex items-start gap-3">
        <CircleX size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-bad" />
        <div className="min-w-0">
          <p className="text-base font-medium">{job.error?.message ?? 'The video could not be made.'}</p>
          {advice && <p className="mt-1 text-sm text-muted">{advice}</p>}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Chip tone="good" icon={Ban}>
          Not charged
        </Chip>
        {job.error?.code && <code className="font-mono text-xs text-muted">{job.error.code}</code>}
        {mayEdit && (
          <span className="flex flex-wrap gap-2 sm:ml-auto">
            <Button size="small" onClick={() => actions.onRemix(job)}>
              <Shuffle size={13} aria-hidden="true" /> Change it
            </Button>
            <Button size="small" onClick={() => actions.onRetry(job)}>
              <RotateCcw size={13} aria-hidden="true" /> Try again
            </Button>
            <Button
              look="quiet"
              size="icon"
              aria-label="Delete this video"
              title="Delete"
              onClick={() => actions.onDelete(job)}
            >
              <Trash2 size={14} aria-hidden="true" />
            </Button>
          </span>
        )}
      </div>
    </section>
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
