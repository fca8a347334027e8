import { createCanvas, Image } from '@napi-rs/canvas';
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import type { Stage } from './frame';
import { readPictureSize } from './picture-size';
import { RenderFailure } from './task';
import type { TaskMedia } from './task';

/** Four bytes per pixel when decoded; more than any handheld camera takes. */
const MAX_PIXELS = 64_000_000;

/** The role of an image in the order, for error messages. */
const roleNames: Readonly<Record<TaskMedia['role'], string>> = {
  first_frame: 'The image for the first frame',
  last_frame: 'The image for the last frame',
  reference_image: 'A reference image',
  reference_video: 'A reference video',
  source_video: 'The source video',
};

/** Decodes an image (the first frame of an animation) to at most `maxSide` pixels. Rejects with a RenderFailure. */
export async function decodePicture(media: TaskMedia, maxSide: number): Promise<Canvas> {
  const name = roleNames[media.role];
  const size = readPictureSize(media.bytes, media.contentType);
  if (!size || size.width === 0 || size.height === 0) throw undecodable(name);
  if (size.width * size.height > MAX_PIXELS) {
    throw new RenderFailure(
      'media_invalid',
      `${name} has ${size.width}×${size.height} pixels; at most ${MAX_PIXELS / 1_000_000} million are allowed. Send a smaller one. You were not charged.`,
    );
  }
  const image = new Image();
  try {
    // Always bytes: the canvas would open a string as a path or a URL.
    image.src = media.bytes;
    await image.decode();
  } catch {
    throw undecodable(name);
  }
  if (image.width === 0 || image.height === 0) throw undecodable(name);
  const scale = Math.min(1, maxSide / Math.max(image.width, image.height));
  const canvas = createCanvas(
    Math.max(1, Math.round(image.width * scale)),
    Math.max(1, Math.round(image.height * scale)),
  );
  const brush = canvas.getContext('2d');
  brush.imageSmoothingQuality = 'high';
  brush.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function undecodable(name: string): RenderFailure {
  return new RenderFailure(
    'media_invalid',
    `${name} could not be decoded. Send a PNG, JPEG, WebP, AVIF or GIF file. You were not charged.`,
  );
}

/**
 * The view of the camera: zoom 1 shows the whole image, more comes closer; shifts are fractions of the room that the
 * zoom leaves.
 */
interface View {
  readonly zoom: number;
  readonly shiftX: number;
  readonly shiftY: number;
}

/** Paints an image so that it covers the frame, cropped equally on both sides. */
export function paintCover(
  brush: SKRSContext2D,
  stage: Stage,
  picture: Canvas,
  view: View = { zoom: 1, shiftX: 0, shiftY: 0 },
  width = picture.width,
  height = picture.height,
): void {
  const scale = Math.max(stage.width / width, stage.height / height) * view.zoom;
  const spareX = width - stage.width / scale;
  const spareY = height - stage.height / scale;
  const fromX = spareX * (0.5 + view.shiftX * 0.5);
  const fromY = spareY * (0.5 + view.shiftY * 0.5);
  brush.drawImage(picture, fromX, fromY, width - spareX, height - spareY, 0, 0, stage.width, stage.height);
}
