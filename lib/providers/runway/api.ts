import type { Call } from '../../domain/call';
import type { Clock } from '../../domain/clock';
import { fieldsOf, type Fields } from '../../domain/json';
import { askJson } from '../kit/http/ask-json';
import { createUpstream, type UpstreamRequest } from '../kit/http/http';
import type { VendorAnswer, VendorRule } from '../kit/video/refusal';

// One request to Runway. An error is `{ error, docUrl }`, and for an invalid body also `issues: [{ path, message }]`. It
// has no code beside its status.

export interface RunwayApi {
  /** Resolves with the answer, also if it is an error. Rejects as `Upstream.send` does. */
  send(
    request: Pick<UpstreamRequest, 'method' | 'path' | 'body' | 'ownConnection' | 'headersMs'>,
    call: Call,
  ): Promise<RunwayAnswer>;
  close(): Promise<void>;
}

export interface RunwayAnswer extends VendorAnswer {
  /** None if the body is no JSON object. */
  readonly fields: Fields;
}

/** The version of the API whose fields this folder writes. */
const API_VERSION = '2024-11-06';

export function createRunwayApi({
  baseUrl,
  key,
  clock,
}: {
  readonly baseUrl: string;
  readonly key: string;
  readonly clock: Clock;
}): RunwayApi {
  const upstream = createUpstream({ baseUrl, clock });
  return {
    async send(request, call) {
      const { status, headers, json } = await askJson(
        upstream,
        {
          ...request,
          headers: {
            authorization: `Bearer ${key}`,
            'x-runway-version': API_VERSION,
            accept: 'application/json',
            ...(request.body !== undefined && { 'content-type': 'application/json' }),
          },
          signal: call.signal,
        },
        clock,
      );
      const fields = fieldsOf(json);
      return { status, headers, fields, ...refusalOf(status, fields) };
    },
    close: upstream.close,
  };
}

const NO_CREDITS = 'not_enough_credits';

/**
 * What refuses a submit, from https://docs.dev.runwayml.com/errors/errors (November 2026); all other statuses have their
 * usual meaning. With 504, Runway may have begun.
 */
export const refusalRules: readonly VendorRule[] = [
  { code: NO_CREDITS, means: 'balance' },
  // "This error is returned when Runway is shedding load."
  { code: 502, means: 'unavailable' },
  { code: 503, means: 'unavailable' },
];

function refusalOf(status: number, { error, issues }: Fields): Pick<VendorAnswer, 'refusal'> {
  if (typeof error !== 'string') return {};
  // A 400: "You do not have enough credits to run this task."
  const code = /enough credits/i.test(error) ? NO_CREDITS : status;
  return { refusal: { code, message: [error, ...issueTexts(issues)].join(' ') } };
}

/** Such as `promptImage: Failed to fetch asset.` */
function issueTexts(issues: unknown): string[] {
  if (!Array.isArray(issues)) return [];
  return issues.map(fieldsOf).flatMap(({ path, message }) => {
    if (typeof message !== 'string') return [];
    return [Array.isArray(path) && path.length > 0 ? `${path.join('.')}: ${message}` : message];
  });
}
