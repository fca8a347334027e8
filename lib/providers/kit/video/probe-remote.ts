import type { Call } from '../../../domain/call';
import type { Clock } from '../../../domain/clock';
import { errorForLog } from '../../../domain/errors';
import type { ByteRange, Content, ProbeVideo, RemoteFiles, VideoFileFacts } from '../../../domain/files';
import type { FinishedVideo, VideoProgress } from '../../../domain/video';
import { linkSignals } from '../../../io/linked-signal';
import { readPartOf } from '../../../io/video-probe';
import { textOfNote } from './note';

// Reads the facts of a result from the file itself, for vendors whose answers state neither its size nor its length.

const MAX_BLOCKS = 12;
/** Short, because a check of a video has 20 seconds in all. */
const TIMEOUT_MS = 6_000;

/** Opens a part of the file; the same as `VideoProvider.open` for a certain file. */
type OpenPart = (part: ByteRange, call: Call) => Promise<Content>;

/** Returns the facts of a finished video in its file; none if it cannot be read. Rejects as `probeRemote` does. */
export async function factsOfRemote(
  ...given: Parameters<typeof probeRemote>
): Promise<Pick<FinishedVideo, 'width' | 'height' | 'fps' | 'durationSeconds'>> {
  const facts = await probeRemote(...given);
  if (!facts) return {};
  const { width, height, fps, durationSeconds } = facts;
  return { width, height, fps, durationSeconds };
}

/**
 * Adds to a completed video the facts in its file at the URL `file.url`. Returns other progress unchanged. Rejects as
 * `probeRemote` does.
 */
export async function withFacts(
  progress: VideoProgress,
  { files, ...deps }: { readonly files: Pick<RemoteFiles, 'open'>; readonly probe: ProbeVideo; readonly clock: Clock },
  call: Call,
): Promise<VideoProgress> {
  if (progress.status !== 'completed') return progress;
  const url = textOfNote(progress.video.file, 'url');
  const facts = await factsOfRemote((part, probing) => files.open(url, part, probing), deps, call);
  return { ...progress, video: { ...progress.video, ...facts } };
}

/**
 * Reads the facts of a remote file: at most 3 MB, in at most 6 seconds. Resolves with undefined if they cannot be read,
 * because that is no failure of the video. Rejects only if the call is aborted.
 */
export async function probeRemote(
  open: OpenPart,
  { probe, clock }: { readonly probe: ProbeVideo; readonly clock: Clock },
  call: Call,
): Promise<VideoFileFacts | undefined> {
  const limit = new AbortController();
  const cancelTimer = clock.after(TIMEOUT_MS, () => limit.abort());
  const either = linkSignals(call.signal, limit.signal);
  try {
    const limited = { ...call, signal: either.signal };
    return await probe(
      async (start, end) => readPartOf(await open({ start, end }, limited)),
      MAX_BLOCKS,
      limited.signal,
    );
  } catch (error) {
    call.signal.throwIfAborted();
    call.log.info('the facts of a result could not be read', { error: errorForLog(error) });
    return undefined;
  } finally {
    cancelTimer();
    either.release();
  }
}
