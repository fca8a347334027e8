'use client';

import { Code, Grid2x2Plus, Images } from 'lucide-react';
import Link from 'next/link';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import useSWR from 'swr';
import type { AlertListJson } from '../../../lib/contract/alerts';
import type { CreditsJson } from '../../../lib/contract/credits';
import type { VideoDetails } from '../../../lib/contract/videos';
import type { Mode } from '../../../lib/domain/video';
import { useUrlState } from '../components/ui/use-url-state';
import { Button } from '../components/ui/button';
import { buttonClass } from '../components/ui/button-class';
import { Drawer } from '../components/ui/drawer';
import { StaleError } from '../components/shell/request-error';
import { toast } from '../components/ui/toast';
import { isRunning } from '../components/video/shown-video';
import { LowBalanceNote } from '../components/credits/low-balance-note';
import { useCredits } from '../components/credits/use-credits';
import { ask, send } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import { beginning, imported, type Work } from './beginning';
import { draftText, keepDraft, parseDraft } from './draft';
import { EmptyStage } from './empty-stage';
import { estimateOf } from '../components/video-form/estimate';
import type { VideoForm, ShownModel } from '../components/video-form/form';
import { requestOf } from '../components/video-form/form-request';
import { Gallery, GalleryHeading } from './gallery';
import { importRequest, type Imported } from '../components/video-form/import-request';
import { continuing, lastFrameOf } from './last-frame';
import { PlaygroundFormFields } from './playground-form';
import { lacksCredit } from './price-lines';
import { playableAt, type GalleryVideo, type GalleryVideos } from './gallery-video';
import { Stage, type VideoActions } from './stage';
import { switchModel } from '../components/video-form/switch-model';
import { useSubmission } from './use-submission';
import { useWindowTitle } from './window-title';
import { PageHeading } from '../components/ui/page-heading';
import { onDemand } from '../components/ui/on-demand';

const CodeDrawer = onDemand(() => import('./code-drawer').then((module) => module.CodeDrawer));
const DeleteVideoDialog = onDemand(() =>
  import('../components/video/delete-video-dialog').then((module) => module.DeleteVideoDialog),
);

/** While a video is in progress. */
const FAST_REFRESH_INTERVAL_MS = 1_500;
const SLOW_REFRESH_INTERVAL_MS = 6_000;
const SHOWN_VIDEOS = '60';
const MAX_FAVORITES = '100';

const never = () => () => undefined;

export interface PlaygroundProps {
  readonly mode: Mode;
  readonly baseUrl: string;
  readonly mayEdit: boolean;
  readonly models: readonly ShownModel[];
  readonly credits: CreditsJson;
  readonly alerts: AlertListJson;
  readonly videos: readonly GalleryVideo[];
  /** Request fields from the URL to start with. */
  readonly wanted: Readonly<Record<string, unknown>> | undefined;
  /** The id of a video whose request fills the form. Loaded by the client, because its media may be large. */
  readonly from: string | undefined;
}

export function Playground({
  mode,
  baseUrl,
  mayEdit,
  models,
  credits,
  alerts,
  videos: firstVideos,
  wanted,
  from,
}: PlaygroundProps) {
  const { query, change } = useUrlState();
  const draft = useSyncExternalStore(never, draftText, () => null);
  const begun = useMemo(() => beginning(wanted, parseDraft(draft), models), [wanted, draft, models]);
  const [worked, setWorked] = useState<Work>();
  const { form, notes, left } = worked ?? begun;
  const [withDefaults, setWithDefaults] = useState(false);
  const [deleting, setDeleting] = useState<GalleryVideo>();
  const stage = useRef<HTMLDivElement>(null);
  const defaults = withDefaults ? 'all' : 'none';
  const submission = useSubmission(mode);

  const list = useSWR(apiPaths.videos(mode, { limit: SHOWN_VIDEOS }), (path) => ask<GalleryVideos>(path), {
    fallbackData: { data: firstVideos },
    keepPreviousData: true,
    refreshInterval: (latest) => (latest?.data.some(isRunning) ? FAST_REFRESH_INTERVAL_MS : SLOW_REFRESH_INTERVAL_MS),
  });
  const videos = list.data.data;
  const onlyFavorites = query.get('favorites') === 'true';
  const favorites = useSWR(
    onlyFavorites ? apiPaths.videos(mode, { limit: MAX_FAVORITES, favorite: 'true' }) : null,
    (path) => ask<GalleryVideos>(path),
  );
  const inGallery = onlyFavorites ? favorites.data?.data : videos;
  const running = videos.filter(isRunning).length;
  const refreshMs = running > 0 ? FAST_REFRESH_INTERVAL_MS : SLOW_REFRESH_INTERVAL_MS;
  const balance = useCredits(mode, credits, refreshMs);

  const shown = models.find(({ model }) => model.id === form.modelId) ?? models[0];
  const selectedId = query.get('video') ?? undefined;
  const listed = [...videos, ...(inGallery ?? [])].find(({ id }) => id === selectedId);
  // A link may be to a video that is older than those of the gallery.
  const older = useSWR(
    selectedId !== undefined && !listed && inGallery ? apiPaths.video(selectedId) : null,
    (path) => ask<VideoDetails>(path),
    {
      shouldRetryOnError: false,
      refreshInterval: (latest) => (latest && isRunning(latest) ? FAST_REFRESH_INTERVAL_MS : 0),
    },
  );
  const selected =
    listed ?? (older.data?.mode === mode ? older.data : undefined) ?? (older.isLoading ? undefined : videos[0]);
  const panel = query.get('panel');

  // Stores only user changes: the initial form must not overwrite the draft before it is read.
  useEffect(() => worked && keepDraft(worked.form), [worked]);
  useEffect(() => {
    // The form has the fields now; in the URL they would overwrite later changes.
    const names = Object.keys(wanted ?? {}).filter((name) => name !== 'model');
    change(Object.fromEntries(['request', ...names].map((name) => [name, undefined])), 'replace');
  }, [wanted, change]);
  useEffect(() => {
    const [first] = models;
    if (from === undefined || !first) return;
    let isLeft = false;
    ask<Readonly<Record<string, unknown>>>(apiPaths.videoRequest(from, mode)).then(
      (body) => {
        if (isLeft) return;
        setWorked({ ...imported(body, models, first), notes: [] });
        change({ from: undefined }, 'replace');
      },
      // A deleted video, or one of the other mode, fills nothing.
      () => !isLeft && change({ from: undefined }, 'replace'),
    );
    return () => {
      isLeft = true;
    };
  }, [from, models, mode, change]);

  const estimate = useMemo(() => (shown ? estimateOf(form, shown, mode) : {}), [form, shown, mode]);

  const onFinished = useCallback(
    (video: GalleryVideo) =>
      toast(
        video.status === 'completed'
          ? `The video of ${video.model} is ready.`
          : `The video of ${video.model} failed and was not charged.`,
      ),
    [],
  );
  useWindowTitle(videos, onFinished);

  if (!shown) return null;

  function edit(next: VideoForm, newNotes: readonly string[] = []) {
    const isOther = next.modelId !== form.modelId;
    work({ form: next, notes: newNotes.length > 0 || isOther ? newNotes : notes, left: isOther ? [] : left });
  }

  function work(next: Work) {
    submission.clearError();
    setWorked(next);
    change({ model: next.form.modelId }, 'replace');
  }

  async function generate(from: VideoForm, of: ShownModel) {
    const { quote, error } = estimateOf(from, of, mode);
    if (!mayEdit || error || !quote || lacksCredit(quote, balance.data)) return;
    const video = await submission.submit(requestOf(from, of.model, { defaults }), quote.total);
    void balance.mutate();
    if (!video) return;
    await list.mutate(
      (known) => ({
        data: [{ ...video, prompt: from.prompt }, ...(known?.data ?? []).filter(({ id }) => id !== video.id)],
      }),
      { revalidate: false },
    );
    show(video);
  }

  function show(video: GalleryVideo) {
    change({ video: video.id, panel: undefined });
    // In the one-column layout the stage is below the form.
    const top = stage.current?.getBoundingClientRect().top ?? 0;
    if (top > window.innerHeight / 2) stage.current?.scrollIntoView({ behavior: 'smooth', block: 'start' });
  }

  /** Fills the form with the request of a video. */
  async function refill(video: GalleryVideo): Promise<Imported | undefined> {
    try {
      const body = await ask<Readonly<Record<string, unknown>>>(apiPaths.videoRequest(video.id, mode));
      const imported = importRequest(body, models, shown ?? models[0]!); // Safe: the page shows nothing without a model.
      work({ ...imported, notes: [] });
      change({ panel: undefined }, 'replace');
      return imported;
    } catch (error) {
      toast(error instanceof Error ? error.message : 'The request of this video could not be read.');
      return undefined;
    }
  }

  const actions: VideoActions = {
    onRemix: (video) =>
      void refill(video).then(
        (imported) => imported && document.querySelector<HTMLElement>('[data-field="prompt"] textarea')?.focus(),
      ),
    onRetry: (video) =>
      void refill(video).then(async (imported) => {
        const of = imported && models.find(({ model }) => model.id === imported.form.modelId);
        if (imported && of && imported.left.length === 0) await generate(imported.form, of);
      }),
    async onCancel(video) {
      try {
        await send('POST', apiPaths.cancelVideo(video.id));
      } catch (error) {
        toast(error instanceof Error ? error.message : 'The video could not be cancelled. Try again.');
      }
      await Promise.all([list.mutate(), balance.mutate()]);
    },
    onDelete: setDeleting,
    onUseAsSource: shown.model.video.media.sourceVideo ? takeAsSource : undefined,
    onLastFrame: models.some(({ model }) => model.video.kind === 'i2v')
      ? (video) => void continueFrom(video)
      : undefined,
  };

  function takeAsSource(video: GalleryVideo) {
    if (video.video_url === undefined) return;
    const durationSeconds = video.duration_seconds ?? Number(video.seconds);
    edit({
      ...form,
      source: { kind: 'address', url: video.video_url, durationSeconds },
      inputSeconds: String(durationSeconds),
    });
    change({ panel: undefined }, 'replace');
  }

  async function continueFrom(video: GalleryVideo) {
    const source = playableAt(video, mode, Date.now());
    const target = continuing(video, models, shown);
    if (source === undefined || !target || !shown) return;
    try {
      const frame = await lastFrameOf(source, video.fps ?? 24);
      const switched = switchModel(form, shown.model, target.model);
      edit({ ...switched.form, images: [frame] }, switched.notes);
      change({ panel: undefined }, 'replace');
    } catch (error) {
      toast(error instanceof Error ? error.message : 'The last frame could not be read.');
    }
  }

  /** The lists follow the mark, so that a filter or a reload does not show the former one. */
  function markFavorite(video: GalleryVideo, favorite: boolean) {
    void list.mutate(
      (known) => ({ data: (known?.data ?? []).map((each) => (each.id === video.id ? { ...each, favorite } : each)) }),
      { revalidate: false },
    );
    void favorites.mutate();
  }

  const gallery = (
    <Gallery
      videos={inGallery}
      error={onlyFavorites ? favorites.error : list.error}
      selectedId={selected?.id}
      filter={{ status: query.get('status') ?? '', model: query.get('of') ?? '', favorites: onlyFavorites }}
      mode={mode}
      mayEdit={mayEdit}
      actions={actions}
      onFilter={(filter) =>
        change({ status: filter.status, of: filter.model, favorites: filter.favorites ? 'true' : undefined }, 'replace')
      }
      onSelect={show}
      onReload={() => void (onlyFavorites ? favorites : list).mutate()}
      onFavorite={markFavorite}
    />
  );

  return (
    <div className="@container">
      <PageHeading
        title="Playground"
        actions={
          <div className="flex flex-wrap gap-2">
            <Button className="@min-[58rem]:hidden" onClick={() => change({ panel: 'history' })}>
              <Images size={15} aria-hidden="true" /> History
            </Button>
            <Link href={paths.batch()} prefetch={false} className={buttonClass({})}>
              <Grid2x2Plus size={15} aria-hidden="true" /> Batch
            </Link>
            <Button onClick={() => change({ panel: 'code' })}>
              <Code size={15} aria-hidden="true" /> View code
            </Button>
          </div>
        }
      />
      <LowBalanceNote mode={mode} initial={alerts} />
      <div className="mb-4 empty:hidden">
        <StaleError
          error={list.error ?? balance.error}
          onRetry={() => void Promise.all([list.mutate(), balance.mutate()])}
        />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 @2xl:grid-cols-[19rem_minmax(0,1fr)] @3xl:grid-cols-[minmax(19rem,23rem)_minmax(0,1fr)] @min-[58rem]:grid-cols-[20rem_minmax(0,1fr)_11.5rem] @5xl:grid-cols-[23rem_minmax(0,1fr)_11.5rem] @7xl:grid-cols-[24rem_minmax(0,1fr)_21rem]">
        <PlaygroundFormFields
          form={form}
          shown={shown}
          models={models}
          mode={mode}
          credits={balance.data}
          estimate={estimate}
          busy={submission.busy}
          mayEdit={mayEdit}
          refused={submission.error}
          notes={notes}
          left={left}
          onChange={edit}
          onDismissNotes={() => work({ form, notes: [], left: [] })}
          onGenerate={() => void generate(form, shown)}
          onRefill={balance.refill}
        />
        <section ref={stage} aria-label="Result" className="top-18 min-w-0 scroll-mt-16 lg:top-6 @2xl:sticky">
          {selected ? (
            <Stage
              video={selected}
              modelName={models.find(({ model }) => model.id === selected.model)?.model.name ?? selected.model}
              videos={videos}
              mode={mode}
              mayEdit={mayEdit}
              actions={actions}
            />
          ) : (
            <EmptyStage onExample={mayEdit ? (prompt) => edit({ ...form, prompt }) : undefined} />
          )}
        </section>
        {/* Scrolls by itself, so that the form stays in view. */}
        <aside
          aria-label="History"
          className="sticky top-18 -m-1 flex max-h-[calc(100dvh-6rem)] flex-col gap-3 overflow-y-auto p-1 [scrollbar-width:thin] lg:top-6 lg:max-h-[calc(100dvh-3rem)] @max-[58rem]:hidden"
        >
          <GalleryHeading count={videos.length} />
          {gallery}
        </aside>
      </div>
      <output className="sr-only">
        {running > 0 ? `${running} ${running === 1 ? 'video is' : 'videos are'} being generated` : ''}
      </output>

      {panel === 'code' && (
        <CodeDrawer
          form={form}
          shown={shown}
          models={models}
          mode={mode}
          baseUrl={baseUrl}
          withDefaults={withDefaults}
          onWithDefaults={setWithDefaults}
          onImport={(imported) => {
            work({ ...imported, notes: [] });
            change({ panel: undefined }, 'replace');
          }}
          onClose={() => change({ panel: undefined }, 'replace')}
        />
      )}
      {panel === 'history' && (
        <Drawer open onOpenChange={() => change({ panel: undefined }, 'replace')} title="History">
          {gallery}
        </Drawer>
      )}
      {deleting && (
        <DeleteVideoDialog
          id={deleting.id}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => {
            setDeleting(undefined);
            if (selectedId === deleting.id) change({ video: undefined }, 'replace');
            void list.mutate((known) => ({ data: (known?.data ?? []).filter(({ id }) => id !== deleting.id) }));
          }}
        />
      )}
    </div>
  );
}
