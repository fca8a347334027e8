import { describe, expect, it } from 'vitest';
import { checkAnswer, mistakeInMessage } from '../../support/check-answers';

const credits = { object: 'credits', mode: 'test', currency: 'USD', available: '1', held: '0', spent: '0' };
const check =
  (body: object, status = 200, path = '/v1/credits') =>
  () =>
    checkAnswer({ method: 'GET', path, status, text: JSON.stringify(body) });

describe('the check of answers', () => {
  it('accepts answers of the contract', () => {
    expect(check(credits)).not.toThrow();
  });

  it('refuses an extra field, a missing field and a field of another type', () => {
    const { held: _, ...less } = credits;
    for (const body of [{ ...credits, extra: 1 }, less, { ...credits, spent: 0 }])
      expect(check(body)).toThrow('GET /v1/credits answered 200 with a body that its schema');
  });

  it('refuses a status and a path that the contract does not have', () => {
    expect(check(credits, 201)).toThrow('a status that its entry');
    expect(check({}, 200, '/v1/nothing')).toThrow('has no such operation');
  });

  it('refuses an error in the format of another API', () => {
    const error = { type: 'error', error: { type: 'api_error', message: 'No.' }, request_id: 'req_1' };
    expect(check(error, 500)).toThrow('answered 500');
    expect(check(error, 500, '/v1/models_compat')).not.toThrow();
  });

  it('refuses a message that its socket does not have', () => {
    const done = { type: 'done', context_id: 'ctx_1' };
    expect(mistakeInMessage('/v1/audio/speech/ws', done)).toBeUndefined();
    expect(mistakeInMessage('/v1/audio/transcriptions/ws', done)).toContain('audio_duration_seconds');
  });
});
