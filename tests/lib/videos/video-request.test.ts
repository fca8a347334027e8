import { describe, expect, it } from 'vitest';
import type { VideoModel } from '../../../lib/domain/model';
import { ignoredBy, orderFor, parseModelName, parseVideoRequest } from '../../../lib/videos/video-request';
import { hasAudio } from '../../../lib/videos/video-parameters';
import { https, parse, parseForm, refusal, type Body } from './parse-request';
import {
  edit,
  everyParameter,
  everything,
  fromPicture,
  fromReferences,
  fromTwoPictures,
  madeUp,
  plain,
} from './request-models';

describe('a minimal body', () => {
  it('becomes an order with everything made explicit', () => {
    expect(parse({}, plain)).toEqual({
      choices: [],
      audioChoices: [],
      hasSize: false,
      sentParameters: [],
      order: {
        kind: 't2v',
        prompt: 'a cat',
        seconds: 5,
        resolution: '720p',
        aspectRatio: '16:9',
        width: 1280,
        height: 720,
        fps: 24,
        audio: false,
        media: [],
        parameters: {},
      },
      media: [],
      ignoredParams: [],
    });
  });

  it('gets the defaults of the specification for supported parameters, and nothing for those without a default', () => {
    expect(parse({}).order.parameters).toEqual({
      thinking_type: 'auto',
      generate_audio: true,
      sound: true,
      keep_original_sound: true,
      audio: true,
      generate_audio_switch: false,
      go_fast: true,
      remove_watermark: true,
      multi_clip: false,
      generate_multi_clip_switch: false,
      bgm: true,
    });
  });

  it('treats null in every field as absent', () => {
    const nulls = Object.fromEntries(
      [...everyParameter, 'seconds', 'size', 'width', 'height', 'webhook', 'image_url'].map((name) => [name, null]),
    );
    expect(parse(nulls).order).toEqual(parse({}).order);
    expect(parse(nulls)).not.toHaveProperty('webhook');
  });
});

describe('model', () => {
  it.each([
    [{}, 'missing_required_parameter'],
    [{ model: null }, 'missing_required_parameter'],
    [{ model: '' }, 'missing_required_parameter'],
    [{ model: 7 }, 'invalid_type'],
    [{ model: ['acme-t2v'] }, 'invalid_type'],
    [{ model: 'a\0b' }, 'invalid_character'],
    [{ model: 'x'.repeat(201) }, 'string_too_long'],
  ])('%j is %s', (body, code) => {
    expect(refusal(() => parseModelName(body))).toMatchObject({ code, param: 'model' });
  });

  it('is read from the body itself, not from Object.prototype', () => {
    expect(refusal(() => parseModelName(Object.create({ model: 'acme-t2v' }) as Body)).code).toBe(
      'missing_required_parameter',
    );
  });
});

describe('a refusal of a pinned request', () => {
  it('names the pin, because the values are those of its provider', () => {
    const size = { size: '64x64' };
    expect(refusal(() => parse({ ...size, model: `acme/${plain.id}` }, plain)).message).toContain(
      `size 64x64 is not supported by ${plain.bindings[0]?.providerId}/${plain.id}.`,
    );
    expect(refusal(() => parse({ ...size, model: plain.id }, plain)).message).toContain(
      `size 64x64 is not supported by ${plain.id}.`,
    );
  });
});

describe('prompt', () => {
  it('may have 32,000 characters and not one more', () => {
    expect(parse({ prompt: 'x'.repeat(32_000) }).order.prompt).toHaveLength(32_000);
    expect(refusal(() => parse({ prompt: 'x'.repeat(32_001) }))).toMatchObject({
      code: 'string_too_long',
      param: 'prompt',
    });
  });

  it.each([[undefined], [null], [''], [' \n\t'], ['\u00a0']])('%j is missing', (prompt) => {
    expect(refusal(() => parse({ prompt }))).toMatchObject({ code: 'missing_required_parameter', param: 'prompt' });
  });

  it.each([[7], [true], [['a cat']], [{ text: 'a cat' }]])('%j is not text', (prompt) => {
    expect(refusal(() => parse({ prompt }))).toMatchObject({ code: 'invalid_type', param: 'prompt' });
  });

  it('keeps every printable character', () => {
    const prompt = ' 漢字 👩‍👩‍👧 \u202e عربى\n\u0001';
    expect(parse({ prompt }).order.prompt).toBe(prompt);
  });
});

describe('a parameter of some models', () => {
  const booleans = [
    'generate_audio',
    'sound',
    'keep_original_sound',
    'audio',
    'generate_audio_switch',
    'go_fast',
    'remove_watermark',
    'multi_clip',
    'generate_multi_clip_switch',
    'bgm',
    'watermark',
    'prompt_extend',
  ];
  const words: [string, string[]][] = [
    ['quality', ['basic', 'high']],
    ['options', ['dop-lite', 'dop-turbo', 'dop-preview']],
    ['thinking_type', ['auto', 'enabled', 'disabled']],
  ];
  const integers: [string, number, number][] = [
    ['fps', 8, 30],
    ['seed', 0, 4_294_967_295],
  ];
  const texts: [string, number][] = [
    ['negative_prompt', 5_000],
    ['reference_voice', 2_048],
  ];

  it('has one of four types, and these are all of them', () => {
    expect(
      [
        ...booleans,
        ...words.map(([name]) => name),
        ...integers.map(([name]) => name),
        ...texts.map(([name]) => name),
      ].sort(),
    ).toEqual([...everyParameter].sort());
  });

  describe.each(booleans)('%s', (name) => {
    it('is true or false, in a form the words for it', () => {
      for (const value of [true, false]) {
        expect(parse({ [name]: value }).order.parameters[name]).toBe(value);
        for (const text of [String(value), value ? 'True' : 'False', String(value).toUpperCase()])
          expect(parseForm({ [name]: text }).order.parameters[name]).toBe(value);
      }
    });

    it('is nothing else', () => {
      for (const value of ['true', 'false', 1, 0, {}, [], [true]])
        expect(refusal(() => parse({ [name]: value }))).toMatchObject({ code: 'invalid_type', param: name });
      for (const value of ['on', '1', '', 'yes', ['true']])
        expect(refusal(() => parseForm({ [name]: value }))).toMatchObject({ code: 'invalid_type', param: name });
    });
  });

  describe.each(words)('%s', (name, allowed) => {
    it('is one of its words, in both forms', () => {
      for (const word of allowed) {
        expect(parse({ [name]: word }).order.parameters[name]).toBe(word);
        expect(parseForm({ [name]: word }).order.parameters[name]).toBe(word);
      }
    });

    it('is refused with what is allowed', () => {
      for (const word of ['', 'BASIC', 'dop', 'constructor']) {
        expect(refusal(() => parse({ [name]: word }))).toMatchObject({
          code: 'unsupported_value',
          param: name,
          details: { allowed },
        });
      }
      for (const value of [1, true, {}, allowed])
        expect(refusal(() => parse({ [name]: value }))).toMatchObject({ code: 'invalid_type', param: name });
    });
  });

  describe.each(integers)('%s', (name, min, max) => {
    const read = (body: Body, textOnly = false) => {
      const { order } = parse(body, everything, textOnly);
      return { fps: order.fps, seed: order.seed }[name];
    };

    it('is a whole number within its range, or its text', () => {
      for (const value of [min, min + 1, max]) {
        expect(read({ [name]: value })).toBe(value);
        expect(read({ [name]: String(value) })).toBe(value);
        expect(read({ [name]: String(value) }, true)).toBe(value);
      }
    });

    it('is refused outside of it', () => {
      for (const value of [min - 1, max + 1, min + 0.5, Number.MAX_SAFE_INTEGER + 1, 1e300, Infinity, NaN]) {
        expect(refusal(() => parse({ [name]: value }))).toMatchObject({ code: 'unsupported_value', param: name });
      }
      for (const value of [String(min - 1), String(max + 1), '9999999999999999']) {
        expect(refusal(() => parse({ [name]: value })).code).toBe('unsupported_value');
        expect(refusal(() => parseForm({ [name]: value })).code).toBe('unsupported_value');
      }
    });

    it('is no other text, and nothing else', () => {
      for (const value of [true, {}, [min]])
        expect(refusal(() => parse({ [name]: value }))).toMatchObject({ code: 'invalid_type', param: name });
      for (const value of ['', ' 8', '8.0', '0x8', '1e1', 'eight', '99999999999999999', ['8']]) {
        expect(refusal(() => parse({ [name]: value }))).toMatchObject({ code: 'invalid_type', param: name });
        expect(refusal(() => parseForm({ [name]: value }))).toMatchObject({ code: 'invalid_type', param: name });
      }
    });
  });

  describe.each(texts)('%s', (name, longest) => {
    it('is text up to its length, in both forms', () => {
      const text = 'x'.repeat(longest);
      expect(parse({ [name]: text }).order.parameters[name]).toBe(text);
      expect(parseForm({ [name]: text }).order.parameters[name]).toBe(text);
      expect(refusal(() => parse({ [name]: `${text}x` }))).toMatchObject({ code: 'string_too_long', param: name });
      for (const value of [1, true, {}, ['x']])
        expect(refusal(() => parse({ [name]: value }))).toMatchObject({ code: 'invalid_type', param: name });
    });
  });

  it('of another model leaves nothing but its name', () => {
    const body = Object.fromEntries(everyParameter.map((name) => [name, { utter: 'nonsense' }]));
    const request = parse(body, plain);
    expect(request.order).toEqual(parse({}, plain).order);
    expect(request.ignoredParams).toEqual(everyParameter);
  });
});

describe('sound', () => {
  it('follows the one switch that the model lists', () => {
    expect(hasAudio('toggle', { sound: false })).toBe(false);
    expect(hasAudio('toggle', { generate_audio: true })).toBe(true);
    expect(hasAudio('toggle', { generate_audio_switch: false })).toBe(false);
    expect(hasAudio('toggle', {})).toBe(true);
  });

  it('without it, the voice has no effect', () => {
    const voice = { reference_voice: 'https://example.com/voice.mp3' };
    const [binding] = everything.bindings;
    const servedBy = (fields: Body, served = binding!) => {
      const request = parse(fields);
      return {
        voice: orderFor(request.order, everything, served).parameters.reference_voice,
        ignored: ignoredBy(request, everything, served),
      };
    };
    expect(servedBy(voice)).toEqual({ voice: voice.reference_voice, ignored: [] });
    const silent = { ...voice, generate_audio: false };
    expect(servedBy(silent)).toEqual({ voice: undefined, ignored: ['reference_voice'] });
    // A provider that always makes sound uses it.
    const parameters = everyParameter.filter((name) => name !== 'generate_audio');
    expect(servedBy(silent, { ...binding!, audio: 'always', parameters })).toEqual({
      voice: voice.reference_voice,
      ignored: ['generate_audio'],
    });
  });

  it('cannot be switched if the model always or never has it', () => {
    expect(hasAudio('always', { sound: false, generate_audio: false })).toBe(true);
    expect(hasAudio('none', { sound: true })).toBe(false);
  });

  it("is the source's, or music, until it is declined", () => {
    expect([hasAudio('source', {}), hasAudio('source', { keep_original_sound: false })]).toEqual([true, false]);
    expect([hasAudio('bgm', { bgm: true }), hasAudio('bgm', { bgm: false })]).toEqual([true, false]);
  });
});

describe('an unknown field', () => {
  it('is named in its order, at most 32 names, and only names that a header can carry', () => {
    const long = 'x'.repeat(65);
    expect(
      parse({ b: 1, 'a.b[c]-D_9': 2, 'with space': 3, naïve: 4, 'new\nline': 5, [long]: 6, '': 7, [long.slice(1)]: 8 })
        .ignoredParams,
    ).toEqual(['b', 'a.b[c]-D_9', long.slice(1)]);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`p${index}`, index]));
    expect(parse(many).ignoredParams).toEqual(Array.from({ length: 32 }, (_, index) => `p${index}`));
  });

  it('is never read', () => {
    const body = { model: 'acme-t2v', prompt: 'a cat' };
    for (const name of ['mystery', 'sound', 'image_list', 'input_seconds']) {
      Object.defineProperty(body, name, { enumerable: true, get: () => expect.fail(`${name} was read`) });
    }
    expect(parseVideoRequest(body, false, plain, plain.bindings).ignoredParams).toEqual([
      'mystery',
      'sound',
      'image_list',
      'input_seconds',
    ]);
  });

  it('may have the name of a built-in property', () => {
    const body = JSON.parse(
      '{"model":"acme-t2v","prompt":"a cat","__proto__":{"seconds":99,"sound":"loud"},"constructor":{"prototype":{"seconds":99}},"toString":1,"hasOwnProperty":2}',
    ) as Body;
    const request = parseVideoRequest(body, false, everything, everything.bindings);
    expect(request.order).toEqual(parse({}).order);
    expect(request.ignoredParams).toEqual(['__proto__', 'constructor', 'toString', 'hasOwnProperty']);
    expect(({} as Body).seconds).toBeUndefined();
  });

  it('is not read from the prototype: inherited fields are ignored', () => {
    const body = Object.assign(Object.create({ seconds: 99, webhook: 'https://example.com' }) as Body, {
      model: 'acme-t2v',
      prompt: 'a cat',
    });
    expect(parseVideoRequest(body, false, everything, everything.bindings)).toEqual(parse({}));
  });
});

describe('webhook', () => {
  it('is kept as text with the order, for the check of the URL', () => {
    const request = parse({ webhook: 'https://example.com/hook?secret=1' });
    expect(request.webhook).toBe('https://example.com/hook?secret=1');
    expect(JSON.stringify(request.order)).not.toContain('hook');
  });

  it.each([
    [7, 'invalid_type'],
    [{ url: 'https://example.com' }, 'invalid_type'],
    [`https://example.com/${'x'.repeat(2_048)}`, 'string_too_long'],
  ])('%j is %s', (webhook, code) => {
    expect(refusal(() => parse({ webhook }))).toMatchObject({ code, param: 'webhook' });
  });
});

describe('seconds and size', () => {
  it.each([[5], ['5'], [15], ['3']])('takes %j seconds as number or text, in both forms', (seconds) => {
    expect(parse({ seconds }).order.seconds).toBe(Number(seconds));
    expect(parseForm({ seconds: String(seconds) }).order.seconds).toBe(Number(seconds));
  });

  it.each([[2], [16], ['2'], ['5s'], [''], [5.5], ['5.0'], [-5], ['1e1'], [NaN], ['99999999999']])(
    'refuses %j seconds and says what is allowed',
    (seconds) => {
      expect(refusal(() => parse({ seconds }))).toMatchObject({
        code: 'unsupported_value',
        param: 'seconds',
        details: { allowed: expect.arrayContaining(['3', '15']) as unknown },
      });
    },
  );

  it.each([[true], [{}], [[5]]])('refuses %j seconds by type', (seconds) => {
    expect(refusal(() => parse({ seconds }))).toMatchObject({ code: 'invalid_type', param: 'seconds' });
  });

  it('takes size, or width and height, or all three when they agree, in both forms', () => {
    const tall = { resolution: '1080p', aspectRatio: '9:16', width: 1080, height: 1920 };
    expect(parse({ size: '1080x1920' }).order).toMatchObject(tall);
    expect(parse({ width: 1080, height: 1920 }).order).toMatchObject(tall);
    expect(parse({ size: '1080x1920', width: 1080, height: '1920' }).order).toMatchObject(tall);
    expect(parse({ size: '1080x1920', height: 1920 }).order).toMatchObject(tall);
    expect(parseForm({ width: '1080', height: '1920' }).order).toMatchObject(tall);
  });

  it('refuses sizes that disagree, are incomplete, or are unsupported by the model', () => {
    expect(refusal(() => parse({ size: '1080x1920', width: 1920 }))).toMatchObject({
      code: 'conflicting_parameters',
      param: 'size',
    });
    expect(refusal(() => parse({ width: 1280 }))).toMatchObject({
      code: 'missing_required_parameter',
      param: 'height',
    });
    expect(refusal(() => parse({ height: 720 }))).toMatchObject({ code: 'missing_required_parameter', param: 'width' });
    expect(refusal(() => parse({ size: '640x360' }))).toMatchObject({
      code: 'unsupported_value',
      param: 'size',
      details: { allowed: ['1280x720', '720x1280', '1920x1080', '1080x1920'] },
    });
    expect(refusal(() => parse({ width: 960, height: 960 }))).toMatchObject({
      code: 'unsupported_value',
      param: 'width',
    });
    expect(refusal(() => parse({ size: 720 }))).toMatchObject({ code: 'invalid_type', param: 'size' });
    expect(refusal(() => parse({ size: '1280x720\0' }))).toMatchObject({ code: 'unsupported_value', param: 'size' });
  });

  it('ties the length to the size if a rule of the model does', () => {
    const ruled: VideoModel = {
      ...everything,
      video: { ...everything.video, rules: [{ resolutions: ['1080p'], seconds: [8] }] },
    };
    expect(parse({ size: '1920x1080' }, ruled).order.seconds).toBe(8);
    expect(refusal(() => parse({ size: '1920x1080', seconds: 5 }, ruled))).toMatchObject({
      code: 'unsupported_value',
      param: 'seconds',
      details: { allowed: ['8'] },
    });
    expect(parse({ size: '1280x720', seconds: 5 }, ruled).order.seconds).toBe(5);
  });
});

describe('a NUL or half a surrogate pair', () => {
  const bad = ['a\0b', '\ud800', 'a\udc00b'];
  const fields: [string, VideoModel, (text: string) => Body][] = [
    ['prompt', everything, (prompt) => ({ prompt })],
    ['negative_prompt', everything, (negative_prompt) => ({ negative_prompt })],
    ['reference_voice', everything, (reference_voice) => ({ reference_voice })],
    ['quality', everything, (quality) => ({ quality })],
    ['options', everything, (options) => ({ options })],
    ['thinking_type', everything, (thinking_type) => ({ thinking_type })],
    ['webhook', everything, (webhook) => ({ webhook })],
    ['image_url', fromPicture, (image_url) => ({ image_url })],
    ['input_reference.image_url', fromPicture, (image_url) => ({ input_reference: { image_url } })],
    ['image_list[0]', fromPicture, (text) => ({ image_list: [text] })],
    ['image_list[1]', fromTwoPictures, (text) => ({ image_list: [https('a.png'), text] })],
    ['image_list[0]', fromReferences, (image_url) => ({ image_list: [{ image_url }] })],
    ['video_list[1]', fromReferences, (text) => ({ video_list: [https('a.mp4'), text] })],
    ['reference_videos[0]', fromReferences, (video_url) => ({ reference_videos: [{ video_url }] })],
    ['video_url', edit, (video_url) => ({ video_url, input_seconds: 6 })],
  ];

  it.each(fields)('is refused in %s', (param, model, body) => {
    for (const text of bad) {
      expect(refusal(() => parse(body(text), model))).toMatchObject({ code: 'invalid_character', param });
      expect(refusal(() => parseForm(body(text), model))).toMatchObject({ code: 'invalid_character', param });
    }
  });
});

describe('the limits of the model', () => {
  const limited = madeUp({
    parameters: ['seed', 'negative_prompt'],
    promptCharacters: 10,
    negativePromptCharacters: 4,
    maxSeed: 99,
  });

  it('apply to texts and to the seed', () => {
    expect(refusal(() => parse({ prompt: 'x'.repeat(11) }, limited))).toMatchObject({
      code: 'string_too_long',
      param: 'prompt',
      message: 'prompt may have at most 10 characters; got 11.',
    });
    expect(refusal(() => parse({ negative_prompt: 'blurry' }, limited))).toMatchObject({
      code: 'string_too_long',
      param: 'negative_prompt',
    });
    expect(refusal(() => parse({ seed: 100 }, limited))).toMatchObject({ code: 'unsupported_value', param: 'seed' });
    expect(parse({ prompt: 'x'.repeat(10), negative_prompt: 'dull', seed: 99 }, limited).order).toMatchObject({
      seed: 99,
      parameters: { negative_prompt: 'dull' },
    });
  });

  it('apply to the source of an edit', () => {
    const model = { ...edit, video: { ...edit.video, sourceSeconds: { min: 3, max: 8.7 } } };
    const body = (input_seconds: unknown) => ({ video_url: https('source.mp4'), input_seconds });
    expect(refusal(() => parse(body(2.9), model))).toEqual({
      code: 'unsupported_value',
      param: 'input_seconds',
      message: 'input_seconds must be between 3 and 8.7 for acme-video-edit; got 2.9.',
      details: { min: 3, max: 8.7 },
    });
    expect(refusal(() => parse(body(8.701), model))).toMatchObject({ param: 'input_seconds' });
    expect(parse(body('8.7'), model).order.inputMillis).toBe(8_700);
  });
});
