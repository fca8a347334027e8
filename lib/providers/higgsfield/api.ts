import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import { fieldsOf, type Fields } from '../../domain/json';
import { askJson } from '../kit/http/ask-json';
import { createUpstream, type UpstreamRequest } from '../kit/http/http';
import type { VendorAnswer, VendorRule } from '../kit/video/refusal';

// One request to Higgsfield. An error is `{ detail }`, a text or a list of `{ loc, msg, type }`. It has no code beside its
// status.

export interface HiggsfieldApi {
  /** Resolves with the answer, also if it is an error. Rejects as `Upstream.send` does. */
  send(
    request: Pick<UpstreamRequest, 'method' | 'path' | 'body' | 'ownConnection' | 'headersMs'>,
    call: Call,
  ): Promise<HiggsfieldAnswer>;
  close(): Promise<void>;
}

export interface HiggsfieldAnswer extends VendorAnswer {
  /** None if the body is no JSON object. */
  readonly fields: Fields;
}

export function createHiggsfieldApi({
  baseUrl,
  key,
  secret,
  clock,
}: {
  readonly baseUrl: string;
  readonly key: string;
  readonly secret: string;
  readonly clock: Clock;
}): HiggsfieldApi {
  const upstream = createUpstream({ baseUrl, clock });
  return {
    async send(request, call) {
      const { status, headers, json } = await askJson(
        upstream,
        {
          ...request,
          headers: {
            'hf-api-key': key,
            'hf-secret': secret,
            accept: 'application/json',
            ...(request.body !== undefined && { 'content-type': 'application/json' }),
          },
          signal: call.signal,
        },
        clock,
      );
      const fields = fieldsOf(json);
      return { status, headers, fields, ...refusalOf(status, fields.detail) };
    },
    close: upstream.close,
  };
}

/** All other statuses have their usual meaning. Whether a 503 may have begun is not documented. */
export const refusalRules: readonly VendorRule[] = [
  // Not enough credits.
  { code: 403, means: 'balance' },
];

function refusalOf(status: number, detail: unknown): Pick<VendorAnswer, 'refusal'> {
  if (typeof detail === 'string') return { refusal: { code: status, message: detail } };
  if (!Array.isArray(detail)) return {};
  return { refusal: { code: status, message: detail.map(fieldsOf).flatMap(problemText).join(' ') } };
}

/** Such as `body.params.model: Input should be 'dop-lite', 'dop-turbo' or 'dop-preview'` */
function problemText({ loc, msg }: Fields): string[] {
  if (typeof msg !== 'string') return [];
  return [Array.isArray(loc) ? `${loc.join('.')}: ${msg}` : msg];
}
