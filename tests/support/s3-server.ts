import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import S3rver from 's3rver';
import type { BucketLocation } from '../../lib/domain/files';

// A server that speaks the S3 protocol, with its files on disk. It is s3rver, with the one request added that it does not
// know, AbortMultipartUpload, and with writes that are whole and in place before they are answered. It checks the access
// key id of a request, but not its signature.

const BUCKET = 'archive';

export interface S3Server {
  readonly location: BucketLocation;
  /** Method and path of every request, in the order of arrival. */
  readonly requests: readonly string[];
  /** Runs before a request is handled; returns true if it has answered the request itself. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** The keys of the bucket that have a file. */
  keys(): Promise<string[]>;
  /** Multipart uploads that were neither completed nor aborted. */
  openUploads(): Promise<number>;
  close(): Promise<void>;
}

export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(path.join(tmpdir(), 'patchbay-s3-'));
  const bucket = path.join(directory, BUCKET);
  await mkdir(bucket);
  const uploads = path.join(bucket, '._S3rver_uploads');
  const requests: string[] = [];
  const app = new S3rver({ directory, silent: true });
  writeBeforeAnswer(app);
  const handle = app.callback();

  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (s3.intercept?.(request, response)) return;
    const uploadId = new URL(request.url ?? '', 'http://s3').searchParams.get('uploadId');
    if (request.method === 'DELETE' && uploadId !== null)
      void rm(path.join(uploads, path.basename(uploadId)), { recursive: true, force: true }).then(() =>
        response.writeHead(204).end(),
      );
    else void handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');

  const s3: S3Server = {
    location: {
      kind: 's3',
      bucket: BUCKET,
      prefix: 'patchbay/media',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${address.port}`,
      pathStyle: true,
      // The only account of s3rver.
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    },
    requests,
    intercept: undefined,
    async keys() {
      const files = await readdir(bucket, { recursive: true });
      return files.flatMap((file) => /^(.*)\._S3rver_object$/.exec(file)?.[1] ?? []).sort();
    },
    openUploads: async () => (existsSync(uploads) ? (await readdir(uploads)).length : 0),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
  return s3;
}

/** The store of s3rver, as far as it is used here. Its declarations leave it out. */
interface Store {
  getResourcePath(bucket: string, key: string | undefined, resource: string): string;
  putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>;
  putObject(object: { bucket: string; key: string; content: Buffer | Readable; metadata: object }): Promise<Stored>;
  putPart(bucket: string, uploadId: string, part: number, content: Readable): Promise<Stored>;
}

interface Stored {
  readonly size: number;
  readonly md5: string;
}

/**
 * s3rver answers a write when it has read the request, and the next read may find an empty or half a file; two writers of
 * a key write into each other's file. S3 promises that a read after a write returns what was written, and that the file
 * of one writer wins.
 */
function writeBeforeAnswer(app: S3rver): void {
  // Safe: s3rver sets it in its constructor.
  const { store } = app as unknown as { store: Store };

  async function write(file: string, content: Buffer | Readable): Promise<Stored> {
    const draft = `${file}.${randomUUID()}`;
    const md5 = createHash('md5');
    let size = 0;
    await mkdir(path.dirname(file), { recursive: true });
    await pipeline(
      Buffer.isBuffer(content) ? Readable.from([content]) : content,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          md5.update(chunk);
          size += chunk.length;
          yield chunk;
        }
      },
      createWriteStream(draft),
    );
    await rename(draft, file);
    return { size, md5: md5.digest('hex') };
  }

  store.putObject = async ({ bucket, key, content, metadata }) => {
    const stored = await write(store.getResourcePath(bucket, key, 'object'), content);
    await store.putMetadata(bucket, key, metadata, stored.md5);
    return stored;
  };
  store.putPart = async (bucket, uploadId, part, content) => {
    const file = path.join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId, String(part));
    const stored = await write(file, content);
    await writeFile(`${file}.md5`, stored.md5);
    return stored;
  };
}
