'use client';

import { Play } from 'lucide-react';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { useMemo, useState } from 'react';
import { billsInput } from '../../../lib/billing/quote';
import { providersOf } from '../../../lib/domain/binding';
import type { VideoModel } from '../../../lib/domain/model';
import type { ProviderId } from '../../../lib/domain/ids';
import type { Mode, VideoBinding } from '../../../lib/domain/video';
import { videoParameters } from '../../../lib/videos/video-parameters';
import { codeSamples } from '../components/code/code-samples';
import { CodeTabs } from '../components/code/code-tabs';
import { printJson } from '../components/code/print-value';
import { buttonClass } from '../components/ui/button';
import { Section } from '../components/ui/card';
import { Slider } from '../components/ui/slider';
import { Switch } from '../components/ui/switch';
import { offeredBindings, type ShownModel, type VideoForm } from '../components/video-form/form';
import { requestOf, settingsOf, type RequestBody } from '../components/video-form/form-request';
import { FrameFields } from '../components/video-form/frame-fields';
import { ParameterFields } from '../components/video-form/parameter-fields';
import { pricedParameters } from '../components/video-form/parameters';
import { pinnedModel } from '../components/video-form/pinned-model';
import { switchProvider } from '../components/video-form/switch-model';
import { paths } from '../paths';
import { CapabilityGrid } from './capability-grid';
import { printForm, readForm } from './form-address';
import { priceOf } from './form-price';
import { ProviderChoice } from './provider-choice';
import { QuoteError, QuotePanel } from './quote-panel';
import { codeBody, withSampleMedia } from './sample-form';
import { SizeTable } from './size-table';

export interface VideoWorkbenchProps {
  readonly model: VideoModel;
  /** The keys (`bindingKey`) of the bindings that serve live requests here. */
  readonly offered: readonly string[];
  readonly publishesMedia: boolean;
  readonly pin?: ProviderId | undefined;
  readonly mode: Mode;
  readonly baseUrl: string;
  /** Retired models show their combinations without prices. */
  readonly active: boolean;
}

/** Price, code and available combinations for one set of settings. */
export function VideoWorkbench({ model, offered, publishesMedia, pin, mode, baseUrl, active }: VideoWorkbenchProps) {
  const path = usePathname();
  const address = useSearchParams();
  const [form, setForm] = useState(() => readForm(model, address, pin));
  const shown: ShownModel = useMemo(
    () => ({ model, offered, implemented: true, publishesMedia }),
    [model, offered, publishesMedia],
  );
  const change = (next: VideoForm) => {
    setForm(next);
    // Replaced, not pushed: changed settings are no history entries.
    const query = printForm(model, next, new URLSearchParams(window.location.search), pin);
    window.history.replaceState(null, '', path + query);
  };
  const body = useMemo(() => requestOf(form, model, { defaults: 'frame' }), [form, model]);
  const samples = useMemo(
    () => codeSamples({ baseUrl, method: 'POST', path: '/v1/videos', body: codeBody(body), mode }),
    [baseUrl, body, mode],
  );
  const { quote, binding, error } = useMemo(() => priceOf(form, shown, mode), [form, shown, mode]);
  const pinned = pinnedModel(model, form.provider);
  const needsVideo = form.source !== null || form.videos.length > 0;
  return (
    <>
      {active && (
        <Section
          id="price"
          title="Price and code"
          actions={
            <Link
              href={paths.playground({ model: model.id, request: playgroundRequest(form, body) })}
              prefetch={false}
              className={buttonClass({})}
            >
              <Play size={14} aria-hidden="true" /> Open in playground
            </Link>
          }
        >
          <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
            <div className="flex min-w-0 flex-col gap-4">
              <Controls form={form} shown={shown} onChange={change} />
              {quote && binding && !error ? (
                <QuotePanel
                  quote={quote}
                  provider={binding.providerId}
                  note={`${ignoredWords(binding, body)}The price is fixed when you submit the video. Failed videos are not charged.`}
                />
              ) : (
                <QuoteError message={error?.message ?? 'No provider of this model supports this combination.'} />
              )}
            </div>
            <CodeTabs
              label="Create a video"
              samples={samples}
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
        <CapabilityGrid form={form} shown={shown} mode={mode} onChoose={active ? change : undefined} />
      )}
      <SizeTable facts={pinned.video} />
    </>
  );
}

/** The settings for the playground, without the sample's prompt and media and their length. */
function playgroundRequest(form: VideoForm, body: RequestBody): string {
  const { input_seconds: _sample, ...settings } = settingsOf(body);
  return printJson({ ...(form.provider !== undefined && { model: body.model }), ...settings });
}

/** Names the settings that this provider ignores. */
function ignoredWords(binding: VideoBinding, body: RequestBody): string {
  const ignored = Object.keys(body).filter(
    (name) => videoParameters[name] !== undefined && !binding.parameters.includes(name),
  );
  return ignored.length === 0 ? '' : `This provider ignores ${ignored.join(' and ')}. `;
}

/** The fields of the video form that change the price. */
function Controls({
  form,
  shown,
  onChange,
}: {
  readonly form: VideoForm;
  readonly shown: ShownModel;
  onChange(form: VideoForm): void;
}) {
  const { model } = shown;
  const pinned = pinnedModel(model, form.provider);
  const { media } = pinned.video;
  const hasReferenceVideo = form.videos.length > 0;
  return (
    <div className="flex flex-col gap-4">
      <ProviderChoice
        providers={providersOf(model.bindings)}
        offered={providersOf(offeredBindings(shown))}
        value={form.provider}
        onChange={(provider) =>
          onChange(withSampleMedia(switchProvider(form, model, provider).form, model, hasReferenceVideo))
        }
      />
      <FrameFields form={form} model={pinned} onChange={onChange} />
      <ParameterFields form={form} model={pinned} names={pricedParameters(pinned)} onChange={onChange} />
      {media.images && media.videos && (
        <Switch
          label="With a reference video"
          description="Instead of a reference image."
          checked={hasReferenceVideo}
          onChange={(on) => onChange(withSampleMedia(form, model, on))}
        />
      )}
      {form.inputSeconds !== '' && (
        <Slider
          label={media.sourceVideo ? 'Length of the source' : 'Length of the reference'}
          {...(billsInput(pinned.bindings, true) && { description: 'Input seconds are billed too.' })}
          unit="s"
          value={Number(form.inputSeconds)}
          min={Math.ceil(pinned.video.sourceSeconds?.min ?? 1)}
          max={Math.floor(pinned.video.sourceSeconds?.max ?? 30)}
          onChange={(inputSeconds) => onChange({ ...form, inputSeconds: String(inputSeconds) })}
        />
      )}
    </div>
  );
}
