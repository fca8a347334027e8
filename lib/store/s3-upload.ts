import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { OpenSource } from '../domain/files';
import { openSource } from './continue-source';
import { isTooLarge, limitBody } from './limit-body';

// Uploads a file to a bucket: a short one with one request, a longer one in parts. During an upload in parts, a note in
// the bucket contains the id of the upload and the parts that the server has confirmed. With it, any process can later
// continue or remove an upload that failed or whose process was killed. Listing uploads is not an alternative, because
// not every server supports it.

/** The smallest part that Amazon S3 takes. With at most 10,000 parts, a file can have 48 GiB. */
const PART_BYTES = 5 * 1024 * 1024;
/** The note is written after this many parts, so at most as many are sent again after a crash. */
const NOTE_EVERY = 4;
const CLEAN_UP_MS = 10_000;

export interface ObjectPlace {
  readonly Bucket: string;
  readonly Key: string;
}

/** The keys of a file and of the note about its upload. */
export interface UploadPlaces {
  readonly object: ObjectPlace;
  readonly note: ObjectPlace;
}

const noteSchema = z.object({
  uploadId: z.string(),
  /** The version of the source; absent if it cannot be continued. */
  version: z.string().optional(),
  /** The ETags of the first parts. */
  parts: z.array(z.string()),
});
type Note = z.infer<typeof noteSchema>;

interface Upload extends Note {
  readonly parts: string[];
}

export function createUploads(client: S3Client, isStatus: (error: unknown, status: number) => boolean) {
  async function readNote({ note }: UploadPlaces, signal: AbortSignal): Promise<Note | undefined> {
    try {
      const { Body } = await client.send(new GetObjectCommand(note), { abortSignal: signal });
      const parsed = noteSchema.safeParse(JSON.parse((await Body?.transformToString()) ?? 'null'));
      return parsed.data;
    } catch (error) {
      if (isStatus(error, 404)) return undefined;
      throw error;
    }
  }

  async function writeNote({ note }: UploadPlaces, upload: Note, signal: AbortSignal): Promise<void> {
    const Body = JSON.stringify(noteSchema.parse(upload));
    await client.send(new PutObjectCommand({ ...note, Body }), { abortSignal: signal });
  }

  async function removeNote({ note }: UploadPlaces, signal: AbortSignal): Promise<void> {
    await client.send(new DeleteObjectCommand(note), { abortSignal: signal }).catch((error: unknown) => {
      if (!isStatus(error, 404)) throw error;
    });
  }

  /** Removes the parts, then the note: without it they could not be found again. */
  async function drop(places: UploadPlaces, { uploadId }: Note, signal: AbortSignal): Promise<void> {
    const abort = new AbortMultipartUploadCommand({ ...places.object, UploadId: uploadId });
    await client.send(abort, { abortSignal: signal }).catch((error: unknown) => {
      if (!isStatus(error, 404)) throw error;
    });
    await removeNote(places, signal);
  }

  async function begin(places: UploadPlaces, version: string | undefined, signal: AbortSignal): Promise<Upload> {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(places.object), { abortSignal: signal });
    if (UploadId === undefined) throw new Error('The bucket returned no id of an upload.');
    const upload = { uploadId: UploadId, ...(version !== undefined && { version }), parts: [] };
    await writeNote(places, upload, signal);
    return upload;
  }

  async function send(places: UploadPlaces, upload: Upload, Body: Buffer, signal: AbortSignal): Promise<void> {
    const { uploadId: UploadId, parts } = upload;
    const part = new UploadPartCommand({ ...places.object, UploadId, PartNumber: parts.length + 1, Body });
    const { ETag } = await client.send(part, { abortSignal: signal });
    if (ETag === undefined) throw new Error('The bucket returned no ETag of a part.');
    parts.push(ETag);
    if (upload.version !== undefined && parts.length % NOTE_EVERY === 0) await writeNote(places, upload, signal);
  }

  /** Sends all parts. While a part is sent, the next one is read, so at most three are in memory. */
  async function sendAll(places: UploadPlaces, body: Readable, upload: Upload | undefined, options: SendOptions) {
    const { signal, version, onBegin } = options;
    let current = upload;
    let sending: Promise<void> | undefined;
    try {
      for await (const part of partsOf(body)) {
        if (!current && part.length < PART_BYTES) {
          await client.send(new PutObjectCommand({ ...places.object, Body: part }), { abortSignal: signal });
          return;
        }
        if (!current) onBegin((current = await begin(places, version, signal)));
        await sending;
        sending = send(places, current, part, signal);
        // It is awaited later, or not at all if the source fails.
        sending.catch(() => {});
      }
      await sending;
    } finally {
      // Wait for the part: one that arrives after the removal of its upload would never be removed.
      await sending?.catch(() => {});
    }
    if (!current) throw new Error('The file is empty.');
    const Parts = current.parts.map((ETag, at) => ({ ETag, PartNumber: at + 1 }));
    const complete = { ...places.object, UploadId: current.uploadId, MultipartUpload: { Parts } };
    await client.send(new CompleteMultipartUploadCommand(complete), { abortSignal: signal });
    await removeNote(places, signal);
  }

  return {
    /** See `MediaStore.put`. */
    async put(places: UploadPlaces, open: OpenSource, maxBytes: number, signal: AbortSignal): Promise<number> {
      const note = await readNote(places, signal);
      const stored =
        note?.version === undefined ? undefined : { version: note.version, bytes: note.parts.length * PART_BYTES };
      const { body: source, start, version } = await openSource(open, stored);
      const { body, bytes } = limitBody(source, maxBytes, signal, start);
      let upload: Upload | undefined;
      try {
        if (note && start > 0) upload = { ...note };
        else if (note) await drop(places, note, signal);
        await sendAll(places, body, upload, { signal, version, onBegin: (begun) => (upload = begun) });
      } catch (error) {
        body.destroy();
        const isLost = error instanceof Error && error.name === 'NoSuchUpload';
        if (upload && (version === undefined || isLost || isTooLarge(body.errored ?? error)))
          // The upload's error is reported even if the removal fails too: the note remains, so a later put removes it.
          await drop(places, upload, AbortSignal.timeout(CLEAN_UP_MS)).catch(() => {});
        throw body.errored ?? error;
      }
      return bytes();
    },

    /** Removes the parts and the note of an interrupted put. */
    async remove(places: UploadPlaces, signal: AbortSignal): Promise<void> {
      const note = await readNote(places, signal);
      if (note) await drop(places, note, signal);
    },
  };
}

interface SendOptions {
  readonly signal: AbortSignal;
  readonly version: string | undefined;
  readonly onBegin: (upload: Upload) => void;
}

/** Yields parts of `PART_BYTES`; the last one may be shorter. An empty source yields one empty part. */
async function* partsOf(body: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let length = 0;
  let isEmpty = true;
  for await (const chunk of body) {
    // Safe: a stream that is not in object mode has no other chunks.
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    while (length >= PART_BYTES) {
      const whole = Buffer.concat(chunks, length);
      yield whole.subarray(0, PART_BYTES);
      isEmpty = false;
      chunks = [Buffer.from(whole.subarray(PART_BYTES))];
      length -= PART_BYTES;
    }
  }
  if (length > 0 || isEmpty) yield Buffer.concat(chunks, length);
}
