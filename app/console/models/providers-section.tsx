import { priceSpan } from '../../../lib/catalog/price-span';
import type { ProviderHistory } from '../../../lib/db/model-history';
import { bindingKey } from '../../../lib/domain/binding';
import type { Model } from '../../../lib/domain/model';
import type { Mode, VideoBinding, VideoFacts } from '../../../lib/domain/video';
import { PriceRange } from '../components/price/price-range';
import { Card, Section } from '../components/ui/card';
import { CopyButton } from '../components/ui/copy-button';
import { Cell, Row, Table } from '../components/ui/table';
import { LiveChip } from './entry-parts';
import { secondsWords } from '../components/video-form/seconds-words';
import { priceNotes } from './price-notes';

const COLUMNS = [
  { title: 'Provider' },
  { title: 'Availability' },
  { title: 'Price', align: 'right' },
  { title: 'Limits' },
  { title: 'Duration', align: 'right' },
  { title: 'Success', align: 'right' },
] as const;

/** The providers of the model: availability, price, limits, and the history of this organisation. */
export function ProvidersSection({
  model,
  active,
  availability,
  publishesMedia,
  history,
  mode,
  days,
}: {
  readonly model: Model;
  readonly active: boolean;
  /**
   * For each binding: whether it serves live requests here, whether this version has its adapter, and whether its price
   * was read at the vendor or confirmed by the operator.
   */
  readonly availability: readonly {
    readonly available: boolean;
    readonly implemented: boolean;
    readonly sold: boolean;
  }[];
  /** Whether data URLs are published for providers that accept media only as https URLs. */
  readonly publishesMedia: boolean;
  readonly history: readonly ProviderHistory[];
  readonly mode: Mode;
  readonly days: number;
}) {
  const testProvider = mode === 'test' ? history[0] : undefined;
  return (
    <Section
      id="providers"
      title="Providers"
      description={`${orderOf(model)} Durations and success rates are from your own ${mode} requests of the last ${days} days.`}
    >
      <Card>
        <Table label="Providers" columns={COLUMNS}>
          {model.bindings.map((binding, index) => {
            const price = priceSpan(withOnly(model, index));
            const seen = mode === 'live' ? history.find(({ provider }) => provider === binding.providerId) : undefined;
            const here = availability[index];
            return (
              <Row key={bindingKey(binding)}>
                <Cell full>
                  <span className="block font-medium">{binding.providerId}</span>
                  <span className="flex min-w-0 items-center">
                    <span className="min-w-0 truncate font-mono text-xs">{`${binding.providerId}/${model.id}`}</span>
                    <CopyButton
                      text={`${binding.providerId}/${model.id}`}
                      label={`Copy ${binding.providerId}/${model.id}`}
                    />
                  </span>
                  <span className="block truncate text-xs text-muted" title={binding.modelName}>
                    Upstream <span className="font-mono">{binding.modelName}</span>
                  </span>
                </Cell>
                <Cell name="Availability">
                  {active && here ? <LiveChip {...here} /> : <span className="text-muted">Retired</span>}
                </Cell>
                <Cell name="Price" align="right" className="tabular-nums">
                  {price ? <PriceRange price={price} /> : '–'}
                </Cell>
                <Cell name="Limits" full className="text-xs text-muted">
                  {limitsOf(model, binding, publishesMedia)}
                </Cell>
                <Cell name="Duration" align="right" className="tabular-nums">
                  <Times history={seen} />
                </Cell>
                <Cell name="Success" align="right" className="tabular-nums">
                  <Success history={seen} />
                </Cell>
              </Row>
            );
          })}
        </Table>
      </Card>
      {active && mode === 'test' && (
        <p className="mt-2.5 text-sm text-muted">
          {testProvider ? (
            <>
              Your test requests were answered by {testProvider.provider} instead:{' '}
              <Success history={testProvider} words />
              {testProvider.p50Seconds !== null && (
                <>
                  , usually in <Times history={testProvider} />
                </>
              )}
              .
            </>
          ) : (
            'In test mode the sandbox answers at the price of the first provider. You have no data yet.'
          )}
        </p>
      )}
      <ul className="mt-2.5 space-y-1 text-xs text-muted">
        {priceNotes(
          model,
          availability.map(({ sold }) => sold),
        ).map(({ of, source, isUnconfirmed }) => (
          <li key={`${of} ${source}`}>
            Price of {of}: {source}{' '}
            {isUnconfirmed && (
              <strong className="font-medium text-warn">
                Not confirmed: available in live mode after the operator adds it to CONFIRMED_PRICES.
              </strong>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function orderOf({ capability }: Model): string {
  return capability === 'video'
    ? 'Stable ones are tried first, the cheapest for the request before the others.'
    : 'In the order in which they are tried.';
}

function Times({ history }: { readonly history: ProviderHistory | undefined }) {
  if (history?.p50Seconds === undefined || history.p50Seconds === null || history.p95Seconds === null)
    return <span className="text-muted">No data yet</span>;
  return (
    <span title="Median and 95th percentile.">
      {secondsText(history.p50Seconds)} <span className="text-muted">p50</span> · {secondsText(history.p95Seconds)}{' '}
      <span className="text-muted">p95</span>
    </span>
  );
}

function Success({
  history,
  words = false,
}: {
  readonly history: ProviderHistory | undefined;
  readonly words?: boolean;
}) {
  if (!history || history.count === 0) return <span className="text-muted">No data yet</span>;
  const percent = Math.floor((history.succeeded * 1000) / history.count) / 10;
  return (
    <span>
      {percent} % {words ? `of ${history.count} succeeded` : <span className="text-muted">of {history.count}</span>}
    </span>
  );
}

function secondsText(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

function withOnly(model: Model, index: number): Model {
  // Safe: the bindings are a subset of the model's own.
  return { ...model, bindings: model.bindings.slice(index, index + 1) } as Model;
}

function limitsOf(model: Model, binding: Model['bindings'][number], publishesMedia: boolean): string {
  if (model.capability === 'video' && 'parameters' in binding) {
    return videoLimits(binding, model.video, publishesMedia).join(' · ') || 'None';
  }
  if ('parallelTools' in binding && model.capability === 'messages') {
    const parts = [
      binding.maxOutputTokens && `At most ${binding.maxOutputTokens.toLocaleString('en')} output tokens`,
      !binding.parallelTools && 'No parallel tool calls',
      !binding.webSearch && model.bindings.some(({ webSearch }) => webSearch) && 'No web search',
    ];
    return parts.filter(Boolean).join(' · ') || 'None';
  }
  return 'None';
}

/** Returns the facts in which a binding differs from its model. */
function videoLimits(binding: VideoBinding, facts: VideoFacts, publishesMedia: boolean): string[] {
  const { resolutions, seconds, aspectRatios, audio, media, mediaForms, sourceSeconds } = binding;
  const takesOnlyUrls = [mediaForms?.images, mediaForms?.videos].some((forms) =>
    forms?.every((form) => form === 'https'),
  );
  const unconfirmed = binding.price.rates.flatMap(({ unverified, resolution }) => (unverified && resolution) || []);
  const parts = [
    resolutions && resolutions.length < facts.resolutions.length && `Only ${resolutions.join(', ')}`,
    seconds && seconds.length < facts.seconds.length && secondsWords(seconds),
    aspectRatios && (aspectRatios.length > 0 ? aspectRatios.join(', ') : 'Aspect ratio of the media'),
    audio && audio !== facts.audio && (audio === 'toggle' ? 'Audio can be turned off' : 'Audio cannot be turned off'),
    media && `At most ${mediaText(media)}`,
    takesOnlyUrls && !publishesMedia && 'Media only as https URLs',
    sourceSeconds && `Sources of ${sourceSeconds.min} to ${sourceSeconds.max} s`,
    binding.outputFollowsSource && 'As long as the source',
    binding.promptCharacters !== undefined &&
      `Prompts up to ${binding.promptCharacters.toLocaleString('en')} characters`,
    binding.promptBytes !== undefined && `Prompts up to ${binding.promptBytes.toLocaleString('en')} bytes`,
    binding.unmoderated && 'Not moderated',
    unconfirmed.length > 0 && `Price of ${unconfirmed.join(', ')} not confirmed`,
  ];
  return parts.filter((part) => typeof part === 'string');
}

function mediaText({ images, videos }: NonNullable<VideoBinding['media']>): string {
  return [images && `${images.max} images`, videos && `${videos.max} videos`].filter(Boolean).join(' and ');
}
