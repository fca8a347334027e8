import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import type { SKRSContext2D } from '@napi-rs/canvas';
import { systemClock } from '../../../lib/domain/clock';
import type { Clock } from '../../../lib/domain/clock';
import type { MessagesProvider } from '../../../lib/domain/messages';
import { newId } from '../../../lib/domain/ids';
import { parsePrice } from '../../../lib/domain/money';
import type { MediaBytes, MediaSource, ProviderDeps } from '../../../lib/domain/provider';
import type { VideoOrder, VideoProvider, VideoStart, VideoBinding } from '../../../lib/domain/video';
import { sandbox } from '../../../lib/providers/sandbox/index';
import { thinkingSigner } from '../support/messages';
import { recordLog } from '../../support/log';
import type { RecordedLog } from '../../support/log';
import { startWorker } from '../../support/workers';

// The real sandbox in its own data directory, with media that a test provides by URL.

export const projectRoot = path.resolve(__dirname, '../../..');

/** The system's clock, whose date a test can advance. */
export interface MovableClock extends Clock {
  skip(ms: number): void;
}

export function movableClock(): MovableClock {
  let aheadMs = 0;
  return {
    ...systemClock,
    now: () => new Date(systemClock.nowMs() + aheadMs),
    nowMs: () => systemClock.nowMs() + aheadMs,
    skip(ms) {
      aheadMs += ms;
    },
  };
}

export interface TestSandbox {
  readonly messages: MessagesProvider;
  readonly video: VideoProvider;
  readonly clock: MovableClock;
  readonly log: RecordedLog;
  readonly dataDir: string;
  /** Stops the provider like a process that is stopped. */
  stop(): Promise<void>;
  /** Also removes the data directory if it was created here. */
  close(): Promise<void>;
}

interface SandboxChange {
  readonly media?: Readonly<Record<string, MediaBytes | Error>>;
  readonly dataDir?: string;
  readonly cores?: number;
  readonly startWorker?: ProviderDeps['startWorker'];
}

export async function makeSandbox(change: SandboxChange = {}): Promise<TestSandbox> {
  const dataDir = change.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'sandbox-')));
  const clock = movableClock();
  const log = recordLog();
  const unexpected = () => {
    throw new Error('The sandbox needs no such dependency.');
  };
  const media: MediaSource = {
    as: unexpected,
    read: async (url) => {
      const found = change.media?.[url];
      if (found instanceof Error) throw found;
      if (!found) throw new Error('The test has no such media.');
      // A copy, like a download: the sandbox transfers the bytes to its thread.
      return { ...found, bytes: found.bytes.slice(), release: () => {} };
    },
  };
  const provider = sandbox.create({
    settings: {},
    dataDir,
    clock,
    log,
    cores: change.cores ?? 1,
    media,
    files: { open: unexpected, upload: unexpected },
    probe: unexpected,
    thinkingSigner,
    startWorker: change.startWorker ?? startWorker,
  });
  if (!provider.video || !provider.messages) throw new Error('The sandbox renders videos and answers messages.');
  return {
    messages: provider.messages,
    video: provider.video,
    clock,
    log,
    dataDir,
    stop: async () => provider.close?.(),
    async close() {
      await provider.close?.();
      if (change.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export const binding: VideoBinding = {
  providerId: 'sandbox',
  modelName: 'sandbox-t2v',
  stability: 'stable',
  price: { per: 'output_second', rates: [{ usd: parsePrice('0.01') }], source: 'test', verified: true },
  parameters: [],
};

export function makeOrder(change: Partial<VideoOrder> = {}): VideoOrder {
  return {
    kind: 't2v',
    prompt: 'A paper boat on a quiet river',
    seconds: 1,
    resolution: '360p',
    aspectRatio: '16:9',
    width: 320,
    height: 180,
    fps: 8,
    audio: false,
    media: [],
    parameters: {},
    ...change,
  };
}

export function makeStart(change: Partial<VideoOrder> = {}, scenario?: string): VideoStart {
  return {
    videoId: newId('video'),
    order: makeOrder(change),
    binding,
    owner: { orgId: newId('org'), mode: 'test' },
    submitting: async () => {},
    ...(scenario === undefined ? {} : { scenario }),
  };
}

/** Creates a PNG that `paint` draws. */
export function makePicture(width: number, height: number, paint: (brush: SKRSContext2D) => void): MediaBytes {
  const canvas = createCanvas(width, height);
  paint(canvas.getContext('2d'));
  return { bytes: canvas.toBuffer('image/png'), contentType: 'image/png' };
}

/** Paints four coloured fields, which any cropping or blending of a scene would change. */
export function paintFields(width: number, height: number, colours: readonly [string, string, string, string]) {
  return (brush: SKRSContext2D) => {
    for (const [index, colour] of colours.entries()) {
      brush.fillStyle = colour;
      brush.fillRect((index % 2) * (width / 2), Math.floor(index / 2) * (height / 2), width / 2, height / 2);
    }
  };
}
