import { describe, expect, it } from 'vitest';
import { failureAdvice, failureCodes, shortAdvice } from '../../app/console/components/request/failure-advice';
import { errorRules, type ErrorCode } from '../../lib/domain/error-rules';
import { videoFailureCodes } from '../../lib/domain/video';

/** Ends of messages and sessions that are no error codes of the API. */
const OWN_ENDS = ['caller_left', 'slow_reader', 'process_ended'];
/** Types of errors that end a request after it has started. */
const LATE_TYPES = [
  'upstream_error',
  'service_unavailable',
  'insufficient_credits',
  'rate_limit_error',
  'server_error',
];

describe('the advice for a failed request', () => {
  it('exists for every code with which a video fails, except for a video that was cancelled', () => {
    expect(videoFailureCodes.filter((code) => failureAdvice(code) === undefined)).toEqual(['cancelled']);
  });

  it('exists for every code with which a message or a session that has started may end', () => {
    // Safe: the keys of the table.
    const late = (Object.keys(errorRules) as ErrorCode[]).filter((code) => LATE_TYPES.includes(errorRules[code].type));
    expect(late.length).toBeGreaterThan(10);
    const codes = [...late, ...OWN_ENDS, 'revoked_api_key', 'expired_api_key', 'organization_suspended'];
    // Only files of videos are on another machine.
    expect(codes.filter((code) => failureAdvice(code) === undefined)).toEqual(['video_on_other_machine']);
    expect(codes.filter((code) => !failureCodes.includes(code))).toEqual(['video_on_other_machine']);
  });

  it('begins with a sentence that is short enough for a list', () => {
    for (const code of failureCodes) {
      const short = shortAdvice(code);
      if (short !== undefined) expect(short.length, short).toBeLessThanOrEqual(120);
    }
    expect(shortAdvice('insufficient_credits')).toBe('The credits were used up.');
    expect([shortAdvice('cancelled'), shortAdvice(undefined), shortAdvice('toString')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is a different sentence for every code', () => {
    const advice = videoFailureCodes.flatMap((code) => failureAdvice(code) ?? []);
    expect(new Set(advice).size).toBe(advice.length);
    for (const text of advice) expect(text).toMatch(/^[A-Z].*\.$/);
  });

  it('is absent without a code and for a code that no request fails with', () => {
    expect([failureAdvice(undefined), failureAdvice('route_not_found'), failureAdvice('')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('the codes of failed videos', () => {
  it('are error codes of the API, or one of the four codes that only videos have', () => {
    expect(videoFailureCodes.filter((code) => !(code in errorRules)).toSorted()).toEqual([
      'cancelled',
      'generation_failed',
      'input_seconds_mismatch',
      'upstream_unconfirmed',
    ]);
    expect(new Set(videoFailureCodes).size).toBe(videoFailureCodes.length);
  });
});
