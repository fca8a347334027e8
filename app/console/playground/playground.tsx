'use client';

import { Code, Grid2x2Plus, Images } from 'lucide-react';
import Link from 'next/link';
import { useMemo, useRef, useState } from 'react';
import type { AlertListJson } from '../../../lib/contract/alerts';
import type { CreditsJson } from '../../../lib/contract/credits';
import type { Mode } from '../../../lib/domain/video';
import { useCredits } from '../components/credits/use-credits';
import { Button } from '../components/ui/button';
import { buttonClass } from '../components/ui/button-class';
import { Drawer } from '../components/ui/drawer';
import { onDemand } from '../components/ui/on-demand';
import { PageHeading } from '../components/ui/page-heading';
import { toast } from '../components/ui/toast';
import { useUrlState } from '../components/ui/use-url-state';
import { estimateOf } from '../components/video-form/estimate';
import type { VideoForm, ShownModel } from '../components/video-form/form';
import { requestOf } from '../components/video-form/form-request';
import { isRunning } from '../components/video/shown-video';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import { AccountNotes } from './account-notes';
import { EmptyStage } from './empty-stage';
import { formFromVideo } from './form-from-video';
import { Gallery, GalleryHeading } from './gallery';
import type { GalleryVideo } from './gallery-video';
import { PlaygroundFormFields } from './playground-form';
import { lacksCredit } from './price-lines';
import { Stage, type VideoActions } from './stage';
import { useGallery } from './use-gallery';
import { useSubmission } from './use-submission';
import { useVideoDraft } from './use-video-draft';
import { useWindowTitle } from './window-title';

const CodeDrawer = onDemand(() => import('./code-drawer').then((module) => module.CodeDrawer));
const DeleteVideoDialog = onDemand(() =>
  import('../components/video/delete-video-dialog').then((module) => module.DeleteVideoDialog),
);

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

/** Generates one video at a time: the form, the selected video, and the earlier ones. */
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
  const submission = useSubmission(mode);
  const draft = useVideoDraft({ mode, models, wanted, from, onChange: submission.clearError });
  const { form } = draft;
  const gallery = useGallery(mode, firstVideos);
  const { videos, selected } = gallery;
  const balance = useCredits(mode, credits, gallery.refreshMs);
  const [withDefaults, setWithDefaults] = useState(false);
  const [deleting, setDeleting] = useState<GalleryVideo>();
  const stage = useRef<HTMLDivElement>(null);
  const panel = query.get('panel');
  const shown = models.find(({ model }) => model.id === form.modelId) ?? models[0];
  const estimate = useMemo(() => (shown ? estimateOf(form, shown, mode) : {}), [form, shown, mode]);
  useWindowTitle(videos, announceEnd);

  if (!shown) return null;

  const openPanel = (name: 'code' | 'history') => change({ panel: name });
  const closePanel = () => change({ panel: undefined }, 'replace');

  async function generate(from: VideoForm, of: ShownModel) {
    const { quote, error } = estimateOf(from, of, mode);
    if (!mayEdit || error || !quote || lacksCredit(quote, balance.data)) return;
    const body = requestOf(from, of.model, { defaults: withDefaults ? 'all' : 'none' });
    const video = await submission.submit(body, quote.total);
    void balance.mutate();
    if (!video) return;
    await gallery.add({ ...video, prompt: from.prompt });
    show(video);
  }

  function show(video: GalleryVideo) {
    change({ video: video.id, panel: undefined });
    // In the one-column layout the stage is below the form.
    const top = stage.current?.getBoundingClientRect().top ?? 0;
    if (top > window.innerHeight / 2) stage.current?.scrollIntoView({ behavior: 'smooth', block: 'start' });
  }

  const { refill, takeAsSource, continueFrom } = formFromVideo({ draft, models, shown, mode, onFilled: closePanel });
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
      await reload();
    },
    onDelete: setDeleting,
    onUseAsSource: shown.model.video.media.sourceVideo ? takeAsSource : undefined,
    onLastFrame: models.some(({ model }) => model.video.kind === 'i2v')
      ? (video) => void continueFrom(video)
      : undefined,
  };

  async function reload() {
    await Promise.all([gallery.reload(), balance.mutate()]);
  }

  const history = (
    <Gallery
      videos={gallery.listed}
      error={gallery.listedError}
      selectedId={selected?.id}
      filter={gallery.filter}
      mode={mode}
      mayEdit={mayEdit}
      actions={actions}
      onFilter={gallery.changeFilter}
      onSelect={show}
      onReload={gallery.reloadListed}
      onFavorite={gallery.markFavorite}
    />
  );

  return (
    <div className="@container">
      <Heading onPanel={openPanel} />
      <AccountNotes mode={mode} alerts={alerts} error={gallery.error ?? balance.error} onRetry={() => void reload()} />
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
          notes={draft.notes}
          left={draft.left}
          onChange={draft.edit}
          onDismissNotes={draft.dismissNotes}
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
            <EmptyStage onExample={mayEdit ? (prompt) => draft.edit({ ...form, prompt }) : undefined} />
          )}
        </section>
        {/* The list scrolls on its own, so that the form stays in view. */}
        <aside
          aria-label="History"
          className="sticky top-18 -m-1 flex max-h-[calc(100dvh-6rem)] flex-col gap-3 overflow-y-auto p-1 [scrollbar-width:thin] lg:top-6 lg:max-h-[calc(100dvh-3rem)] @max-[58rem]:hidden"
        >
          <GalleryHeading count={videos.length} />
          {history}
        </aside>
      </div>
      <RunningCount count={videos.filter(isRunning).length} />

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
            draft.replace(imported);
            closePanel();
          }}
          onClose={closePanel}
        />
      )}
      {panel === 'history' && (
        <Drawer open onOpenChange={closePanel} title="History">
          {history}
        </Drawer>
      )}
      {deleting && (
        <DeleteVideoDialog
          id={deleting.id}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => {
            setDeleting(undefined);
            gallery.remove(deleting.id);
          }}
        />
      )}
    </div>
  );
}

function Heading({ onPanel }: { onPanel(name: 'code' | 'history'): void }) {
  return (
    <PageHeading
      title="Playground"
      actions={
        <div className="flex flex-wrap gap-2">
          <Button className="@min-[58rem]:hidden" onClick={() => onPanel('history')}>
            <Images size={15} aria-hidden="true" /> History
          </Button>
          <Link href={paths.batch()} prefetch={false} className={buttonClass({})}>
            <Grid2x2Plus size={15} aria-hidden="true" /> Batch
          </Link>
          <Button onClick={() => onPanel('code')}>
            <Code size={15} aria-hidden="true" /> View code
          </Button>
        </div>
      }
    />
  );
}

/** Announces to screen readers how many videos are running. */
function RunningCount({ count }: { readonly count: number }) {
  return (
    <output className="sr-only">
      {count > 0 ? `${count} ${count === 1 ? 'video is' : 'videos are'} being generated` : ''}
    </output>
  );
}

function announceEnd(video: GalleryVideo): void {
  toast(
    video.status === 'completed'
      ? `The video of ${video.model} is ready.`
      : `The video of ${video.model} failed and was not charged.`,
  );
}
