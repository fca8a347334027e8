import type { Fields } from '../../../../lib/domain/json';

/** Reads request fields from a query such as `?seconds=8&generate_audio=false`. `importRequest` validates them. */
export function queryFields(query: Iterable<readonly [name: string, text: string]>): Fields {
  return Object.fromEntries([...query].map(([name, text]) => [name, valueOf(text)]));
}

function valueOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d{1,10}$/.test(text) ? Number(text) : text;
}
