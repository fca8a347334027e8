'use client';

import type { VideoFacts } from '../../../lib/domain/video';
import { Section } from '../components/ui/card';
import { ScrollRegion } from '../components/ui/scroll-region';
import { classNames } from '../components/ui/class-names';
import { usd } from '../../../lib/domain/money';
import { frameOf, type VideoForm } from '../components/video-form/form';
import type { WorkbenchResult } from './workbench-result';

/** The price of each combination of length and resolution, with the other settings as chosen. */
export function CapabilityGrid({
  form,
  facts,
  prices,
  onChoose,
}: {
  readonly form: VideoForm;
  /** The facts of the model at the chosen provider. */
  readonly facts: VideoFacts;
  readonly prices: WorkbenchResult['combinations'];
  readonly onChoose: ((seconds: number, resolution: string) => void) | undefined;
}) {
  const { seconds, resolutions } = facts;
  const chosen = frameOf(form, facts);
  // Without a length of its own, the video is as long as its source, rounded up.
  const chosenSeconds = chosen.seconds ?? Math.ceil(Number(form.inputSeconds));
  return (
    <Section
      id="grid"
      title="Lengths and resolutions"
      description={
        onChoose
          ? 'The price of each combination, with everything else as chosen above. Select one to use it.'
          : 'The combinations it supported.'
      }
    >
      <ScrollRegion labelledBy="grid" className="rounded-xl border border-line bg-surface">
        <table className="w-full border-collapse text-sm">
          <thead>
            <tr>
              <th
                scope="col"
                className="sticky left-0 z-10 bg-sunken px-4 py-2 text-left text-xs font-medium text-muted"
              >
                Resolution
              </th>
              {seconds.map((length) => (
                <th
                  key={length}
                  scope="col"
                  className="bg-sunken px-2 py-2 text-center text-xs font-medium whitespace-nowrap text-muted tabular-nums"
                >
                  {length} s
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {resolutions.map((resolution) => (
              <tr key={resolution} className="border-t border-line">
                <th
                  scope="row"
                  className="sticky left-0 z-10 bg-surface px-4 py-1 text-left font-medium whitespace-nowrap"
                >
                  {resolution}
                </th>
                {seconds.map((length) => {
                  const price = prices[resolution]?.[length];
                  const isChosen = length === chosenSeconds && resolution === chosen.resolution;
                  return (
                    <td key={length} className="p-0.5 text-center tabular-nums">
                      {price === undefined ? (
                        <span className="text-muted" title="Not available together">
                          –<span className="sr-only">not available together</span>
                        </span>
                      ) : onChoose ? (
                        <button
                          type="button"
                          aria-pressed={isChosen}
                          onClick={() => onChoose(length, resolution)}
                          className={classNames(
                            'h-8 w-full min-w-14 rounded-md px-1.5 text-xs transition-colors max-sm:h-11',
                            isChosen ? 'bg-accent-soft font-semibold text-accent' : 'hover:bg-hover',
                          )}
                        >
                          {usd(price)}
                        </button>
                      ) : (
                        'yes'
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Section>
  );
}
