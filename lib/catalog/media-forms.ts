import type { ProviderId } from '../domain/ids';
import type { MediaForm, VideoBinding } from '../domain/video';

// The forms in which each provider takes media, from its documentation. A provider that is not listed takes every form.

type MediaForms = NonNullable<VideoBinding['mediaForms']>;

const urls: readonly MediaForm[] = ['https'];
const urlsAndData: readonly MediaForm[] = ['https', 'data'];

const mediaForms: Readonly<Record<ProviderId, MediaForms>> = {
  alibaba: { images: urlsAndData, videos: urls },
  bytedance: { images: urlsAndData, videos: urls },
  fal: { images: urlsAndData, videos: urlsAndData },
  'google-ai-studio': { images: ['base64'], videos: ['base64'] },
  'google-vertex': { images: ['base64'] },
  higgsfield: { images: ['https', 'bytes'] },
  kling: { images: ['https', 'base64'], videos: urls },
  luma: { images: urls, videos: urls },
  'luma-dream-machine': { images: urls, videos: urls },
  minimax: { images: urlsAndData, videos: urlsAndData },
  'openai-videos': { images: urlsAndData },
  // Uploaded before the order, as a file or by its URL.
  pixverse: { images: ['https', 'bytes'] },
  replicate: { images: urlsAndData, videos: urls },
  runway: { images: ['https', 'data', 'bytes'], videos: ['https', 'data', 'bytes'] },
  vidu: { images: urlsAndData, videos: urlsAndData },
  // Images without a public URL are uploaded before the order.
  wavespeed: { images: ['https', 'bytes'], videos: urls },
  xai: { images: urlsAndData, videos: urlsAndData },
};

/**
 * Returns the forms for the media of a model that takes images, videos or neither; undefined if it takes every form.
 */
export function mediaFormsOf(
  provider: ProviderId,
  takes: { readonly images: boolean; readonly videos: boolean },
): MediaForms | undefined {
  const { images, videos } = mediaForms[provider] ?? {};
  const forms = { ...(takes.images && images && { images }), ...(takes.videos && videos && { videos }) };
  return Object.keys(forms).length > 0 ? forms : undefined;
}
