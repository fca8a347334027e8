import type * as Mediabunny from 'mediabunny';
import type { Input, Source } from 'mediabunny';
import type { VideoFileFacts } from '../domain/files';

// Reads the facts of a video file from the file itself rather than trusting a provider's statement about it.

/**
 * Imported on demand, and never with `require`: mediabunny's AAC encoder registers with the ES module, not with the
 * CommonJS copy.
 */
export function loadMediabunny(): Promise<typeof Mediabunny> {
  return import('mediabunny');
}

/** A video file in memory, on disk, or somewhere from where it is read in parts. */
export type VideoFile = Uint8Array | { readonly path: string } | PartedFile;

export interface PartedFile {
  /** The length of the file in bytes. */
  readonly length: number;
  /** Resolves with exactly the bytes from `start` (inclusive) to `end` (exclusive), which are within the file. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/**
 * Opens a video file for reading; the caller disposes it. Accepts only self-contained formats: a playlist could make
 * the reader fetch other files.
 */
export async function openVideoFile(file: VideoFile): Promise<Input> {
  const mediabunny = await loadMediabunny();
  const { Input, MATROSKA, MP4, QTFF, WEBM } = mediabunny;
  return new Input({ source: sourceOf(file, mediabunny), formats: [MP4, QTFF, WEBM, MATROSKA] });
}

function sourceOf(file: VideoFile, { BufferSource, CustomSource, FilePathSource }: typeof Mediabunny): Source {
  if (file instanceof Uint8Array) return new BufferSource(file);
  if ('path' in file) return new FilePathSource(file.path);
  return new CustomSource({
    getSize: () => file.length,
    read: (start, end) => file.read(start, end),
    // Ignored: a read that fails after the input was disposed has no caller any more.
    handleUnhandledError: () => {},
  });
}

/**
 * Reads the facts of an MP4, QuickTime or WebM file; undefined if it is another format or has no video track. Rejects
 * if it is damaged.
 */
export async function probeVideo(file: VideoFile): Promise<VideoFileFacts | undefined> {
  const input = await openVideoFile(file);
  try {
    return await readFacts(input);
  } finally {
    input.dispose();
  }
}

/** Reads the facts of an open file. */
export async function readFacts(input: Input): Promise<VideoFileFacts | undefined> {
  if (!(await input.canRead())) return undefined;
  const track = await input.getPrimaryVideoTrack();
  if (!track) return undefined;
  const audio = await input.getPrimaryAudioTrack();
  const packets = await track.computePacketStats();
  const codec = await track.getCodecParameterString();
  const profile = codec === null ? undefined : h264Profile(codec);
  return {
    durationSeconds: Number((await input.computeDuration()).toFixed(3)),
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
    fps: Number(packets.averagePacketRate.toFixed(3)),
    hasAudio: audio !== null,
    ...(codec === null ? {} : { codec }),
    ...(profile === undefined ? {} : { profile }),
  };
}

// The two hexadecimal digits after the dot are profile_idc of the stream.
const profiles: Readonly<Record<string, 'baseline' | 'main' | 'high'>> = {
  '42': 'baseline',
  '4d': 'main',
  '64': 'high',
};

function h264Profile(codec: string): VideoFileFacts['profile'] {
  const idc = /^avc[13]\.([0-9a-f]{2})/i.exec(codec)?.[1];
  return idc === undefined ? undefined : (profiles[idc.toLowerCase()] ?? 'other');
}
