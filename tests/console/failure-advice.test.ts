import { describe, expect, it } from 'vitest';
import { failureAdvice } from '../../app/console/components/video/failure-advice';
import { errorRules } from '../../lib/domain/errors';
import { videoFailureCodes } from '../../lib/domain/video';

describe('the advice for a failed video', () => {
  it('exists for every code with which a video fails, except for a video that was cancelled', () => {
    expect(videoFailureCodes.filter((code) => failureAdvice(code) === undefined)).toEqual(['cancelled']);
  });

  it('is a different sentence for every code', () => {
    const advice = videoFailureCodes.flatMap((code) => failureAdvice(code) ?? []);
    expect(new Set(advice).size).toBe(advice.length);
    for (const text of advice) expect(text).toMatch(/^[A-Z].*\.$/);
  });

  it('is absent without a code and for a code that no video fails with', () => {
    expect([failureAdvice(undefined), failureAdvice('unsupported_value'), failureAdvice('')]).toEqual([
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
