import type { Call } from '../domain/call';
import { isGatewayError } from '../domain/errors';
import type { MediaOwner } from '../domain/provider';
import type { VideoOrder } from '../domain/video';
import type { CallerMedia } from '../net/media-source';
import type { VideoEndCode } from './finish-video';

/** How much the stated length may differ from the real one, per video. */
const TOLERANCE_MS = 500;

/**
 * Compares the length that the caller stated, from which the price was fixed, with the real length: of the source of an
 * edit, or of all reference videos together. Resolves with undefined if it is right or was not stated, otherwise with
 * the reason why the video fails. Rejects only if the call is aborted, or with an error of ours.
 */
export type CheckSource = (
  order: Pick<VideoOrder, 'inputMillis' | 'media'>,
  owner: MediaOwner,
  call: Call,
) => Promise<{ readonly code: VideoEndCode; readonly message: string } | undefined>;

export function createCheckSource({ measure }: Pick<CallerMedia, 'measure'>): CheckSource {
  return async function checkSource({ inputMillis, media }, owner, call) {
    if (inputMillis === undefined) return undefined;
    const videos = media.filter(({ role }) => role === 'source_video' || role === 'reference_video');
    let realMillis = 0;
    try {
      for (const { url } of videos) realMillis += (await measure(url, owner, call)).durationSeconds * 1000;
    } catch (error) {
      if (call.signal.aborted || !isGatewayError(error)) throw error;
      return { code: error.code, message: error.message };
    }
    if (Math.abs(realMillis - inputMillis) <= TOLERANCE_MS * videos.length) return undefined;
    const subject = videos.length > 1 ? 'the videos are' : 'the video is';
    return {
      code: 'input_seconds_mismatch',
      message: `input_seconds was ${secondsOf(inputMillis)}, but ${subject} ${secondsText(realMillis)} long. Send the real length.`,
    };
  };
}

function secondsText(millis: number): string {
  const seconds = secondsOf(millis);
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

function secondsOf(millis: number): number {
  return Number((millis / 1000).toFixed(2));
}
