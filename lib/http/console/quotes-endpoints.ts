import { jsonResponse } from '../handler';
import type { ConsoleEndpoint } from './console-route';
import { accountOf, readJson } from './request-parts';

/** The price of a request. It changes nothing, so every role may call it. */
export const quotesEndpoint: ConsoleEndpoint = {
  POST: {
    who: 'member',
    answer: async (context) =>
      jsonResponse(200, context.gateway.usage.quote(accountOf(context).mode, await readJson(context.request))),
  },
};
