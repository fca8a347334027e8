import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteVideo } from '../../../lib/billing/quote';
import { withBindings } from '../../../lib/catalog/binding-facts';
import { errorRules } from '../../../lib/domain/error-rules';
import { isGatewayError } from '../../../lib/domain/errors';
import type { VideoModel } from '../../../lib/domain/model';
import { orderFor, parseModelName, parseVideoRequest } from '../../../lib/videos/video-request';
import { proofRuns } from '../../support/proof-runs';
import { videoModels } from '../catalog/video-models';
import { edit, everything, fromPicture, fromReferences, fromTwoPictures } from './request-models';
import { asForm, minimalBody, requiredMedia, validBody, type Body } from './valid-bodies';

// The same checks for every model of the catalog, because a mistake in one entry is a wrong bill for its users.

const parse = (body: Body, model: VideoModel, textOnly = false) =>
  parseVideoRequest(body, textOnly, model, model.bindings);

function refusal(body: Body, model: VideoModel): { code: string; param: string | undefined } {
  try {
    parse(body, model);
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return { code: error.code, param: error.extra.param };
  }
  throw new Error('The body was accepted.');
}

const models = videoModels.map((model) => [model.id, model] as const);

describe.each(models)('%s', (_id, model) => {
  const minimal = minimalBody(model);

  it('accepts the minimal body, and has a price for it at every provider that serves it', () => {
    const { order } = parse(minimal, model);
    expect(order.kind).toBe(model.video.kind);
    for (const binding of model.bindings) {
      if (binding.resolutions?.includes(order.resolution) === false) continue;
      expect(quoteVideo(orderFor(order, model, binding), binding.price).total).toBeGreaterThan(0n);
    }
  });

  it('accepts the minimal body behind each pin', () => {
    for (const binding of model.bindings) {
      const pinned = withBindings(model, [binding]);
      const { order } = parseVideoRequest(minimalBody(pinned), false, pinned, [binding]);
      expect(binding.resolutions ?? model.video.resolutions).toContain(order.resolution);
      expect(quoteVideo(orderFor(order, pinned, binding), binding.price).total).toBeGreaterThan(0n);
    }
  });

  it('refuses a length and a size that it does not support', () => {
    for (const seconds of [0, 601, '601', 5.5, '5s', Math.max(...model.video.seconds) + 1]) {
      const body = { ...minimal, seconds };
      // It has no effect where every output is as long as its source.
      if (model.video.outputFollowsSource) expect(parse(body, model).order).toEqual(parse(minimal, model).order);
      else expect(refusal(body, model)).toEqual({ code: 'unsupported_value', param: 'seconds' });
    }
    for (const size of ['64x64', '7680x4320', '1281x721', 'large', '1280x10'])
      expect(refusal({ ...minimal, size }, model)).toEqual({ code: 'unsupported_value', param: 'size' });
    expect(refusal({ ...minimal, width: 64, height: 64 }, model)).toEqual({
      code: 'unsupported_value',
      param: 'width',
    });
  });

  it('refuses invalid values of its parameters, and ignores those of unsupported ones', () => {
    const names = [
      'generate_audio',
      'sound',
      'audio',
      'bgm',
      'go_fast',
      'multi_clip',
      'options',
      'quality',
      'thinking_type',
      'seed',
      'fps',
      'num_videos',
      'negative_prompt',
    ];
    for (const name of names) {
      const body = { ...minimal, [name]: { no: 'such value' } };
      if (model.video.parameters.includes(name))
        expect(refusal(body, model)).toEqual({ code: 'invalid_type', param: name });
      else expect(parse(body, model)).toEqual({ ...parse(minimal, model), ignoredParams: [name] });
    }
  });

  const required = Object.keys(requiredMedia(model));
  if (required.length > 0) {
    it('is refused without its media', () => {
      const missing = {
        t2v: '',
        i2v: 'image_url',
        'start-end': 'image_list',
        r2v: 'image_list',
        'video-edit': 'video_url',
      }[model.video.kind];
      const code = model.video.kind === 'start-end' ? 'invalid_media_count' : 'missing_required_media';
      expect(refusal({ model: model.id, prompt: 'a cat' }, model)).toEqual({ code, param: missing });
      for (const name of required) {
        const { [name]: _left, ...rest } = minimal;
        expect(refusal(rest, model)).toEqual({ code, param: name === 'input_seconds' ? 'input_seconds' : missing });
      }
    });
  }

  it('refuses more media than it takes', () => {
    const { images, videos } = model.video.media;
    const many = Array.from({ length: 40 }, (_, index) => `https://example.com/${index}`);
    if (images) {
      const { image_url: _alias, ...rest } = minimal;
      expect(refusal({ ...rest, image_list: many }, model)).toEqual({
        code: 'invalid_media_count',
        param: 'image_list',
      });
    }
    if (videos)
      expect(refusal({ ...minimal, video_list: many }, model)).toEqual({
        code: 'invalid_media_count',
        param: 'video_list',
      });
  });

  it('turns a valid body into one order, the same each time, in JSON and as a form, that survives being stored', () => {
    fc.assert(
      fc.property(validBody(model), (body) => {
        const request = parse(body, model);
        expect(parse(body, model)).toEqual(request);
        expect(JSON.parse(JSON.stringify(request.order))).toEqual(request.order);
        const form = parse(asForm(body) as Body, model, true);
        expect(form.order).toEqual(request.order);
        if (body.seconds !== undefined && !model.video.outputFollowsSource)
          expect(request.order.seconds).toBe(Number(body.seconds));
        if (body.size !== undefined) expect(`${request.order.width}x${request.order.height}`).toBe(body.size);
        for (const [name, value] of Object.entries(request.order.parameters))
          if (name in body) expect(value).toBe(body[name]);
      }),
      { numRuns: 25 },
    );
  });
});

describe('any JSON object', () => {
  const known = [
    'prompt',
    'seconds',
    'size',
    'width',
    'height',
    'fps',
    'seed',
    'num_videos',
    'image_url',
    'input_reference',
    'image_list',
    'video_list',
    'reference_videos',
    'video_url',
    'input_seconds',
    'webhook',
    'quality',
    'options',
    'sound',
    'negative_prompt',
    '__proto__',
    'constructor',
  ];
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3, noUnicodeString: false }),
    fc.constantFrom<unknown>(
      -1,
      0,
      0.5,
      1e21,
      2 ** 53,
      '5',
      '1280x720',
      'https://example.com',
      '\0',
      '\ud800',
      '',
      true,
      [],
      {},
      [null],
      [[]],
      [{}],
      { image_url: [] },
      { file_id: {} },
    ),
    fc.array(fc.constantFrom<unknown>('https://example.com/a', { url: 'https://example.com' }, null, 7), {
      maxLength: 12,
    }),
  );
  const bodies = fc.dictionary(
    fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: fc.string() }),
    value,
    { maxKeys: 8, noNullPrototype: true },
  );

  const BODIES = proofRuns(5_000, 1_000);

  it('is an order or a refusal of ours that names a field, and never anything else', () => {
    let accepted = 0;
    fc.assert(
      fc.property(
        bodies,
        fc.constantFrom(everything, fromPicture, fromTwoPictures, fromReferences, edit),
        fc.boolean(),
        fc.boolean(),
        (body, model, textOnly, hurried) => {
          const whole = hurried
            ? { ...body, prompt: 'a cat', ...requiredMedia(model), ...(textOnly ? { input_seconds: '5' } : {}) }
            : body;
          try {
            parseModelName(whole);
          } catch (error) {
            if (!isGatewayError(error)) throw error;
          }
          try {
            parse(whole, model, textOnly);
            accepted += 1;
          } catch (error) {
            if (!isGatewayError(error)) throw error;
            expect(errorRules[error.code].status).toBe(400);
            expect(error.extra.param).toBeTypeOf('string');
            expect(error.message.length).toBeLessThanOrEqual(500);
          }
        },
      ),
      { numRuns: BODIES },
    );
    // Otherwise the property would say nothing about accepted bodies.
    expect(accepted).toBeGreaterThan(BODIES / 1_000);
  });
});
