import { dataUrlOf, megabytes } from '../components/media-file';
import type { ImagePiece } from './conversation';

// An image of a prompt: from a file picker, dropped or pasted. Type and size are checked before anything is sent.

const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
export const IMAGE_ACCEPT = TYPES.join(',');
/** The limit per image of most vendors. */
const MAX_BYTES = 5 * 1024 * 1024;
/** A request body is limited to 32 MB, and base64 adds a third. */
const MAX_TOTAL_BYTES = 20 * 1024 * 1024;

/**
 * Reads an image. `others` are the images that the prompt already has. Throws an Error with a user-readable message.
 */
export async function readImage(file: File, others: readonly ImagePiece[]): Promise<ImagePiece> {
  const name = file.name || 'The pasted image';
  if (!TYPES.includes(file.type))
    throw new Error(`“${name}” is not an image that models accept. Use PNG, JPEG, WebP or GIF.`);
  if (file.size === 0) throw new Error(`“${name}” is empty.`);
  if (file.size > MAX_BYTES)
    throw new Error(`“${name}” is ${megabytes(file.size)}, but an image can have at most 5 MB. Use a smaller one.`);
  const total = others.reduce((sum, image) => sum + (image.kind === 'file' ? image.sizeBytes : 0), file.size);
  if (total > MAX_TOTAL_BYTES)
    throw new Error(
      `The images together would be ${megabytes(total)}, but a request can have at most 20 MB of them. Remove one.`,
    );
  const dataUrl = await dataUrlOf(file);
  return {
    kind: 'file',
    name,
    mediaType: file.type,
    data: dataUrl.slice(dataUrl.indexOf(',') + 1),
    sizeBytes: file.size,
  };
}

/** Returns the image as a data URL, for a preview. */
export function dataUrl(image: Extract<ImagePiece, { kind: 'file' }>): string {
  return `data:${image.mediaType};base64,${image.data}`;
}
