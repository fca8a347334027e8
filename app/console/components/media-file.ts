import type { MediaPiece } from './video-form/form';

// Converts a picked or dropped file to a data URL, which the API accepts like a URL. Checks the API's limits before
// sending.

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

/**
 * Reads an image or a video for a request. Throws an Error with a user-readable message if the API would refuse the
 * file.
 */
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
  // The content security policy forbids data URLs for video, so the preview uses an object URL.
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

export function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(new Error(`“${file.name}” could not be read.`)));
    reader.readAsDataURL(file);
  });
}

/** Reads the length in seconds with the browser's decoder, to the millisecond; undefined if it cannot read the file. */
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
