import type { Call } from '../../../domain/call';
import type { Clock } from '../../../domain/clock';
import { askJson, type JsonAnswer } from './ask-json';
import type { Upstream, UpstreamRequest } from './http';

// Requests with JSON in both directions, for vendors that take the key as a bearer token.

type BearerRequest = Pick<UpstreamRequest, 'method' | 'path' | 'body' | 'ownConnection' | 'headersMs'>;

/** Resolves with the answer, whatever its status. Rejects as `askJson` does. */
export type AskBearer = (request: BearerRequest, call: Call) => Promise<JsonAnswer>;

export function bearerJson({
  upstream,
  key,
  clock,
}: {
  readonly upstream: Upstream;
  readonly key: string;
  readonly clock: Clock;
}): AskBearer {
  return (request, call) =>
    askJson(
      upstream,
      {
        ...request,
        headers: {
          authorization: `Bearer ${key}`,
          accept: 'application/json',
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
        },
        signal: call.signal,
      },
      clock,
    );
}
