import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import { fieldsOf } from '../../domain/json';
import { askJson } from '../kit/http/ask-json';
import { createUpstream, type UpstreamRequest } from '../kit/http/http';
import type { RefusalMeaning, VendorAnswer, VendorRule } from '../kit/video/refusal';

// One request to MiniMax. The first version of the API always answers with the status 200, and `base_resp` says whether
// that was an error. The second one has statuses, with `{ type: 'error', error: { type, message } }`, where the message
// ends with the code of the first version: `insufficient balance (1008)`.

export interface MinimaxApi {
  /** Resolves with the answer, also if it is an error. Rejects as `Upstream.send` does. */
  send(
    request: Pick<UpstreamRequest, 'method' | 'path' | 'body' | 'ownConnection' | 'headersMs'>,
    call: Call,
  ): Promise<MinimaxAnswer>;
  close(): Promise<void>;
}

/** `refusal` is present if the body reports an error. */
export interface MinimaxAnswer extends VendorAnswer {
  readonly json: unknown;
}

export function createMinimaxApi({
  baseUrl,
  key,
  clock,
}: {
  readonly baseUrl: string;
  readonly key: string;
  readonly clock: Clock;
}): MinimaxApi {
  const upstream = createUpstream({ baseUrl, clock });
  return {
    async send(request, call) {
      const { status, headers, json } = await askJson(
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
      return { status, headers, json, ...refusalIn(json) };
    },
    close: upstream.close,
  };
}

/**
 * Codes of a request that has begun nothing, from https://platform.minimax.io/docs/api-reference/errorcode (November
 * 2026), and the types of the second version. An unknown error (1000), a time-out (1001), internal errors (1024, 1033)
 * and `server_error` are not among them: they may occur after the work has begun.
 */
export const refusalRules: readonly VendorRule[] = [
  { code: 1002, means: 'rate' },
  // The key does not match the account or is not valid.
  { code: 1004, means: 'auth' },
  { code: 1008, means: 'balance' },
  // The content of the request, and that of the finished video.
  { code: 1026, means: 'policy' },
  { code: 1027, means: 'policy' },
  // Too many tokens in this minute.
  { code: 1039, means: 'rate' },
  // Too many connections: the request was not taken.
  { code: 1041, means: 'unavailable' },
  // More than a tenth of the prompt are characters that cannot be seen.
  { code: 1042, means: 'invalid' },
  { code: 2013, means: 'invalid' },
  { code: 2049, means: 'auth' },
  // The plan of the account is used up.
  { code: 2056, means: 'balance' },
  { code: 'bad_request_error', means: 'invalid' },
  { code: 'unprocessable_entity_error', means: 'invalid' },
  { code: 'authorized_error', means: 'auth' },
  { code: 'insufficient_balance_error', means: 'balance' },
  { code: 'rate_limit_error', means: 'rate' },
];

function refusalIn(json: unknown): Pick<VendorAnswer, 'refusal'> {
  const { base_resp: base, error } = fieldsOf(json);
  const { status_code: code, status_msg: text } = fieldsOf(base);
  if (typeof code === 'number' && code !== 0) return { refusal: { code, message: messageOf(text) } };
  const { type, message } = fieldsOf(error);
  if (typeof type !== 'string') return {};
  return { refusal: { code: codeIn(messageOf(message)) ?? type, message: messageOf(message) } };
}

/** The code at the end of a message, if the table has it. */
function codeIn(message: string | undefined): string | undefined {
  const code = /\((\d{4})\)\W*$/.exec(message ?? '')?.[1];
  return meaningOf(code) === undefined ? undefined : code;
}

/** What the table says about a code. */
export function meaningOf(code: string | number | undefined): RefusalMeaning | undefined {
  return refusalRules.find((rule) => String(rule.code) === String(code))?.means;
}

const messageOf = (text: unknown) => (typeof text === 'string' ? text : undefined);
