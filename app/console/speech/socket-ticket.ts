import type { TicketJson } from '../../../lib/contract/sign-in';
import type { Mode } from '../../../lib/domain/video';
import { send } from '../console-api';
import { apiPaths, socketPaths } from '../api-paths';

/** Requests a single-use ticket for one socket, so that the page needs no API key. */
export async function getTicket(kind: keyof typeof socketPaths, mode: Mode): Promise<string> {
  const { ticket } = await send<TicketJson>('POST', apiPaths.socketTickets(), { path: socketPaths[kind], mode });
  return ticket;
}
