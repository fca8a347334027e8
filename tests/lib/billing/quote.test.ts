import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { billsInput, presentQuote, quoteVideo } from '../../../lib/billing/quote';
import type { PricedOrder } from '../../../lib/billing/quote';
import { withBindings } from '../../../lib/catalog/binding-facts';
import { allowedSeconds, findRate } from '../../../lib/domain/video-tiers';
import { isGatewayError } from '../../../lib/domain/errors';
import type { VideoModel } from '../../../lib/domain/model';
import type { VideoPrice } from '../../../lib/domain/video';
import { parsePrice, usdText } from '../../../lib/domain/money';
import { videoModels } from '../catalog/video-models';

const priceOf = (id: string, providerId?: string): VideoPrice => {
  const bindings = videoModels.find((model) => model.id === id)?.bindings;
  const binding = providerId === undefined ? bindings?.[0] : bindings?.find((each) => each.providerId === providerId);
  if (!binding) throw new Error(`no ${providerId ?? ''}/${id}`);
  return binding.price;
};
const order = (given: Partial<PricedOrder>): PricedOrder => ({
  seconds: 5,
  resolution: '720p',
  audio: true,
  parameters: {},
  media: [],
  ...given,
});
const video = { role: 'reference_video' } as const;
const pictures = (count: number) => Array.from({ length: count }, () => ({ role: 'reference_image' as const }));
const cost = (id: string, given: Partial<PricedOrder>, providerId?: string) =>
  usdText(quoteVideo(order(given), priceOf(id, providerId)).total);

describe('quoteVideo', () => {
  // Computed by hand from the published tariffs: rate × seconds.
  it.each<[string, Partial<PricedOrder>, string]>([
    ['kling-3.0-t2v', {}, '0.63'],
    ['kling-3.0-t2v', { audio: false }, '0.42'],
    ['kling-3.0-t2v', { seconds: 15, resolution: '1080p' }, '2.52'],
    ['kling-3.0-t2v', { seconds: 10, resolution: '4k', audio: false }, '4.2'],
    ['veo-3.1-t2v', { seconds: 8, resolution: '4k' }, '4.8'],
    ['veo-3.1-t2v', { seconds: 4 }, '1.6'],
    ['veo-3.1-fast-t2v', { seconds: 8, resolution: '1080p' }, '0.96'],
    ['hailuo-2.3-i2v', { seconds: 10, resolution: '768p', audio: false }, '0.56'],
    ['hailuo-2.3-i2v', { seconds: 6, resolution: '1080p', audio: false }, '0.49'],
    ['ray-3.2-t2v', { seconds: 10, audio: false }, '0.9'],
    ['ray-3.2-t2v', { seconds: 5, audio: false }, '0.3'],
    ['wan-2.7-video-edit', { inputMillis: 7300, seconds: 5 }, '1.23'],
    ['happyhorse-1.0-video-edit', { inputMillis: 4000, seconds: 4, resolution: '1080p' }, '1.92'],
    ['happyhorse-1.1-t2v', { seconds: 3, resolution: '1080p' }, '0.54'],
    ['seedance-2.0-t2v', { audio: false }, '0.756'],
    // At 4k the number of pixels depends on the shape.
    ['seedance-2.0-t2v', { seconds: 4, resolution: '4k', aspectRatio: '9:16' }, '3.1104'],
    ['seedance-2.0-t2v', { seconds: 4, resolution: '4k', aspectRatio: '4:3' }, '4.1472'],
    ['seedance-2.0-t2v', { seconds: 4, resolution: '4k', aspectRatio: '1:1' }, '5.5296'],
    ['seedance-2.0-i2v', { seconds: 4, resolution: '4k', aspectRatio: 'adaptive' }, '5.5296'],
    ['seedance-2.0-r2v', { media: [{ role: 'reference_image' }] }, '0.756'],
    ['seedance-2.0-r2v', { media: [video], inputMillis: 6000 }, '1.0219'],
    // As long as the output at least.
    ['seedance-2.0-r2v', { media: [video], inputMillis: 2000 }, '0.929'],
    ['seedance-2.5-video-edit', { inputMillis: 5000 }, '1.382'],
    ['seedance-2.5-t2v', { resolution: '1080p' }, '2.8435'],
    ['seedance-2.5-r2v', { resolution: '1080p', media: [video], inputMillis: 5000 }, '3.402'],
    ['wan-2.2-fast-i2v', { resolution: '480p', audio: false }, '0.05'],
    ['higgsfield-dop-i2v', { parameters: { options: 'dop-lite' } }, '0.125'],
    ['higgsfield-dop-i2v', { parameters: { options: 'dop-preview' } }, '0.563'],
    ['higgsfield-dop-i2v', {}, '0.406'],
    ['minimax-h3-t2v', { seconds: 4, resolution: '2k' }, '0.52'],
    // The first five pictures are free; reference videos are billed like the output, as long as possible if not stated.
    ['minimax-h3-r2v', { seconds: 5, resolution: '768p', media: pictures(7) }, '0.48'],
    ['minimax-h3-r2v', { seconds: 5, resolution: '2k', media: [...pictures(6), video], inputMillis: 6000 }, '1.47'],
    ['minimax-h3-r2v', { seconds: 5, resolution: '768p', media: [video] }, '1.6'],
    ['vidu-q2-start-end', { seconds: 8, resolution: '1080p' }, '0.64'],
    ['vidu-q3-pro-t2v', { seconds: 16, resolution: '1080p' }, '1.92'],
    ['vidu-q3-turbo-start-end', { seconds: 5, resolution: '540p', audio: false }, '0.175'],
    ['vidu-q3-mix-r2v', { seconds: 1 }, '0.12'],
    ['pixverse-v6-t2v', { seconds: 1, resolution: '360p', audio: false }, '0.025'],
    ['grok-imagine-i2v', { seconds: 8, resolution: '480p' }, '0.4'],
    ['gen-4.5-t2v', { audio: false }, '0.6'],
    ['sandbox-t2v', {}, '0.05'],
    ['sandbox-video-edit', { inputMillis: 2500, seconds: 3 }, '0.055'],
  ])('of %s with %o is $%s', (id, given, usd) => {
    expect(cost(id, given)).toBe(usd);
  });

  it.each<[string, string, Partial<PricedOrder>, string]>([
    ['fal', 'kling-3.0-t2v', {}, '0.63'],
    ['replicate', 'kling-3.0-t2v', { resolution: '1080p' }, '1.68'],
    ['google-vertex', 'veo-3.1-t2v', { seconds: 8, audio: false }, '1.6'],
    ['fal', 'wan-2.7-t2v', { resolution: '1080p' }, '0.75'],
    ['fal', 'wan-2.7-i2v', { resolution: '1080p' }, '0.75'],
    // The example of its page: 8 seconds of a reference video and 3 of output.
    ['fal', 'wan-2.7-r2v', { seconds: 3, media: [video], inputMillis: 8000 }, '1.1'],
    ['fal', 'wan-2.7-r2v', { resolution: '1080p', media: pictures(2) }, '0.5'],
    ['fal', 'wan-2.6-r2v', { resolution: '1080p', media: [video] }, '0.75'],
    ['fal', 'wan-2.6-flash-r2v', { media: pictures(1) }, '0.25'],
    ['fal', 'wan-2.6-flash-r2v', { audio: false, media: pictures(1) }, '0.125'],
    ['alibaba', 'wan-2.6-r2v', { media: [video] }, '1'],
    ['runway', 'wan-3.0-r2v', { resolution: '1080p', media: [video], inputMillis: 4000 }, '1.8'],
    ['runway', 'wan-3.0-prime-t2v', { resolution: '1080p' }, '1.4'],
    ['fal', 'grok-imagine-1.5-i2v', { resolution: '1080p', media: [{ role: 'first_frame' }] }, '1.26'],
    ['fal', 'wan-3.0-t2v', { resolution: '480p', audio: false }, '0.25'],
    ['fal', 'wan-3.0-prime-r2v', { media: [video], inputMillis: 5000 }, '1.4'],
    ['fal', 'ray-3.2-t2v', { seconds: 10 }, '2'],
    ['fal', 'ray-3.2-i2v', { resolution: '1080p' }, '1.2'],
    ['fal', 'minimax-h3-r2v', { resolution: '768p', media: pictures(7) }, '0.56'],
    ['fal', 'minimax-h3-max-r2v', { resolution: '480p', media: pictures(3) }, '0.441'],
    ['fal', 'seedance-2.5-r2v', { media: pictures(1) }, '2.365'],
    ['fal', 'seedance-2.5-r2v', { media: [video], inputMillis: 5000 }, '2.838'],
    ['runway', 'seedance-2.5-t2v', { resolution: '1080p' }, '3.4'],
    ['runway', 'seedance-2.5-r2v', { resolution: '1080p', media: [video], inputMillis: 5000 }, '6.8'],
    ['runway', 'seedance-2.5-video-edit', { inputMillis: 5000 }, '5.1'],
    ['runway', 'minimax-h3-r2v', { resolution: '768p', media: pictures(2) }, '0.54'],
    ['runway', 'gemini-omni-1.1-flash-r2v', { media: [...pictures(1), video], inputMillis: 5000 }, '1.03'],
    ['runway', 'grok-imagine-1.5-t2v', { resolution: '1080p' }, '1.45'],
  ])('from %s of %s with %o is $%s', (providerId, id, given, usd) => {
    expect(cost(id, given, providerId)).toBe(usd);
  });

  it('takes the price of its own that a reference voice has, with sound', () => {
    const bill = (audio: boolean, voice?: string) =>
      quoteVideo(
        order({
          resolution: '1080p',
          audio,
          parameters: voice === undefined ? {} : { reference_voice: voice },
        }),
        priceOf('kling-2.6-i2v', 'fal'),
      );
    expect(usdText(bill(true, 'v1').total)).toBe('0.84');
    expect(bill(true, 'v1').lines[0]?.label).toBe('5 s of output at 1080p with audio, with a reference voice');
    expect(usdText(bill(true).total)).toBe('0.7');
    expect(usdText(bill(false, 'v1').total)).toBe('0.35');
  });

  it('takes the price of its own that a reference video has', () => {
    expect(cost('kling-3.0-omni-r2v', { media: [video] })).toBe('0.63');
    expect(cost('kling-3.0-omni-r2v', { media: [{ role: 'reference_image' }] })).toBe('0.56');
  });

  it('counts reference videos of unstated length as the maximum of the provider, and says so', () => {
    const quote = quoteVideo(order({ media: [video] }), priceOf('seedance-2.0-r2v'));
    expect(usdText(quote.total)).toBe('1.858');
    expect(quote.lines[0]?.label).toContain('15 s of input');
    expect(quote.lines[0]?.label).toContain('input_seconds was not stated');
  });

  it('counts each reference video of unstated length as the maximum of the provider, where that is of each', () => {
    const bill = (videos: number) =>
      quoteVideo(order({ media: Array.from({ length: videos }, () => video) }), priceOf('wan-2.7-r2v'));
    expect(bill(1).lines[0]?.label).toContain('30 s of input');
    expect(bill(3).lines[0]?.label).toContain('90 s of input');
    expect(usdText(bill(3).total)).toBe('9.5');
  });

  it('bills no more seconds of reference videos than the provider does, and says so', () => {
    const bill = (inputMillis?: number) =>
      quoteVideo(
        order({ media: [video], ...(inputMillis !== undefined && { inputMillis }) }),
        priceOf('wan-2.6-r2v', 'alibaba'),
      );
    expect(usdText(bill(3_000).total)).toBe('0.8');
    expect(bill(3_000).lines[0]?.label).toBe('3 s of input at 720p, from a reference video');
    expect(usdText(bill(20_000).total)).toBe('1');
    expect(bill(20_000).lines[0]?.label).toBe('5 s of input at 720p, from a reference video, the billed maximum');
    expect(bill(undefined)).toEqual({
      ...bill(20_000),
      lines: [
        expect.objectContaining({ label: expect.stringContaining('input_seconds was not stated') }),
        bill(20_000).lines[1],
      ],
    });
  });

  it('counts reference videos as at least as long as the output, where the provider does, and says so', () => {
    const price = priceOf('kling-4.0-r2v');
    const bill = (inputMillis: number) => quoteVideo(order({ media: [video], seconds: 5, inputMillis }), price);
    expect(usdText(bill(3_000).total)).toBe('0.94');
    expect(bill(3_000).lines[0]?.label).toBe(
      '5 s of input at 720p, from a reference video, billed for the length of the output',
    );
    expect(usdText(bill(8_000).total)).toBe('1.222');
    expect(bill(8_000).lines[0]?.label).toBe('8 s of input at 720p, from a reference video');
  });

  it('requires input_seconds for an edit that states none', () => {
    try {
      quoteVideo(order({ media: [{ role: 'source_video' }] }), priceOf('wan-2.7-video-edit'));
      expect.unreachable();
    } catch (error) {
      expect(isGatewayError(error) && [error.code, error.extra.param]).toEqual([
        'missing_required_parameter',
        'input_seconds',
      ]);
    }
  });

  it('bills the output alone of an order without a video, where the price is for input and output', () => {
    const price: VideoPrice = {
      per: 'input_plus_output_second',
      rates: [{ inputSecondsIfUnstated: 15, usd: parsePrice('0.1') }],
      source: 'test',
      verified: true,
    };
    const bill = (media: PricedOrder['media']) => presentQuote(quoteVideo(order({ media }), price));
    expect(bill(pictures(2))).toMatchObject({ lines: [{ label: '5 s of output at 720p' }], total: '0.5' });
    expect(bill([...pictures(2), video])).toMatchObject({ lines: [{ quantity: '15' }, { quantity: '5' }], total: '2' });
  });

  it('rounds up once, at the end', () => {
    const price: VideoPrice = {
      per: 'input_plus_output_second',
      rates: [{ usd: parsePrice('0.0000000003') }],
      source: 'test',
      verified: true,
    };
    expect(usdText(quoteVideo(order({ inputMillis: 1000, seconds: 1 }), price).total)).toBe('0.000000001');
  });

  describe('of an edit whose output follows the source', () => {
    const price: VideoPrice = {
      per: 'input_plus_output_second',
      rates: [{ usd: parsePrice('0.1') }],
      source: 'test',
      verified: true,
    };
    const bill = (inputMillis: number, seconds: number) =>
      presentQuote(quoteVideo(order({ inputMillis, seconds, outputFollowsSource: true }), price));

    it('bills the length of the source twice, to the millisecond', () => {
      expect(bill(7_301, 8)).toMatchObject({ lines: [{ quantity: '7.301' }, { quantity: '7.301' }], total: '1.4602' });
    });

    it('bills at most the ordered seconds of output', () => {
      expect(bill(59_999, 15)).toMatchObject({ lines: [{ quantity: '59.999' }, { quantity: '15' }], total: '7.4999' });
    });

    it('is the exact sum of both lengths at the price, whatever they are', () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: 600_000 }),
          fc.integer({ min: 1, max: 60 }),
          fc.bigInt({ min: 1n, max: 10n ** 18n }),
          (inputMillis, seconds, usd) => {
            const asked = order({ inputMillis, seconds, outputFollowsSource: true });
            const { total } = quoteVideo(asked, { ...price, rates: [{ usd }] });
            const billed = BigInt(inputMillis) + BigInt(Math.min(inputMillis, seconds * 1000));
            // Dollars × 10¹⁸ by the millisecond, rounded up to billionths.
            expect(total).toBe((usd * billed + 10n ** 12n - 1n) / 10n ** 12n);
          },
        ),
      );
    });
  });

  describe('with a price per image', () => {
    const withExtra = (free: number): VideoPrice => ({
      per: 'output_second',
      rates: [{ usd: parsePrice('0.08') }],
      extras: [{ per: 'picture', free, usd: parsePrice('0.04') }],
      source: 'test',
      verified: true,
    });
    const linesOf = (free: number, media: PricedOrder['media']) =>
      presentQuote(quoteVideo(order({ media }), withExtra(free))).lines.slice(1);

    it('bills each image after the free ones, and no video', () => {
      expect(linesOf(5, pictures(5))).toEqual([]);
      expect(linesOf(5, [...pictures(5), video])).toEqual([]);
      expect(linesOf(5, pictures(6))).toEqual([
        { label: '1 image beyond the first 5', unit_price: '0.04', quantity: '1', amount: '0.04' },
      ]);
      expect(linesOf(0, [{ role: 'first_frame' }, { role: 'last_frame' }])).toEqual([
        { label: '2 images', unit_price: '0.04', quantity: '2', amount: '0.08' },
      ]);
    });

    it('is the exact sum of both prices', () => {
      fc.assert(
        fc.property(
          fc.nat({ max: 12 }),
          fc.nat({ max: 12 }),
          fc.integer({ min: 1, max: 60 }),
          (count, free, seconds) => {
            const { total } = quoteVideo(order({ seconds, media: pictures(count) }), withExtra(free));
            expect(total).toBe(80_000_000n * BigInt(seconds) + 40_000_000n * BigInt(Math.max(0, count - free)));
          },
        ),
      );
    });
  });

  it('throws when the price has no rate for the order', () => {
    expect(() => quoteVideo(order({ resolution: '8k' }), priceOf('kling-3.0-t2v'))).toThrow(RangeError);
  });

  it('has readable labels for the lines', () => {
    const labels = (id: string, given: Partial<PricedOrder>) =>
      quoteVideo(order(given), priceOf(id)).lines.map((line) => line.label);
    expect(labels('kling-3.0-t2v', {})).toEqual(['5 s of output at 720p with audio']);
    expect(labels('wan-2.7-video-edit', { inputMillis: 7300 })).toEqual([
      '7.3 s of input at 720p',
      '5 s of output at 720p',
    ]);
    expect(labels('higgsfield-dop-i2v', { parameters: { options: 'dop-lite' } })).toEqual([
      'clip of 5 s at 720p, dop-lite',
    ]);
  });
});

describe('presentQuote', () => {
  it('shows plain decimal strings that add up', () => {
    expect(presentQuote(quoteVideo(order({ inputMillis: 7300 }), priceOf('wan-2.7-video-edit')))).toEqual({
      currency: 'USD',
      lines: [
        { label: '7.3 s of input at 720p', unit_price: '0.1', quantity: '7.3', amount: '0.73' },
        { label: '5 s of output at 720p', unit_price: '0.1', quantity: '5', amount: '0.5' },
      ],
      total: '1.23',
    });
  });
});

describe('every order that a model accepts', () => {
  const audios = (model: VideoModel) =>
    model.video.audio === 'always' ? [true] : model.video.audio === 'none' ? [false] : [true, false];
  const options = (model: VideoModel): PricedOrder['parameters'][] =>
    model.video.parameters.includes('options')
      ? [{}, { options: 'dop-lite' }, { options: 'dop-turbo' }, { options: 'dop-preview' }]
      : [{}];
  const medias = (model: VideoModel): PricedOrder['media'][] => (model.video.media.videos ? [[], [video]] : [[]]);

  it('has a rate and costs something, from each of its providers', () => {
    let priced = 0;
    for (const whole of videoModels) {
      for (const binding of whole.bindings) {
        const model = withBindings(whole, [binding]);
        for (const resolution of model.video.resolutions) {
          for (const seconds of allowedSeconds(model.video, resolution)) {
            for (const audio of audios(model)) {
              for (const parameters of options(model)) {
                for (const media of medias(model)) {
                  const each = order({
                    resolution,
                    seconds,
                    audio,
                    parameters,
                    media,
                    ...(model.video.kind === 'video-edit' && { inputMillis: 3000 }),
                  });
                  const rate = findRate(each, binding.price);
                  expect(rate, `${binding.providerId}/${model.id} ${JSON.stringify(each)}`).toBeDefined();
                  expect(quoteVideo(each, binding.price).total).toBeGreaterThan(0n);
                  priced += 1;
                }
              }
            }
          }
        }
      }
    }
    expect(priced).toBeGreaterThan(2000);
  });

  it('has a line for its input exactly if the input is billed, from each of its providers', () => {
    const billed = { yes: 0, no: 0 };
    for (const whole of videoModels) {
      for (const binding of whole.bindings) {
        const model = withBindings(whole, [binding]);
        const isEdit = model.video.kind === 'video-edit';
        for (const media of medias(model)) {
          const expected = billsInput([binding], media.length > 0);
          billed[expected ? 'yes' : 'no'] += 1;
          for (const resolution of model.video.resolutions) {
            for (const seconds of allowedSeconds(model.video, resolution)) {
              for (const audio of audios(model)) {
                const { lines } = quoteVideo(
                  order({
                    resolution,
                    seconds,
                    audio,
                    media,
                    ...((isEdit || media.length > 0) && { inputMillis: 3000 }),
                  }),
                  binding.price,
                );
                expect(lines.length, `${binding.providerId}/${model.id} ${resolution} ${media.length}`).toBe(
                  expected ? 2 : 1,
                );
              }
            }
          }
        }
        // The validator requires `input_seconds` for every edit, and says that it is billed.
        if (isEdit) expect(billsInput([binding], false), model.id).toBe(true);
      }
    }
    expect(billed.yes).toBeGreaterThan(3);
    expect(billed.no).toBeGreaterThan(30);
  });
});
