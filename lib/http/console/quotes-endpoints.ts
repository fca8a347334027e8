import { jsonResponse } from '../core';
import type { ConsoleEndpoint } from './console-route';
import { accountOf, readJson } from './request-parts';

/** What a request would cost; changes nothing, so whoever may look may ask. */
export const quotesEndpoint: ConsoleEndpoint = {
  POST: {
    who: 'member',
    answer: async (exchange) =>
      jsonResponse(200, exchange.gateway.usage.quote(accountOf(exchange).mode, await readJson(exchange.request))),
  },
};
