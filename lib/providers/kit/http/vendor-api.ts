import type { Call } from '../../../domain/call';
import type { Clock } from '../../../domain/clock';
import { askJson, type JsonAnswer } from './ask-json';
import { createUpstream, type Upstream, type UpstreamRequest } from './http';

// Sends requests with a JSON answer to one vendor. The credentials and the shape of an answer are stated once, where
// the API is created.

type Headers = UpstreamRequest['headers'];

export interface VendorRequest extends Pick<UpstreamRequest, 'method' | 'path' | 'body' | 'ownConnection'> {
  /** Headers besides the credentials; names in lower case. A body is JSON unless `content-type` says otherwise. */
  readonly headers?: Headers;
  /** Timeout until the response headers; by default 15 seconds. */
  readonly headersMs?: number;
}

export interface VendorApi<Answer> extends Pick<Upstream, 'pathOf' | 'close'> {
  /** Resolves with the answer, even if it is an error. Rejects as `askJson` does, and if there are no credentials. */
  send(request: VendorRequest, call: Pick<Call, 'signal'>): Promise<Answer>;
}

export interface VendorApiDeps<Answer> {
  readonly baseUrl: string;
  readonly clock: Clock;
  /** Returns the credentials, computed for each request, and the other headers that every request has. */
  headers(): Headers | Promise<Headers>;
  /** Converts an answer to the form that the vendor's adapter uses. `sent` contains the headers of its request. */
  read(answer: JsonAnswer, sent: Headers): Answer;
}

const HEADERS_TIMEOUT_MS = 15_000;

export function createVendorApi<Answer>({
  baseUrl,
  clock,
  headers: shared,
  read,
}: VendorApiDeps<Answer>): VendorApi<Answer> {
  const upstream = createUpstream({ baseUrl, clock });
  return {
    async send({ headers: own, headersMs = HEADERS_TIMEOUT_MS, ...request }, { signal }) {
      const headers = {
        ...(await shared()),
        accept: 'application/json',
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...own,
      };
      return read(await askJson(upstream, { ...request, headers, headersMs, signal }, clock), headers);
    },
    pathOf: upstream.pathOf,
    close: upstream.close,
  };
}
