import { Readable } from 'node:stream';
import { wordParam } from '../query';
import type { GatewayResponse } from '../handler';

/** Returns whether the request asks for CSV (`?format=csv`). */
export function isCsv(query: URLSearchParams): boolean {
  return wordParam(query, 'format', ['json', 'csv'], 'json') === 'csv';
}

/** Returns a CSV file of these lines, each of which includes its line break. */
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
