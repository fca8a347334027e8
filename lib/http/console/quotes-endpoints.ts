import { jsonResponse } from '../handler';
import type { ConsoleEndpoint } from './console-route';
import { accountOf, readJson } from './request-parts';

/** What a request would cost; changes nothing, so whoever may look may ask. */
export const quotesEndpoint: ConsoleEndpoint = {
  POST: {
    who: 'member',
    answer: async (context) =>
      jsonResponse(200, context.gateway.usage.quote(accountOf(context).mode, await readJson(context.request))),
  },
};
