'use client';

import { useState } from 'react';
import type { CodeValue } from '../components/code/code-request';
import { CostBreakdown } from '../components/request/cost-breakdown';
import { RequestColumns, RequestHead } from '../components/request/request-head';
import { useDetails } from '../components/request/use-details';
import { Fact, Facts, Id } from '../components/ui/facts';
import { FormError } from '../components/ui/field';
import { Panel } from '../components/ui/panel';
import { StaleError } from '../components/shell/request-error';
import { TimeAgo } from '../components/ui/time-ago';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import { VideoActions } from './video-actions';
import { VideoAttempts } from './video-attempts';
import { RequestCode } from './request-code';
import { VideoRequest } from './video-request';
import { VideoStage } from './video-stage';
import { VideoTimeline } from './video-timeline';
import { VideoWebhooks } from './video-webhooks';
import { isMoving } from './video-details';
import type { VideoDetails } from '../../../lib/contract/videos';

/** One video with all details, refreshed while the video changes. */
export function VideoView({
  video: initial,
  baseUrl,
  mayEdit,
}: {
  readonly video: VideoDetails;
  readonly baseUrl: string;
  readonly mayEdit: boolean;
}) {
  const { details: video, error, refresh } = useDetails(apiPaths.video(initial.id), initial, isMoving);
  const [actionError, setActionError] = useState<string>();
  const request = requestOf(video);

  return (
    <>
      <RequestHead
        list={{ title: 'Videos', path: paths.videos({ mode: video.mode }) }}
        id={video.id}
        request={video}
        actions={<VideoActions video={video} mayEdit={mayEdit} onChanged={refresh} onError={setActionError} />}
      >
        {typeof request?.prompt === 'string' && (
          <p className="mt-1 line-clamp-2 max-w-2xl text-sm break-words">{request.prompt}</p>
        )}
      </RequestHead>
      <div className="mb-4 flex flex-col gap-4 empty:hidden">
        {actionError && <FormError>{actionError}</FormError>}
        <StaleError error={error} onRetry={() => void refresh()} />
      </div>

      <RequestColumns
        main={
          <>
            <VideoStage video={video} />
            <VideoFacts video={video} />
          </>
        }
        side={
          <>
            <Panel title="Cost">
              <CostBreakdown
                quoted={video.price.quoted.total}
                held={video.price.held}
                charged={video.price.charged}
                calculation={video.price.quoted}
                ledger={video.price.ledger}
                ledgerPath={paths.ledger({ mode: video.mode, subject: video.id })}
              />
            </Panel>
            <Panel title="Timeline" description="Times are UTC.">
              <VideoTimeline video={video} />
            </Panel>
            <Panel title="Attempts">
              <VideoAttempts video={video} />
            </Panel>
            <Panel title="Webhook">
              <VideoWebhooks
                deliveries={video.webhook_deliveries}
                hasWebhook={request?.webhook !== undefined}
                {...(mayEdit ? { onResent: refresh } : {})}
              />
            </Panel>
          </>
        }
        rest={
          <>
            <Panel title="Request" description="Crossed-out fields were ignored; + marks defaults we filled in.">
              <VideoRequest video={video} />
            </Panel>
            {request && (
              <Panel title="Repeat from code" description="The same request, against this installation.">
                <RequestCode
                  request={{ baseUrl, method: 'POST', path: '/v1/videos', body: request, mode: video.mode }}
                />
              </Panel>
            )}
          </>
        }
      />
    </>
  );
}

function VideoFacts({ video }: { readonly video: VideoDetails }) {
  const [width, height] = video.size.split('x');
  return (
    <Facts>
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
    </Facts>
  );
}

function requestOf({ request }: VideoDetails): Readonly<Record<string, CodeValue>> | undefined {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return undefined;
  // Safe: an object, not an array; every JSON value is a CodeValue.
  return request as Readonly<Record<string, CodeValue>>;
}
