import { newId } from '../domain/ids';

const HARMLESS = /^[\w-]{8,64}$/;

/** The caller's own id if it is harmless in a header and a log, else a new one. */
export function requestIdOf(header: string | undefined): string {
  return header !== undefined && HARMLESS.test(header) ? header : newId('request');
}
