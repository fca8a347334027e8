import type { VideoOrder } from '../../../domain/video';
import { chosenRatio } from '../../kit/video/chosen-ratio';
import { nearestRatio } from '../../kit/video/image-shape';
import { referenceName, spaceAfterNames } from '../../kit/video/reference-names';
import type { Endpoints, Input } from './input';

// The versions of PixVerse, each with its own fields. The duration is a number in V6 and C1, and text in earlier ones.
// C1 is missing from the types; its fields are taken from fal.ai/models/fal-ai/pixverse/c1/…, copies read 2026-11-28.

type Fields = (order: VideoOrder) => Input;

const fiveRatios = ['16:9', '4:3', '1:1', '3:4', '9:16'];
const eightRatios = [...fiveRatios, '2:3', '3:2', '21:9'];

const shared: Fields = ({ prompt, resolution, seed }) => ({ prompt, resolution, seed });
const fifth: Fields = (order) => ({
  ...shared(order),
  duration: String(order.seconds),
  negative_prompt: order.parameters.negative_prompt ?? '',
});
const withSound: Fields = (order) => ({
  ...fifth(order),
  generate_audio_switch: order.audio,
  thinking_type: order.parameters.thinking_type ?? 'auto',
});
const withClips: Fields = (order) => ({
  ...withSound(order),
  generate_multi_clip_switch: order.parameters.generate_multi_clip_switch ?? false,
});
const sixth: Fields = (order) => ({ ...withClips(order), duration: order.seconds });
const c1: Fields = (order) => ({
  ...shared(order),
  duration: order.seconds,
  generate_audio_switch: order.audio,
});

function withoutTransition(version: string, fields: Fields): Endpoints {
  const path = `fal-ai/pixverse/${version}`;
  return {
    [`${path}/text-to-video`]: (order) => ({ ...fields(order), aspect_ratio: order.aspectRatio }),
    [`${path}/image-to-video`]: (order, { firstFrame }) => ({ ...fields(order), image_url: firstFrame }),
  };
}

function versionEndpoints(
  version: string,
  ratios: readonly string[],
  fields: Fields,
  ofTransition = fields,
): Endpoints {
  return {
    ...withoutTransition(version, fields),
    [`fal-ai/pixverse/${version}/transition`]: (order, { firstFrame, lastFrame, firstFrameShape }) => ({
      ...ofTransition(order),
      // The default is 16:9, also for portrait images.
      aspect_ratio: chosenRatio(order) ?? nearestRatio(ratios, firstFrameShape ?? order.width / order.height),
      first_image_url: firstFrame,
      end_image_url: lastFrame,
    }),
  };
}

export const pixverseEndpoints: Endpoints = {
  ...versionEndpoints('v6', eightRatios, sixth),
  ...versionEndpoints('c1', eightRatios, c1),
  'fal-ai/pixverse/c1/reference-to-video': (order, { referenceImages }) => ({
    ...c1(order),
    prompt: spaceAfterNames(order.prompt),
    aspect_ratio: order.aspectRatio,
    image_references: referenceImages.map((url, index) => ({
      type: 'subject',
      ref_name: referenceName(index),
      image_url: url,
    })),
  }),
  ...versionEndpoints('v5.6', fiveRatios, withSound),
  ...versionEndpoints('v5.5', fiveRatios, withClips, withSound),
  ...versionEndpoints('v5', fiveRatios, fifth),
  ...versionEndpoints('v4.5', fiveRatios, fifth),
  ...withoutTransition('v4', fifth),
  ...withoutTransition('v3.5', fifth),
};

export function isPixverseTransition(name: string): boolean {
  return name.startsWith('fal-ai/pixverse/') && name.endsWith('/transition');
}
