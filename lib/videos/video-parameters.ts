import { MAX_NEGATIVE_PROMPT_CHARACTERS } from '../catalog/request-limits';
import type { VideoField } from '../contract/videos';
import type { MediaRole, VideoFacts } from '../domain/video';
import type { RequestFields } from './request-fields';

// The parameters that only some models support, each with its type and the default of the specification. Defaults are
// always sent explicitly, because several providers have different ones. The console builds its form from the same
// table.

export type VideoParameter =
  | { readonly type: 'boolean'; readonly standard?: boolean }
  | { readonly type: 'word'; readonly words: readonly string[]; readonly standard?: string }
  | { readonly type: 'text'; readonly maxLength: number };

export const videoParameters: Readonly<Record<string, VideoParameter>> = {
  quality: { type: 'word', words: ['basic', 'high'] },
  options: { type: 'word', words: ['dop-lite', 'dop-turbo', 'dop-preview'] },
  thinking_type: { type: 'word', words: ['auto', 'enabled', 'disabled'], standard: 'auto' },
  generate_audio: { type: 'boolean', standard: true },
  sound: { type: 'boolean', standard: true },
  keep_original_sound: { type: 'boolean', standard: true },
  audio: { type: 'boolean', standard: true },
  generate_audio_switch: { type: 'boolean', standard: false },
  go_fast: { type: 'boolean', standard: true },
  remove_watermark: { type: 'boolean', standard: true },
  multi_clip: { type: 'boolean', standard: false },
  generate_multi_clip_switch: { type: 'boolean', standard: false },
  bgm: { type: 'boolean', standard: true },
  watermark: { type: 'boolean' },
  prompt_extend: { type: 'boolean' },
  negative_prompt: { type: 'text', maxLength: MAX_NEGATIVE_PROMPT_CHARACTERS },
  reference_voice: { type: 'text', maxLength: 2_048 },
} satisfies Partial<Record<VideoField, VideoParameter>>;

// Safe: `satisfies` has checked the keys.
const parameterNames = Object.keys(videoParameters) as VideoField[];

/** The default values of parameters; parameters without a default are absent. */
export const defaultParameters: ParameterValues = Object.fromEntries(
  Object.entries(videoParameters).flatMap(([name, parameter]) =>
    'standard' in parameter && parameter.standard !== undefined ? [[name, parameter.standard]] : [],
  ),
);

/** Vendors' names for the switch of generated audio. A model's switch is the first of these that it lists. */
export const audioSwitches: readonly string[] = ['generate_audio', 'sound', 'audio', 'generate_audio_switch'];

/** All parameters that affect audio. */
export const audioParameters: readonly string[] = [...audioSwitches, 'keep_original_sound', 'bgm'];

/** The part of an order that decides whether its videos can have sound. */
interface SoundOfOrder {
  readonly resolution: string;
  readonly media: readonly { readonly role: MediaRole }[];
}

/** Returns whether videos of this order are silent, whatever its parameters are. */
export function isSilent(
  { silentResolutions, silentWithVideo }: VideoFacts,
  { resolution, media }: SoundOfOrder,
): boolean {
  if (silentResolutions?.includes(resolution)) return true;
  return silentWithVideo === true && media.some(({ role }) => role === 'reference_video');
}

/** Returns the facts of a model for one order: without the switch of generated audio if the video has no sound. */
export function factsFor(facts: VideoFacts, order: SoundOfOrder): VideoFacts {
  if (!isSilent(facts, order)) return facts;
  return { ...facts, audio: 'none', parameters: facts.parameters.filter((name) => !audioSwitches.includes(name)) };
}

export type ParameterValues = Readonly<Record<string, string | number | boolean>>;

/**
 * Reads the parameters that the model supports. All other fields stay unread, as does the voice of an order whose
 * videos are silent at every provider.
 */
export function parseParameters(fields: RequestFields<VideoField>, facts: VideoFacts): ParameterValues {
  const values: Record<string, string | boolean> = {};
  for (const name of parameterNames) {
    const parameter = videoParameters[name];
    if (!parameter || !facts.parameters.includes(name)) continue;
    if (name === 'reference_voice' && facts.audio === 'none') continue;
    const value = parseParameter(fields, name, parameterOf(name, parameter, facts));
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** Returns the parameter with the model's limit if that is lower. */
export function parameterOf(name: string, parameter: VideoParameter, facts: VideoFacts): VideoParameter {
  return name === 'negative_prompt' && parameter.type === 'text'
    ? { ...parameter, maxLength: Math.min(parameter.maxLength, facts.negativePromptCharacters) }
    : parameter;
}

function parseParameter(
  fields: RequestFields<VideoField>,
  name: VideoField,
  parameter: VideoParameter,
): string | boolean | undefined {
  if (parameter.type === 'boolean') return fields.boolean(name) ?? parameter.standard;
  if (parameter.type === 'word') return fields.oneOf(name, parameter.words) ?? parameter.standard;
  return fields.text(name, parameter.maxLength);
}

/** Returns whether the output will have sound. `audio` is the model's behaviour, or the binding's if it differs. */
export function hasAudio(audio: VideoFacts['audio'], values: ParameterValues): boolean {
  if (audio === 'none') return false;
  if (audio === 'always') return true;
  if (audio === 'source') return values.keep_original_sound !== false;
  if (audio === 'bgm') return values.bgm !== false;
  const name = audioSwitches.find((candidate) => values[candidate] !== undefined);
  return name === undefined || values[name] === true;
}
