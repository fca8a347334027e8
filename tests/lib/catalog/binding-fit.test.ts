import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindingsFor, unsupportedBy, unsupportedRequest, type VideoNeeds } from '../../../lib/catalog/binding-fit';
import { parsePrice } from '../../../lib/domain/money';
import type { MediaRole, VideoBinding } from '../../../lib/domain/video';
import { madeUp } from '../videos/request-models';

const [plain] = madeUp().bindings;
if (!plain) throw new Error('no binding');
const bind = (facts: Partial<VideoBinding> = {}): VideoBinding => ({ ...plain, ...facts });

function needs(order: Partial<VideoNeeds['order']> = {}, others: Partial<VideoNeeds> = {}): VideoNeeds {
  return {
    order: {
      prompt: 'a cat',
      seconds: 5,
      resolution: '720p',
      aspectRatio: '16:9',
      media: [],
      parameters: {},
      ...order,
    },
    choices: [],
    audioChoices: [],
    hasSize: false,
    mediaReach: { publishes: false, reaches: (url) => url.startsWith('https:') },
    costAt: () => 1n,
    awaitsConfirmation: () => false,
    ...others,
  };
}
type Piece = readonly [MediaRole, string];
const media = (...pieces: readonly Piece[]) => pieces.map(([role, url]) => ({ role, url }));
const PNG = 'https://example.com/a.png';
const DATA = 'data:image/png;base64,AAAA';

describe('unsupportedBy', () => {
  const reasonOf = (facts: Partial<VideoBinding>, ...asked: Parameters<typeof needs>) => {
    const reason = unsupportedBy(bind(facts), needs(...asked));
    return reason && [reason.code, reason.param, reason.text];
  };

  it('is undefined for a binding without facts of its own, whatever is ordered', () => {
    const order = {
      prompt: 'x'.repeat(32_000),
      seconds: 99,
      resolution: '4k',
      aspectRatio: '21:9',
      seed: 4_294_967_295,
      inputMillis: 999_000,
      media: media(['source_video', DATA]),
      parameters: { negative_prompt: 'x'.repeat(5_000) },
    };
    expect(reasonOf({}, order, { hasSize: true })).toBeUndefined();
  });

  it('names a price that waits for the operator, after all that the binding does not take', () => {
    const waits = { awaitsConfirmation: () => true };
    expect(reasonOf({}, {}, waits)).toEqual([
      'unsupported_value',
      'size',
      'its price at 720p is not confirmed in this installation',
    ]);
    expect(reasonOf({ seconds: [6] }, {}, waits)).toEqual(['unsupported_value', 'seconds', 'seconds must be 6']);
  });

  it.each<[string, Partial<VideoBinding>, Partial<VideoNeeds['order']>, string | undefined]>([
    ['the resolution', { resolutions: ['1080p', '4k'] }, {}, 'size must be 1080p or 4k'],
    ['another resolution', { resolutions: ['720p'] }, {}, undefined],
    ['every resolution', { resolutions: [] }, {}, 'the credentials cannot order the model'],
    ['the duration', { seconds: [6, 10] }, {}, 'seconds must be one of 6, 10'],
    ['another duration', { seconds: [5] }, {}, undefined],
    ['the prompt', { promptCharacters: 4 }, {}, 'prompt may have at most 4 characters'],
    ['a prompt of just that length', { promptCharacters: 5 }, {}, undefined],
    ['the bytes of the prompt', { promptBytes: 5 }, { prompt: 'a 猫' }, undefined],
    [
      'the bytes of a longer prompt',
      { promptBytes: 5 },
      { prompt: 'a 猫!' },
      'prompt may have at most 5 bytes in UTF-8; it has 6, because not every character is one byte',
    ],
    [
      'the bytes of the negative prompt',
      { promptBytes: 5, parameters: ['negative_prompt'] },
      { parameters: { negative_prompt: '山山' } },
      'negative_prompt may have at most 5 bytes in UTF-8; it has 6, because not every character is one byte',
    ],
    [
      'the name of a voice',
      { parameters: ['reference_voice'] },
      { parameters: { reference_voice: 'Ara' } },
      'reference_voice must be the URL of a recording',
    ],
    [
      'the name of a voice of its own',
      { parameters: ['reference_voice'], voiceNames: true },
      { parameters: { reference_voice: 'Ara' } },
      undefined,
    ],
    [
      'a recording',
      { parameters: ['reference_voice'] },
      { parameters: { reference_voice: 'https://example.com/a.mp3' } },
      undefined,
    ],
    ['a voice without the parameter', {}, { parameters: { reference_voice: 'Ara' } }, undefined],
    [
      'the seed',
      { maxSeed: 2_147_483_647, parameters: ['seed'] },
      { seed: 2_147_483_648 },
      'seed must be at most 2,147,483,647',
    ],
    ['the largest seed', { maxSeed: 2_147_483_647, parameters: ['seed'] }, { seed: 2_147_483_647 }, undefined],
    ['a seed that it ignores', { maxSeed: 9 }, { seed: 10 }, undefined],
    [
      'the negative prompt',
      { negativePromptCharacters: 3, parameters: ['negative_prompt'] },
      { parameters: { negative_prompt: 'dull' } },
      'negative_prompt may have at most 3 characters',
    ],
    [
      'a negative prompt that it ignores',
      { negativePromptCharacters: 3 },
      { parameters: { negative_prompt: 'dull' } },
      undefined,
    ],
    [
      'too many images',
      { media: { images: { min: 1, max: 1 } } },
      { media: media(['reference_image', PNG], ['reference_image', PNG]) },
      'image_list takes exactly 1 image',
    ],
    [
      'too few images',
      { media: { images: { min: 2, max: 3 } } },
      { media: media(['reference_image', PNG]) },
      'image_list takes 2 to 3 images',
    ],
    [
      'videos in place of images',
      { media: { images: { min: 1, max: 3 } } },
      { media: media(['reference_video', PNG]) },
      'video_list is not supported; image_list takes 1 to 3 images',
    ],
    [
      'reference videos',
      { media: { images: { min: 0, max: 3 } } },
      { media: media(['reference_video', PNG]) },
      'video_list is not supported',
    ],
    [
      'a short source',
      { sourceSeconds: { min: 3, max: 60 } },
      { inputMillis: 2_999, media: media(['source_video', PNG]) },
      'input_seconds must be between 3 and 60',
    ],
    [
      'a long source',
      { sourceSeconds: { min: 2, max: 8.7 } },
      { inputMillis: 8_701, media: media(['source_video', PNG]) },
      'input_seconds must be between 2 and 8.7',
    ],
    [
      'a source of the right length',
      { sourceSeconds: { min: 2, max: 8.7 } },
      { inputMillis: 8_700, media: media(['source_video', PNG]) },
      undefined,
    ],
    ['the seconds of an edit as long as its source', { seconds: [3], outputFollowsSource: true }, {}, undefined],
  ])('names %s', (_what, facts, order, text) => {
    expect(reasonOf(facts, order)?.[2]).toBe(text);
  });

  it('does not compare ratios where the order has none', () => {
    const asked = needs();
    const { aspectRatio: _ratio, ...order } = asked.order;
    expect(unsupportedBy(bind({ aspectRatios: ['9:16'] }), asked)?.param).toBe('size');
    expect(unsupportedBy(bind({ aspectRatios: ['9:16'] }), { ...asked, order })).toBeUndefined();
  });

  it('names the ratios of a size, or that one is required if the default is none of them', () => {
    const facts = { aspectRatios: ['9:16', '1:1'] };
    expect(reasonOf(facts, {}, { hasSize: true })?.[2]).toBe('the aspect ratio of size must be 9:16 or 1:1');
    const following = reasonOf(facts, { aspectRatio: 'adaptive' });
    expect(following?.[2]).toBe('size is required, with the aspect ratio 9:16 or 1:1');
  });

  it('refuses a chosen size where the ratio follows the media, and no default', () => {
    expect(reasonOf({ aspectRatios: [] })).toBeUndefined();
    expect(reasonOf({ aspectRatios: [] }, {}, { hasSize: true })).toEqual([
      'unsupported_value',
      'size',
      'the aspect ratio follows the media; leave size out',
    ]);
  });

  it('refuses media that the provider cannot read itself, by the field that has them', () => {
    const onlyUrls = { mediaForms: { images: ['https'], videos: ['https'] } } as const;
    const refused = (...pieces: readonly Piece[]) => reasonOf(onlyUrls, { media: media(...pieces) })?.[1];
    expect(refused(['first_frame', PNG])).toBeUndefined();
    expect(refused(['first_frame', DATA])).toBe('image_url');
    expect(refused(['first_frame', PNG], ['last_frame', DATA])).toBe('image_list');
    expect(refused(['reference_image', PNG], ['reference_video', 'http://10.0.0.1/own'])).toBe('video_list');
    expect(refused(['source_video', 'data:video/mp4;base64,AAAA'])).toBe('video_url');
    const orData = { mediaForms: { images: ['https', 'data'] } } as const;
    expect(reasonOf(orData, { media: media(['first_frame', DATA]) })).toBeUndefined();
  });

  it('says of media that the provider cannot read what it could read', () => {
    const onlyUrls = { mediaForms: { images: ['https'] } } as const;
    const order = { media: media(['first_frame', 'http://10.0.0.1/a.png']) };
    const reaches = (url: string) => /^(?:https|data):/.test(url);
    const published = { mediaReach: { publishes: true, reaches } };
    expect(reasonOf(onlyUrls, { media: media(['first_frame', DATA]) }, published)).toBeUndefined();
    expect(reasonOf(onlyUrls, order, published)).toEqual([
      'unsupported_value',
      'image_url',
      'image_url must be a data URL or an https URL on the public internet',
    ]);
    expect(reasonOf(onlyUrls, order)?.[2]).toBe(
      'image_url must be an https URL on the public internet; data URLs and links of this installation need a PUBLIC_BASE_URL that is a public https URL, which its operator can set',
    );
  });

  it('has the error code of the field', () => {
    expect(reasonOf({ promptCharacters: 4 })?.[0]).toBe('string_too_long');
    expect(reasonOf({ media: {} }, { media: media(['first_frame', PNG]) })?.[0]).toBe('invalid_media_count');
  });
});

describe('bindingsFor', () => {
  const named = (providerId: string, ...parameters: string[]) => bind({ providerId, parameters });
  const servedBy = (
    among: readonly VideoBinding[],
    choices: string[],
    others: Partial<VideoNeeds> = {},
    byPrice = false,
  ) => bindingsFor(among, needs({}, { choices, ...others }), { byPrice }).map(({ providerId }) => providerId);

  it('support the request', () => {
    const all = [bind({ providerId: 'short', seconds: [3] }), bind({ providerId: 'fits', seconds: [5] })];
    expect(servedBy(all, [])).toEqual(['fits']);
  });

  it('take as many of the choices as any of them does, and the same ones', () => {
    const all = [
      named('none'),
      named('seed', 'seed'),
      named('both', 'seed', 'sound'),
      named('more', 'fps', 'sound', 'seed'),
      named('fps', 'fps'),
    ];
    expect(servedBy(all, [])).toEqual(['none', 'seed', 'both', 'more', 'fps']);
    expect(servedBy(all, ['seed'])).toEqual(['seed', 'both', 'more']);
    expect(servedBy(all, ['seed', 'sound'])).toEqual(['both', 'more']);
    expect(servedBy(all.slice(0, 3), ['fps', 'sound'])).toEqual(['both']);
    // As many, but not the same: a fallback would ignore fields that the answer did not list.
    expect(servedBy([named('seed', 'seed'), named('fps', 'fps'), named('again', 'seed')], ['fps', 'seed'])).toEqual([
      'seed',
      'again',
    ]);
    expect(servedBy(all, ['bgm'])).toEqual(['none', 'seed', 'both', 'more', 'fps']);
  });

  it('can be silent if any of them can and the caller wants it, even if others take more of the other parameters', () => {
    const all = [named('loud', 'seed', 'watermark', 'negative_prompt'), named('quiet', 'generate_audio')];
    const choices = ['seed', 'watermark', 'negative_prompt', 'generate_audio'];
    expect(servedBy(all, choices, { audioChoices: ['generate_audio'] })).toEqual(['quiet']);
    expect(servedBy(all.slice(0, 1), choices, { audioChoices: ['generate_audio'] })).toEqual(['loud']);
    expect(servedBy(all, choices.slice(0, 3))).toEqual(['loud']);
  });

  it('are the stable ones first, then the cheapest, then those that the catalog lists first', () => {
    const all = [
      bind({ providerId: 'dear' }),
      bind({ providerId: 'guess', stability: 'experimental' }),
      bind({ providerId: 'cheap' }),
      bind({ providerId: 'beta', stability: 'beta' }),
      bind({ providerId: 'dear-too' }),
    ];
    const costAt = ({ providerId }: VideoBinding) => (providerId.startsWith('dear') ? 9n : 3n);
    expect(servedBy(all, [], { costAt }, true)).toEqual(['cheap', 'dear', 'dear-too', 'beta', 'guess']);
    expect(servedBy(all, [], { costAt })).toEqual(['dear', 'guess', 'cheap', 'beta', 'dear-too']);
  });
});

describe('limits on references that no list has by itself', () => {
  const several = (images: number, videos: number) =>
    media(
      ...Array.from({ length: images }, (): Piece => ['reference_image', PNG]),
      ...Array.from({ length: videos }, (): Piece => ['reference_video', 'https://example.com/a.mp4']),
    );
  const reason = (facts: Partial<VideoBinding>, order: Partial<VideoNeeds['order']>) =>
    unsupportedBy(bind(facts), needs(order))?.text;

  it('are those of both lists together, and of images beside a video', () => {
    const five = { references: { together: 5 } };
    expect(reason(five, { media: several(2, 3) })).toBeUndefined();
    expect(reason(five, { media: several(3, 3) })).toBe('image_list and video_list take at most 5 items together');
    const four = { references: { imagesBesideVideo: 4 } };
    expect(reason(four, { media: several(7, 0) })).toBeUndefined();
    expect(reason(four, { media: several(4, 1) })).toBeUndefined();
    expect(reason(four, { media: several(5, 1) })).toBe('image_list takes at most 4 images beside video_list');
  });

  it('are the seconds of reference videos that are billed where none are stated', () => {
    const price: VideoBinding['price'] = {
      per: 'output_second',
      rates: [
        { withVideoInput: true, per: 'input_plus_output_second', inputSecondsIfUnstated: 15, usd: parsePrice('1') },
        { usd: parsePrice('1') },
      ],
      source: 'test',
      verified: true,
    };
    expect(reason({ price }, { media: several(0, 1), inputMillis: 15_000 })).toBeUndefined();
    expect(reason({ price }, { media: several(0, 1), inputMillis: 15_100 })).toBe('input_seconds must be at most 15');
    // Where the limit is that of each video.
    const each = { ...price, rates: [{ inputSecondsOfEachIfUnstated: 15, usd: parsePrice('1') }] };
    expect(reason({ price: each }, { media: several(0, 2), inputMillis: 30_000 })).toBeUndefined();
    expect(reason({ price: each }, { media: several(0, 2), inputMillis: 30_100 })).toBe(
      'input_seconds must be at most 30',
    );
    // More than is billed may be sent.
    const most = { ...price, rates: [{ inputSecondsAtMost: 5, usd: parsePrice('1') }] };
    expect(reason({ price: most }, { media: several(0, 1), inputMillis: 20_000 })).toBeUndefined();
    // Without a reference video it has no effect.
    expect(reason({ price }, { media: several(1, 0), inputMillis: 60_000 })).toBeUndefined();
  });
});

describe('unsupportedRequest', () => {
  const size = { code: 'unsupported_value', param: 'size', text: 'size must be 720p' } as const;
  const prompt = { code: 'string_too_long', param: 'prompt', text: 'prompt may have at most 4 characters' } as const;

  it('has the reason of each provider, and the code and field that they share', () => {
    const error = unsupportedRequest('acme-t2v', [
      { provider: 'a', reason: prompt },
      { provider: 'b', reason: 'not_set_up' },
      { provider: 'c', reason: prompt },
    ]);
    expect([error.code, error.message, error.extra]).toEqual([
      'string_too_long',
      'No provider of acme-t2v can serve this request. a: prompt may have at most 4 characters. b: not set up in this installation. c: prompt may have at most 4 characters.',
      {
        param: 'prompt',
        details: {
          providers: [
            { provider: 'a', reason: 'prompt may have at most 4 characters' },
            { provider: 'b', reason: 'not set up in this installation' },
            { provider: 'c', reason: 'prompt may have at most 4 characters' },
          ],
        },
      },
    ]);
  });

  it('is a general one if the providers have different reasons', () => {
    const { code, extra } = unsupportedRequest('acme-t2v', [
      { provider: 'a', reason: size },
      { provider: 'b', reason: prompt },
    ]);
    expect([code, extra.param]).toEqual(['unsupported_value', 'model']);
  });

  it('names the sizes of a provider with a binding for each together, and only if it does not have the one of the request', () => {
    const otherSize = (resolution: string) => ({
      ...size,
      text: `size must be ${resolution}`,
      resolutions: [resolution],
    });
    const refuse = (...reasons: Parameters<typeof unsupportedRequest>[1][number]['reason'][]) =>
      unsupportedRequest(
        'acme-t2v',
        reasons.map((reason) => ({ provider: 'a', reason })),
      );
    const without = refuse(otherSize('720p'), otherSize('1080p'));
    expect([without.message, without.extra.param]).toEqual([
      'No provider of acme-t2v can serve this request. a: size must be 720p or 1080p.',
      'size',
    ]);
    const withIt = refuse(otherSize('720p'), prompt, otherSize('1080p'));
    expect([withIt.code, withIt.message, withIt.extra.param]).toEqual([
      'string_too_long',
      'No provider of acme-t2v can serve this request. a: prompt may have at most 4 characters.',
      'prompt',
    ]);
    expect(withIt.extra.details?.['providers']).toHaveLength(3);
  });

  it('has a message of at most 500 characters, however many providers there are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(size, prompt, 'not_set_up' as const), { minLength: 1, maxLength: 30 }),
        (reasons) => {
          const refusals = [
            { provider: 'first', reason: size },
            ...reasons.map((reason, index) => ({ provider: `p${index}`, reason })),
          ];
          const { message, extra } = unsupportedRequest('acme-t2v', refusals);
          expect(message.length).toBeLessThanOrEqual(500);
          expect(extra.details?.['providers']).toHaveLength(refusals.length);
        },
      ),
    );
  });
});
