import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { addAbortSignal, Readable } from 'node:stream';
import type { Call } from '../domain/call';
import { videoExpired } from '../domain/errors';
import type { BucketLocation, ByteRange, Content, MediaStore } from '../domain/files';
import { selectBytes, unsatisfiable, wholeLength } from '../io/open-file';
import { createUploads, type UploadPlaces } from './s3-upload';
import { checkKey } from './store-key';

const CONNECT_TIMEOUT_MS = 5_000;
/** The time limit from the first byte of a request, which may upload a part of a file, to the response headers. */
const RESPONSE_TIMEOUT_MS = 60_000;

/**
 * Opens the archive in a bucket. Its requests do not pass the SSRF guard for callers' URLs: the operator chose the
 * server, which may be on this machine or in a private network.
 */
export function createS3Store(location: BucketLocation): MediaStore {
  const { bucket, prefix, region, endpoint, pathStyle, credentials } = location;
  const client = new S3Client({
    region,
    credentials,
    forcePathStyle: pathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    // Otherwise the client reads variables of the environment that `readConfig` does not know.
    ignoreConfiguredEndpointUrls: true,
    // By default the client adds checksums that many compatible servers refuse. The bytes are checked in any case:
    // every request is signed with the SHA-256 of its body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: RESPONSE_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      // No timeout: a slow reader of a download may pause the socket for any length of time.
      socketTimeout: 0,
    },
  });

  function objectOf(key: string): { Bucket: string; Key: string } {
    checkKey(key);
    return { Bucket: bucket, Key: prefix === '' ? key : `${prefix}/${key}` };
  }

  const uploads = createUploads(client, (error, status) => statusOf(error) === status);

  function placesOf(key: string): UploadPlaces {
    return { object: objectOf(key), note: objectOf(`unfinished/${key}.json`) };
  }

  async function lengthOf(key: string, { signal }: Call): Promise<number> {
    try {
      const { ContentLength } = await client.send(new HeadObjectCommand(objectOf(key)), { abortSignal: signal });
      if (ContentLength === undefined) throw new Error('The bucket does not report the length of a file.');
      return ContentLength;
    } catch (error) {
      throw asExpired(error);
    }
  }

  /** `range` begins at 0 or later. */
  async function read(key: string, range: ByteRange | undefined, call: Call): Promise<Content> {
    const { signal } = call;
    try {
      const Range = range && `bytes=${range.start}-${range.end ?? ''}`;
      const found = await client.send(new GetObjectCommand({ ...objectOf(key), ...(Range ? { Range } : {}) }), {
        abortSignal: signal,
      });
      if (!(found.Body instanceof Readable)) throw new Error('The client of the bucket returned no stream.');
      const part = parseContentRange(found.ContentRange);
      const total = part ? part.total : found.ContentLength;
      return {
        status: part ? 206 : 200,
        ...(found.ContentLength === undefined ? {} : { length: found.ContentLength }),
        ...(total === undefined ? {} : { total }),
        start: part?.start ?? 0,
        body: addAbortSignal(signal, found.Body),
      };
    } catch (error) {
      if (range && statusOf(error) === 416) return unsatisfiable(await lengthOf(key, call));
      throw asExpired(error);
    }
  }

  return {
    put: async (key, open, { maxBytes }, { signal }) => ({
      bytes: await uploads.put(placesOf(key), open, maxBytes, signal),
    }),

    async open(key, part, call) {
      if (part === 'head') return wholeLength(await lengthOf(key, call));
      if (part === undefined || part.start >= 0) return read(key, part, call);
      // Not every compatible server knows ranges that count from the end.
      const total = await lengthOf(key, call);
      const range = selectBytes(part, total);
      return range ? read(key, range, call) : unsatisfiable(total);
    },

    async remove(key, { signal }) {
      await uploads.remove(placesOf(key), signal);
      try {
        await client.send(new DeleteObjectCommand(objectOf(key)), { abortSignal: signal });
      } catch (error) {
        // Amazon S3 answers 204 for a missing key; some servers answer 404.
        if (statusOf(error) !== 404) throw error;
      }
    },
  };
}

const statusOf = (error: unknown) => (error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined);

/** Turns the error of a missing key into `video_expired`. Not that of a missing bucket: its files may still exist. */
function asExpired(error: unknown): unknown {
  const isMissing = error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.name === 'NotFound');
  return isMissing ? videoExpired() : error;
}

function parseContentRange(text: string | undefined): { start: number; total?: number } | undefined {
  const match = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(text ?? '');
  if (!match) return undefined;
  return { start: Number(match[1]), ...(match[2] === '*' ? {} : { total: Number(match[2]) }) };
}
