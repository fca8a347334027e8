import type { VideoModel } from '../../../lib/domain/model';
import type { ProviderId } from '../../../lib/domain/ids';
import { defaultSettings, type VideoSettings } from './video-settings';

// The settings of a model's page are in its URL, so that a price can be shared. Default values are omitted.

/** The settings of a URL merged with the model's defaults. `fitSettings` corrects invalid values. */
export function readSettings(
  model: VideoModel,
  address: { get(name: string): string | null },
  pin: ProviderId | undefined,
): VideoSettings {
  const provider = model.bindings.find(({ providerId }) => providerId === address.get('provider'))?.providerId ?? pin;
  const standard = defaultSettings(model, provider);
  return {
    ...standard,
    seconds: numberOf(address.get('seconds')) ?? standard.seconds,
    resolution: address.get('resolution') ?? standard.resolution,
    ratio: address.get('ratio') ?? standard.ratio,
    audio: address.get('sound') === null ? standard.audio : address.get('sound') === 'on',
    option: address.get('option') ?? standard.option,
    inputSeconds: numberOf(address.get('input')) ?? standard.inputSeconds,
    withVideo: address.get('reference') === null ? standard.withVideo : address.get('reference') === 'video',
  };
}

/** The query string with `?`; empty for default settings. Other parameters of `address` are kept. */
export function printSettings(
  model: VideoModel,
  settings: VideoSettings,
  address: URLSearchParams,
  pin: ProviderId | undefined,
): string {
  const standard = defaultSettings(model, settings.provider);
  const next = new URLSearchParams(address);
  const put = (name: string, value: string | undefined, usual: string | undefined) => {
    if (value === undefined || value === usual) next.delete(name);
    else next.set(name, value);
  };
  put('provider', settings.provider, pin);
  put('seconds', String(settings.seconds), String(standard.seconds));
  put('resolution', settings.resolution, standard.resolution);
  put('ratio', settings.ratio, standard.ratio);
  put('sound', settings.audio ? 'on' : 'off', standard.audio ? 'on' : 'off');
  put('option', settings.option, standard.option);
  put('input', String(settings.inputSeconds), String(standard.inputSeconds));
  put('reference', settings.withVideo ? 'video' : 'picture', standard.withVideo ? 'video' : 'picture');
  return next.size > 0 ? `?${next}` : '';
}

/** A whole number from 1 to 600. */
function numberOf(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,2}$/.test(text) && Number(text) <= 600 ? Number(text) : undefined;
}
