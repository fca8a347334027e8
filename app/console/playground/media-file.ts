import type { MediaPiece } from './form';

// A picked or dropped file becomes a data URL, which the API takes as it takes an address. The limits are those of the API,
// told before anything is sent.

export type MediaKind = 'image' | 'video';

const MEBIBYTE = 1024 * 1024;

export const mediaLimits: Readonly<
  Record<MediaKind, { readonly maxBytes: number; readonly accept: string; readonly words: string }>
> = {
  image: {
    maxBytes: 20 * MEBIBYTE,
    accept: 'image/png,image/jpeg,image/webp,image/gif,image/avif',
    words: 'PNG, JPEG, WebP, GIF or AVIF, up to 20 MB',
  },
  video: {
    maxBytes: 25 * MEBIBYTE,
    accept: 'video/mp4,video/quicktime,video/webm',
    words: 'MP4, MOV or WebM, up to 25 MB',
  },
};

type FilePiece = Extract<MediaPiece, { kind: 'file' }>;

/** Reads a file; throws an Error with a sentence for people when the API would refuse it. */
export async function readMedia(file: File, kind: MediaKind): Promise<FilePiece> {
  const { maxBytes, words } = mediaLimits[kind];
  if (!file.type.startsWith(`${kind}/`))
    throw new Error(`“${file.name}” is not ${kind === 'image' ? 'an image' : 'a video'}. Use ${words}.`);
  if (file.size > maxBytes)
    throw new Error(
      `“${file.name}” is ${megabytes(file.size)}, but a request can contain at most ${maxBytes / MEBIBYTE} MB. Use a smaller file or an https URL.`,
    );
  if (file.size === 0) throw new Error(`“${file.name}” is empty.`);
  const dataUrl = await dataUrlOf(file);
  if (kind === 'image') return { kind: 'file', name: file.name, sizeBytes: file.size, dataUrl };
  // The policy of the page plays no data URL, so the picture beside it comes from the file itself.
  const previewUrl = URL.createObjectURL(file);
  const durationSeconds = await durationOf(previewUrl);
  return {
    kind: 'file',
    name: file.name,
    sizeBytes: file.size,
    dataUrl,
    previewUrl,
    ...(durationSeconds !== undefined && { durationSeconds }),
  };
}

export function megabytes(bytes: number): string {
  return bytes < MEBIBYTE ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / MEBIBYTE).toFixed(1)} MB`;
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(new Error(`“${file.name}” could not be read.`)));
    reader.readAsDataURL(file);
  });
}

/** Seconds as the browser's own decoder tells them, to the millisecond; undefined when it cannot read the file. */
function durationOf(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const video = document.createElement('video');
    video.preload = 'metadata';
    video.addEventListener('loadedmetadata', () =>
      resolve(Number.isFinite(video.duration) ? Math.round(video.duration * 1000) / 1000 : undefined),
    );
    video.addEventListener('error', () => resolve(undefined));
    video.src = url;
  });
}
