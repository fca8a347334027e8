import { describe, expect, it } from 'vitest';
import { checkAnswer, mistakeInMessage } from '../../support/check-answers';

const credits = { object: 'credits', mode: 'test', currency: 'USD', available: '1', held: '0', spent: '0' };
const ids = { 'x-request-id': 'req_1', 'request-id': 'req_1' };

interface Sent {
  readonly status?: number;
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
const check =
  (body: object, { status = 200, path = '/v1/credits', query = '', headers = {} }: Sent = {}) =>
  () =>
    checkAnswer({
      method: 'GET',
      path,
      query: new URLSearchParams(query),
      status,
      headers: new Headers({
        ...ids,
        'content-type': 'application/json; charset=utf-8',
        ...(status >= 400 && { 'x-should-retry': 'false' }),
        ...headers,
      }),
      text: JSON.stringify(body),
    });
const error = (code: string, type: string) => ({
  error: { message: 'No.', type, param: null, code, request_id: 'req_1' },
});

describe('the check of answers', () => {
  it('accepts answers of the contract', () => {
    expect(check(credits)).not.toThrow();
    expect(check(error('missing_api_key', 'authentication_error'), { status: 401 })).not.toThrow();
  });

  it('refuses an extra field, a missing field and a field of another type', () => {
    const { held: _, ...less } = credits;
    for (const body of [{ ...credits, extra: 1 }, less, { ...credits, spent: 0 }])
      expect(check(body)).toThrow('GET /v1/credits answered 200 with a body that its schema');
  });

  it('refuses a status and a path that the contract does not have', () => {
    expect(check(credits, { status: 201 })).toThrow('a status that /openapi.json does not have');
    expect(check(error('video_expired', 'gone_error'), { status: 410 })).toThrow('a status that /openapi.json');
    expect(check({}, { path: '/v1/nothing' })).toThrow('has no such operation');
  });

  it('refuses an error code that the operation does not document', () => {
    const other = error('content_policy_violation', 'invalid_request_error');
    expect(check(other, { status: 400 })).toThrow('/openapi.json does not describe');
  });

  it('refuses a header of ours, a media type and a query parameter that are not documented', () => {
    expect(check(credits, { headers: { 'x-patchbay-secret': '1' } })).toThrow('not documented: x-patchbay-secret');
    expect(check(credits, { headers: { 'content-type': 'text/html' } })).toThrow('the media type text/html');
    expect(check(credits, { query: 'mode=test' })).toThrow('query parameters mode');
  });

  it('refuses an answer without its request id', () => {
    const headers = new Headers({ 'content-type': 'application/json' });
    expect(() =>
      checkAnswer({ method: 'GET', path: '/livez', status: 200, headers, text: '{"status":"alive"}' }),
    ).toThrow('without the headers x-request-id, request-id');
  });

  it('refuses an error in the format of another API', () => {
    const other = { type: 'error', error: { type: 'api_error', message: 'No.' }, request_id: 'req_1' };
    expect(check(other, { status: 500 })).toThrow('answered 500');
    expect(check(other, { status: 500, path: '/v1/models_compat' })).not.toThrow();
  });

  it('refuses a message that its socket does not have', () => {
    const done = { type: 'done', context_id: 'ctx_1' };
    expect(mistakeInMessage('/v1/audio/speech/ws', done)).toBeUndefined();
    expect(mistakeInMessage('/v1/audio/transcriptions/ws', done)).toContain('audio_duration_seconds');
  });
});
