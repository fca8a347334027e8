import type { InternalModelJson } from '../contract/models';
import type { Model, VideoModel } from '../domain/model';
import type { Catalog } from './catalog';
import { presentBinding, presentModelPrices, presentRetirement, supportedParameters } from './present';
import { mediaCounts, optionalMedia, requiredMedia } from './present-media';
import { presentMessagesFacts } from './present-messages';
import { presentSttFacts, presentTtsFacts } from './present-speech';
import { parseVideoSize, supportedSizes } from './video-dimensions';

// A model as `/internal/models` shows it: everything a form needs to offer only valid values and to show the price
// before a request is sent.

/**
 * Presents one entry. A fact that does not exist is null, such as the default duration of an edit or a choice of fps.
 */
export function presentInternalModel(catalog: Catalog, model: Model): InternalModelJson {
  const identity = {
    id: model.id,
    name: model.name,
    aliases: model.aliases,
    description: model.description,
    family: model.family,
  };
  const offer = {
    ...presentModelPrices(model),
    supported_parameters: supportedParameters(model),
    providers: model.bindings.map((binding) => presentBinding(catalog, model, binding)),
    ...presentRetirement(model),
    stability: model.stability,
    available: catalog.available(model),
  };
  switch (model.capability) {
    case 'video':
      return { ...identity, type: 'video', kind: model.video.kind, ...presentVideoFacts(model), ...offer };
    case 'messages':
      return { ...identity, type: 'messages', kind: 'messages', ...presentMessagesFacts(model), ...offer };
    case 'stt':
      return { ...identity, type: 'stt', kind: 'stt', ...presentSttFacts(model), ...offer };
    case 'tts':
      return { ...identity, type: 'tts', kind: 'tts', ...presentTtsFacts(model), ...offer };
  }
}

function presentVideoFacts(model: VideoModel) {
  const { video } = model;
  const size = parseVideoSize(video, {}, model.id);
  return {
    supported_durations: video.seconds,
    supported_resolutions: video.resolutions,
    supported_aspect_ratios: video.aspectRatios,
    supported_sizes: supportedSizes(video),
    default_seconds: video.defaultSeconds ?? null,
    default_size: `${size.width}x${size.height}`,
    default_resolution: video.defaultResolution,
    fps: video.fps.default,
    supported_fps:
      video.fps.min === undefined || video.fps.max === undefined ? null : { min: video.fps.min, max: video.fps.max },
    audio: video.audio,
    required_media: requiredMedia(video),
    optional_media: optionalMedia(video),
    media_counts: mediaCounts(video),
    /** These resolutions are available only with these durations. */
    rules: video.rules,
  };
}
