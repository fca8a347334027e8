import { jsonResponse } from '../core';
import type { ConsoleEndpoint } from './console-route';
import { accountOf } from './request-parts';

/** `?mode=`: what was done lately and what was spent. */
export const activityEndpoint: ConsoleEndpoint = {
  GET: {
    who: 'member',
    answer: async (exchange) => jsonResponse(200, await exchange.gateway.activity.read(accountOf(exchange))),
  },
};
