'use client';

import { ChevronRight } from 'lucide-react';
import Link from 'next/link';
import { useState, type ReactNode } from 'react';
import useSWR from 'swr';
import type { CodeValue } from '../components/code/code-request';
import { Card } from '../components/ui/card';
import { Chip } from '../components/ui/chip';
import { CopyButton } from '../components/ui/copy-button';
import { FormError } from '../components/ui/field';
import { StaleError } from '../components/shell/request-error';
import { TimeAgo } from '../components/ui/time-ago';
import { keyNameOf } from '../components/video/shown-video';
import { VideoStatusChip } from '../components/video/video-status-chip';
import { ask } from '../console-api';
import { apiPaths, paths } from '../paths';
import { VideoActions } from './video-actions';
import { VideoAttempts } from './video-attempts';
import { RequestCode } from './request-code';
import { CostBreakdown } from './cost-breakdown';
import { VideoRequest } from './video-request';
import { VideoStage } from './video-stage';
import { VideoTimeline } from './video-timeline';
import { VideoWebhooks } from './video-webhooks';
import { isMoving } from './video-details';
import type { VideoDetails } from '../../../lib/contract/videos';

const FAST_REFRESH_INTERVAL_MS = 1_000;
const SLOW_REFRESH_INTERVAL_MS = 15_000;

/** One video with all details. Refreshes while the video changes. */
export function VideoView({
  video: initial,
  baseUrl,
  mayEdit,
}: {
  readonly video: VideoDetails;
  readonly baseUrl: string;
  readonly mayEdit: boolean;
}) {
  const { data, error, mutate } = useSWR<VideoDetails, unknown>(
    apiPaths.video(initial.id),
    (path: string) => ask(path),
    {
      fallbackData: initial,
      refreshInterval: (latest) => (isMoving(latest ?? initial) ? FAST_REFRESH_INTERVAL_MS : SLOW_REFRESH_INTERVAL_MS),
    },
  );
  const [actionError, setActionError] = useState<string>();
  const video = data ?? initial;
  const asked = requestOf(video);

  return (
    <>
      <nav aria-label="Breadcrumb" className="mb-3 flex min-w-0 items-center gap-1 text-sm text-muted">
        <Link href={paths.videos({ mode: video.mode })} prefetch={false} className="rounded hover:text-ink">
          Videos
        </Link>
        <ChevronRight size={13} aria-hidden="true" />
        <span className="truncate font-mono text-xs">{video.id}</span>
      </nav>
      <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <h1 className="text-xl font-semibold tracking-[-0.02em] break-words">{video.model}</h1>
            <span aria-live="polite" className="inline-flex gap-1.5">
              <VideoStatusChip status={video.status} />
              <Chip tone={video.mode === 'test' ? 'accent' : 'neutral'}>{video.mode}</Chip>
            </span>
          </div>
          {typeof asked?.prompt === 'string' && (
            <p className="mt-1 line-clamp-2 max-w-2xl text-sm break-words">{asked.prompt}</p>
          )}
          <p className="mt-1 text-sm text-muted">
            <TimeAgo at={video.created_at} /> by {keyNameOf(video.key)}
          </p>
        </div>
        <VideoActions video={video} mayEdit={mayEdit} onChanged={() => mutate()} onError={setActionError} />
      </header>
      <div className="mb-4 flex flex-col gap-4 empty:hidden">
        {actionError && <FormError>{actionError}</FormError>}
        <StaleError error={error} onRetry={() => void mutate()} />
      </div>

      {/* On narrow screens cost and timeline come before the request. */}
      <div className="@container">
        <div className="grid items-start gap-5 @4xl:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)] @4xl:grid-rows-[auto_1fr]">
          <div className="flex min-w-0 flex-col gap-5">
            <VideoStage video={video} />
            <Facts video={video} />
          </div>
          <div className="flex min-w-0 flex-col gap-5 @4xl:col-start-2 @4xl:row-span-2 @4xl:row-start-1">
            <Part title="Cost">
              <CostBreakdown price={video.price} />
            </Part>
            <Part title="Timeline" description="Times are UTC.">
              <VideoTimeline video={video} />
            </Part>
            <Part title="Attempts">
              <VideoAttempts video={video} />
            </Part>
            <Part title="Webhook">
              <VideoWebhooks
                deliveries={video.webhook_deliveries}
                asked={asked?.webhook !== undefined}
                {...(mayEdit ? { onResent: () => mutate() } : {})}
              />
            </Part>
          </div>
          <div className="flex min-w-0 flex-col gap-5">
            <Part title="Request" description="Crossed-out fields were ignored; + marks defaults we filled in.">
              <VideoRequest video={video} />
            </Part>
            {asked && (
              <Part title="Repeat from code" description="The same request, against this installation.">
                <RequestCode request={{ baseUrl, method: 'POST', path: '/v1/videos', body: asked, mode: video.mode }} />
              </Part>
            )}
          </div>
        </div>
      </div>
    </>
  );
}

function Facts({ video }: { readonly video: VideoDetails }) {
  const [width, height] = video.size.split('x');
  return (
    <Card className="p-4 sm:px-5">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-4">
        <Fact name="Length">{video.duration_seconds ?? video.seconds} s</Fact>
        <Fact name="Size">
          {width} × {height}
          {video.fps !== undefined && <span className="text-muted"> · {video.fps} fps</span>}
        </Fact>
        <Fact name="Provider">
          {video.attempts.at(-1)?.provider ?? <span className="text-muted">Not chosen yet</span>}
        </Fact>
        <Fact name="File expires">
          {video.expires_at === undefined ? <span className="text-muted">–</span> : <TimeAgo at={video.expires_at} />}
        </Fact>
        <Fact name="Video id" wide>
          <Id id={video.id} label="Copy the video id" isPages />
        </Fact>
        <Fact name="Request id" wide>
          <Id id={video.request_id} label="Copy the request id" />
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({
  name,
  wide = false,
  children,
}: {
  readonly name: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={wide ? 'col-span-2 min-w-0' : 'min-w-0'}>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}

/** `isPages` marks the id that the shortcut C copies. */
function Id({
  id,
  label,
  isPages = false,
}: {
  readonly id: string;
  readonly label: string;
  readonly isPages?: boolean;
}) {
  return (
    <span className="-my-1 flex min-w-0 items-center gap-1">
      <code className="truncate font-mono text-2xs" {...(isPages ? { 'data-copy-id': id } : {})}>
        {id}
      </code>
      <CopyButton text={id} label={label} />
    </span>
  );
}

function Part({
  title,
  description,
  children,
}: {
  readonly title: string;
  readonly description?: string;
  readonly children: ReactNode;
}) {
  const id = `part-${title.toLowerCase().replaceAll(' ', '-')}`;
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-xl border border-line bg-surface p-4 sm:p-5">
      <h2 id={id} className="text-sm font-semibold">
        {title}
      </h2>
      {description && <p className="text-xs text-muted">{description}</p>}
      <div className="mt-3.5">{children}</div>
    </section>
  );
}

function requestOf({ request }: VideoDetails): Readonly<Record<string, CodeValue>> | undefined {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return undefined;
  // Safe: an object, not an array; every JSON value is a CodeValue.
  return request as Readonly<Record<string, CodeValue>>;
}
