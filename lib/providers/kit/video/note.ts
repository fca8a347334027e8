import { fieldsOf, type Json } from '../../../domain/json';

/** A text of a receipt or of a reference of a file, which the provider has written itself. Throws if it is not there. */
export function textOfNote(note: Json, field: string): string {
  const text = fieldsOf(note)[field];
  if (typeof text !== 'string') throw new Error(`This is no note of this provider: ${field} is missing.`);
  return text;
}
