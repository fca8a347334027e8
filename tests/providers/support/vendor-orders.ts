import { mediaKind, type OrderMedia, type VideoOrder } from '../../../lib/domain/video';
import { pngOfSize } from '../../support/media-bytes';

// The words of tests that order videos: a prompt, media at URLs where there is no server, and changes of an order.

export type OrderChange = Partial<VideoOrder>;

export const PROMPT = 'A paper boat on a quiet river';
export const IMAGE = 'https://media.example.com/first.png';
export const LAST_IMAGE = 'https://media.example.com/last.png';
export const CLIP = 'https://media.example.com/clip.mp4';
/** A recording. */
export const VOICE = 'https://media.example.com/voice.mp3';

export const first: OrderMedia = { role: 'first_frame', url: IMAGE };
export const last: OrderMedia = { role: 'last_frame', url: LAST_IMAGE };
export const imageReference: OrderMedia = { role: 'reference_image', url: IMAGE };
export const otherReference: OrderMedia = { role: 'reference_image', url: LAST_IMAGE };
export const videoReference: OrderMedia = { role: 'reference_video', url: CLIP };
export const source: OrderMedia = { role: 'source_video', url: CLIP };

/** No ratio, although the default order has one. */
export const unshaped = { aspectRatio: undefined } as unknown as OrderChange;
export const parameter = (name: string, value: string | boolean): OrderChange => ({ parameters: { [name]: value } });

/** Media at public URLs, which are never read. */
export const urlsAlone = {
  as: async ({ role, url }: OrderMedia) =>
    ({ form: 'https', url: url.startsWith('https:') ? url : mediaKind(role) === 'video' ? CLIP : IMAGE }) as const,
  read: async () => {
    throw new Error('No media are read here.');
  },
};

/** The same, of which an image can be read: the beginning of a PNG file of that size. */
export const withImageOf = (width: number, height: number) => ({
  ...urlsAlone,
  read: async () => ({ bytes: pngOfSize(width, height), contentType: 'image/png', release: () => {} }),
});
