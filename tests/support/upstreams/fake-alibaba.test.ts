import { createAlibaba } from '@ai-sdk/alibaba';
import { experimental_generateVideo as generateVideo } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALIBABA_KEY, startFakeAlibaba } from './fake-alibaba';
import { RESULT, type FakeVideoVendor } from './fake-video-vendor';

// The imitation is as an independent client expects it. The client knows Wan 2.6, 2.7 and 3.0, and neither HappyHorse nor
// edits.

describe('the imitation of Model Studio, to a client of its API', () => {
  let vendor: FakeVideoVendor;
  beforeAll(async () => {
    vendor = await startFakeAlibaba();
  });
  afterAll(() => vendor.close());

  const IMAGE = 'https://media.example.com/first.png';
  const OTHER_IMAGE = 'https://media.example.com/last.png';

  async function generate(
    modelId: string,
    order: Partial<Parameters<typeof generateVideo>[0]> = {},
    options: Readonly<Record<string, boolean | string | string[]>> = {},
    apiKey = ALIBABA_KEY,
  ) {
    const downloaded: string[] = [];
    const { video, warnings } = await generateVideo({
      model: createAlibaba({ apiKey, videoBaseURL: vendor.baseUrl }).video(modelId),
      prompt: 'A paper boat',
      maxRetries: 0,
      // The client refuses to download from this machine.
      download: async ({ url }) => {
        downloaded.push(url.href);
        const answer = await fetch(url);
        return { data: new Uint8Array(await answer.arrayBuffer()), mediaType: 'video/mp4' };
      },
      ...order,
      providerOptions: { alibaba: { pollIntervalMs: 1, ...options } },
    });
    return { video, warnings, downloaded, body: vendor.jobs.at(-1)?.body };
  }

  it('makes a video, and gives its file to the client', async () => {
    const { video, downloaded, warnings, body } = await generate(
      'wan2.7-t2v',
      { resolution: '1080x1920', aspectRatio: '9:16', duration: 5, seed: 0 },
      { promptExtend: false, watermark: false, negativePrompt: 'rain' },
    );
    expect(Buffer.from(video.uint8Array).equals(RESULT)).toBe(true);
    expect(downloaded).toEqual([`${vendor.cdnUrl}/results/good/${vendor.jobs.length}.mp4`]);
    expect(warnings).toEqual([]);
    expect(body).toEqual({
      model: 'wan2.7-t2v',
      input: { prompt: 'A paper boat', negative_prompt: 'rain' },
      parameters: {
        resolution: '1080P',
        ratio: '9:16',
        duration: 5,
        seed: 0,
        prompt_extend: false,
        watermark: false,
      },
    });
  });

  it('takes the pixels, the image and the references of Wan 2.6', async () => {
    const text = await generate('wan2.6-t2v', { resolution: '1088x832', duration: 15 }, { shotType: 'multi' });
    expect(text.body).toMatchObject({ parameters: { size: '1088*832', shot_type: 'multi', duration: 15 } });
    const image = await generate(
      'wan2.6-i2v',
      { resolution: '720x1280', frameImages: [{ image: IMAGE, frameType: 'first_frame' }] },
      { audio: false },
    );
    expect(image.body).toMatchObject({ input: { img_url: IMAGE }, parameters: { resolution: '720P', audio: false } });
    const references = await generate('wan2.6-r2v', {}, { referenceUrls: [IMAGE, OTHER_IMAGE] });
    expect(references.body).toMatchObject({ input: { reference_urls: [IMAGE, OTHER_IMAGE] } });
  });

  it('takes the references of Wan 2.7 and the frames of Wan 3.0 as a list of media', async () => {
    const references = await generate('wan2.7-r2v', { inputReferences: [IMAGE] });
    expect(references.body).toMatchObject({ input: { media: [{ type: 'reference_image', url: IMAGE }] } });
    const frames = await generate('wan3.0-video', {
      resolution: '832x480',
      frameImages: [
        { image: IMAGE, frameType: 'first_frame' },
        { image: OTHER_IMAGE, frameType: 'last_frame' },
      ],
    });
    expect(frames.body).toMatchObject({
      input: {
        media: [
          { type: 'first_frame', url: IMAGE },
          { type: 'last_frame', url: OTHER_IMAGE },
        ],
      },
      parameters: { resolution: '480P' },
    });
  });

  it.each([
    ['a failed video', '[[fail]]', /failed/],
    ['refused content', '[[moderated-output]]', /inappropriate content/],
    ['a success without a file', '[[nourl]]', /No video URL/],
    ['a refused submit', '[[balance]]', /Arrearage/],
  ])('reports %s as the client understands it', async (_name, marker, message) => {
    await expect(generate('wan2.7-t2v', { prompt: `A boat ${marker}` })).rejects.toThrow(message);
  });

  it('refuses a wrong key, and a first frame that the documentation of Wan 2.7 does not have', async () => {
    await expect(generate('wan2.7-t2v', {}, {}, 'another')).rejects.toMatchObject({ statusCode: 401 });
    // This client sends `img_url`, and the documentation has a list of media.
    await expect(
      generate('wan2.7-i2v', { frameImages: [{ image: IMAGE, frameType: 'first_frame' }] }),
    ).rejects.toMatchObject({ statusCode: 400 });
  });
});
