'use client';

import { Play } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useMemo, useState } from 'react';
import { providersOf } from '../../../lib/domain/binding';
import type { ProviderId } from '../../../lib/domain/ids';
import type { Mode } from '../../../lib/domain/video';
import { CodeTabs } from '../components/code/code-tabs';
import { buttonClass } from '../components/ui/button-class';
import { Section } from '../components/ui/card';
import { Slider } from '../components/ui/slider';
import { Switch } from '../components/ui/switch';
import { toast } from '../components/ui/toast';
import { offeredBindings, type ShownModel, type VideoForm } from '../components/video-form/form';
import { FrameFields } from '../components/video-form/frame-fields';
import { ParameterFields } from '../components/video-form/parameter-fields';
import { pricedParameters } from '../components/video-form/parameters';
import { paths } from '../paths';
import { CapabilityGrid } from './capability-grid';
import { ProviderChoice } from './provider-choice';
import { QuoteError, QuotePanel } from './quote-panel';
import { SizeTable } from './size-table';
import type { FirstResult, WorkbenchResult } from './workbench-result';

type Computing = typeof import('./workbench-result');
/** A change of the settings: returns the new form. */
type Change = (computing: Computing) => VideoForm;

const loadComputing = (): Promise<Computing> => import('./workbench-result');

export interface VideoWorkbenchProps {
  readonly shown: ShownModel;
  readonly first: FirstResult;
  readonly pin?: ProviderId | undefined;
  readonly mode: Mode;
  readonly baseUrl: string;
  /** Retired models show their combinations without prices. */
  readonly active: boolean;
}

/** Price, code and available combinations for one set of settings. */
export function VideoWorkbench({ shown, first, pin, mode, baseUrl, active }: VideoWorkbenchProps) {
  const path = usePathname();
  const { model } = shown;
  const [changed, setChanged] = useState<{ readonly form: VideoForm; readonly computing: Computing }>();
  const { form, result } = useMemo(
    () =>
      changed
        ? { form: changed.form, result: changed.computing.workbenchResult(changed.form, { shown, mode, baseUrl }) }
        : first,
    [changed, first, shown, mode, baseUrl],
  );

  async function change(next: Change) {
    const computing = await loadComputing().catch(() => undefined);
    if (!computing) return toast('The price could not be loaded. Check your connection and try again.');
    const nextForm = next(computing);
    setChanged({ form: nextForm, computing });
    // Replaced and not pushed, so that a changed setting is no history entry.
    const query = computing.printForm(model, nextForm, new URLSearchParams(window.location.search), pin);
    window.history.replaceState(null, '', path + query);
  }
  /** Loads the computation before the first change, so that the change appears at once. */
  const prepare = () => void loadComputing().catch(() => undefined);

  const { price, pinned } = result;
  const needsVideo = form.source !== null || form.videos.length > 0;
  return (
    <div className="contents" onPointerEnter={prepare} onFocus={prepare}>
      {active && (
        <Section
          id="price"
          title="Price and code"
          actions={
            <Link
              href={paths.playground({ model: model.id, request: result.playgroundRequest })}
              prefetch={false}
              className={buttonClass({})}
            >
              <Play size={14} aria-hidden="true" /> Open in playground
            </Link>
          }
        >
          <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
            <div className="flex min-w-0 flex-col gap-4">
              <Controls form={form} shown={shown} result={result} onChange={change} />
              {'quote' in price ? (
                <QuotePanel
                  quote={price.quote}
                  provider={price.provider}
                  note={`${price.note}The price is fixed when you submit the video. Failed videos are not charged.`}
                />
              ) : (
                <QuoteError message={price.error} />
              )}
            </div>
            <CodeTabs
              label="Create a video"
              samples={result.samples}
              mode={mode}
              note={
                needsVideo && (
                  <p>
                    Also set the URL of a video, https or the <code className="font-mono">video_url</code> of a video
                    created here: <code className="font-mono break-all">export SOURCE_VIDEO_URL=…</code>
                  </p>
                )
              }
            />
          </div>
        </Section>
      )}
      {!pinned.video.outputFollowsSource && (
        <CapabilityGrid
          form={form}
          facts={pinned.video}
          prices={result.combinations}
          onChoose={
            active
              ? (seconds, resolution) =>
                  void change(({ withCombination }) => withCombination(form, model, seconds, resolution) ?? form)
              : undefined
          }
        />
      )}
      <SizeTable facts={pinned.video} />
    </div>
  );
}

/** The fields of the video form that change the price. */
function Controls({
  form,
  shown,
  result: { pinned, billsInput },
  onChange,
}: {
  readonly form: VideoForm;
  readonly shown: ShownModel;
  readonly result: WorkbenchResult;
  onChange(change: Change): Promise<unknown>;
}) {
  const { model } = shown;
  const { media } = pinned.video;
  const set = (next: VideoForm) => void onChange(() => next);
  return (
    <div className="flex flex-col gap-4">
      <ProviderChoice
        bindings={model.bindings}
        offered={providersOf(offeredBindings(shown))}
        value={form.provider}
        onChange={(provider) => void onChange(({ withProvider }) => withProvider(form, model, provider))}
      />
      <FrameFields form={form} model={pinned} onChange={set} />
      <ParameterFields form={form} model={pinned} names={pricedParameters(pinned)} onChange={set} />
      {media.images && media.videos && (
        <Switch
          label="With a reference video"
          description="Prices a request with a video and without images. A request may have both."
          checked={form.videos.length > 0}
          onChange={(on) => void onChange(({ withSampleMedia }) => withSampleMedia(form, model, on))}
        />
      )}
      {form.inputSeconds !== '' && (
        <Slider
          label={media.sourceVideo ? 'Length of the source' : 'Length of the reference'}
          {...(billsInput && { description: 'Input seconds are billed too.' })}
          unit="s"
          value={Number(form.inputSeconds)}
          min={Math.ceil(pinned.video.sourceSeconds?.min ?? 1)}
          max={Math.floor(pinned.video.sourceSeconds?.max ?? 30)}
          onChange={(inputSeconds) => set({ ...form, inputSeconds: String(inputSeconds) })}
        />
      )}
    </div>
  );
}
