import type { MediaPiece, ShownModel } from '../components/video-form/form';
import type { GalleryVideo } from './gallery-video';

const FRAME_TIMEOUT_MS = 1_000;

/** Resolves to the last frame of a playable file as an image file. Rejects if the browser cannot decode it. */
export async function lastFrameOf(source: string, fps: number): Promise<MediaPiece> {
  const video = document.createElement('video');
  video.muted = true;
  video.preload = 'auto';
  video.src = source;
  await happened(video, 'loadeddata');
  // Half a frame before the end is within the last frame, whatever the rounding.
  video.currentTime = Math.max(0, video.duration - 0.5 / fps);
  await Promise.all([happened(video, 'seeked'), shown(video)]);
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  const dataUrl = canvas.toDataURL('image/png');
  const base64Chars = dataUrl.length - dataUrl.indexOf(',') - 1;
  return { kind: 'file', name: 'last frame.png', sizeBytes: Math.floor((base64Chars * 3) / 4), dataUrl };
}

/** Waits until the frame is painted: directly after seeking, a canvas would copy an empty frame. */
function shown(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    video.requestVideoFrameCallback(() => resolve());
    // Background tabs present no frames; after the timeout we use what is decoded.
    window.setTimeout(resolve, FRAME_TIMEOUT_MS);
  });
}

function happened(video: HTMLVideoElement, event: 'loadeddata' | 'seeked'): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true });
    video.addEventListener('error', () => reject(new Error('The last frame could not be read from this file.')), {
      once: true,
    });
  });
}

/**
 * Returns the model that continues a video: the model of the form, one of the same family, or any image-to-video model.
 */
export function continuing(
  video: GalleryVideo,
  models: readonly ShownModel[],
  current: ShownModel | undefined,
): ShownModel | undefined {
  if (current?.model.video.kind === 'i2v') return current;
  const begins = models.filter(({ model }) => model.video.kind === 'i2v');
  const family = models.find(({ model }) => model.id === video.model)?.model.family;
  return begins.find(({ model }) => model.family === family) ?? begins[0];
}
