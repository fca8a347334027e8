import type { OrderCase } from '../../contract/request-cases';
import { alibabaRequests } from './alibaba';
import { googleRequests } from './google';
import { klingRequests } from './kling';
import { minimaxRequests } from './minimax';
import { otherRequests } from './others';
import { pixverseRequests } from './pixverse';
import { seedanceRequests } from './seedance';
import { viduRequests } from './vidu';

// What each endpoint of fal must receive for an order, written by hand from the types of @fal-ai/client 1.10.1, and for
// those that these do not have, from fal's pages of the endpoints.

export const cases = [
  ...googleRequests,
  ...klingRequests,
  ...alibabaRequests,
  ...seedanceRequests,
  ...minimaxRequests,
  ...viduRequests,
  ...pixverseRequests,
  ...otherRequests,
].map(({ endpoint, ...one }): OrderCase => ({ modelName: endpoint, ...one, path: `/${endpoint}` }));
