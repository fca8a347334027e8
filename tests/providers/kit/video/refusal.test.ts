import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGatewayError } from '../../../../lib/domain/errors';
import type { VendorAnswer, VendorRule } from '../../../../lib/providers/kit/video/refusal';
import {
  isDone,
  isOwnNotFound,
  laterPoll,
  notStarted,
  pollFailure,
  readFields,
  refusalWith,
  submitRefusal,
} from '../../../../lib/providers/kit/video/refusal';

const now = new Date('2026-11-23T12:00:00Z');

// One line for each meaning, in the spelling of real tables.
const rules: readonly VendorRule[] = [
  { code: 400017, means: 'invalid' },
  { code: /content_policy|Sensitive/, means: 'policy' },
  { code: 'UNAUTHENTICATED', means: 'auth' },
  { code: 500090, means: 'balance' },
  { code: 'RESOURCE_EXHAUSTED', means: 'rate' },
  { code: '1303', means: 'concurrency' },
  { code: 'UNAVAILABLE', means: 'unavailable' },
  { code: 'MODEL_NOT_FOUND', means: 'not_found' },
];
const codes = [400017, '400017', 'InputTextSensitiveContentDetected', 'UNAUTHENTICATED', '500090', 500090];
const known = [...codes, 'RESOURCE_EXHAUSTED', 1303, '1303', 'UNAVAILABLE', 'MODEL_NOT_FOUND'];

const answer = (status: number, code?: string | number, change: Partial<VendorAnswer> = {}): VendorAnswer => ({
  status,
  headers: {},
  refusal: { code, message: 'The vendor says so.' },
  ...change,
});

const anyStatus = fc.integer({ min: 200, max: 599 });
const anyHeaders = fc.record(
  { 'retry-after': fc.oneof(fc.string(), fc.nat(100).map(String)), 'content-type': fc.string() },
  { requiredKeys: [] },
);
const unknownCode = fc
  .option(fc.oneof(fc.string(), fc.integer()), { nil: undefined })
  .filter(
    (code) => !known.some((one) => String(one) === String(code)) && !/content_policy|Sensitive/.test(String(code)),
  );

describe('submitRefusal', () => {
  it.each([
    [200, 400017, 'upstream_rejected', 'never'],
    [400, 'InputTextSensitiveContentDetected', 'content_policy_violation', 'never'],
    [401, 'UNAUTHENTICATED', 'upstream_auth_failed', 'elsewhere'],
    [200, '500090', 'upstream_auth_failed', 'elsewhere'],
    [429, 'RESOURCE_EXHAUSTED', 'rate_limit_exceeded', 'elsewhere'],
    [429, 1303, 'rate_limit_exceeded', 'elsewhere'],
    [503, 'UNAVAILABLE', 'upstream_invalid_response', 'elsewhere'],
    [404, 'MODEL_NOT_FOUND', 'provider_model_not_found', 'elsewhere'],
    // Without a code of the table, the status decides.
    [400, undefined, 'upstream_rejected', 'never'],
    [401, 'other', 'upstream_auth_failed', 'elsewhere'],
    [402, 'other', 'upstream_auth_failed', 'elsewhere'],
    [403, undefined, 'upstream_auth_failed', 'elsewhere'],
    [404, undefined, 'provider_model_not_found', 'elsewhere'],
    [413, undefined, 'request_too_large', 'never'],
    [422, undefined, 'upstream_rejected', 'never'],
    [429, undefined, 'rate_limit_exceeded', 'elsewhere'],
  ] as const)('a %i with the code %s is %s, nothing started, and then %s', (status, code, expected, retry) => {
    expect(submitRefusal(answer(status, code), rules, now)).toMatchObject({
      code: expected,
      extra: { upstream: { retry, started: 'no' } },
    });
  });

  it.each([
    ['a success without an id', answer(200)],
    ['a success in another shape', { status: 202, headers: {} }],
    ['an unknown code in a 200', answer(200, 'internal')],
    ['an internal error', answer(500, 'INTERNAL')],
    ['a time-out of the vendor', answer(504)],
    ['a conflict', answer(409)],
    ['a 408', answer(408)],
    ['a page with 401', { status: 401, headers: {} }],
    ['a page with 429', { status: 429, headers: { 'retry-after': '1' } }],
    ['a page with 503', { status: 503, headers: {} }],
  ] as const)('%s may have begun', (_name, given) => {
    expect(submitRefusal(given, rules, now).extra.upstream).toEqual({ retry: 'later', started: 'maybe' });
  });

  it('names the pause that the vendor asks for, or ten seconds', () => {
    const limited = (headers: Readonly<Record<string, string>>) =>
      submitRefusal(answer(429, 1303, { headers }), rules, now).extra;
    expect(limited({ 'retry-after': '90' })).toMatchObject({
      upstream: { retryAfterMs: 90_000 },
      retryAfterSeconds: 90,
    });
    expect(limited({ 'retry-after': 'Mon, 23 Nov 2026 12:01:00 GMT' }).upstream?.retryAfterMs).toBe(60_000);
    expect(limited({ 'retry-after-ms': '1e999' }).upstream?.retryAfterMs).toBe(10_000);
    expect(limited({}).upstream?.retryAfterMs).toBe(10_000);
  });

  it('shows the message of the vendor without our own data, and logs no text of it', () => {
    const message = 'duration is wrong, see https://vendor.example/key=1';
    const error = submitRefusal(
      { status: 400, headers: {}, refusal: { code: 'the prompt was: a cat', message } },
      rules,
      now,
    );
    expect(error.message).toBe('duration is wrong, see […]');
    expect(error.extra.detail).toBe('The upstream answered 400.');
    expect(submitRefusal(answer(400, 400017), rules, now).extra.detail).toBe('The upstream answered 400 400017.');
  });

  it('takes the first line that matches', () => {
    const lines: readonly VendorRule[] = [
      { code: /^5/, means: 'unavailable' },
      { code: 500, means: 'invalid' },
    ];
    expect(submitRefusal(answer(500, 500), lines, now).extra.upstream?.retry).toBe('elsewhere');
  });

  it('of a known code is never a start, whatever the status and the headers', () => {
    fc.assert(
      fc.property(anyStatus, fc.constantFrom(...known), anyHeaders, (status, code, headers) => {
        const { upstream } = submitRefusal(answer(status, code, { headers: defined(headers) }), rules, now).extra;
        expect(upstream).toMatchObject({ started: 'no' });
        expect(upstream?.retry).not.toBe('later');
      }),
    );
  });

  it('of a 2xx or a 5xx without a known code may always have begun', () => {
    const status = anyStatus.filter((one) => one < 300 || one >= 500);
    fc.assert(
      fc.property(status, unknownCode, anyHeaders, fc.boolean(), (one, code, headers, isOwnShape) => {
        const given = isOwnShape ? answer(one, code) : { status: one, headers: defined(headers) };
        expect(submitRefusal(given, rules, now).extra.upstream).toEqual({ retry: 'later', started: 'maybe' });
      }),
    );
  });

  it('of another shape than the vendor’s may always have begun', () => {
    fc.assert(
      fc.property(anyStatus, anyHeaders, (status, headers) => {
        const { upstream } = submitRefusal({ status, headers: defined(headers) }, rules, now).extra;
        expect(upstream).toEqual({ retry: 'later', started: 'maybe' });
      }),
    );
  });
});

describe('pollFailure', () => {
  it('is always followed by another poll', () => {
    const code = fc.oneof(unknownCode, fc.constantFrom(...known));
    fc.assert(
      fc.property(anyStatus, code, anyHeaders, fc.boolean(), (status, one, headers, isOwnShape) => {
        const given = { status, headers: defined(headers), ...(isOwnShape && { refusal: { code: one } }) };
        expect(pollFailure(given, rules, now).extra.upstream).toMatchObject({ retry: 'later', started: 'maybe' });
      }),
    );
  });

  it.each([
    [401, undefined, 'upstream_auth_failed'],
    [200, 500090, 'upstream_auth_failed'],
    [429, 1303, 'upstream_invalid_response'],
    [404, undefined, 'upstream_invalid_response'],
    [500, undefined, 'upstream_invalid_response'],
  ] as const)('of a %i with the code %s is %s', (status, code, expected) => {
    expect(pollFailure(answer(status, code), rules, now).code).toBe(expected);
  });

  it('names the pause that the vendor asks for', () => {
    const headers = { 'retry-after': '7' };
    expect(pollFailure(answer(429, undefined, { headers }), rules, now).extra.upstream?.retryAfterMs).toBe(7_000);
  });
});

describe('laterPoll', () => {
  it('keeps the error and replaces its outcome', () => {
    const error = submitRefusal(answer(429, 1303), rules, now);
    const later = laterPoll(error);
    if (!isGatewayError(later)) throw new Error('It is a GatewayError.');
    expect([later.code, later.message]).toEqual([error.code, error.message]);
    expect(later.extra.upstream).toEqual({ retry: 'later', started: 'maybe', retryAfterMs: 10_000 });
  });

  it('leaves an abort as it is', () => {
    const abort = new Error('aborted');
    expect(laterPoll(abort)).toBe(abort);
  });
});

describe('notStarted', () => {
  it('says of a request that may have been processed that no video has begun', () => {
    const error = submitRefusal(answer(500), rules, now);
    const before = notStarted(error);
    if (!isGatewayError(before)) throw new Error('It is a GatewayError.');
    expect([before.code, before.message]).toEqual([error.code, error.message]);
    expect(before.extra.upstream).toEqual({ retry: 'elsewhere', started: 'no' });
  });

  it('leaves a refusal and an abort as they are', () => {
    const refusal = submitRefusal(answer(429, 1303), rules, now);
    const abort = new Error('aborted');
    expect([notStarted(refusal), notStarted(abort)]).toEqual([refusal, abort]);
  });
});

function defined(headers: { 'retry-after'?: string; 'content-type'?: string }): Record<string, string> {
  return { ...headers };
}

describe('an answer that is read by its fields', () => {
  const read = readFields(({ code, message }) => (typeof code === 'string' ? refusalWith(code, message) : undefined));
  const readJson = (json: unknown, status = 400) => read({ status, headers: { 'x-id': 'a' }, json, bytes: 10 });

  it('has the error of the vendor as its refusal', () => {
    const json = { code: 'Throttling', message: 'Slow down.' };
    expect(readJson(json)).toEqual({
      status: 400,
      headers: { 'x-id': 'a' },
      fields: json,
      isPage: false,
      refusal: { code: 'Throttling', message: 'Slow down.' },
    });
    expect(readJson({ code: 'Throttling', message: 5 }).refusal).toEqual({ code: 'Throttling', message: undefined });
  });

  it.each([[{ id: 'a' }], [[1]], ['text'], [undefined]])('has no refusal for the body %j', (json) => {
    expect(readJson(json)).not.toHaveProperty('refusal');
  });

  it('has no fields if its body is no object', () => {
    expect([readJson([1]).fields, readJson(undefined).fields]).toEqual([{}, {}]);
  });

  it('says that a request is done by a status of success, without a page or an error', () => {
    const empty = read({ status: 204, headers: {}, json: undefined, bytes: 0 });
    expect([empty, readJson({}, 202), readJson([1], 200)].map(isDone)).toEqual([true, true, true]);
    const page = readJson(undefined, 200);
    expect([page, readJson({ code: 'Throttling' }, 200), readJson({}, 302)].map(isDone)).toEqual([false, false, false]);
  });

  it('is the 404 of the vendor only with its own error', () => {
    expect(isOwnNotFound(readJson({ code: 'NotFound' }, 404))).toBe(true);
    expect(isOwnNotFound(readJson(undefined, 404))).toBe(false);
    expect(isOwnNotFound(readJson({ code: 'NotFound' }, 400))).toBe(false);
  });
});
