import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import { fieldsOf, type Json } from '../../domain/json';
import type { ProviderDeps } from '../../domain/provider';
import type { FinishedVideo, RunningVideo, VideoProvider } from '../../domain/video';
import type { Upstream } from '../kit/http/http';
import { openKeyedFile } from '../kit/video/keyed-file';
import { factsOfRemote } from '../kit/video/probe-remote';

// The files of finished videos, which the Gemini API keeps. A request for a file needs the key and is redirected to
// another host, which must not get the key.

/** ai.google.dev: videos are kept for two days. The acceptance precedes the file, and an hour is left as a reserve. */
const FILE_LIFETIME_MS = 47 * 60 * 60_000;

export interface GeminiDeps extends Pick<ProviderDeps, 'media' | 'files' | 'probe'> {
  /** The upstream at the base URL with the API version. */
  readonly upstream: Upstream;
  /** The upstream at the base URL with the API version that has interactions. */
  readonly interactions: Upstream;
  /** The key, as headers. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

export interface ResultFiles extends Pick<VideoProvider, 'open'> {
  /** Returns the finished video whose file is at this path below the base URL. Rejects as `factsOfRemote` does. */
  finish(path: string, running: Pick<RunningVideo, 'startedAt'>, call: Call): Promise<FinishedVideo>;
}

export function createResultFiles({ upstream, credentials, clock, files, probe }: GeminiDeps): ResultFiles {
  const open: ResultFiles['open'] = (file, part, call) =>
    openKeyedFile(upstream, { path: pathOf(file), headers: credentials }, part, { files, clock }, call);
  return {
    open,
    async finish(path, { startedAt }, call) {
      const file = { path };
      return {
        file,
        expiresAt: new Date(startedAt.getTime() + FILE_LIFETIME_MS),
        ...(await factsOfRemote((part, probing) => open(file, part, probing), { probe, clock }, call)),
      };
    },
  };
}

/** Returns the path in our own reference of a file. */
function pathOf(file: Json): string {
  const { path } = fieldsOf(file);
  if (typeof path !== 'string') throw new Error('This is not a file reference of this provider.');
  return path;
}
