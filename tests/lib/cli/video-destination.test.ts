import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../../../lib/cli/program';
import { systemClock } from '../../../lib/domain/clock';

// Where `patchbay video create --out` writes, in this process, against an installation that knows one finished video.

const ID = 'video_0123456789abcdef0123456789abcdef';
const video = { id: ID, status: 'completed', model: 'sandbox-t2v', seconds: 1, size: '640x360', cost: 0.01 };

let directory: string;
let submits = 0;
let refuses = false;
let onDownload = async (): Promise<void> => undefined;
const server = createServer((request, response) => {
  void (async () => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'POST') {
      submits++;
      if (!refuses) return response.writeHead(202).end(JSON.stringify({ ...video, status: 'queued' }));
      const error = { message: 'Refused.', type: 'invalid_request_error', param: null, code: 'invalid_value' };
      return response.writeHead(400).end(JSON.stringify({ error }));
    }
    if (!request.url?.endsWith('/content')) return response.end(JSON.stringify({ ...video, created_at: 1 }));
    await onDownload();
    return response.end('the file');
  })();
});

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => server.close());
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'patchbay-out-'));
  submits = 0;
  refuses = false;
  onDownload = async () => undefined;
  return () => rm(directory, { recursive: true, force: true });
});

async function create(out: string) {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const code = await runProgram(
    {
      env: {
        HOME: directory,
        PATCHBAY_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        PATCHBAY_API_KEY: 'pb_test_key',
      },
      cwd: directory,
      projectRoot: directory,
      ...streams,
      signal: new AbortController().signal,
      clock: systemClock,
      operate: async () => undefined,
    },
    ['video', 'create', '--model', 'sandbox-t2v', '--prompt', 'A boat', '--out', out],
  );
  const textOf = (stream: PassThrough) => String((stream.read() as Buffer | null) ?? '');
  return { code, stdout: textOf(streams.stdout), stderr: textOf(streams.stderr) };
}

describe('patchbay video create --out', () => {
  it('writes the file, and leaves no other', async () => {
    expect(await create('boat.mp4')).toMatchObject({ code: 0, stdout: 'Wrote boat.mp4, 8 bytes.\n' });
    expect(await readdir(directory)).toEqual(['boat.mp4']);
    expect(await readFile(path.join(directory, 'boat.mp4'), 'utf8')).toBe('the file');
  });

  it.each([
    ['a folder that does not exist', 'nope/x.mp4', /x\.mp4 cannot be written: ENOENT/],
    ['a folder', '.', /cannot be written: it is a folder\./],
  ])('submits nothing if the file is in %s', async (_name, out, sentence) => {
    expect(await create(out)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) as string });
    expect(submits).toBe(0);
  });

  it('leaves no file behind when the submission is refused', async () => {
    refuses = true;
    expect(await create('boat.mp4')).toEqual({ code: 1, stdout: '', stderr: 'Refused.\n' });
    expect(await readdir(directory)).toEqual([]);
  });

  it('says how to get the video if it cannot be written after all', async () => {
    onDownload = async () => void (await mkdir(path.join(directory, 'boat.mp4')));
    const { code, stderr } = await create('boat.mp4');
    expect([code, stderr.trim().split('\n').at(-1)]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(`boat\\.mp4 cannot be written: .*\\. Get the video with: patchbay video download ${ID}$`),
      ),
    ]);
    expect(await readdir(directory)).toEqual(['boat.mp4']);
  });
});
