import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';
import type { BucketLocation } from '../../lib/domain/files';

// A server that speaks the S3 protocol, with its files on disk. It is s3rver, with the one request added that it does not
// know: AbortMultipartUpload. It checks the access key id of a request, but not its signature.

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
