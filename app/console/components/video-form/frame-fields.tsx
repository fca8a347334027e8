'use client';

import { Wand2 } from 'lucide-react';
import { allOf } from '../../../../lib/domain/phrases';
import type { VideoModel } from '../../../../lib/domain/model';
import type { VideoFacts } from '../../../../lib/domain/video';
import { Slider } from '../ui/slider';
import { Switch } from '../ui/switch';
import { RatioIcon, SegmentedControl } from '../ui/segmented-control';
import { frameOf, withSeconds, withSize, type VideoForm } from './form';
import { secondsWords } from './seconds-words';
import { FOLLOW, pixelsOf, ratioChoices } from './sizes';

/** Up to this number of lengths are shown as segments. More are a slider, unless there are gaps between them. */
const MAX_SEGMENTS = 5;

/** Length, resolution and aspect ratio, where the model offers a choice. */
export function FrameFields({
  form,
  model,
  onChange,
}: {
  readonly form: VideoForm;
  readonly model: VideoModel;
  onChange(form: VideoForm): void;
}) {
  const facts = model.video;
  const frame = frameOf(form, facts);
  const ratios = ratioChoices(facts, frame.resolution);
  const follows = frame.ratio === FOLLOW;
  const [width, height] =
    form.exactSize === undefined ? pixelsOf(frame.resolution, frame.ratio) : form.exactSize.split('x').map(Number);

  return (
    <>
      {!facts.outputFollowsSource && <Length form={form} facts={facts} onChange={onChange} />}
      <div data-field="size" className="flex flex-col gap-4">
        <SegmentedControl
          legend="Resolution"
          detail={follows ? 'same as the source' : `${width} × ${height}`}
          value={frame.resolution}
          options={facts.resolutions.map((resolution) => ({ value: resolution, label: resolution }))}
          onChange={(resolution) => onChange(withSize(form, { resolution }))}
          description={ruleWords(facts)}
        />
        {ratios.length > 1 && (
          <SegmentedControl
            legend="Aspect ratio"
            variant="icons"
            value={form.exactSize === undefined ? frame.ratio : undefined}
            options={ratios.map((ratio) => ({
              value: ratio,
              ...(ratio === FOLLOW
                ? {
                    label: 'Auto',
                    spokenLabel: 'Automatic: same aspect ratio as the source',
                    icon: <Wand2 size={20} aria-hidden="true" />,
                  }
                : ratioTile(ratio)),
            }))}
            onChange={(ratio) => onChange(withSize(form, { ratio }))}
          />
        )}
        {form.exactSize !== undefined && (
          <p className="text-xs text-muted">
            Exactly {form.exactSize.replace('x', ' × ')}, from the request. Choose an aspect ratio to use a standard
            size.
          </p>
        )}
      </div>
    </>
  );
}

function Length({
  form,
  facts,
  onChange,
}: {
  readonly form: VideoForm;
  readonly facts: VideoFacts;
  onChange(form: VideoForm): void;
}) {
  const { seconds, allowed, resolution } = frameOf(form, facts);
  const follows = facts.defaultSeconds === undefined;
  const [first = 1] = allowed;
  const last = allowed.at(-1) ?? first;
  const choose = (chosen: number | undefined) => onChange(withSeconds(form, facts, chosen));
  const isRange = facts.seconds.length > MAX_SEGMENTS && last - first === allowed.length - 1;
  return (
    <div data-field="seconds" className="flex flex-col gap-2">
      {follows && (
        <Switch
          label="Same length as the source"
          description="Rounded up to full seconds."
          checked={seconds === undefined}
          onChange={(on) => choose(on ? undefined : first)}
        />
      )}
      {seconds !== undefined &&
        (isRange ? (
          <Slider label="Length" unit="s" min={first} max={last} value={seconds} onChange={choose} />
        ) : (
          <SegmentedControl<number>
            legend="Length"
            value={seconds}
            options={facts.seconds.map((length) => ({
              value: length,
              label: `${length} s`,
              spokenLabel: `${length} seconds`,
              ...(allowed.includes(length) ? {} : { disabledReason: `${resolution} is not available for ${length} s` }),
            }))}
            onChange={choose}
          />
        ))}
    </div>
  );
}

function ratioTile(ratio: string) {
  const [wide = 1, high = 1] = ratio.split(':').map(Number);
  return { label: ratio, icon: <RatioIcon wide={wide} high={high} /> };
}

/** Describes the restrictions of lengths, such as `1080p and 4k: only 8 s.`; undefined without any. */
function ruleWords({ rules, resolutions }: VideoFacts): string | undefined {
  const words = rules
    .filter((rule) => rule.resolutions.some((resolution) => resolutions.includes(resolution)))
    .map((rule) => {
      const tiers = rule.resolutions.filter((resolution) => resolutions.includes(resolution));
      return `${allOf(tiers)}: only ${secondsWords(rule.seconds)}.`;
    });
  return words.length > 0 ? words.join(' ') : undefined;
}
