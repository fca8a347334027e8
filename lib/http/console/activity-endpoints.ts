import { jsonResponse } from '../handler';
import type { ConsoleEndpoint } from './console-route';
import { accountOf } from './request-parts';

/** `?mode=`: what was done lately and what was spent. */
export const activityEndpoint: ConsoleEndpoint = {
  GET: {
    who: 'member',
    answer: async (context) => jsonResponse(200, await context.gateway.activity.read(accountOf(context))),
  },
};
