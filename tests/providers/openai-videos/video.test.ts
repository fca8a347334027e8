import { describe, expect, it } from 'vitest';
import { openaiVideos } from '../../../lib/providers/openai-videos/index';
import {
  bodyOf,
  IMAGE_MODEL,
  KEY,
  SIZES,
  startFakeOpenaiVideos,
  TEXT_MODEL,
} from '../../support/upstreams/fake-openai-videos';
import { makeCall, makeRunning } from '../contract/video';
import { videoVendorContract } from '../contract/video-vendor';
import { bindingOf, bindingsFor, catalogBindings } from '../support/catalog-bindings';
import { begin, pollToEnd, submit, useVendorSubject, type VendorContract } from '../support/vendor-subject';
import { requestCasesContract } from '../contract/request-cases';
import { urlsAlone } from '../support/vendor-orders';
import { cases } from './requests';

const models = {
  OPENAI_VIDEOS_MODEL: TEXT_MODEL,
  OPENAI_VIDEOS_IMAGE_MODEL: IMAGE_MODEL,
  OPENAI_VIDEOS_SIZES: SIZES.join(', '),
  OPENAI_VIDEOS_PRICE: '0.05',
};

const contract: VendorContract = {
  definition: openaiVideos,
  startVendor: startFakeOpenaiVideos,
  settings: ({ baseUrl }) => ({ ...models, OPENAI_VIDEOS_BASE_URL: `${baseUrl}/v1`, OPENAI_VIDEOS_API_KEY: KEY }),
  wrongSettings: (vendor) => ({ ...contract.settings(vendor), OPENAI_VIDEOS_API_KEY: 'wrong' }),
  binding: bindingOf(openaiVideos, 'default'),
  order: { seconds: 8, audio: true },
  reference: 'permanent',
  isSubmit: ({ method }) => method === 'POST',
  bodyOf,
  refusals: [
    { scenario: 'credits', code: 'upstream_auth_failed', retry: 'elsewhere' },
    { scenario: 'unknown-model', code: 'provider_model_not_found', retry: 'elsewhere' },
  ],
};

videoVendorContract('the OpenAI Videos API', contract);
requestCasesContract('the OpenAI Videos API', contract, cases, {
  bindings: bindingsFor(openaiVideos, { ...models, OPENAI_VIDEOS_BASE_URL: 'https://videos.example/v1' }),
  // As they are, also those inside the order.
  media: { ...urlsAlone, as: async ({ url }) => ({ form: 'https', url }) },
  headers: {
    authorization: `Bearer ${KEY}`,
    'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/),
  },
});

describe('the OpenAI Videos API', () => {
  const subject = useVendorSubject(contract);

  it('lets the server read an image at a public URL itself', async () => {
    const media = [{ role: 'first_frame', url: 'https://images.example/a.png' }] as const;
    const { bodies } = await submit(subject, contract, { kind: 'i2v', media });
    expect(bodies).toEqual([expect.objectContaining({ 'input_reference[image_url]': media[0].url })]);
  });

  it('is not asked for a size that the operator does not state any more', async () => {
    const { error, submits } = await submit(subject, contract, { resolution: '4k', width: 3840, height: 2160 });
    expect(error).toMatchObject({ code: 'provider_model_not_found', extra: { upstream: { started: 'no' } } });
    expect(submits).toEqual([]);
  });

  it('may have begun a video after a 503 without a code', async () => {
    const { error } = await submit(subject, contract, { scenario: 'server-503' });
    expect(error).toMatchObject({ extra: { upstream: { retry: 'later', started: 'maybe' } } });
  });

  it.each([
    ['good', 24 * 3_600],
    ['no-expiry', 3_600],
  ])('has the facts of the answer, and the end of the file: %s', async (scenario, lifeSeconds) => {
    const { started } = await submit(subject, contract, { scenario, aspectRatio: '9:16', width: 720, height: 1280 });
    const receipt = started?.receipt ?? null;
    await pollToEnd(subject, receipt);
    const startedAt = new Date();
    const progress = await subject.video.check(makeRunning(receipt, { startedAt }), makeCall(subject.log));
    if (progress.status !== 'completed') throw new Error('The video did not complete.');
    const { expiresAt, ...video } = progress.video;
    expect(video).toEqual({ file: receipt, width: 720, height: 1280, durationSeconds: 8 });
    expect(Math.abs(Number(expiresAt) - startedAt.getTime() - lifeSeconds * 1_000)).toBeLessThan(60_000);
  });

  it('cannot cancel, because the API deletes finished videos in the same way', async () => {
    const { cancel, refresh, repeatable, limits } = subject.video;
    expect([cancel, refresh, repeatable, limits]).toEqual([undefined, undefined, undefined, undefined]);
    await begin(subject, contract);
    expect(subject.vendor.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });
});

describe('the settings of the OpenAI Videos API', () => {
  const [t2v] = catalogBindings(openaiVideos);
  const narrow = (settings: Readonly<Record<string, string>>) => {
    if (!t2v) throw new Error('The catalog has no model.');
    return openaiVideos.narrow?.(t2v.binding, 't2v', settings);
  };

  it('without a statement offer what OpenAI offered, and no price', () => {
    expect(narrow({})).toMatchObject({
      seconds: [4, 8, 12],
      resolutions: ['720p'],
      aspectRatios: ['16:9', '9:16'],
      price: { verified: false },
      stability: 'experimental',
    });
  });

  it('state sizes, durations and the price of a second', () => {
    const stated = narrow({
      OPENAI_VIDEOS_SIZES: '854x480, 480x854,1024x1792,1792x1024',
      OPENAI_VIDEOS_SECONDS: '10,5, 5',
      OPENAI_VIDEOS_PRICE: '0.025',
    });
    expect(stated).toMatchObject({
      seconds: [5, 10],
      resolutions: ['480p', '1080p'],
      aspectRatios: ['16:9', '9:16'],
      stability: 'stable',
      price: {
        per: 'output_second',
        verified: true,
        rates: [{ usd: 25_000_000_000_000_000n }],
      },
    });
  });

  it.each([
    [{ OPENAI_VIDEOS_SIZES: '1280x720,big' }, /^OPENAI_VIDEOS_SIZES must be sizes such as .*got "big"\.$/],
    [{ OPENAI_VIDEOS_SIZES: '100x100' }, /^OPENAI_VIDEOS_SIZES must be sizes/],
    [{ OPENAI_VIDEOS_SIZES: '1280x720,1264x712' }, /^OPENAI_VIDEOS_SIZES has two sizes for 720p at 16:9;/],
    [{ OPENAI_VIDEOS_SIZES: '1280x720,720x1280,1920x1080' }, /; 1080p at 9:16 is missing\.$/],
    [{ OPENAI_VIDEOS_SECONDS: '5,x' }, /^OPENAI_VIDEOS_SECONDS must be/],
    [{ OPENAI_VIDEOS_SECONDS: '61' }, /^OPENAI_VIDEOS_SECONDS must be/],
    [{ OPENAI_VIDEOS_PRICE: '0' }, /^OPENAI_VIDEOS_PRICE must be/],
    [{ OPENAI_VIDEOS_PRICE: '$1' }, /^OPENAI_VIDEOS_PRICE must be/],
    [{ OPENAI_VIDEOS_PRICE: '11' }, /^OPENAI_VIDEOS_PRICE must be/],
  ])('%j are refused at the start', (settings, message) => {
    expect(() => narrow(settings)).toThrow(message);
  });
});
