import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MediaStore } from '../../../lib/domain/files';
import { createS3Store } from '../../../lib/store/s3-store';
import { recordLog } from '../../support/log';
import { wholeFile } from '../../support/whole-file';
import { patternFile, patternSource } from './pattern-source';
import { startS3Server, type S3Server } from '../../support/s3-server';

let server: S3Server;
let store: MediaStore;
beforeEach(async () => {
  server = await startS3Server();
  store = createS3Store(server.location);
});
afterEach(() => server.close());

const MiB = 1024 * 1024;
const call = { signal: new AbortController().signal, log: recordLog() };
const room = { maxBytes: 100 * MiB };
const put = (bytes: number) =>
  store.put('videos/a.mp4', wholeFile(Readable.from([Buffer.alloc(bytes, 'a')])), room, call);
/** The requests without ids: `PUT part`, `POST uploads` … */
const requests = () =>
  server.requests.map((line) => {
    const [method, url = ''] = line.split(' ');
    const { searchParams } = new URL(url, 'http://s3');
    const kind = ['uploads', 'partNumber', 'uploadId'].find((name) => searchParams.has(name));
    return kind === undefined ? method : `${method} ${kind}`;
  });

describe('createS3Store', () => {
  it('puts a small file with one request, after a look for an interrupted put, under the prefix', async () => {
    await put(10);
    expect(requests()).toEqual(['GET', 'PUT']);
    expect(await server.keys()).toEqual(['patchbay/media/videos/a.mp4']);
  });

  it('puts a larger file in parts of 5 MiB', async () => {
    await put(11 * MiB);
    const parts = ['PUT partNumber', 'PUT partNumber', 'PUT partNumber'];
    // Between them, the note of the upload is written and removed.
    expect(requests()).toEqual(['GET', 'POST uploads', 'PUT', ...parts, 'POST uploadId', 'DELETE']);
    expect(await server.keys()).toEqual(['patchbay/media/videos/a.mp4']);
  });

  it('aborts the upload when a part is refused', async () => {
    server.intercept = (request, response) => {
      if (!request.url?.includes('partNumber=2')) return false;
      request.resume().on('end', () => response.writeHead(403).end());
      return true;
    };
    await expect(put(11 * MiB)).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
    expect(requests().slice(-2)).toEqual(['DELETE uploadId', 'DELETE']);
    expect([await server.keys(), await server.openUploads()]).toEqual([[], 0]);
  });

  it('sends a part again after an error of the server', async () => {
    let failures = 0;
    server.intercept = (request, response) => {
      if (!request.url?.includes('partNumber=2') || failures === 2) return false;
      failures += 1;
      request.resume().on('end', () => response.writeHead(503).end());
      return true;
    };
    expect(await put(11 * MiB)).toEqual({ bytes: 11 * MiB });
    expect(failures).toBe(2);
    const { body } = await store.open('videos/a.mp4', undefined, call);
    expect((await buffer(body)).equals(Buffer.alloc(11 * MiB, 'a'))).toBe(true);
  });

  it('reports why a file was not stored, also if its parts cannot be removed', async () => {
    server.intercept = (request, response) => {
      if (request.method !== 'DELETE') return false;
      response.writeHead(403).end();
      return true;
    };
    const source = Readable.from(Array.from({ length: 11 }, () => Buffer.alloc(MiB)));
    await expect(store.put('videos/a.mp4', wholeFile(source), { maxBytes: 10 * MiB }, call)).rejects.toMatchObject({
      code: 'media_too_large',
    });
    expect(requests()).toContain('DELETE uploadId');
  });

  it('begins again if the server has removed the parts of an interrupted put', async () => {
    const file = patternFile(26 * MiB);
    const cut = { at: 23 * MiB, run: (stream: Readable) => void stream.destroy(new Error('cut off')) };
    const interrupted = patternSource(file, { etag: '"one"', stop: cut });
    await expect(store.put('videos/a.mp4', interrupted.open, room, call)).rejects.toThrow('cut off');
    server.intercept = (request, response) => {
      if (!request.url?.includes('uploadId=') || request.method === 'DELETE') return false;
      const body = '<Error><Code>NoSuchUpload</Code><Message>It is gone.</Message></Error>';
      request.resume().on('end', () => response.writeHead(404, { 'content-type': 'application/xml' }).end(body));
      return true;
    };
    const { open, starts } = patternSource(file, { etag: '"one"' });
    await expect(store.put('videos/a.mp4', open, room, call)).rejects.toMatchObject({ name: 'NoSuchUpload' });
    server.intercept = undefined;
    expect(await store.put('videos/a.mp4', open, room, call)).toEqual({ bytes: file.length });
    expect(starts).toEqual([20 * MiB, 0]);
    expect([await server.keys(), await server.openUploads()]).toEqual([['patchbay/media/videos/a.mp4'], 0]);
  });

  it('reads the length with HEAD alone', async () => {
    await put(10);
    await store.open('videos/a.mp4', 'head', call);
    expect(requests()).toEqual(['GET', 'PUT', 'HEAD']);
  });

  it('does not call a file of a missing bucket expired', async () => {
    const elsewhere = createS3Store({ ...server.location, bucket: 'other' });
    await expect(elsewhere.open('videos/a.mp4', undefined, call)).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });

  it('fails with the error of the server if the credentials are wrong', async () => {
    const wrong = createS3Store({
      ...server.location,
      credentials: { accessKeyId: 'other', secretAccessKey: 'other' },
    });
    await expect(wrong.open('videos/a.mp4', undefined, call)).rejects.toMatchObject({ name: 'InvalidAccessKeyId' });
  });
});
