'use client';

import { Play } from 'lucide-react';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { useMemo, useState } from 'react';
import { allowedSeconds } from '../../../lib/catalog/video-seconds';
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
import { SegmentedControl } from '../components/ui/segmented-control';
import { aspectRatiosOf } from '../components/video-form/aspect-ratios';
import { pinnedModel } from '../components/video-form/pinned-model';
import { paths } from '../paths';
import { CapabilityGrid } from './capability-grid';
import { ProviderChoice } from './provider-choice';
import { QuoteError, QuotePanel } from './quote-panel';
import { printSettings, readSettings } from './settings-address';
import { SizeTable } from './size-table';
import {
  fitSettings,
  hasInputSeconds,
  needsSource,
  playgroundBody,
  pricedOptions,
  priceSettings,
  soundSwitch,
  videoBody,
  type VideoSettings,
} from './video-settings';

const MAX_SEGMENTS = 6;

export interface VideoWorkbenchProps {
  readonly model: VideoModel;
  /** Providers that serve live requests here. */
  readonly offered: readonly ProviderId[];
  readonly pin?: ProviderId | undefined;
  readonly mode: Mode;
  readonly baseUrl: string;
  /** Retired models show their combinations without prices. */
  readonly active: boolean;
}

/** Price, code and available combinations for one set of settings. */
export function VideoWorkbench({ model, offered, pin, mode, baseUrl, active }: VideoWorkbenchProps) {
  const path = usePathname();
  const address = useSearchParams();
  const [wanted, setWanted] = useState(() => readSettings(model, address, pin));
  const settings = useMemo(() => fitSettings(model, wanted), [model, wanted]);
  const set = (part: Partial<VideoSettings>) => {
    const next = fitSettings(model, { ...settings, ...part });
    setWanted(next);
    // Replaced, not pushed: changed settings are no history entries.
    window.history.replaceState(
      null,
      '',
      path + printSettings(model, next, new URLSearchParams(window.location.search), pin),
    );
  };
  const body = useMemo(() => videoBody(model, settings), [model, settings]);
  const samples = useMemo(
    () => codeSamples({ baseUrl, method: 'POST', path: '/v1/videos', body, mode }),
    [baseUrl, body, mode],
  );
  const answer = useMemo(() => priceSettings(model, settings, mode, offered), [model, settings, mode, offered]);
  return (
    <>
      {active && (
        <Section
          id="price"
          title="Price and code"
          actions={
            <Link
              href={paths.playground({ model: model.id, request: printJson(playgroundBody(body)) })}
              prefetch={false}
              className={buttonClass({})}
            >
              <Play size={14} aria-hidden="true" /> Open in playground
            </Link>
          }
        >
          <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
            <div className="flex min-w-0 flex-col gap-4">
              <Controls model={model} settings={settings} offered={offered} onChange={set} />
              {'quote' in answer ? (
                <QuotePanel
                  quote={answer.quote}
                  provider={answer.binding.providerId}
                  note={`${ignoredWords(answer.binding, body)}The price is fixed when you submit the video. Failed videos are not charged.`}
                />
              ) : (
                <QuoteError message={answer.error} />
              )}
            </div>
            <CodeTabs
              label="Create a video"
              samples={samples}
              mode={mode}
              note={
                needsSource(body) && (
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
      <CapabilityGrid
        model={model}
        settings={settings}
        offered={offered}
        mode={mode}
        onChoose={active ? (seconds, resolution) => set({ seconds, resolution }) : undefined}
      />
      <SizeTable facts={pinnedModel(model, settings.provider).video} />
    </>
  );
}

/** Names the settings that this provider ignores. */
function ignoredWords(binding: VideoBinding, body: Readonly<Record<string, unknown>>): string {
  const ignored = Object.keys(body).filter(
    (name) => videoParameters[name] !== undefined && !binding.parameters.includes(name),
  );
  return ignored.length === 0 ? '' : `This provider ignores ${ignored.join(' and ')}. `;
}

function Controls({
  model,
  settings,
  offered,
  onChange,
}: {
  readonly model: VideoModel;
  readonly settings: VideoSettings;
  readonly offered: readonly ProviderId[];
  onChange(part: Partial<VideoSettings>): void;
}) {
  const facts = pinnedModel(model, settings.provider).video;
  const allowed = allowedSeconds(facts, settings.resolution);
  const ratios = aspectRatiosOf(facts);
  const options = pricedOptions(model);
  const first = allowed[0] ?? settings.seconds;
  const last = allowed.at(-1) ?? settings.seconds;
  const isWhole = allowed.length > MAX_SEGMENTS && last - first === allowed.length - 1;
  return (
    <div className="flex flex-col gap-4">
      <ProviderChoice
        providers={model.bindings.map(({ providerId }) => providerId)}
        offered={offered}
        value={settings.provider}
        onChange={(provider) => onChange({ provider })}
      />
      {isWhole ? (
        <Slider
          label="Length"
          unit="s"
          value={settings.seconds}
          min={first}
          max={last}
          onChange={(seconds) => onChange({ seconds })}
        />
      ) : (
        <SegmentedControl
          legend="Length"
          value={settings.seconds}
          options={facts.seconds.map((seconds) => ({
            value: seconds,
            label: `${seconds} s`,
            disabledReason: allowed.includes(seconds) ? undefined : `Not at ${settings.resolution}`,
          }))}
          onChange={(seconds) => onChange({ seconds })}
        />
      )}
      <SegmentedControl
        legend="Resolution"
        value={settings.resolution}
        options={facts.resolutions.map((tier) => ({ value: tier, label: tier }))}
        onChange={(resolution) => onChange({ resolution })}
      />
      {ratios.length > 0 && (
        <SegmentedControl
          legend="Aspect ratio"
          value={settings.ratio}
          options={ratios.map((ratio) => ({ value: ratio, label: ratio }))}
          onChange={(ratio) => onChange({ ratio })}
        />
      )}
      {options.length > 0 && (
        <SegmentedControl
          legend="Version"
          value={settings.option}
          options={options.map((option) => ({ value: option, label: option }))}
          onChange={(option) => onChange({ option })}
        />
      )}
      {soundSwitch(facts) !== undefined && (
        <Switch
          label={SOUND_WORDS[facts.audio] ?? 'Audio'}
          checked={settings.audio}
          onChange={(audio) => onChange({ audio })}
        />
      )}
      {facts.media.images && facts.media.videos && (
        <Switch
          label="With a reference video"
          description="Instead of a reference image."
          checked={settings.withVideo}
          onChange={(withVideo) => onChange({ withVideo })}
        />
      )}
      {hasInputSeconds(model, settings) && (
        <Slider
          label={facts.media.sourceVideo ? 'Length of the source' : 'Length of the reference'}
          description="Input seconds are billed too."
          unit="s"
          value={settings.inputSeconds}
          min={1}
          max={30}
          onChange={(inputSeconds) => onChange({ inputSeconds })}
        />
      )}
    </div>
  );
}

const SOUND_WORDS: Readonly<Record<string, string>> = { bgm: 'Background music', source: "Keep the source's audio" };
