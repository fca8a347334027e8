import { newId } from '../domain/ids';

const HARMLESS = /^[\w-]{8,64}$/;

/** Returns the client's own request id if it is safe in a header and a log; otherwise a new one. */
export function requestIdOf(header: string | undefined): string {
  return header !== undefined && HARMLESS.test(header) ? header : newId('request');
}
