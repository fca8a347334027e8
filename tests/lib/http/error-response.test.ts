import { describe, expect, it } from 'vitest';
import { errorRules, type ErrorCode } from '../../../lib/domain/error-rules';
import { GatewayError } from '../../../lib/domain/errors';
import { asGatewayError } from '../../../lib/domain/database-failure';
import { errorResponse } from '../../../lib/http/error-response';

const codes = Object.keys(errorRules) as ErrorCode[];
const jsonOf = (code: ErrorCode, path: string, extra = {}) => {
  const response = errorResponse(new GatewayError(code, 'A sentence.', extra), path, 'req_1');
  return { ...response, json: JSON.parse(response.body as string) as Record<string, unknown> };
};

describe('errorResponse', () => {
  it.each(codes)('%s follows the table in the JSON shape', (code) => {
    const { status, headers, json } = jsonOf(code, '/v1/videos');
    const rule = errorRules[code];
    expect(status).toBe(rule.status);
    expect(json).toEqual({
      error: { message: 'A sentence.', type: rule.type, param: null, code, request_id: 'req_1' },
    });
    expect(headers['x-should-retry']).toBe(String(rule.retry));
    expect(headers['cache-control']).toBe('no-store');
    const waits = rule.retry && [402, 409, 429, 503, 529].includes(status);
    expect(headers['retry-after'] !== undefined, 'Retry-After').toBe(waits || code === 'video_not_ready');
    expect(headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
    expect(headers['upgrade']).toBe(status === 426 ? 'websocket' : undefined);
  });

  it.each([
    ['invalid_json', 'invalid_request_error'],
    ['invalid_api_key', 'authentication_error'],
    ['insufficient_credits', 'billing_error'],
    ['model_not_allowed', 'permission_error'],
    ['model_not_found', 'not_found_error'],
    ['idempotency_in_progress', 'conflict_error'],
    ['request_too_large', 'request_too_large'],
    ['rate_limit_exceeded', 'rate_limit_error'],
    ['internal_error', 'api_error'],
    ['upstream_invalid_response', 'api_error'],
    ['database_unavailable', 'api_error'],
    ['upstream_timeout', 'timeout_error'],
    ['unsupported_media_type', 'invalid_request_error'],
  ] as const)('%s is %s to a client of the messages API', (code, type) => {
    for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
      expect(jsonOf(code, path).json).toEqual({
        type: 'error',
        error: { type, message: 'A sentence.' },
        request_id: 'req_1',
      });
    }
    expect(jsonOf(code, '/v1/messages_x').json).toHaveProperty('error.code', code);
  });

  it('carries param and details', () => {
    expect(
      jsonOf('unsupported_value', '/v1/videos', { param: 'seconds', details: { allowed: [4] } }).json,
    ).toMatchObject({ error: { param: 'seconds', details: { allowed: [4] } } });
  });

  it('waits whole seconds, at least one, in Retry-After, and the exact time in retry-after-ms', () => {
    expect(jsonOf('rate_limit_exceeded', '/', { retryAfterSeconds: 2.1 }).headers).toMatchObject({
      'retry-after': '3',
      'retry-after-ms': '2100',
    });
    expect(jsonOf('rate_limit_exceeded', '/', { retryAfterSeconds: 0 }).headers).toMatchObject({
      'retry-after': '1',
      'retry-after-ms': '1',
    });
  });

  it('sends no Retry-After for errors that waiting does not fix', () => {
    const { headers } = jsonOf('no_provider_available', '/', { retry: false });
    expect(headers['x-should-retry']).toBe('false');
    expect(headers['retry-after']).toBeUndefined();
  });
});

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code });

describe('asGatewayError', () => {
  it.each([
    [withCode('ECONNREFUSED')],
    [withCode('57P01')],
    [withCode('57P03')],
    [withCode('53300')],
    [withCode('08006')],
    [new Error('timeout exceeded when trying to connect')],
    [new Error('Connection terminated unexpectedly')],
    [new Error('Failed query', { cause: withCode('ECONNRESET') })],
    [new Error('a', { cause: new Error('b', { cause: withCode('57P02') }) })],
    [new AggregateError([withCode('EX'), withCode('ECONNREFUSED')])],
  ])('%# recognises an unavailable database', (error) =>
    expect(asGatewayError(error).code).toBe('database_unavailable'),
  );

  it.each([
    [new Error('ECONNREFUSED')],
    [withCode('23505')],
    [withCode('42P01')],
    ['text'],
    [null],
    [undefined],
    [{ code: 'ECONNREFUSED' }],
  ])('%# hides every other error', (thrown) => {
    const error = asGatewayError(thrown);
    expect(error.code).toBe('internal_error');
    expect(error.message).not.toMatch(/ECONN|text|23505/);
  });

  it('recognises an error of ours that another copy of the module made', () => {
    const foreign = { [Symbol.for('gateway.error')]: true, code: 'video_not_found', message: 'x', extra: {} };
    expect(asGatewayError(foreign)).toBe(foreign);
  });
});
