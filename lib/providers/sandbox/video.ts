import { stat } from 'node:fs/promises';
import type { Call } from '../../domain/call';
import { GatewayError, upstreamFailed, videoExpired } from '../../domain/errors';
import { isId } from '../../domain/ids';
import type { VideoId } from '../../domain/ids';
import { fieldsOf, type Json } from '../../domain/json';
import type { ProviderDeps } from '../../domain/provider';
import type { FinishedVideo, VideoProgress, VideoProvider } from '../../domain/video';
import { openFile } from '../../io/open-file';
import { probeVideo } from '../../io/video-file';
import { CANCELLED } from '../kit/video/progress';
import { readDirectoryId } from '../../io/directory-id';
import { createJobFolders } from './job-folder';
import type { FoundJob, StoredJob } from './job-folder';
import { isRenderLocked } from './renderer/render-lock';
import { createRenders } from './renderer/renders';
import { isRendered, parseScenario } from './scenario';
import { scenarioProgress } from './scenario-progress';

/** The retry delay that a refused start reports. */
const refusedForMs = 1_000;
/** The time of the first check, by which a small video has been rendered. */
const FIRST_CHECK_MS = 500;
// `onChange` announces every change, so the intervals only bound how late it is noticed that a process has died. A
// thousand waiting videos must not keep the gateway busy; the first of them are checked often enough to keep the
// renderer busy.
const MIN_CHECK_INTERVAL_MS = 1_000;
const MAX_CHECK_INTERVAL_MS = { queued: 60_000, in_progress: 15_000 };
/** Longer than a thousand large videos take, one after another. */
const WAIT_TIMEOUT_MS = 24 * 60 * 60_000;
/** The delay if the video is on another machine: the next check may run there. */
const ELSEWHERE_CHECK_MS = 2_000;

/**
 * Videos rendered on this machine. Every answer derives from the files on disk, so any process can give it, also after
 * the previous one has died.
 */
export function createSandboxVideo(deps: ProviderDeps): VideoProvider & { close(): Promise<void> } {
  const { clock, log } = deps;
  const folders = createJobFolders(deps.dataDir);
  const renders = createRenders({ ...deps, folders });
  let directory: Promise<string> | undefined;
  const readDirectory = () => (directory ??= readDirectoryId(deps.dataDir));

  async function checkIsHere(note: VideoNote): Promise<void> {
    if (note.directory !== undefined && note.directory !== (await readDirectory())) throw onOtherMachine();
  }

  async function getJob(note: VideoNote): Promise<FoundJob> {
    await checkIsHere(note);
    const found = await folders.find(note.videoId);
    if (!found) throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'the sandbox does not know the video');
    return found;
  }

  async function askToRender(videoId: VideoId, job: StoredJob): Promise<VideoProgress> {
    // Checked before it is queued here, so that a video that another process renders takes no place in the queue.
    const isRunning =
      renders.isRunning(videoId) ||
      (await isRenderLocked(folders.lock(videoId))) ||
      renders.request(videoId, job) === 'running';
    return { status: isRunning ? 'in_progress' : 'queued', nextInMs: renders.msToChange(videoId) };
  }

  return {
    repeatable: true,
    pace: { firstMs: FIRST_CHECK_MS },
    waitTimeoutMs: WAIT_TIMEOUT_MS,
    onChange: renders.onChange,

    async start({ videoId, order, binding, owner, scenario: word, submitting }, call) {
      call.signal.throwIfAborted();
      await submitting({ model: binding.modelName, ...order, ...(word === undefined ? {} : { scenario: word }) });
      const scenario = parseScenario(word);
      const receipt = {
        receipt: { videoId, directory: await readDirectory() },
        providerJobId: `sbx_${videoId.slice('video_'.length)}`,
      };
      const known = await folders.find(videoId);
      if (known) {
        if (isRendered(scenario) && (await folders.isToRender(videoId, known))) renders.request(videoId, known.job);
        return receipt;
      }
      if (scenario?.kind === 'ratelimit' && (await folders.count(videoId, 'starts')) <= scenario.times) {
        throw upstreamFailed(
          { retry: 'later', started: 'no', retryAfterMs: refusedForMs },
          'the scenario refuses this start',
        );
      }
      if (renders.isFullFor(owner)) {
        // Not a failure of the sandbox, which takes the videos of others.
        throw new GatewayError(
          'concurrency_limit_exceeded',
          'The sandbox has as many videos of this organisation to render as it can hold. Try again in a moment.',
          {
            upstream: { retry: 'later', started: 'no', retryAfterMs: 5_000 },
          },
        );
      }
      const job = {
        modelName: binding.modelName,
        owner,
        startedAt: clock.now().toISOString(),
        ...(word === undefined ? {} : { scenario: word }),
      };
      const created = await folders.create(videoId, job, isRendered(scenario) ? order : undefined);
      if (isRendered(scenario)) renders.request(videoId, job);
      if (created && scenario?.kind === 'drop')
        throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'the scenario drops the connection after the start');
      return receipt;
    },

    async check({ receipt }, call) {
      call.signal.throwIfAborted();
      const progress = await findProgress(parseNote(receipt), call);
      if (progress.status !== 'queued' && progress.status !== 'in_progress') return progress;
      const { nextInMs = Infinity, status } = progress;
      const atLeastMs = Math.max(nextInMs, MIN_CHECK_INTERVAL_MS);
      return { ...progress, nextInMs: Math.min(atLeastMs, MAX_CHECK_INTERVAL_MS[status]) };
    },

    async cancel({ receipt }) {
      const note = parseNote(receipt);
      const { videoId } = note;
      const { job } = await getJob(note);
      const scenario = parseScenario(job.scenario);
      const elapsedMs = clock.nowMs() - new Date(job.startedAt).getTime();
      if (scenarioProgress(scenario, elapsedMs)?.status === 'failed') return 'too_late';
      // A rendered video that `slow` holds back can still be cancelled: the client does not know that it is finished.
      const heldBack = scenario?.kind === 'slow' && elapsedMs < scenario.seconds * 1_000;
      const cancelled = await folders.cancel(videoId, heldBack);
      if (cancelled) await renders.stop(videoId);
      return cancelled ? 'cancelled' : 'too_late';
    },

    async open(file, part, call) {
      if (fieldsOf(file)['expired'] === true) throw videoExpired();
      const note = parseNote(file);
      await checkIsHere(note);
      return openFile(folders.video(note.videoId), part, call);
    },

    async remove(file) {
      const note = parseNote(file);
      // Otherwise the row would lose its reference, while the files would stay on the other machine.
      await checkIsHere(note);
      await renders.stop(note.videoId);
      await folders.remove(note.videoId);
    },

    close: () => renders.close(),
  };

  async function findProgress(note: VideoNote, call: Call): Promise<VideoProgress> {
    const { videoId } = note;
    const found = await getJob(note);
    const scenario = parseScenario(found.job.scenario);
    if (found.state === 'cancelled') return { status: 'failed', ...CANCELLED };
    if (scenario?.kind === 'poll500' && (await folders.count(videoId, 'checks')) <= scenario.times) {
      throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'the scenario refuses this check');
    }
    if (scenario?.kind === 'weird' && (await folders.count(videoId, 'checks')) <= 2) {
      call.log.warn('the sandbox gave an unknown status; the video counts as in progress', { videoId });
      return { status: 'in_progress', nextInMs: MIN_CHECK_INTERVAL_MS };
    }
    const elapsedMs = clock.nowMs() - new Date(found.job.startedAt).getTime();
    const scripted = scenarioProgress(scenario, elapsedMs);
    if (scripted) return scripted;
    if (found.state === 'failed') {
      const { code, message } = found.job.failure ?? {
        code: 'generation_failed',
        message: 'The sandbox could not render this video. You were not charged.',
      };
      return { status: 'failed', code, message };
    }
    if (await folders.isToRender(videoId, found)) return askToRender(videoId, found.job);
    return { status: 'completed', video: await describe(videoId, found, scenario?.kind === 'expired') };
  }

  async function describe(videoId: VideoId, found: FoundJob, expired: boolean): Promise<FinishedVideo> {
    // The process that rendered it may have died before it stored the facts; they can be read from the file.
    const facts = found.job.rendered ?? (await probeVideo({ path: folders.video(videoId) }));
    const file: Json = { videoId, directory: await readDirectory(), ...(expired && { expired }) };
    const { size: bytes } = await stat(folders.video(videoId));
    if (!facts) {
      log.warn('a rendered sandbox video could not be measured', { videoId });
      return { file, bytes, expiresAt: 'kept' };
    }
    const { width, height, fps, durationSeconds } = facts;
    return { file, bytes, width, height, fps, durationSeconds, expiresAt: 'kept' };
  }
}

/** The receipt and the file reference of a video, as its row stores them. */
interface VideoNote {
  readonly videoId: VideoId;
  /** The id of the data directory that has its files; absent in rows of earlier versions. */
  readonly directory?: string;
}

function parseNote(note: Json): VideoNote {
  const { videoId, directory } = fieldsOf(note);
  if (typeof videoId !== 'string' || !isId('video', videoId))
    throw new Error('This receipt or file reference was not written by the sandbox.');
  return { videoId, ...(typeof directory === 'string' && { directory }) };
}

function onOtherMachine(): GatewayError {
  return new GatewayError(
    'video_on_other_machine',
    'This sandbox video is on another machine of this installation. Try again; if this continues, the operator must let all machines share one DATA_DIR.',
    {
      retryAfterSeconds: 1,
      upstream: { retry: 'later', started: 'maybe', retryAfterMs: ELSEWHERE_CHECK_MS },
      detail: 'the video is in the DATA_DIR of another machine',
    },
  );
}
