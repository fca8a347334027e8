import type { FoundListJson } from '../../contract/activity';
import { jsonResponse } from '../handler';
import type { ConsoleEndpoint } from './console-route';

/** `?q=`: models by name or id, keys by name, jobs by the beginning of their id. */
export const searchEndpoint: ConsoleEndpoint = {
  GET: {
    who: 'member',
    answer: async ({ gateway, actor, request }) =>
      jsonResponse(200, {
        object: 'list',
        data: await gateway.search.find(actor.orgId, request.query.get('q') ?? ''),
      } satisfies FoundListJson),
  },
};
