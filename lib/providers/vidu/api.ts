import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import { fieldsOf } from '../../domain/json';
import { askJson } from '../kit/http/ask-json';
import { createUpstream, type UpstreamRequest } from '../kit/http/http';
import type { VendorAnswer, VendorRule } from '../kit/video/refusal';

// One request to Vidu. An error is `{ code, reason, message, metadata }`, where `code` repeats the status and `reason` is
// a word.

export interface ViduApi {
  /** Resolves with the answer, also if it is an error. Rejects as `Upstream.send` does. */
  send(
    request: Pick<UpstreamRequest, 'method' | 'path' | 'body' | 'ownConnection' | 'headersMs'>,
    call: Call,
  ): Promise<ViduAnswer>;
  close(): Promise<void>;
}

/** `refusal` is present if the body is an error. */
export interface ViduAnswer extends VendorAnswer {
  readonly json: unknown;
}

export function createViduApi({
  baseUrl,
  key,
  clock,
}: {
  readonly baseUrl: string;
  readonly key: string;
  readonly clock: Clock;
}): ViduApi {
  const upstream = createUpstream({ baseUrl, clock });
  return {
    async send(request, call) {
      const { status, headers, json } = await askJson(
        upstream,
        {
          ...request,
          headers: {
            authorization: `Token ${key}`,
            accept: 'application/json',
            ...(request.body !== undefined && { 'content-type': 'application/json' }),
          },
          signal: call.signal,
        },
        clock,
      );
      return { status, headers, json, ...refusalIn(json) };
    },
    close: upstream.close,
  };
}

function refusalIn(json: unknown): Pick<VendorAnswer, 'refusal'> {
  const { reason, message } = fieldsOf(json);
  if (typeof reason !== 'string' || reason === '') return {};
  return { refusal: { code: reason, message: typeof message === 'string' ? message : undefined } };
}

/** The content was refused, before the work or after it. */
export const POLICY_REASON = /PolicyViolation$|^AuditSubmitIllegal$/;

/**
 * Reasons of a request that has begun nothing, from https://docs.platform.vidu.com (November 2026). Most have the status
 * 400, which would blame the request; so do an empty account and a model that is not available at the moment. An internal
 * error is not among them: it may occur after the work has begun.
 */
export const refusalRules: readonly VendorRule[] = [
  { code: 'CreditInsufficient', means: 'balance' },
  { code: POLICY_REASON, means: 'policy' },
  { code: 'ModelUnavailable', means: 'unavailable' },
  { code: 'BadRequest', means: 'invalid' },
  // A field is missing, not valid, not taken by the model, or a list of the wrong length.
  { code: /^Field/, means: 'invalid' },
  // An image cannot be downloaded or read, or has the wrong size.
  { code: /^Image/, means: 'invalid' },
  { code: 'Unauthorized', means: 'auth' },
  { code: 'TaskNotFound', means: 'not_found' },
  // As many tasks as the account allows are in progress.
  { code: 'QuotaExceeded', means: 'concurrency' },
  { code: 'TooManyRequests', means: 'rate' },
  { code: 'SystemThrottling', means: 'rate' },
];
