'use client';

import { useEffect, useRef, useState } from 'react';
import useSWR from 'swr';
import type { KeyJson, KeyListJson } from '../../../lib/contract/keys';
import type { AlertListJson } from '../../../lib/contract/alerts';
import type { CreditsJson } from '../../../lib/contract/credits';
import type { ActivityJson } from '../../../lib/contract/activity';
import type { Mode } from '../../../lib/domain/video';
import { AlertNotes } from '../components/credits/alert-notes';
import { classNames } from '../components/ui/class-names';
import { StaleError } from '../components/shell/request-error';
import { isRunning } from '../components/video/shown-video';
import type { FoundVideoJson, FoundVideoPageJson } from '../../../lib/contract/videos';
import { WebhookSecretSection } from '../components/webhook/webhook-secret-section';
import { useCredits } from '../components/credits/use-credits';
import { ask } from '../console-api';
import { apiPaths } from '../api-paths';
import { Attention } from './attention';
import { Figures } from './figures';
import { FirstSteps } from './first-steps';
import { KeysSummary } from './keys-summary';
import { Latest } from './latest';
import { PageTitle } from '../components/ui/page-heading';

/** The interval while waiting for the first request, or while something is running. */
const FAST_REFRESH_INTERVAL_MS = 1_000;
/** The interval otherwise. It also limits how late the page notices that the sign-in has ended. */
const SLOW_REFRESH_INTERVAL_MS = 3_000;
/** With more videos than this the first steps are hidden. */
const FIRST_FEW = 3;

export interface OverviewProps {
  readonly mode: Mode;
  readonly baseUrl: string;
  readonly mayEdit: boolean;
  readonly credits: CreditsJson;
  readonly activity: ActivityJson;
  readonly alerts: AlertListJson;
  readonly keys: readonly KeyJson[];
  readonly videos: readonly FoundVideoJson[];
  readonly firstStepsDismissed: boolean;
}

export function Overview({ mode, baseUrl, mayEdit, firstStepsDismissed, ...first }: OverviewProps) {
  const [dismissed, setDismissed] = useState(firstStepsDismissed);
  const videos = useSWR(apiPaths.videos(mode), (path) => ask<Pick<FoundVideoPageJson, 'data'>>(path), {
    fallbackData: { data: first.videos },
    // The default of two seconds would skip every other refresh.
    dedupingInterval: FAST_REFRESH_INTERVAL_MS / 2,
    refreshInterval: (latest) =>
      !latest || latest.data.length === 0 || latest.data.some(isRunning)
        ? FAST_REFRESH_INTERVAL_MS
        : SLOW_REFRESH_INTERVAL_MS,
  });
  const list = videos.data.data;
  const running = list.filter(isRunning).length;
  const refreshInterval = running > 0 ? FAST_REFRESH_INTERVAL_MS : SLOW_REFRESH_INTERVAL_MS;
  const credits = useCredits(mode, first.credits, refreshInterval);
  const activity = useSWR(apiPaths.activity(mode), (path) => ask<ActivityJson>(path), {
    fallbackData: first.activity,
    refreshInterval,
  });
  const alerts = useSWR(apiPaths.alerts(mode), (path) => ask<AlertListJson>(path), { fallbackData: first.alerts });
  const keys = useSWR(apiPaths.keys(), (path) => ask<Pick<KeyListJson, 'data'>>(path), {
    fallbackData: { data: first.keys },
  });
  const shownKeys = keys.data.data;

  // Refreshes all figures together when something starts or ends.
  const ranBefore = useRef(running);
  const [readCredits, readActivity, readKeys] = [credits.mutate, activity.mutate, keys.mutate];
  useEffect(() => {
    if (ranBefore.current === running) return;
    ranBefore.current = running;
    void Promise.all([readCredits(), readActivity(), readKeys()]);
  }, [running, readCredits, readActivity, readKeys]);

  const [newest] = list;
  const guided = !dismissed && list.length <= FIRST_FEW;
  // While the first steps are shown, they replace the empty state of the list.
  const hasLatest = !guided || activity.data.latest.length > 0;
  return (
    <div className="flex flex-col gap-8">
      <div className="flex flex-col gap-4">
        <PageTitle>Overview</PageTitle>
        <StaleError
          error={videos.error ?? credits.error ?? activity.error}
          onRetry={() => void Promise.all([videos.mutate(), credits.mutate(), activity.mutate()])}
        />
        <AlertNotes alerts={alerts.data} />
        <Attention
          credits={credits.data}
          keys={shownKeys}
          hasBalanceAlert={alerts.data.data.some(({ kind }) => kind === 'low_balance')}
        />
        <Figures
          credits={credits.data}
          activity={activity.data}
          mayRefill={mayEdit && mode === 'test'}
          onRefill={credits.refill}
        />
      </div>
      {guided && (
        <FirstSteps
          mode={mode}
          baseUrl={baseUrl}
          mayEdit={mayEdit}
          keys={shownKeys}
          video={newest}
          onDone={() => setDismissed(true)}
          onChanged={() => void Promise.all([videos.mutate(), keys.mutate()])}
        />
      )}
      <div className={classNames('grid items-start gap-8', hasLatest && 'xl:grid-cols-[1.7fr_1fr]')}>
        {hasLatest && <Latest entries={activity.data.latest} videos={list} mode={mode} />}
        <KeysSummary keys={shownKeys} mode={mode} mayEdit={mayEdit} />
      </div>
      {mayEdit && <WebhookSecretSection title="Webhooks" />}
    </div>
  );
}
