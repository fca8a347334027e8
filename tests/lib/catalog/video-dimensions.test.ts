import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseVideoSize,
  supportedSizes,
  checkSeconds,
  type SizeFacts,
  type SizeFields,
} from '../../../lib/catalog/video-dimensions';
import { isRatio, tierSides, canonicalSize, ratiosAt, allowedSeconds } from '../../../lib/domain/video-tiers';
import { isGatewayError, type GatewayError } from '../../../lib/domain/errors';
import { proofRuns } from '../../support/proof-runs';
import { shortSides } from '../../support/short-sides';
import { videoModels } from './video-models';

const area: Record<string, number> = {
  '360p': 230_400,
  '480p': 409_920,
  '512p': 466_944,
  '540p': 518_400,
  '720p': 921_600,
  '768p': 1_049_088,
  '1080p': 2_073_600,
  '2k': 3_686_400,
  '4k': 8_294_400,
};
const kling: SizeFacts = {
  kind: 't2v',
  resolutions: ['720p', '1080p', '4k'],
  defaultResolution: '720p',
  aspectRatios: ['16:9', '9:16', '1:1'],
};
const happyhorse: SizeFacts = {
  kind: 't2v',
  resolutions: ['720p', '1080p'],
  defaultResolution: '720p',
  aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4'],
};
const i2v: SizeFacts = { kind: 'i2v', resolutions: ['720p', '1080p'], defaultResolution: '720p', aspectRatios: [] };
const seedance: SizeFacts = {
  kind: 'i2v',
  resolutions: ['480p', '720p'],
  defaultResolution: '720p',
  aspectRatios: ['16:9', '21:9', 'adaptive'],
};

const parse = (facts: SizeFacts, fields: SizeFields) => parseVideoSize(facts, fields, 'some-model');
function errorOf(run: () => unknown): GatewayError {
  try {
    run();
  } catch (error) {
    if (isGatewayError(error)) return error;
    throw error;
  }
  throw new Error('was accepted');
}
const refusal = (facts: SizeFacts, fields: SizeFields) => errorOf(() => parse(facts, fields));

describe('parseVideoSize', () => {
  it('counts pixels, not lines: 960x960 is 720p', () => {
    expect(parse(kling, { size: '960x960' })).toEqual({
      resolution: '720p',
      aspectRatio: '1:1',
      width: 960,
      height: 960,
    });
  });

  it.each([
    ['1280x720', '720p', '16:9'],
    ['1080x1920', '1080p', '9:16'],
    ['1104x832', '720p', '4:3'],
    ['1108x832', '720p', '4:3'],
    ['1662x1248', '1080p', '4:3'],
    ['832x1108', '720p', '3:4'],
  ])('reads %s as %s at %s and keeps the pixels', (size, resolution, aspectRatio) => {
    const [width, height] = size.split('x').map(Number);
    expect(parse(happyhorse, { size })).toEqual({ resolution, aspectRatio, width, height });
  });

  it('takes width and height, as numbers or digits, instead of size', () => {
    expect(parse(kling, { width: 1920, height: '1080' })).toMatchObject({ resolution: '1080p', aspectRatio: '16:9' });
  });

  it('takes all three when they agree', () => {
    expect(parse(kling, { size: '1280x720', width: 1280, height: 720 })).toMatchObject({ resolution: '720p' });
  });

  it('without a size gives the canonical size of the default tier and first ratio', () => {
    expect(parse(kling, {})).toEqual({ resolution: '720p', aspectRatio: '16:9', width: 1280, height: 720 });
    expect(parse(kling, { size: null })).toEqual(parse(kling, {}));
    expect(parse({ ...kling, defaultResolution: '1080p', aspectRatios: ['9:16'] }, {})).toMatchObject({
      width: 1080,
      height: 1920,
    });
  });

  it('states no ratio if the media decide it, and keeps any moderate shape', () => {
    expect(parse(i2v, {})).toEqual({ resolution: '720p', width: 1280, height: 720 });
    expect(parse(i2v, { size: '1000x900' })).toEqual({ resolution: '720p', width: 1000, height: 900 });
    expect(refusal(i2v, { size: '4608x200' }).message).toContain('too long and narrow');
  });

  it('follows the image if the model supports it and the request names no shape', () => {
    expect(parse(seedance, {})).toEqual({ resolution: '720p', aspectRatio: 'adaptive', width: 1280, height: 720 });
    expect(parse(seedance, { size: '1470x630' })).toMatchObject({ resolution: '720p', aspectRatio: '21:9' });
  });

  it('leaves the shape of an edit to its source unless the request names a size', () => {
    const edit: SizeFacts = { ...happyhorse, kind: 'video-edit' };
    expect(parse(edit, {})).toEqual({ resolution: '720p', width: 1280, height: 720 });
    expect(parse(edit, { size: '720x1280' })).toMatchObject({ aspectRatio: '9:16' });
  });

  it.each([
    [{ size: '1100x1100' }, 'size', 'unsupported_value'],
    [{ size: '1280x800' }, 'size', 'unsupported_value'],
    [{ size: '1281x720' }, 'size', 'unsupported_value'],
    [{ size: '720p' }, 'size', 'unsupported_value'],
    [{ size: '1280X720' }, 'size', 'unsupported_value'],
    [{ size: '' }, 'size', 'unsupported_value'],
    [{ size: 1280 }, 'size', 'invalid_type'],
    [{ width: 1100, height: 1100 }, 'width', 'unsupported_value'],
    [{ width: 12.5, height: 720 }, 'width', 'unsupported_value'],
    [{ width: 1280, height: -720 }, 'height', 'unsupported_value'],
    [{ width: [], height: 720 }, 'width', 'invalid_type'],
    [{ width: 1280 }, 'height', 'missing_required_parameter'],
    [{ height: 720 }, 'width', 'missing_required_parameter'],
    [{ size: '1280x720', width: 1920, height: 1080 }, 'size', 'conflicting_parameters'],
    [{ size: '1280x720', height: 1080 }, 'size', 'conflicting_parameters'],
  ])('refuses %o at %s with %s', (fields, param, code) => {
    const error = refusal(kling, fields);
    expect([error.code, error.extra.param]).toEqual([code, param]);
    expect(error.message.length).toBeLessThan(500);
  });

  it('says what is allowed, in the message and as data', () => {
    const error = refusal(kling, { size: '1100x1100' });
    expect(error.message).toBe(
      'size 1100x1100 is not supported by some-model. Use 720p, 1080p or 4k at 16:9, 9:16 or 1:1; the nearest size is 960x960.',
    );
    expect(error.extra.details).toEqual({
      allowed: [
        '1280x720',
        '720x1280',
        '960x960',
        '1920x1080',
        '1080x1920',
        '1440x1440',
        '3840x2160',
        '2160x3840',
        '3840x3840',
      ],
    });
    expect(refusal(kling, { size: '1281x720' }).message).toContain('has an odd side');
  });

  const pixverse: SizeFacts = {
    kind: 't2v',
    resolutions: ['360p', '540p', '720p', '1080p'],
    defaultResolution: '720p',
    aspectRatios: ['16:9', '9:16', '1:1', '21:9'],
  };
  it.each<[string, SizeFacts, string, string]>([
    // By its short side, even where another tier has its area.
    ['720x720', kling, '720p', '1:1'],
    ['720x720', pixverse, '720p', '1:1'],
    ['1080x1080', kling, '1080p', '1:1'],
    ['720x1280', kling, '720p', '9:16'],
    ['480x480', pixverse, '360p', '1:1'],
    ['1680x720', pixverse, '720p', '21:9'],
    // By its area.
    ['1024x1024', kling, '720p', '1:1'],
    ['1024x1024', { ...kling, resolutions: ['768p', '2k'] }, '768p', '1:1'],
    ['1584x672', pixverse, '720p', '21:9'],
    ['2880x2880', kling, '4k', '1:1'],
    // Providers render 1080p squares at 1440x1440; without a 1080p tier the area is nearest to 2k.
    ['1440x1440', { ...kling, resolutions: ['1080p', '2k'] }, '1080p', '1:1'],
    ['1920x1920', { ...kling, resolutions: ['1080p', '2k'] }, '2k', '1:1'],
    ['1440x1440', { ...kling, resolutions: ['768p', '2k'] }, '2k', '1:1'],
    ['3840x3840', kling, '4k', '1:1'],
    // By its long side, if it is wider than 16:9: MiniMax's own words for 2K at 21:9, and a cinema's for 720p.
    ['2560x1080', { ...pixverse, resolutions: ['768p', '2k'] }, '2k', '21:9'],
    ['1280x548', { ...pixverse, resolutions: ['720p', '1080p'] }, '720p', '21:9'],
  ])('reads %s as people mean it (case %#)', (size, facts, resolution, aspectRatio) => {
    expect(parse(facts, { size })).toMatchObject({ resolution, aspectRatio });
  });

  it('names the nearest size of those that are sold', () => {
    expect(refusal(kling, { size: '1000x2000' }).message).toMatch(/ the nearest size is 1080x1920\.$/);
    expect(refusal(kling, { size: '2000x1000' }).message).toMatch(/ the nearest size is 1920x1080\.$/);
    expect(refusal(kling, { size: '9999x9999' }).message).toMatch(/ the nearest size is 3840x3840\.$/);
    // The shape counts before the number of pixels.
    expect(refusal(pixverse, { size: '2160x3840' }).message).toMatch(/ the nearest size is 1080x1920\.$/);
    expect(refusal(pixverse, { size: '3840x2160' }).message).toMatch(/ the nearest size is 1920x1080\.$/);
    expect(refusal(pixverse, { size: '2560x1440' }).message).toMatch(/ the nearest size is 1920x1080\.$/);
  });

  it('refuses a ratio that the model has at other tiers alone, and follows the media where a tier has none', () => {
    const limited: SizeFacts = { ...kling, ratiosOfTiers: { '1080p': ['16:9', '9:16'], '4k': [] } };
    expect(parse(limited, { size: '960x960' })).toMatchObject({ resolution: '720p', aspectRatio: '1:1' });
    expect(refusal(limited, { size: '1440x1440' }).message).toBe(
      'size 1440x1440 is not supported by some-model, which makes 1080p in 16:9 or 9:16. Use 720p, 1080p or 4k at 16:9, 9:16 or 1:1; the nearest size is 960x960.',
    );
    expect(parse(limited, { size: '3840x2160' })).toEqual({ resolution: '4k', width: 3840, height: 2160 });
    expect(supportedSizes(limited)).not.toContain('1440x1440');
  });

  it('ends the tolerance at 16 % of the area and 3 % of the ratio', () => {
    const square: SizeFacts = { kind: 't2v', resolutions: ['720p'], defaultResolution: '720p', aspectRatios: ['1:1'] };
    expect(parse(square, { size: '1032x1032' })).toMatchObject({ resolution: '720p' });
    expect(refusal(square, { size: '1036x1036' }).code).toBe('unsupported_value');
    expect(parse(square, { size: '972x944' })).toMatchObject({ aspectRatio: '1:1' });
    expect(refusal(square, { size: '976x944' }).code).toBe('unsupported_value');
  });
});

describe('canonicalSize', () => {
  it.each([
    ['768p', '16:9', '1366x768'],
    ['360p', '16:9', '640x360'],
    ['540p', '9:16', '540x960'],
    ['2k', '16:9', '2560x1440'],
    ['480p', '4:3', '736x544'],
    ['1080p', '21:9', '2206x946'],
  ])('of %s at %s is %s', (tier, ratio, size) => {
    expect(canonicalSize(tier, ratio).join('x')).toBe(size);
  });

  it('is even, and resolves to its own tier and ratio, for every model', () => {
    for (const { id, video } of videoModels) {
      for (const resolution of video.resolutions) {
        for (const aspectRatio of ratiosAt(video, resolution).filter(isRatio)) {
          const [width, height] = canonicalSize(resolution, aspectRatio);
          expect(parseVideoSize(video, { size: `${width}x${height}` }, id)).toEqual({
            resolution,
            aspectRatio,
            width,
            height,
          });
          expect([width % 2, height % 2]).toEqual([0, 0]);
        }
      }
    }
  });
});

describe('supportedSizes', () => {
  it('are all accepted by their model, without repetition', () => {
    for (const { id, video } of videoModels) {
      const sizes = supportedSizes(video);
      expect(sizes.length).toBeGreaterThan(0);
      expect(new Set(sizes).size).toBe(sizes.length);
      for (const size of sizes) expect(() => parseVideoSize(video, { size }, id)).not.toThrow();
    }
  });
});

describe('any request', () => {
  const pixels = fc.oneof(
    fc.integer({ min: 1, max: 5000 }),
    fc.integer({ min: 150, max: 2000 }).map((half) => half * 2),
  );
  const anyModel = fc.constantFrom(...videoModels);

  it('is refused with a GatewayError or accepted within the tolerances', () => {
    let accepted = 0;
    fc.assert(
      fc.property(anyModel, pixels, pixels, (model, width, height) => {
        try {
          const size = parseVideoSize(model.video, { size: `${width}x${height}` }, model.id);
          accepted += 1;
          expect([size.width, size.height, width % 2, height % 2]).toEqual([width, height, 0, 0]);
          expect(model.video.resolutions).toContain(size.resolution);
          const byArea = Math.abs((width * height) / (area[size.resolution] ?? NaN) - 1) <= 0.16;
          const byShortSide = Math.min(width, height) === shortSides[size.resolution];
          const asProduced = supportedSizes(model.video).includes(`${width}x${height}`);
          const [longest = NaN, shortest = NaN] = tierSides[size.resolution] ?? [];
          const byLongSide = Math.max(width, height) === longest && Math.min(width, height) < shortest;
          expect([byArea, byShortSide, byLongSide, asProduced]).toContain(true);
          if (size.aspectRatio === undefined) return;
          const [wide = NaN, high = NaN] = size.aspectRatio.split(':').map(Number);
          expect(Math.abs(width / height / (wide / high) - 1)).toBeLessThanOrEqual(0.03);
        } catch (error) {
          if (!isGatewayError(error)) throw error;
        }
      }),
      { numRuns: proofRuns(5_000, 1_000) },
    );
    expect(accepted).toBeGreaterThan(0);
  });

  it('of any type is refused with a GatewayError or accepted', () => {
    fc.assert(
      fc.property(
        anyModel,
        fc.record({ size: fc.anything(), width: fc.anything(), height: fc.anything() }, { requiredKeys: [] }),
        (model, fields) => {
          try {
            parseVideoSize(model.video, fields, model.id);
          } catch (error) {
            if (!isGatewayError(error)) throw error;
          }
        },
      ),
    );
  });
});

const facts = (id: string) => {
  const found = videoModels.find((model) => model.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found.video;
};
const check = (id: string, value: unknown, resolution = facts(id).defaultResolution, inputMillis?: number) =>
  checkSeconds(facts(id), value, { modelId: id, resolution, ...(inputMillis !== undefined && { inputMillis }) });
const refusedSeconds = (id: string, value: unknown, resolution?: string) => errorOf(() => check(id, value, resolution));

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
    const error = refusedSeconds(id, value);
    expect([error.code, error.extra.param, error.message]).toEqual(['unsupported_value', 'seconds', sentence]);
    expect(error.extra.details).toEqual({ allowed: facts(id).seconds.map(String) });
  });

  it.each([[true], [[5]], [{ seconds: 5 }]])('refuses %o as a type', (value) => {
    expect(refusedSeconds('kling-3.0-i2v', value).code).toBe('invalid_type');
  });

  it('allows some tiers with some lengths only, and says so', () => {
    expect(check('hailuo-2.3-i2v', 6, '1080p')).toBe(6);
    expect(refusedSeconds('hailuo-2.3-i2v', 10, '1080p').message).toBe(
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
