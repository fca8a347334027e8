import { isRatio, findRate, ratiosAt, allowedSeconds, wholeSeconds, type RatedOrder } from '../domain/video-tiers';
import type { VideoBinding, VideoFacts, VideoPrice, VideoRate } from '../domain/video';

// Finds orders for which a price has no rate. Such an order could not be quoted.

const reference: RatedOrder['media'] = [{ role: 'reference_video' }];

/**
 * Describes an order at this resolution that the binding takes but its price has no rate for, such as `720p, 6 seconds,
 * without audio`; undefined if there is none. `facts` are those of this binding alone.
 */
export function missingRate(
  { price, cutsSource }: Pick<VideoBinding, 'price' | 'cutsSource'>,
  facts: VideoFacts,
  resolution: string,
): string | undefined {
  if (price.rates.every((rate) => rate.resolution !== undefined && rate.resolution !== resolution)) return resolution;
  // All values are tried only for the conditions that a rate depends on.
  const tried = <T>(condition: keyof VideoRate, values: readonly T[]) =>
    price.rates.some((rate) => rate[condition] !== undefined) ? values : values.slice(0, 1);
  const hasParameter = (name: string) => facts.parameters.includes(name);
  const options = hasParameter('options') ? price.rates.flatMap(({ option }) => option ?? []) : [];
  for (const media of tried('withVideoInput', mediaOf(facts)))
    for (const seconds of tried('seconds', secondsOf(facts, resolution, cutsSource)))
      for (const audio of tried('audio', soundOf(facts, resolution, media)))
        for (const aspectRatio of tried('aspectRatios', ratiosOf(facts, resolution)))
          // No option has the same rate as every option that no rate names.
          for (const option of tried('option', [undefined, ...options]))
            for (const voice of tried(
              'withVoice',
              hasParameter('reference_voice') ? [undefined, 'a voice'] : [undefined],
            )) {
              const parameters = {
                ...(option !== undefined && { options: option }),
                ...(voice !== undefined && { reference_voice: voice }),
              };
              const order = { seconds, resolution, audio, parameters, media, ...(aspectRatio && { aspectRatio }) };
              if (!findRate(order, price)) return wordsOf(order, price);
            }
  return undefined;
}

/** An edit whose output is as long as its source may have any number of whole seconds. */
function secondsOf(facts: VideoFacts, resolution: string, cutsSource: true | undefined): readonly number[] {
  const allowed = allowedSeconds(facts, resolution);
  if (!facts.outputFollowsSource && !cutsSource) return allowed;
  const shortest = Math.max(1, Math.ceil(facts.sourceSeconds?.min ?? 0));
  return [...allowed, ...wholeSeconds(shortest, facts.seconds.at(-1) ?? 0)];
}

/** Without a requested size, the media decide the ratio of an edit, and of a model that lists no ratios. */
function ratiosOf(facts: VideoFacts, resolution: string): readonly (string | undefined)[] {
  const aspectRatios = ratiosAt(facts, resolution);
  return facts.kind === 'video-edit' || !aspectRatios.some(isRatio) ? [undefined, ...aspectRatios] : aspectRatios;
}

function mediaOf({ media: { images, videos } }: VideoFacts): readonly RatedOrder['media'][] {
  if (!videos) return [[]];
  return videos.min > 0 || !images ? [reference] : [[], reference];
}

function soundOf(facts: VideoFacts, resolution: string, media: RatedOrder['media']): readonly boolean[] {
  const isSilent = facts.silentResolutions?.includes(resolution) || (facts.silentWithVideo && media.length > 0);
  if (facts.audio === 'none' || isSilent) return [false];
  return facts.audio === 'always' ? [true] : [true, false];
}

/** Names only the conditions that the rates of the price depend on. */
function wordsOf({ seconds, resolution, audio, aspectRatio, parameters, media }: RatedOrder, { rates }: VideoPrice) {
  const words: readonly (readonly [keyof VideoRate, string])[] = [
    ['seconds', seconds === 1 ? '1 second' : `${seconds} seconds`],
    ['audio', audio ? 'with audio' : 'without audio'],
    ['aspectRatios', aspectRatio ?? 'the ratio of the media'],
    ['option', parameters.options === undefined ? 'no option' : String(parameters.options)],
    ['withVideoInput', media.length > 0 ? 'with a reference video' : 'without a reference video'],
    ['withVoice', parameters.reference_voice === undefined ? 'without a reference voice' : 'with a reference voice'],
  ];
  const named = words.filter(([condition]) => rates.some((rate) => rate[condition] !== undefined));
  return [resolution, ...named.map(([, word]) => word)].join(', ');
}
