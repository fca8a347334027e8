import { providersOf } from '../../../../lib/domain/binding';
import type { VideoModel } from '../../../../lib/domain/model';
import { allOf } from '../../../../lib/domain/phrases';
import type { VideoFacts } from '../../../../lib/domain/video';
import { audioParameters, parameterOf, videoParameters } from '../../../../lib/videos/video-parameters';

// Controls for the optional parameters. Types and defaults come from the validator; this file adds the labels.

export type ParameterValues = Readonly<Record<string, string | number | boolean>>;

export type ParameterControl = {
  /** The field name in the request. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
} & (
  | { readonly kind: 'switch'; readonly standard: boolean }
  /** On, off, or the default of the provider. */
  | { readonly kind: 'tri-state' }
  | { readonly kind: 'choice'; readonly words: readonly string[]; readonly standard: string | undefined }
  | { readonly kind: 'text'; readonly maxLength: number; readonly isLong: boolean }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly standard: number }
  | { readonly kind: 'seed'; readonly max: number }
);

const words: Readonly<Record<string, readonly [label: string, hint?: string]>> = {
  generate_audio: ['Audio', 'Generate an audio track.'],
  sound: ['Audio', 'Generate an audio track.'],
  audio: ['Audio', 'Generate an audio track.'],
  generate_audio_switch: ['Audio', 'Generate an audio track.'],
  keep_original_sound: ['Keep original audio', 'Keep the audio of the source.'],
  bgm: ['Background music'],
  go_fast: ['Go fast', 'Faster, with some loss of detail.'],
  watermark: ['Watermark'],
  remove_watermark: ['Remove watermark', 'Ask the provider not to add its watermark.'],
  prompt_extend: ['Extend prompt', 'Let the provider add detail to your prompt.'],
  multi_clip: ['Multiple shots', 'Cut between shots instead of one take.'],
  generate_multi_clip_switch: ['Multiple shots', 'Cut between shots instead of one take.'],
  quality: ['Quality'],
  options: ['Version', 'The price depends on it.'],
  thinking_type: ['Thinking', 'Whether the model plans the video first.'],
  negative_prompt: ['Negative prompt', 'What the video should not show.'],
  reference_voice: ['Reference voice', 'The URL of a recording, or the name of a voice.'],
  seed: ['Seed', 'The same seed and request give a similar video.'],
  fps: ['Frames per second'],
};

/** Returns the controls for a model's parameters, audio first, seed last. */
export function parameterControls(facts: VideoFacts): ParameterControl[] {
  const rank = (name: string) => (audioParameters.includes(name) ? 0 : name === 'seed' ? 2 : 1);
  return [...facts.parameters].sort((a, b) => rank(a) - rank(b)).flatMap((name) => controlOf(name, facts));
}

/** Returns the parameters that change the price: those for audio, and the version if a price depends on it. */
export function pricedParameters({ video, bindings }: VideoModel): readonly string[] {
  const hasVersions = bindings.some(({ price }) => price.rates.some(({ option }) => option !== undefined));
  return video.parameters.filter((name) => audioParameters.includes(name) || (name === 'options' && hasVersions));
}

function controlOf(name: string, facts: VideoFacts): ParameterControl[] {
  const [label, hint] = words[name] ?? [name];
  const shared = { name, label, ...(hint !== undefined && { hint }) };
  if (name === 'seed') return [{ ...shared, kind: 'seed', max: facts.maxSeed }];
  if (name === 'fps')
    return [
      {
        ...shared,
        kind: 'number',
        min: facts.fps.min ?? facts.fps.default,
        max: facts.fps.max ?? facts.fps.default,
        standard: facts.fps.default,
      },
    ];
  const listed = videoParameters[name];
  if (!listed) return [];
  const parameter = parameterOf(name, listed, facts);
  switch (parameter.type) {
    case 'boolean':
      return [
        parameter.standard === undefined
          ? { ...shared, kind: 'tri-state' }
          : { ...shared, kind: 'switch', standard: parameter.standard },
      ];
    case 'word':
      return [{ ...shared, kind: 'choice', words: parameter.words, standard: parameter.standard }];
    case 'text':
      return [{ ...shared, kind: 'text', maxLength: parameter.maxLength, isLong: name === 'negative_prompt' }];
  }
}

/** The default of a parameter in the specification, if it has one. */
export function parameterStandard(name: string): string | boolean | undefined {
  const parameter = videoParameters[name];
  return parameter && 'standard' in parameter ? parameter.standard : undefined;
}

export function parameterLabel(name: string): string {
  return words[name]?.[0] ?? name;
}

/**
 * Returns a sentence that names the providers that support the parameter; undefined if every provider supports it at
 * some resolution.
 */
export function providerNote({ bindings }: Pick<VideoModel, 'bindings'>, name: string): string | undefined {
  const providers = providersOf(bindings.filter(({ parameters }) => parameters.includes(name)));
  if (providers.length === providersOf(bindings).length) return undefined;
  return `Only ${allOf(providers)} ${providers.length === 1 ? 'supports' : 'support'} it.`;
}
