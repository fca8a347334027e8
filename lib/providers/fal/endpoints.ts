import { requestNameOf } from '../../domain/video';
import { chosenRatio } from '../kit/video/chosen-ratio';
import type { VideoBinding, VideoOrder } from '../../domain/video';
import { alibabaEndpoints } from './inputs/alibaba';
import { googleEndpoints } from './inputs/google';
import type { Endpoints, FalMedia, Input } from './inputs/input';
import { klingEndpoints, klingReferenceEndpoints, klingVideoEndpoint } from './inputs/kling';
import { minimaxEndpoints } from './inputs/minimax';
import { otherEndpoints } from './inputs/others';
import { isPixverseTransition, pixverseEndpoints } from './inputs/pixverse';
import { seedanceEndpoints } from './inputs/seedance';
import { viduEndpoints } from './inputs/vidu';

// The endpoints of fal that make videos. Every endpoint has its own names and types: a duration is "5", "8s" or 5, and
// a first frame has four names. There is no common mapping. Fields whose default costs more or changes the result are
// always sent. Reference: the types of @fal-ai/client 1.10.1 (src/types/endpoints.d.ts), and for the endpoints that
// these do not have, fal's pages of them (fal.ai/models/…/llms.txt), November 2026.

const endpoints: Endpoints = {
  ...googleEndpoints,
  ...klingEndpoints,
  ...alibabaEndpoints,
  ...seedanceEndpoints,
  ...minimaxEndpoints,
  ...viduEndpoints,
  ...pixverseEndpoints,
  ...otherEndpoints,
};

/** Returns whether the table has this endpoint, such as `fal-ai/veo3.1/fast`. */
export function isEndpoint(name: string): boolean {
  return Object.hasOwn(endpoints, name);
}

/** Returns the endpoint for an order, which for Kling depends on the media, and the endpoint whose input it takes. */
export function endpointFor(
  binding: Pick<VideoBinding, 'modelName' | 'sameRequestAs'>,
  { media }: Pick<VideoOrder, 'media'>,
): { readonly endpoint: string; readonly known: string } {
  const [endpoint, known] = [binding.modelName, requestNameOf(binding)];
  const isOther = media.some(({ role }) => role === 'reference_video') && klingReferenceEndpoints.includes(known);
  return isOther ? { endpoint: klingVideoEndpoint(endpoint), known: klingVideoEndpoint(known) } : { endpoint, known };
}

/** Returns whether the endpoint must be sent the first frame's ratio, because its default is another one. */
export function needsShape(name: string, order: VideoOrder): boolean {
  return isPixverseTransition(name) && chosenRatio(order) === undefined;
}

/** Returns the body of a submit to an endpoint; undefined for an endpoint that the table does not have. */
export function inputFor(name: string, order: VideoOrder, media: FalMedia): Input | undefined {
  const makeInput = isEndpoint(name) ? endpoints[name] : undefined;
  if (!makeInput) return undefined;
  return Object.fromEntries(Object.entries(makeInput(order, media)).filter(([, value]) => value !== undefined));
}
