import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorRules, type ErrorCode } from '../../../lib/domain/error-rules';
import { errorForLog, GatewayError, isGatewayError, upstreamFailed, upstreamRefused } from '../../../lib/domain/errors';
import { projectRoot } from '../../support/database';

const codes = Object.keys(errorRules) as ErrorCode[];

/** Codes of the contract that a client may know although nothing in the product throws them. */
const unspoken: readonly ErrorCode[] = ['idempotency_in_progress'];

describe('the table of errors', () => {
  it('has a use in the product for every code except those that are kept for clients', () => {
    const sources = ['lib', 'app', 'server'].flatMap((folder) =>
      readdirSync(path.join(projectRoot, folder), { recursive: true, withFileTypes: true })
        // What the documents say about an error is no use of it.
        .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('/operations'))
        .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8')),
    );
    // A code in the table is a key, without quotes; every use has them.
    const text = sources.join('\n');
    expect(sources.length).toBeGreaterThan(100);
    expect(codes.filter((code) => !text.includes(`'${code}'`))).toEqual(unspoken);
  });

  it('gives every code an error status and a type that matches it', () => {
    const types: Readonly<Record<string, readonly number[]>> = {
      invalid_request_error: [400, 405, 408, 413, 415, 416, 421, 426, 431],
      authentication_error: [401],
      insufficient_credits: [402],
      permission_error: [403],
      not_found_error: [404],
      conflict_error: [409],
      gone_error: [410],
      idempotency_error: [422],
      rate_limit_error: [429],
      server_error: [500],
      upstream_error: [502, 503, 504, 529],
      service_unavailable: [503],
    };
    for (const code of codes) {
      const { status, type } = errorRules[code];
      expect(types[type], code).toContain(status);
    }
  });

  it('marks every error outside the request as retryable, and few others', () => {
    for (const code of codes) {
      const { status, retry } = errorRules[code];
      if (status >= 500 || status === 429) expect([code, retry]).toEqual([code, true]);
    }
    expect(
      codes.filter(
        (code) => errorRules[code].status < 500 && errorRules[code].status !== 429 && errorRules[code].retry,
      ),
    ).toEqual(['credits_held_by_running_jobs', 'request_timeout', 'idempotency_in_progress']);
  });
});

describe('isGatewayError', () => {
  it('recognises an error of another copy of the module, by its brand', () => {
    const foreign = Object.assign(new Error('no'), {
      [Symbol.for('gateway.error')]: true,
      code: 'overloaded',
      extra: {},
    });
    expect(foreign instanceof GatewayError).toBe(false);
    expect(
      [
        foreign,
        new GatewayError('overloaded', 'Full.'),
        new Error('no'),
        null,
        'overloaded',
        { code: 'overloaded' },
      ].map(isGatewayError),
    ).toEqual([true, true, false, false, false, false]);
  });
});

describe('the outcome of a provider call', () => {
  it('is known from its kind: a refusal never goes to another provider, a failure says what may follow', () => {
    expect(upstreamRefused('Not this prompt.')).toMatchObject({
      code: 'content_policy_violation',
      message: 'Not this prompt.',
      extra: { upstream: { retry: 'never', started: 'no' } },
    });
    const failed = upstreamFailed(
      { retry: 'later', started: 'maybe', retryAfterMs: 500 },
      'answered 503 with a secret',
    );
    expect(failed).toMatchObject({
      code: 'upstream_invalid_response',
      extra: {
        upstream: { retry: 'later', started: 'maybe', retryAfterMs: 500 },
        detail: 'answered 503 with a secret',
      },
    });
    expect(failed.message).not.toContain('secret');
    for (const code of ['upstream_auth_failed', 'upstream_timeout', 'upstream_content_unavailable'] as const) {
      expect(upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'detail', code)).toMatchObject({ code });
    }
  });
});

describe('errorForLog', () => {
  it('includes class, code and frames, and never the text, on one line or many', () => {
    const error = Object.assign(new TypeError('secret\n    secret at line two'), { code: 'ECONNRESET' });
    const text = errorForLog(error);
    expect(text).toMatch(/^TypeError ECONNRESET \| at .*errors\.test\.ts/);
    expect(text).not.toContain('secret');
    expect(text.split('\n')).toHaveLength(1);
    expect(errorForLog(new Error('secret'))).not.toContain('secret');
  });

  it('names what caused it, without its text', () => {
    const cause = Object.assign(new RangeError('secret'), { code: '57014' });
    expect(errorForLog(new TypeError('secret', { cause }))).toMatch(/^TypeError caused by RangeError 57014 \| at /);
    expect(errorForLog(new TypeError('secret', { cause: 'secret' }))).toMatch(/^TypeError caused by string \| at /);
  });

  it('includes the detail of ours, which has nothing of the caller and the provider', () => {
    const error = upstreamFailed(
      { retry: 'later', started: 'no' },
      'The connection to a.example failed: ECONNREFUSED.',
    );
    expect(errorForLog(error)).toMatch(
      /^GatewayError upstream_invalid_response \(The connection to a\.example failed: ECONNREFUSED\.\) \| at /,
    );
  });

  it('includes no more than the type of a value that is not an error', () => {
    expect([errorForLog('secret'), errorForLog(undefined), errorForLog({ secret: 1 })]).toEqual([
      'string',
      'undefined',
      'object',
    ]);
  });
});
