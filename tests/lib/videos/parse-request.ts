import { isGatewayError } from '../../../lib/domain/errors';
import type { VideoModel } from '../../../lib/domain/model';
import { parseVideoRequest } from '../../../lib/videos/video-request';
import { everything } from './request-models';

// What the tests of video requests share: how a body is read, and how it is refused.

export type Body = Record<string, unknown>;

export function parse(body: Body, model: VideoModel = everything, textOnly = false) {
  return parseVideoRequest({ model: model.id, prompt: 'a cat', ...body }, textOnly, model, model.bindings);
}
export const parseForm = (body: Body, model: VideoModel = everything) => parse(body, model, true);

/** The refusal of a body; the test fails when the body is accepted, or refused with anything but an error of ours. */
export function refusal(run: () => unknown) {
  try {
    run();
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return { code: error.code, param: error.extra.param, message: error.message, details: error.extra.details };
  }
  throw new Error('The body was accepted.');
}

export const https = (name: string) => `https://example.com/${name}`;
export const pictures = (count: number) => Array.from({ length: count }, (_, index) => https(`${index}.png`));
export const clips = (count: number) => Array.from({ length: count }, (_, index) => https(`${index}.mp4`));
