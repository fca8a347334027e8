import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedSeconds } from '../../../lib/catalog/allowed-seconds';
import { checkSeconds } from '../../../lib/catalog/video-seconds';
import { isGatewayError } from '../../../lib/domain/errors';
import { videoModels } from './video-models';

const facts = (id: string) => {
  const found = videoModels.find((model) => model.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found.video;
};
const check = (id: string, value: unknown, resolution = facts(id).defaultResolution, inputMillis?: number) =>
  checkSeconds(facts(id), value, { modelId: id, resolution, ...(inputMillis !== undefined && { inputMillis }) });
const refusal = (id: string, value: unknown, resolution?: string) => {
  try {
    check(id, value, resolution);
  } catch (error) {
    if (isGatewayError(error)) return error;
    throw error;
  }
  throw new Error('was accepted');
};

describe('checkSeconds', () => {
  it('reads 5 and "5"', () => {
    expect([check('kling-3.0-i2v', 5), check('kling-3.0-i2v', '5'), check('kling-3.0-i2v', 5.0)]).toEqual([5, 5, 5]);
  });

  it('without a value gives the default of the model', () => {
    expect([
      check('kling-3.0-i2v', undefined),
      check('veo-3.1-t2v', null),
      check('hailuo-2.3-i2v', undefined, '1080p'),
    ]).toEqual([5, 8, 6]);
  });

  it.each([
    ['kling-3.0-i2v', 20, 'seconds must be between 3 and 15 for kling-3.0-i2v; got 20.'],
    ['veo-3.1-t2v', 5, 'seconds must be one of 4, 6, 8 for veo-3.1-t2v; got 5.'],
    ['veo-3.1-t2v', '5s', 'seconds must be one of 4, 6, 8 for veo-3.1-t2v; got "5s".'],
    ['kling-3.0-i2v', '5s', 'seconds must be a whole number between 3 and 15 for kling-3.0-i2v; got "5s".'],
    ['kling-3.0-i2v', 5.5, 'seconds must be a whole number between 3 and 15 for kling-3.0-i2v; got 5.5.'],
    ['kling-3.0-i2v', '', 'seconds must be a whole number between 3 and 15 for kling-3.0-i2v; got "".'],
    ['kling-3.0-i2v', -5, 'seconds must be a whole number between 3 and 15 for kling-3.0-i2v; got -5.'],
    ['wan-2.2-fast-i2v', 6, 'seconds must be 5 for wan-2.2-fast-i2v; got 6.'],
    ['ray-3.2-t2v', 7, 'seconds must be one of 5, 10 for ray-3.2-t2v; got 7.'],
  ])('answers %s with %o by: %s', (id, value, sentence) => {
    const error = refusal(id, value);
    expect([error.code, error.extra.param, error.message]).toEqual(['unsupported_value', 'seconds', sentence]);
    expect(error.extra.details).toEqual({ allowed: facts(id).seconds.map(String) });
  });

  it.each([[true], [[5]], [{ seconds: 5 }]])('refuses %o as a type', (value) => {
    expect(refusal('kling-3.0-i2v', value).code).toBe('invalid_type');
  });

  it('allows some tiers with some lengths only, and says so', () => {
    expect(check('hailuo-2.3-i2v', 6, '1080p')).toBe(6);
    expect(refusal('hailuo-2.3-i2v', 10, '1080p').message).toBe(
      'seconds must be 6 for hailuo-2.3-i2v at 1080p; got 10.',
    );
    expect(allowedSeconds(facts('hailuo-2.3-i2v'), '768p')).toEqual([6, 10]);
  });

  it.each([
    [7300, 8],
    [5000, 5],
    [400, 2],
    [60_000, 10],
  ])('gives an edit of %i ms of source %i s, within the range of the model', (inputMillis, seconds) => {
    expect(check('wan-2.7-video-edit', undefined, '720p', inputMillis)).toBe(seconds);
  });

  it('throws a GatewayError or returns an allowed length for every value', () => {
    fc.assert(
      fc.property(fc.constantFrom(...videoModels), fc.anything(), (model, value) => {
        for (const resolution of model.video.resolutions) {
          try {
            expect(allowedSeconds(model.video, resolution)).toContain(
              checkSeconds(model.video, value, { modelId: model.id, resolution }),
            );
          } catch (error) {
            if (!isGatewayError(error)) throw error;
          }
        }
      }),
    );
  });
});
