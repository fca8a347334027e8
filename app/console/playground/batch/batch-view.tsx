'use client';

import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import { useMemo, useState } from 'react';
import useSWR from 'swr';
import type { AlertListJson } from '../../../../lib/contract/alerts';
import type { CreditsJson } from '../../../../lib/contract/credits';
import type { Mode } from '../../../../lib/domain/video';
import { buttonClass } from '../../components/ui/button-class';
import { useUrlState } from '../../components/ui/use-url-state';
import { useTabState } from '../../components/use-tab-state';
import type { ShownModel, VideoForm } from '../../components/video-form/form';
import { isRunning } from '../../components/video/shown-video';
import { useCredits } from '../../components/credits/use-credits';
import { ask } from '../../console-api';
import { apiPaths } from '../../api-paths';
import { paths } from '../../paths';
import { AccountNotes } from '../account-notes';
import { keepDraft } from '../draft';
import type { GalleryVideo, GalleryVideos } from '../gallery-video';
import { BatchForm } from './batch-form';
import { MAX_MODELS, planBatch, type BatchSettings } from './batch-plan';
import { BatchResults } from './batch-results';
import { sharedModel, whyNotShared } from './shared-model';
import { useBeginning } from '../use-video-draft';
import { useBatch } from './use-batch';
import { PageHeading } from '../../components/ui/page-heading';

const REFRESH_INTERVAL_MS = 1_500;
/** The tolerance for a difference between the clocks of browser and server. */
const CLOCK_TOLERANCE_SECONDS = 120;

const firstSettings = { isPromptPerLine: true, seeds: '' };

/** Creates many videos in one submission, from several models, prompts or seeds. Shows the total price first. */
export function BatchView({
  mode,
  mayEdit,
  models,
  credits,
  alerts,
}: {
  readonly mode: Mode;
  readonly mayEdit: boolean;
  readonly models: readonly ShownModel[];
  readonly credits: CreditsJson;
  readonly alerts: AlertListJson;
}) {
  const { query, change } = useUrlState();
  const begun = useBeginning(undefined, models).form;
  const [worked, setWorked] = useState<VideoForm>();
  const form = worked ?? begun;
  const [settings, changeSettings] = useTabState<BatchSettings>('playground-batch-settings', firstSettings);
  const modelIds = query.get('models') ?? form.modelId;
  const chosen = useMemo(() => chosenModels(modelIds.split(','), models), [modelIds, models]);
  const shared = useMemo(() => sharedModel(chosen.map(({ model }) => model)), [chosen]);
  const mismatch = shared && whyNotShared(shared);
  const plan = useMemo(
    () => (shared && mismatch === undefined ? planBatch(form, settings, shared, chosen, mode) : undefined),
    [form, settings, shared, mismatch, chosen, mode],
  );

  const { batch, isSubmitting, isInterrupted, ...actions } = useBatch(mode, onSubmitted);
  const list = useSWR(
    batch
      ? apiPaths.videos(mode, {
          limit: '100',
          created_from: String(batch.startedAt - CLOCK_TOLERANCE_SECONDS),
          // Later videos must not push these out of the list.
          ...(!isSubmitting && { created_to: String(batch.sentAt + CLOCK_TOLERANCE_SECONDS) }),
        })
      : null,
    (path) => ask<GalleryVideos>(path),
    {
      keepPreviousData: true,
      refreshInterval: (latest) => (isSubmitting || latest?.data.some(isRunning) ? REFRESH_INTERVAL_MS : 0),
    },
  );
  const balance = useCredits(mode, credits);

  function onSubmitted(video: GalleryVideo) {
    void list.mutate((known) => ({ data: [video, ...(known?.data ?? []).filter(({ id }) => id !== video.id)] }), {
      revalidate: false,
    });
    void balance.mutate();
  }

  function edit(next: VideoForm) {
    setWorked(next);
    keepDraft(next);
  }

  return (
    <div className="@container">
      <PageHeading
        title="Batch"
        description="The same request to several models, with several prompts or seeds. Each combination is a separate video."
        actions={
          <Link href={paths.playground()} prefetch={false} className={buttonClass({})}>
            <ArrowLeft size={15} aria-hidden="true" /> One video
          </Link>
        }
      />
      <AccountNotes
        mode={mode}
        alerts={alerts}
        error={list.error ?? balance.error}
        onRetry={() => void Promise.all([list.mutate(), balance.mutate()])}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 @3xl:grid-cols-[minmax(20rem,26rem)_minmax(0,1fr)]">
        <BatchForm
          form={form}
          settings={settings}
          models={models}
          chosen={chosen}
          shared={shared}
          mismatch={mismatch}
          plan={plan}
          mode={mode}
          credits={balance.data}
          mayEdit={mayEdit}
          isSubmitting={isSubmitting}
          onChange={edit}
          onSettings={changeSettings}
          onModels={(ids) => change({ models: ids.join(',') }, 'replace')}
          onSubmit={() => plan && actions.submit(plan.videos.filter(({ error }) => error === undefined))}
          onRefill={balance.refill}
        />
        <BatchResults
          batch={batch}
          plan={plan}
          videos={list.data?.data ?? []}
          models={models}
          mode={mode}
          mayEdit={mayEdit}
          isSubmitting={isSubmitting}
          isInterrupted={isInterrupted}
          onResume={actions.resume}
          onRetry={actions.retry}
          onClear={actions.clear}
        />
      </div>
    </div>
  );
}

/**
 * Returns the models with these ids, in this order: only those of the same kind as the first, and at most `MAX_MODELS`.
 */
function chosenModels(ids: readonly string[], models: readonly ShownModel[]): readonly ShownModel[] {
  const found = [...new Set(ids)].flatMap((id) => models.find(({ model }) => model.id === id) ?? []);
  const [first = models[0]] = found;
  return first
    ? [first, ...found.slice(1).filter(({ model }) => model.video.kind === first.model.video.kind)].slice(0, MAX_MODELS)
    : [];
}
