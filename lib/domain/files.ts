import type { Readable } from 'node:stream';
import type { Call } from './call';

// Files as streams: a part of a file, files behind URLs, and the archive of finished files.

/** Inclusive offsets; without `end`, to the end of the file. Negative `start`: the last `-start` bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** A finished file, or the requested part of it, as a stream; length and range as the source reported them. */
export interface Content {
  readonly status: 200 | 206 | 416;
  /** Bytes in `body`; absent if the source did not report it. */
  readonly length?: number;
  /** Bytes of the whole file, if known. */
  readonly total?: number;
  /** First byte of `body` within the file; 0 for a whole file. */
  readonly start: number;
  /** The ETag of the source, with its quotation marks; absent if it has none. */
  readonly etag?: string;
  readonly body: Readable;
}

/** The requested part of a file: a range, only its length (`head`), or all of it. */
export type ContentPart = ByteRange | 'head' | undefined;

/**
 * Files behind URLs that an upstream returned. Each redirect is checked like a customer's URL, and credentials are
 * never sent.
 */
export interface RemoteFiles {
  /**
   * Streams an MP4 file, whatever the server does with ranges. For `head`, `body` is empty and `length` is the length
   * of the file. Ends when the call's signal aborts. There is no total timeout, but one for the headers and one for
   * silence. Rejects with `video_expired` (404 or 410) or `upstream_content_unavailable` (any other failure, and
   * content that is not an MP4 file).
   */
  open(url: string, part: ContentPart, call: Call): Promise<Content>;
  /**
   * Uploads a body to a URL that the upstream gave for it. Rejects with an upstream outcome: nothing has started.
   */
  upload(slot: UploadSlot, body: Uint8Array, call: Call): Promise<void>;
}

export interface UploadSlot {
  readonly url: string;
  readonly method: 'PUT' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
}

/** The archive of finished files (`MEDIA_STORE`): a directory or a bucket. Keys are names joined by `/`. */
export interface MediaStore {
  /**
   * Stores a file under a key, in bounded memory. Resolves when the file is complete and durable; a failed or
   * interrupted upload leaves the key as it was. If the source has a strong ETag that has not changed, the next put of
   * the key continues where a failed put, or the put of a killed process, has stopped. Rejects with `media_too_large`
   * if the file is longer than `maxBytes`, and as `open` does. Safe to repeat.
   */
  put(key: string, open: OpenSource, options: { readonly maxBytes: number }, call: Call): Promise<{ bytes: number }>;
  /** Rejects with `video_expired` if there is no such file. */
  open(key: string, part: ContentPart, call: Call): Promise<Content>;
  /** Also removes what an interrupted put has stored. Safe to repeat. */
  remove(key: string, call: Call): Promise<void>;
  /** Removes what the puts of killed processes have left behind, unless another put can continue it. */
  tidy?(): Promise<void>;
}

/** Opens the file that is to be stored, or the rest of it from a byte on. */
export type OpenSource = (part: ByteRange | undefined) => Promise<Content>;

/** Where the archive is: the value of `MEDIA_STORE`. */
export type MediaStoreLocation = { readonly kind: 'directory'; readonly directory: string } | BucketLocation;

/** A bucket of Amazon S3 or of a compatible server. */
export interface BucketLocation {
  readonly kind: 's3';
  readonly bucket: string;
  /** The beginning of every key, without a `/` at its end; may be empty. */
  readonly prefix: string;
  readonly region: string;
  /** The base URL of the server; absent: Amazon S3. */
  readonly endpoint?: string;
  /** The bucket is in the path of a URL and not in its host name. */
  readonly pathStyle: boolean;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** Facts that are read from a video file itself, instead of trusting a statement about it. */
export interface VideoFileFacts {
  /** The duration of the longest track, as players show it. */
  readonly durationSeconds: number;
  /** The width of the displayed image: rotation and pixel aspect ratio are applied. */
  readonly width: number;
  readonly height: number;
  /** Frames divided by duration, to three decimals. */
  readonly fps: number;
  readonly hasAudio: boolean;
  /** Such as `avc1.42c01f`; absent if the codec is unknown. */
  readonly codec?: string;
  /** Only for H.264. */
  readonly profile?: 'baseline' | 'main' | 'high' | 'other';
}

/**
 * Reads the bytes from `start` to `end`, both inclusive, or as many of them as the file has. `total` is the length of
 * the whole file in bytes.
 */
export type ReadPart = (start: number, end: number) => Promise<{ readonly bytes: Uint8Array; readonly total: number }>;

/**
 * Reads at most `maxBlocks` parts of 256 KB, each once. Resolves to undefined if the facts cannot be read from them,
 * because the file is not a video, is damaged, or has an index that is too long or too scattered. Rejects with the
 * errors of `readPart` and with the reason of the signal.
 */
export type ProbeVideo = (
  readPart: ReadPart,
  maxBlocks: number,
  signal: AbortSignal,
) => Promise<VideoFileFacts | undefined>;
