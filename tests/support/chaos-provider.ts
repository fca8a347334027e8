import { Readable } from 'node:stream';
import type { VideoId } from '../../lib/domain/ids';
import type { Json } from '../../lib/domain/json';
import type { ProviderDefinition } from '../../lib/domain/provider';
import type { VideoProgress, VideoProvider, VideoStart } from '../../lib/domain/video';
import { RESULT } from './upstreams/fake-video-vendor';

// A provider whose every response is scripted by the test. It replaces a real provider, so that the flow around it is
// the real one.

export interface ChaosCalls {
  readonly starts: VideoStart[];
  readonly checks: string[];
  readonly cancels: string[];
  readonly opens: Json[];
}

export interface Chaos {
  readonly definition: ProviderDefinition;
  readonly calls: ChaosCalls;
  /** Runs before the point of no return of a start. */
  onPrepare: () => Promise<void>;
  /** How the next calls answer; the last script stays for all further calls. */
  onStart: (start: VideoStart, call: number, signal: AbortSignal) => Promise<{ providerJobId?: string }>;
  onCheck: (videoId: string, call: number) => Promise<VideoProgress>;
  /** Announces that the progress of a video has changed. */
  announce(videoId: VideoId): void;
  onCancel: ((videoId: string) => Promise<'cancelled' | 'too_late'>) | undefined;
  /** Runs before a file is opened; may reject. */
  onOpen: (file: Json, call: number) => Promise<void>;
  /** Makes a new reference to a file; by default the old one. */
  onRefresh: (file: Json) => Promise<Json>;
}

/** A video of two seconds. */
export const chaosFile = RESULT;

export const completed = {
  status: 'completed',
  video: { expiresAt: 'kept', file: { kept: 'here' }, width: 1280, height: 720, fps: 24, durationSeconds: 5 },
} satisfies VideoProgress;

/** As `completed`, but the provider keeps the file only until this time. */
export function completedUntil(expiresAt: Date, publicUrl?: string): VideoProgress {
  const video = { ...completed.video, expiresAt, ...(publicUrl === undefined ? {} : { publicUrl }) };
  return { status: 'completed', video };
}

export interface ChaosOptions extends Pick<
  VideoProvider,
  'repeatable' | 'limits' | 'waitTimeoutMs' | 'pace' | 'cancels'
> {
  /** The provider can look up by our id what became of an earlier start, and this is what it finds. */
  readonly recover?: 'started' | 'not_started';
}

/** Accepts everything and completes at the first check, unless a test scripts something else. */
export function createChaos(id: string, { recover, ...options }: ChaosOptions = {}): Chaos {
  const calls: ChaosCalls = { starts: [], checks: [], cancels: [], opens: [] };
  const listeners = new Set<(videoId: VideoId) => void>();
  const chaos: Chaos = {
    calls,
    onPrepare: async () => {},
    onStart: async (start) => ({ providerJobId: `job-of-${start.videoId}` }),
    onCheck: async () => completed,
    announce: (videoId) => listeners.forEach((listener) => listener(videoId)),
    onCancel: undefined,
    onOpen: async () => {},
    onRefresh: async (file) => file,
    definition: {
      id,
      name: id,
      capabilities: ['video'],
      settings: [],
      create: () => ({ id, video: video() }),
    },
  };

  function video(): VideoProvider {
    return {
      ...options,
      ...(recover === undefined
        ? {}
        : {
            recover: async ({ videoId }) => (recover === 'started' ? { receipt: { videoId } } : recover),
          }),
      async start(start, { signal }) {
        await chaos.onPrepare();
        await start.submitting({ model: start.binding.modelName, prompt: start.order.prompt });
        calls.starts.push(start);
        return { receipt: { videoId: start.videoId }, ...(await chaos.onStart(start, calls.starts.length, signal)) };
      },
      async check({ receipt }) {
        // Safe: `start` above wrote it.
        const { videoId } = receipt as { videoId: string };
        calls.checks.push(videoId);
        return chaos.onCheck(videoId, calls.checks.length);
      },
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      async cancel({ receipt }) {
        const { videoId } = receipt as { videoId: string };
        calls.cancels.push(videoId);
        return chaos.onCancel ? chaos.onCancel(videoId) : 'too_late';
      },
      refresh: async ({ file }) => chaos.onRefresh(file),
      async open(file, wanted) {
        calls.opens.push(file);
        await chaos.onOpen(file, calls.opens.length);
        const range = wanted === 'head' ? undefined : wanted;
        const start = range ? (range.start < 0 ? Math.max(chaosFile.length + range.start, 0) : range.start) : 0;
        const end = Math.min(range?.end ?? chaosFile.length - 1, chaosFile.length - 1);
        if (start >= chaosFile.length)
          return { status: 416, total: chaosFile.length, start: 0, body: Readable.from([]) };
        const part = chaosFile.subarray(start, end + 1);
        return {
          status: range ? 206 : 200,
          length: part.length,
          total: chaosFile.length,
          start,
          body: Readable.from([part]),
        };
      },
    };
  }

  return chaos;
}
