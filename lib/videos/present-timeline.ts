import type { videoAttempts } from '../db/schema/index';
import { exactSeconds } from '../domain/clock';
import type { TimelineEvent } from '../contract/videos';
import type { VideoRow } from '../db/videos';
import type { DeliveryJson } from '../contract/webhooks';

// The events of a video, in chronological order. Every event comes from data stored when it happened.

export type AttemptRow = typeof videoAttempts.$inferSelect;

export function presentTimeline(
  row: VideoRow,
  attempts: readonly AttemptRow[],
  deliveries: readonly DeliveryJson[],
): TimelineEvent[] {
  const events: TimelineEvent[] = [
    { event: 'accepted', at: exactSeconds(row.createdAt), request_id: row.requestId },
    ...attempts.flatMap(attemptEvents),
    ...(row.startedAt && row.provider !== null
      ? [
          {
            event: 'started',
            at: exactSeconds(row.startedAt),
            provider: row.provider,
            ...(row.providerJobId === null ? {} : { provider_job_id: row.providerJobId }),
          } as const,
        ]
      : []),
    ...(row.inProgressAt ? [{ event: 'in_progress', at: exactSeconds(row.inProgressAt) } as const] : []),
    ...(row.checkedAt ? [{ event: 'checked', at: exactSeconds(row.checkedAt), count: row.checks } as const] : []),
    ...endOf(row),
    ...deliveries.flatMap((delivery) =>
      delivery.attempts.map(({ attempt, at, status, error }) => ({
        event: 'webhook' as const,
        // Stored in whole seconds; a webhook is never sent before the video is finished.
        at: Math.max(at, row.completedAt ? exactSeconds(row.completedAt) : 0),
        delivery_id: delivery.id,
        attempt,
        delivered: status !== undefined && status >= 200 && status < 300,
        ...(status === undefined ? {} : { status }),
        ...(error === undefined ? {} : { error }),
      })),
    ),
  ];
  // The sort is stable: events at the same instant keep the order above.
  return events.sort((a, b) => a.at - b.at);
}

function attemptEvents(attempt: AttemptRow): TimelineEvent[] {
  const { provider, upstreamModel, outcome, code } = attempt;
  const isAsked = outcome === 'accepted' || outcome === 'unknown';
  // Attempts of earlier versions have no time of submission of their own.
  const submittedAt = attempt.submittedAt ?? (isAsked ? attempt.startedAt : null);
  const submitted = submittedAt
    ? [
        {
          event: 'submitted',
          at: exactSeconds(submittedAt),
          attempt: attempt.attempt,
          provider,
          upstream_model: upstreamModel,
        } as const,
      ]
    : [];
  if (outcome !== 'refused' && outcome !== 'failed') return submitted;
  return [
    ...submitted,
    {
      event: 'refused',
      at: exactSeconds(attempt.endedAt ?? attempt.startedAt),
      attempt: attempt.attempt,
      provider,
      ...(code === null ? {} : { code }),
    },
  ];
}

function endOf(row: VideoRow): TimelineEvent[] {
  if (!row.completedAt) return [];
  const at = exactSeconds(row.completedAt);
  return row.status === 'completed'
    ? [{ event: 'completed', at }]
    : [{ event: 'failed', at, code: row.errorCode ?? 'generation_failed', message: row.errorMessage ?? '' }];
}
