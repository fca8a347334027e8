import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mediaUrl, requestOf } from '../../app/console/components/video-form/form-request';
import { estimateOf } from '../../app/console/components/video-form/estimate';
import { emptyForm, type VideoForm, type ShownModel } from '../../app/console/components/video-form/form';
import { importRequest, importText } from '../../app/console/components/video-form/import-request';
import { parameterControls } from '../../app/console/components/video-form/parameters';
import { switchModel } from '../../app/console/components/video-form/switch-model';
import { beginning } from '../../app/console/playground/beginning';
import { parseDraft } from '../../app/console/playground/draft';
import { allModels } from '../../lib/catalog/models';
import { bindingKey } from '../../lib/domain/binding';
import { isGatewayError } from '../../lib/domain/errors';
import { presentInternalModel } from '../../lib/catalog/present-internal';
import type { VideoModel } from '../../lib/domain/model';
import { usdText, parseUsd } from '../../lib/domain/money';
import { consoleKeyId, type Caller } from '../../lib/domain/caller';
import { requestOfOrder } from '../../lib/videos/request-of-order';
import { parseVideoRequest } from '../../lib/videos/video-request';
import { minimalBody, validBody } from '../lib/videos/valid-bodies';
import { takingUrls } from '../support/url-taker';
import { makeGateway, type TestGateway } from '../support/gateway';
import { PICTURE } from '../support/media-bytes';

// The form of the playground, without a browser: its controls, its request, its price.

const shownModels: ShownModel[] = allModels
  .filter((model): model is VideoModel => model.capability === 'video' && model.deactivatedAt === undefined)
  .map((model) => ({ model, offered: [], implemented: true, publishesMedia: false }));
const shown = (id: string) => shownModels.find(({ model }) => model.id === id)!;
const imported = (body: Record<string, unknown>) => importRequest(body, shownModels, shownModels[0]!);

let testGateway: TestGateway;
let caller: Caller;
beforeAll(async () => {
  testGateway = await makeGateway();
  caller = { ...(await testGateway.caller('test')), keyId: consoleKeyId, policy: { scopes: ['inference'] } };
});
afterAll(async () => {
  await testGateway.close();
});

describe('the controls', () => {
  test.each(shownModels.map(({ model }) => [model.id, model] as const))(
    'of %s are exactly the parameters of the catalog',
    (_id, model) => {
      const said = presentInternalModel(testGateway.gateway.catalog(), model).supported_parameters.filter((name) =>
        model.video.parameters.includes(name),
      );
      expect(
        parameterControls(model.video)
          .map(({ name }) => name)
          .sort(),
      ).toEqual([...said].sort());
    },
  );
});

describe('another model', () => {
  const from = shown('sandbox-t2v').model;

  test('supported values are kept, the others return to their defaults with a note', () => {
    const form: VideoForm = {
      ...emptyForm(from.id),
      prompt: 'a cat',
      seconds: 7,
      resolution: '360p',
      ratio: '21:9',
      values: { generate_audio: false, seed: 7, fps: 12 },
    };
    const { form: next, notes } = switchModel(form, from, shown('veo-3.1-t2v').model);
    expect(next).toMatchObject({ modelId: 'veo-3.1-t2v', prompt: 'a cat', values: { generate_audio: false, seed: 7 } });
    expect(next.values).not.toHaveProperty('fps');
    expect(notes).toEqual([
      'Resolution: 360p, now 720p',
      'Aspect ratio: 21:9, now 16:9',
      'Length: 7 s, now 8 s',
      'Frames per second: not a setting of this model',
    ]);
  });

  test('the switch of the sound is one control, whatever a vendor names it', () => {
    const { form, notes } = switchModel(
      { ...emptyForm(from.id), values: { generate_audio: false } },
      from,
      shown('kling-3.0-t2v').model,
    );
    expect([form.values, notes]).toEqual([{ sound: false }, []]);
  });

  test('an empty form gets no note', () => {
    for (const { model } of shownModels)
      expect(switchModel(emptyForm(from.id), from, model).notes, model.id).toEqual([]);
  });

  test('images are kept as far as the new model takes them', () => {
    const references: VideoForm = {
      ...emptyForm('sandbox-r2v'),
      images: [1, 2, 3].map((index) => ({ kind: 'url', url: `https://example.com/${index}.png` })),
    };
    const { form, notes } = switchModel(references, shown('sandbox-r2v').model, shown('sandbox-i2v').model);
    expect(requestOf(form, shown('sandbox-i2v').model).image_url).toBe('https://example.com/1.png');
    expect(notes).toEqual(['Images: the first one is kept']);
  });
});

describe('the price', () => {
  test('of 120 random forms is what the server holds, to the nano-dollar', async () => {
    const bodies = fc.sample(
      fc.constantFrom(...shownModels).chain(({ model }) => validBody(model)),
      { numRuns: 120, seed: 20_261_121 },
    );
    for (const body of bodies) {
      const { form } = imported(body);
      const model = shown(form.modelId);
      const { quote, error } = estimateOf(form, model, 'test');
      const submission = {
        body: requestOf(form, model.model),
        textOnly: false,
        requestId: 'req_test',
        automaticRetry: false,
      };
      // What no provider of a model serves together, the server refuses as the page does.
      if (error?.param === 'model') {
        await expect(testGateway.gateway.videos.submit(caller, submission)).rejects.toMatchObject({
          extra: { param: 'model' },
        });
        continue;
      }
      expect(error).toBeUndefined();
      const { video } = await testGateway.gateway.videos.submit(caller, {
        ...submission,
        // Refuses any other price, as the page's own submissions do.
        agreedTotal: parseUsd(quote!.total),
      });
      expect(usdText(parseUsd(quote!.total))).toBe(
        String((video as { cost?: number }).cost?.toFixed(9)).replace(/\.?0+$/, ''),
      );
      // Its start may have failed already, because nothing is at the URLs of its media.
      await testGateway.gateway.videos.cancel(caller, video.id).catch((error: unknown) => {
        if (!isGatewayError(error) || error.code !== 'video_finished') throw error;
      });
    }
  }, 120_000);

  test('takes about a millisecond at most', () => {
    const { form } = imported(minimalBody(shown('veo-3.1-t2v').model));
    const startedAt = performance.now();
    for (let round = 0; round < 200; round += 1) estimateOf(form, shown('veo-3.1-t2v'), 'test');
    expect((performance.now() - startedAt) / 200).toBeLessThan(20);
  });

  test('is known before the prompt and the images are', () => {
    for (const { model } of shownModels.filter(({ model }) => model.video.kind !== 'video-edit')) {
      const { quote, error } = estimateOf(
        emptyForm(model.id),
        { model, offered: [], implemented: true, publishesMedia: false },
        'test',
      );
      expect([model.id, quote?.total]).toEqual([model.id, expect.stringMatching(/^\d+(\.\d+)?$/)]);
      expect(error?.param).toBe('prompt');
    }
  });

  test('in live mode is that of the first configured provider; without one nothing is sent', () => {
    const kling = shown('kling-3.0-t2v').model;
    const { form } = imported(minimalBody(kling));
    expect(
      estimateOf(
        form,
        { model: kling, offered: ['replicate kwaivgi/kling-v3-video'], implemented: true, publishesMedia: false },
        'live',
      ),
    ).toMatchObject({
      binding: { providerId: 'replicate' },
      quote: { total: '1.26' },
    });
    expect(
      estimateOf(form, { model: kling, offered: [], implemented: true, publishesMedia: false }, 'live').error?.message,
    ).toContain('set up in this installation');
    expect(
      estimateOf(form, { model: kling, offered: [], implemented: false, publishesMedia: false }, 'live').error?.message,
    ).toContain('not available in live mode yet');
    expect(
      estimateOf(
        form,
        { model: kling, offered: [], implemented: true, unconfirmed: true, publishesMedia: false },
        'live',
      ).error?.message,
    ).toContain('has not confirmed the price of kling-3.0-t2v');
  });

  test('over an own account is zero, also beside a provider that is set up', () => {
    const kling = shown('kling-3.0-t2v').model;
    const { form } = imported(minimalBody(kling));
    const offered = kling.bindings.map(bindingKey);
    const own = kling.bindings.filter(({ providerId }) => providerId === 'fal').map(bindingKey);
    const model = { model: kling, offered, own, implemented: true, publishesMedia: false };
    expect(estimateOf(form, model, 'live')).toMatchObject({ binding: { providerId: 'fal' }, quote: { total: '0' } });
    expect(estimateOf(form, model, 'test').quote?.total).toBe(
      estimateOf(form, { ...model, own: [] }, 'test').quote?.total,
    );
    // What the own account cannot order goes to the installation's provider, at its price.
    const second = { ...form, provider: 'replicate' };
    expect(estimateOf(second, model, 'live')).toMatchObject({
      binding: { providerId: 'replicate' },
      quote: { total: '1.26' },
    });
  });
});

describe('a file for a provider that reads media only from https URLs', () => {
  const model = takingUrls(shown('kling-3.0-i2v').model);
  const [binding] = model.bindings;
  const file = { kind: 'file', name: 'a.png', sizeBytes: 70, dataUrl: PICTURE } as const;
  const form = { ...emptyForm(model.id), prompt: 'x', images: [file] };
  const estimate = (publishesMedia: boolean) =>
    estimateOf(
      form,
      { model, offered: binding ? [bindingKey(binding)] : [], implemented: true, publishesMedia },
      'live',
    );

  test('has a price if this installation publishes it, and the reason otherwise', () => {
    expect(estimate(true)).toMatchObject({ binding: { providerId: binding?.providerId } });
    expect(estimate(true).error).toBeUndefined();
    expect(estimate(false).quote).toBeUndefined();
    expect(estimate(false).error).toMatchObject({
      param: 'image_url',
      message: expect.stringContaining('image_url must be an https URL on the public internet') as string,
    });
  });
});

describe('a draft that the tab stored under an earlier version', () => {
  const draftOf = (fields: Record<string, unknown>) =>
    parseDraft(JSON.stringify({ modelId: 'sandbox-i2v', prompt: 'a boat', ...fields }));

  test('keeps its images and videos at URLs, which had another kind', () => {
    const images = [{ kind: 'address', url: 'https://example.com/a.png' }];
    const form = draftOf({ values: {}, images, videos: [], source: null, inputSeconds: '', webhook: '' })!;
    expect(requestOf(form, shown(form.modelId).model)).toMatchObject({
      prompt: 'a boat',
      image_url: 'https://example.com/a.png',
    });
    expect(estimateOf(form, shown(form.modelId), 'test').error).toBeUndefined();
  });

  test('has the default of each field that it lacks', () => {
    expect(draftOf({})).toEqual({ ...emptyForm('sandbox-i2v'), prompt: 'a boat' });
  });

  test.each(['', 'null', '{', '[]', '{"prompt":"a boat"}', '{"modelId":7}'])('begins anew if it is %j', (text) => {
    expect(parseDraft(text)).toBeUndefined();
  });
});

describe('what is missing', () => {
  const error = (form: VideoForm) => estimateOf(form, shown(form.modelId), 'test').error?.param;

  test('no image, one of two, or a missing length is each named', () => {
    expect(error({ ...emptyForm('sandbox-i2v'), prompt: 'x' })).toBe('image_url');
    const one = { kind: 'url', url: 'https://example.com/1.png' } as const;
    expect(error({ ...emptyForm('sandbox-start-end'), prompt: 'x', images: [one, null] })).toBe('image_list');
    expect(error({ ...emptyForm('sandbox-start-end'), prompt: 'x', images: [one, one] })).toBeUndefined();
    expect(error({ ...emptyForm('sandbox-r2v'), prompt: 'x' })).toBe('image_list');
    expect(error({ ...emptyForm('sandbox-video-edit'), prompt: 'x', source: one })).toBe('input_seconds');
    expect(
      error({ ...emptyForm('sandbox-video-edit'), prompt: 'x', source: one, inputSeconds: '3.5' }),
    ).toBeUndefined();
  });
});

describe('a request from elsewhere', () => {
  test.each(shownModels.map(({ model }) => [model.id, model] as const))(
    'the request of a video (%s) becomes a form that sends the same request',
    (_id, model) => {
      fc.assert(
        fc.property(validBody(model), (body) => {
          const { order } = parseVideoRequest(body, false, model, model.bindings);
          const { form, left } = imported(requestOfOrder(order, model));
          expect(left).toEqual([]);
          for (const defaults of ['none', 'frame', 'all'] as const)
            expect(
              parseVideoRequest(requestOf(form, model, { defaults, urlOf: mediaUrl }), false, model, model.bindings)
                .order,
            ).toEqual(order);
        }),
        { numRuns: 15 },
      );
    },
  );

  test('unsupported fields are listed with the reason, and the rest is applied', () => {
    const text = JSON.stringify({
      model: 'veo-3.1-t2v',
      prompt: 'a cat',
      seconds: 99,
      aspect_ratio: '16:9',
      size: '1280x720',
      bgm: true,
      seed: 5,
      image_url: 'https://example.com/a.png',
    });
    const { form, left } = importText(text, shownModels, shownModels[0]!);
    expect(left.map(({ name }) => name)).toEqual(['seconds', 'aspect_ratio', 'bgm', 'image_url']);
    expect(left[0]?.reason).toBe('seconds must be one of 4, 6, 8 for veo-3.1-t2v; got 99.');
    expect(left[2]?.reason).toBe('veo-3.1-t2v does not support it; the API would ignore it.');
    expect(requestOf(form, shown('veo-3.1-t2v').model)).toEqual({ model: 'veo-3.1-t2v', prompt: 'a cat', seed: 5 });
  });

  test('an invalid request is refused with a message', () => {
    const read = (text: string) => () => importText(text, shownModels, shownModels[0]!);
    expect(read('{oops')).toThrow('This is not JSON');
    expect(read('[1]')).toThrow('not an object');
    expect(read('{"model":"dall-e-3"}')).toThrow('There is no video model "dall-e-3" here.');
    expect(read('{"model":"nobody/sandbox-t2v"}')).toThrow('The provider "nobody" does not serve sandbox-t2v.');
  });

  test('a pinned provider and an alias are accepted', () => {
    expect(requestOf(imported({ model: 'fal/veo-3.1', prompt: 'a cat' }).form, shown('veo-3.1-t2v').model).model).toBe(
      'fal/veo-3.1-t2v',
    );
  });
});

describe('the model of the URL', () => {
  const draft = { ...emptyForm('veo-3.1-t2v'), prompt: 'a cat' };

  test('that does not exist leaves the draft as it is, and is named', () => {
    expect(beginning({ model: 'nope' }, draft, shownModels)).toEqual({
      form: draft,
      notes: [],
      left: [{ name: 'model', value: '"nope"', reason: 'There is no video model "nope" here.' }],
    });
  });

  test('that does not exist is named without a draft, and with other fields, too', () => {
    const { form, left } = beginning({ model: 'nope', prompt: 'a dog' }, undefined, shownModels);
    expect([form.modelId, form.prompt]).toEqual([shownModels[0]!.model.id, 'a dog']);
    expect(left.map(({ name }) => name)).toEqual(['model']);
    expect(beginning({ model: 'nope' }, undefined, shownModels).left).toHaveLength(1);
  });

  test('is selected with the settings of the draft', () => {
    const { form, left } = beginning({ model: 'sandbox-t2v' }, draft, shownModels);
    expect([form.modelId, form.prompt, left]).toEqual(['sandbox-t2v', 'a cat', []]);
  });
});
