import type { Clock } from '../../domain/clock';
import { fieldsOf, type Json } from '../../domain/json';
import type { ProviderDeps } from '../../domain/provider';
import type { FinishedVideo, RunningVideo, VideoOrder, VideoProvider } from '../../domain/video';
import { askJson } from '../kit/http/ask-json';
import type { Upstream } from '../kit/http/http';
import { encodeMultipart } from '../kit/http/multipart';
import { modelNotOffered } from '../kit/http/upstream-error';
import { openKeyedFile } from '../kit/video/keyed-file';
import { textOfNote, UNKNOWN_ID } from '../kit/video/note';
import { withMedia, type VendorForms } from '../kit/video/order-media';
import { lostJob, unknownStatus } from '../kit/video/progress';
import { isOwnNotFound, isSuccess, laterPoll, pollFailure, submitRefusal } from '../kit/video/refusal';
import { checkJobId, isLost } from '../kit/video/vendor-job';
import type { Offer } from './offer';
import { failureOf, readVideo, refusalRules, vendorAnswer, type WireVideo } from './wire';

// A server with the OpenAI Videos API. A submit is a form, as the official clients send it. A request for a result's
// file needs the key and may be redirected to another host, which must not get the key. Videos cannot be cancelled,
// because DELETE would delete a finished video.

const SUBMIT_TIMEOUT_MS = 30_000;
const POLL_TIMEOUT_MS = 10_000;
/** The lifetime of a file if the server states no expiry. OpenAI kept its files for about an hour. */
const FILE_LIFETIME_MS = 60 * 60_000;
/** A server that states a longer lifetime does not state its expiry in seconds. */
const MAX_LIFETIME_MS = 10 * 365 * 24 * 3_600_000;
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
const images: VendorForms<'https' | 'data'> = {
  image: [{ form: 'https' }, { form: 'data', maxBytes: MAX_IMAGE_BYTES }],
};

export interface OpenaiVideosDeps extends Pick<ProviderDeps, 'media' | 'files'> {
  readonly upstream: Upstream;
  readonly key: string | undefined;
  /** Returns the server's name of the model that makes this kind of video. */
  modelOf(order: VideoOrder): string;
  readonly sizeOf: Offer['sizeOf'];
  readonly clock: Clock;
}

export function createOpenaiVideos(deps: OpenaiVideosDeps): VideoProvider {
  const { upstream, key, modelOf, sizeOf, clock, media, files } = deps;
  const credentials: Readonly<Record<string, string>> = key === undefined ? {} : { authorization: `Bearer ${key}` };

  return {
    unknownJob: { id: UNKNOWN_ID },

    async start(start, call) {
      const { order } = start;
      const size = sizeOf(order.resolution, order.aspectRatio ?? '');
      // The settings have changed since the order was accepted.
      if (size === undefined) throw modelNotOffered('The size is not offered any more.');
      return withMedia(start, images, media, call, async ({ first_frame: [image] }) => {
        const fields = {
          model: modelOf(order),
          prompt: order.prompt,
          seconds: String(order.seconds),
          size,
          ...(image && { 'input_reference[image_url]': image.url }),
        };
        const { body, contentType } = await encodeMultipart(fields);
        await start.submitting(fields);
        const answer = await askJson(
          upstream,
          {
            method: 'POST',
            path: '/videos',
            headers: { ...credentials, 'content-type': contentType },
            body,
            ownConnection: true,
            headersMs: SUBMIT_TIMEOUT_MS,
            signal: call.signal,
          },
          clock,
        );
        const accepted = isSuccess(answer) ? readVideo(answer.json) : undefined;
        if (!accepted) throw submitRefusal(vendorAnswer(answer), refusalRules, clock.now());
        return { receipt: { id: accepted.id }, providerJobId: accepted.id };
      });
    },

    async check(running, call) {
      const answer = await askJson(
        upstream,
        {
          method: 'GET',
          path: pathOf(running.receipt),
          headers: credentials,
          headersMs: POLL_TIMEOUT_MS,
          signal: call.signal,
        },
        clock,
      ).catch((error: unknown) => {
        throw laterPoll(error);
      });
      const video = isSuccess(answer) ? readVideo(answer.json) : undefined;
      checkJobId(video?.id, textOfNote(running.receipt, 'id'));
      if (!video) {
        const refused = vendorAnswer(answer);
        if (isOwnNotFound(refused) && isLost(running, clock)) return lostJob();
        throw pollFailure(refused, refusalRules, clock.now());
      }
      switch (video.status.toLowerCase()) {
        case 'queued':
          return { status: 'queued' };
        case 'completed':
          return { status: 'completed', video: finished(video, running) };
        case 'failed':
          return failureOf(video);
        case 'in_progress':
          return { status: 'in_progress' };
        default:
          return unknownStatus('openai-videos', running, call);
      }
    },

    open: (file, part, call) =>
      openKeyedFile(upstream, { path: `${pathOf(file)}/content`, headers: credentials }, part, { files, clock }, call),
  };

  function finished(
    { id, status: _status, errorCode: _code, expiresAt, ...facts }: WireVideo,
    { startedAt }: RunningVideo,
  ): FinishedVideo {
    const lifetimeMs = expiresAt === undefined ? FILE_LIFETIME_MS : expiresAt * 1_000 - startedAt.getTime();
    return {
      file: { id },
      ...facts,
      expiresAt: new Date(startedAt.getTime() + (lifetimeMs > MAX_LIFETIME_MS ? FILE_LIFETIME_MS : lifetimeMs)),
    };
  }
}

/** Returns the path of the video from our own receipt or reference of a file. */
function pathOf(note: Json): string {
  const { id } = fieldsOf(note);
  if (typeof id !== 'string') throw new Error('This receipt or file reference was not written by this provider.');
  return `/videos/${encodeURIComponent(id)}`;
}
