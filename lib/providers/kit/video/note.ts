import { fieldsOf, type Json } from '../../../domain/json';

/** An id that no vendor gives to a job, for `VideoProvider.unknownJob`. */
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** Reads a text from a receipt or a file reference that the provider has written itself. Throws if it is missing. */
export function textOfNote(note: Json, field: string): string {
  const text = fieldsOf(note)[field];
  if (typeof text !== 'string')
    throw new Error(`This receipt or file reference was not written by this provider: ${field} is missing.`);
  return text;
}
