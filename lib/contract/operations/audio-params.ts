import { z } from 'zod';
import type { QueryParams } from './operation';

/** How a browser, which cannot set headers, authenticates when it opens a socket. */
export const ticketParam: QueryParams = {
  token: z.string().describe('An API key or a ticket, for clients that cannot set headers.'),
  scenario: z.string().describe('In test mode: the same as the header `X-Test-Scenario` of other requests.'),
};
