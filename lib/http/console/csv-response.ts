import { Readable } from 'node:stream';
import { wordParam } from '../query';
import type { GatewayResponse } from '../request-context';

/** Does the request ask for a table (`?format=csv`)? */
export function isCsv(query: URLSearchParams): boolean {
  return wordParam(query, 'format', ['json', 'csv'], 'json') === 'csv';
}

/** A file with these lines, each with its end. */
export function csvResponse(name: string, lines: Iterable<string> | AsyncIterable<string>): GatewayResponse {
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="patchbay-${name}.csv"`,
    },
    body: Readable.from(lines),
  };
}
