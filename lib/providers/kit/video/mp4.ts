import type * as Mediabunny from 'mediabunny';
import type { Input, Source } from 'mediabunny';

// What a video file is, read from its own boxes: nobody's statement about a file is believed where the file itself can
// be asked.

export interface VideoFileFacts {
  /** Of the longest track, as players show it. */
  readonly durationSeconds: number;
  /** Of the picture as it is shown: rotation and pixel shape are applied. */
  readonly width: number;
  readonly height: number;
  /** Frames over duration, to three decimals. */
  readonly fps: number;
  readonly hasAudio: boolean;
  /** Such as `avc1.42c01f`; absent when the codec is not known. */
  readonly codec?: string;
  /** Of H.264 alone. */
  readonly profile?: 'baseline' | 'main' | 'high' | 'other';
}

/** Imported when it is needed and never with `require`: the CommonJS copy of mediabunny is not the one its AAC encoder registers with. */
export function loadMediabunny(): Promise<typeof Mediabunny> {
  return import('mediabunny');
}

/**
 * Opens a video file in memory or on disk for reading; the caller disposes it. Only containers of one self-contained file
 * are recognised: a playlist could make the reader fetch what it names.
 */
export async function openVideoFile(file: Uint8Array | { readonly path: string }): Promise<Input> {
  const { BufferSource, FilePathSource, Input, MATROSKA, MP4, QTFF, WEBM } = await loadMediabunny();
  const source: Source = file instanceof Uint8Array ? new BufferSource(file) : new FilePathSource(file.path);
  return new Input({ source, formats: [MP4, QTFF, WEBM, MATROSKA] });
}

/** Reads the facts of an MP4, QuickTime or WebM file; undefined when it is none or shows no picture. Rejects when it is damaged. */
export async function probeVideo(file: Uint8Array | { readonly path: string }): Promise<VideoFileFacts | undefined> {
  const input = await openVideoFile(file);
  try {
    return await readFacts(input);
  } finally {
    input.dispose();
  }
}

/** The facts of a file that is already open. */
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
