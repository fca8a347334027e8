import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import { fieldsOf, type Fields } from '../../domain/json';
import { askJson } from '../kit/http/ask-json';
import { createUpstream, type UpstreamRequest } from '../kit/http/http';
import type { VendorAnswer, VendorRule } from '../kit/video/refusal';

// One request to WaveSpeed. Every answer is `{ code, message, data }`; a code other than 200 is an error, whatever the
// status. It is the status again, or one of WaveSpeed's own codes.

export interface WavespeedApi {
  /** Resolves with the answer, also if it is an error. Rejects as `Upstream.send` does. */
  send(
    request: Pick<UpstreamRequest, 'method' | 'path' | 'body' | 'ownConnection' | 'headersMs'>,
    call: Call,
  ): Promise<WavespeedAnswer>;
  close(): Promise<void>;
}

/** `refusal` is present if `code` reports an error. */
export interface WavespeedAnswer extends VendorAnswer {
  /** The fields of `data`; none for an error without them. */
  readonly data: Fields;
}

export function createWavespeedApi({
  baseUrl,
  key,
  clock,
}: {
  readonly baseUrl: string;
  readonly key: string;
  readonly clock: Clock;
}): WavespeedApi {
  const upstream = createUpstream({ baseUrl, clock });
  return {
    async send(request, call) {
      const headers = {
        authorization: `Bearer ${key}`,
        accept: 'application/json',
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
      };
      const answer = await askJson(upstream, { ...request, headers, signal: call.signal }, clock);
      return { status: answer.status, headers: answer.headers, ...parseAnswer(answer.json) };
    },
    close: upstream.close,
  };
}

const NO_CREDITS = 'insufficient_credits';

function parseAnswer(json: unknown): Pick<WavespeedAnswer, 'data' | 'refusal'> {
  const { code, message: given, data } = fieldsOf(json);
  if (!Number.isSafeInteger(code)) return { data: {} };
  if (code === 200) return { data: fieldsOf(data) };
  const message = typeof given === 'string' ? given : undefined;
  // No code for it is documented, and the caller must not read about our account.
  const isOurAccount = /insufficient (credit|balance|fund)|top.?up/i.test(message ?? '');
  return { data: fieldsOf(data), refusal: { code: isOurAccount ? NO_CREDITS : Number(code), message } };
}

/** The codes of WaveSpeed of which a failed prediction may have one too. */
export const CODES = { moderated: 1200, parameterMissing: 1400, parameterInvalid: 1401, mediaUnreachable: 1402 };
export const TIMEOUT_CODE = 5004;

/**
 * Codes of a request that has begun nothing, from https://wavespeed.ai/docs/error-codes (November 2026); all others are
 * judged by their status. An internal error (5000) and a time-out (5004) may occur after the work has begun.
 */
export const refusalRules: readonly VendorRule[] = [
  { code: NO_CREDITS, means: 'balance' },
  { code: CODES.moderated, means: 'policy' },
  { code: CODES.parameterMissing, means: 'invalid' },
  { code: CODES.parameterInvalid, means: 'invalid' },
  { code: CODES.mediaUnreachable, means: 'invalid' },
  // Temporarily unavailable.
  { code: 5003, means: 'unavailable' },
];
