import { describe, expect, it } from 'vitest';
import { quoteVideo } from '../../../lib/billing/quote';
import type { VideoBinding } from '../../../lib/domain/video';
import { ignoredBy, orderFor } from '../../../lib/videos/video-request';
import { clips, https, parse, pictures, refusal, type Body } from './parse-request';
import { edit, fromPicture, fromPicturesOnly, fromReferences, fromTwoPictures } from './request-models';

describe('the first frame of an image-to-video model', () => {
  const frame = (body: Body, textOnly = false) => parse(body, fromPicture, textOnly).media;

  it('comes as image_url, as its alias, or as the only entry of image_list', () => {
    expect(frame({ image_url: https('a.png') })).toEqual([
      { role: 'first_frame', url: https('a.png'), param: 'image_url' },
    ]);
    expect(frame({ input_reference: { image_url: https('a.png') } })).toEqual([
      { role: 'first_frame', url: https('a.png'), param: 'input_reference.image_url' },
    ]);
    expect(frame({ image_list: [https('a.png')] })).toEqual([
      { role: 'first_frame', url: https('a.png'), param: 'image_list[0]' },
    ]);
    expect(frame({ image_list: [{ image_url: https('a.png') }] })).toEqual([
      { role: 'first_frame', url: https('a.png'), param: 'image_list[0]' },
    ]);
    expect(frame({ image_list: https('a.png') }, true)).toEqual([
      { role: 'first_frame', url: https('a.png'), param: 'image_list[0]' },
    ]);
    expect(frame({ image_list: JSON.stringify([https('a.png')]) }, true)).toEqual([
      { role: 'first_frame', url: https('a.png'), param: 'image_list[0]' },
    ]);
    expect(frame({ input_reference: JSON.stringify({ image_url: https('a.png') }) }, true)).toEqual([
      { role: 'first_frame', url: https('a.png'), param: 'input_reference.image_url' },
    ]);
    expect(parse({ image_url: https('a.png') }, fromPicture).order.media).toEqual([
      { role: 'first_frame', url: https('a.png') },
    ]);
  });

  it('is not JSON text in JSON, and not broken JSON in a form', () => {
    expect(refusal(() => frame({ input_reference: JSON.stringify({ image_url: https('a.png') }) }))).toMatchObject({
      code: 'invalid_type',
      param: 'input_reference',
      message: 'input_reference must be an object such as {"image_url": "https://…"}.',
    });
    expect(refusal(() => frame({ input_reference: '{"image_url":' }, true))).toMatchObject({
      code: 'invalid_type',
      param: 'input_reference',
    });
  });

  it('may be named twice, but must be the same', () => {
    expect(frame({ image_url: https('a.png'), input_reference: { image_url: https('a.png') } })).toHaveLength(1);
    expect(
      refusal(() => frame({ image_url: https('a.png'), input_reference: { image_url: https('b.png') } })),
    ).toMatchObject({ code: 'conflicting_parameters', param: 'input_reference' });
    expect(refusal(() => frame({ image_list: pictures(2) }))).toMatchObject({
      code: 'invalid_media_count',
      param: 'image_list',
    });
  });

  it.each([
    [{}, 'missing_required_media', 'image_url'],
    [{ image_url: null, input_reference: null, image_list: null }, 'missing_required_media', 'image_url'],
    [{ image_list: [] }, 'missing_required_media', 'image_url'],
    [{ input_reference: {} }, 'missing_required_parameter', 'input_reference.image_url'],
    [{ input_reference: { image_url: null } }, 'missing_required_parameter', 'input_reference.image_url'],
    [{ input_reference: { file_id: 'file_1' } }, 'unsupported_parameter', 'input_reference.file_id'],
    [
      { input_reference: { file_id: 'file_1', image_url: https('a.png') } },
      'unsupported_parameter',
      'input_reference.file_id',
    ],
    [{ input_reference: https('a.png') }, 'invalid_type', 'input_reference'],
    [{ input_reference: [https('a.png')] }, 'invalid_type', 'input_reference'],
    [{ input_reference: { image_url: 7 } }, 'invalid_type', 'input_reference.image_url'],
    [{ image_url: { url: https('a.png') } }, 'invalid_type', 'image_url'],
    [{ image_list: https('a.png') }, 'invalid_type', 'image_list'],
    [{ image_list: [null] }, 'invalid_type', 'image_list[0]'],
    [{ image_list: [{}] }, 'invalid_type', 'image_list[0]'],
    [{ image_list: [[https('a.png')]] }, 'invalid_type', 'image_list[0]'],
  ])('%j is %s at %s', (body, code, param) => {
    expect(refusal(() => frame(body))).toMatchObject({ code, param });
  });

  it('treats null in the alias as absent, as everywhere', () => {
    expect(frame({ input_reference: { image_url: https('a.png'), file_id: null } })).toHaveLength(1);
    expect(frame({ image_list: [{ image_url: null, url: https('a.png') }] })).toHaveLength(1);
  });
});

describe('the two frames of a start-end model', () => {
  it('are the first and the last, in that order', () => {
    expect(parse({ image_list: pictures(2) }, fromTwoPictures).order.media).toEqual([
      { role: 'first_frame', url: https('0.png') },
      { role: 'last_frame', url: https('1.png') },
    ]);
  });

  it.each([
    [undefined, 0],
    [[], 0],
    [pictures(1), 1],
    [pictures(3), 3],
  ])('are not %j', (image_list, count) => {
    const refused = refusal(() => parse({ image_list }, fromTwoPictures));
    expect(refused).toMatchObject({ code: 'invalid_media_count', param: 'image_list' });
    expect(refused.message).toBe(
      `acme-start-end needs exactly two images in image_list: the first frame, then the last. Got ${count}.`,
    );
  });
});

describe('references', () => {
  const roles = (body: Body, model = fromReferences) =>
    parse(body, model).media.map(({ role, param }) => [role, param]);

  it('are images, videos or both, in their order', () => {
    expect(roles({ image_list: pictures(2) })).toEqual([
      ['reference_image', 'image_list[0]'],
      ['reference_image', 'image_list[1]'],
    ]);
    expect(roles({ image_list: pictures(1), video_list: clips(2) })).toEqual([
      ['reference_image', 'image_list[0]'],
      ['reference_video', 'video_list[0]'],
      ['reference_video', 'video_list[1]'],
    ]);
  });

  it('may call the videos reference_videos, and give each as an object', () => {
    expect(
      parse(
        { reference_videos: [https('0.mp4'), { video_url: https('1.mp4'), refer_type: 'feature' }] },
        fromReferences,
      ).media,
    ).toEqual([
      { role: 'reference_video', url: https('0.mp4'), param: 'reference_videos[0]' },
      { role: 'reference_video', url: https('1.mp4'), param: 'reference_videos[1]' },
    ]);
    expect(roles({ video_list: [{ url: https('1.mp4') }] })).toEqual([['reference_video', 'video_list[0]']]);
    expect(refusal(() => roles({ video_list: clips(1), reference_videos: clips(1) }))).toMatchObject({
      code: 'conflicting_parameters',
      param: 'reference_videos',
    });
  });

  it.each([
    [{}, fromReferences, 'missing_required_media', 'image_list'],
    [{ image_list: [], video_list: [] }, fromReferences, 'missing_required_media', 'image_list'],
    [{ image_url: https('a.png') }, fromReferences, 'missing_required_media', 'image_list'],
    [{ image_list: pictures(5) }, fromReferences, 'invalid_media_count', 'image_list'],
    [{ video_list: clips(3) }, fromReferences, 'invalid_media_count', 'video_list'],
    [{ reference_videos: clips(3) }, fromReferences, 'invalid_media_count', 'reference_videos'],
    [{}, fromPicturesOnly, 'missing_required_media', 'image_list'],
    [{ image_list: pictures(4) }, fromPicturesOnly, 'invalid_media_count', 'image_list'],
    [{ video_list: clips(1) }, fromPicturesOnly, 'missing_required_media', 'image_list'],
    [{ image_list: [...pictures(1), 7] }, fromPicturesOnly, 'invalid_type', 'image_list[1]'],
  ])('%j', (body, model, code, param) => {
    expect(refusal(() => parse(body, model))).toMatchObject({ code, param });
  });

  it('that the model does not take are ignored', () => {
    const request = parse({ image_list: pictures(1), video_list: clips(9) }, fromPicturesOnly);
    expect([request.media.length, request.ignoredParams]).toEqual([1, ['video_list']]);
  });

  it('may state the length of their videos, which is otherwise ignored', () => {
    expect(parse({ video_list: clips(1), input_seconds: '7.5' }, fromReferences).order.inputMillis).toBe(7_500);
    expect(parse({ video_list: clips(1) }, fromReferences).order).not.toHaveProperty('inputMillis');
    const pictured = parse({ image_list: pictures(1), input_seconds: 'nonsense' }, fromReferences);
    expect(pictured.order).not.toHaveProperty('inputMillis');
    expect(pictured.ignoredParams).toEqual(['input_seconds']);
  });
});

describe('an edit', () => {
  const source = { video_url: https('a.mp4') };
  const millis = (input_seconds: unknown, textOnly = false) =>
    parse({ ...source, input_seconds }, edit, textOnly).order.inputMillis;

  it('requires its source and the length of it', () => {
    expect(parse({ ...source, input_seconds: 6, image_list: pictures(2) }, edit).media).toEqual([
      { role: 'source_video', url: https('a.mp4'), param: 'video_url' },
      { role: 'reference_image', url: https('0.png'), param: 'image_list[0]' },
      { role: 'reference_image', url: https('1.png'), param: 'image_list[1]' },
    ]);
    expect(refusal(() => parse({ input_seconds: 6 }, edit))).toMatchObject({
      code: 'missing_required_media',
      param: 'video_url',
    });
    expect(refusal(() => parse({ ...source }, edit))).toMatchObject({
      code: 'missing_required_media',
      param: 'input_seconds',
    });
    expect(refusal(() => parse({ ...source, input_seconds: 6, image_list: pictures(3) }, edit))).toMatchObject({
      code: 'invalid_media_count',
      param: 'image_list',
    });
  });

  it.each([
    [6, 6_000],
    ['6', 6_000],
    [7.5, 7_500],
    ['7.5', 7_500],
    [8.2, 8_200],
    [0.001, 1],
    [0.0001, 1],
    ['600', 600_000],
    ['600.0', 600_000],
    // 250 frames at 24 a second, and a sum of floats, as programs compute them.
    [250 / 24, 10_417],
    [0.1 + 0.2, 301],
    ['10.416666666666666', 10_417],
    ['007', 7_000],
  ])('takes %j as %i thousandths, rounded up', (value, expected) => {
    expect(millis(value)).toBe(expected);
    expect(millis(String(value), true)).toBe(expected);
  });

  it.each([
    [0],
    ['0'],
    [-1],
    ['-1'],
    ['0.0'],
    ['1e3'],
    ['NaN'],
    [NaN],
    [Infinity],
    [''],
    [' 6'],
    ['6 '],
    ['6s'],
    ['6,5'],
    ['.5'],
    ['5.'],
    [600.001],
    ['601'],
    [1e21],
    ['0x6'],
    ['6.5.1'],
  ])('refuses %j', (value) => {
    expect(refusal(() => millis(value))).toMatchObject({ code: 'unsupported_value', param: 'input_seconds' });
  });

  it.each([[true], [{}], [[6]]])('refuses %j by type', (value) => {
    expect(refusal(() => millis(value))).toMatchObject({ code: 'invalid_type', param: 'input_seconds' });
  });

  it('is as long as its source, rounded up, within what the model allows', () => {
    const seconds = (input_seconds: unknown, more: Body = {}) =>
      parse({ ...source, input_seconds, ...more }, edit).order.seconds;
    expect([seconds(6), seconds(6.1), seconds('7.5'), seconds(0.5), seconds(2.999), seconds(15), seconds(400)]).toEqual(
      [6, 7, 8, 3, 3, 15, 15],
    );
    expect(seconds(6, { seconds: 10 })).toBe(10);
    expect(refusal(() => seconds(6, { seconds: 16 }))).toMatchObject({ code: 'unsupported_value', param: 'seconds' });
  });

  it("keeps its source's shape unless the request names a size", () => {
    expect(parse({ ...source, input_seconds: 6 }, edit).order).not.toHaveProperty('aspectRatio');
    expect(parse({ ...source, input_seconds: 6, size: '720x1280' }, edit).order).toMatchObject({ aspectRatio: '9:16' });
  });
});

describe('the order for a binding that cuts the source', () => {
  const [binding] = edit.bindings;
  const cutting = { ...binding!, cutsSource: true } as const;
  const asked = (fields: Body) => parse({ video_url: https('source.mp4'), ...fields }, edit);

  it.each([
    [
      { input_seconds: 12, seconds: 3 },
      { seconds: 3, ignored: [] },
    ],
    [
      { input_seconds: 12, seconds: 12 },
      { seconds: 12, ignored: [] },
    ],
    [
      { input_seconds: 7.2, seconds: 12 },
      { seconds: 8, outputFollowsSource: true, ignored: ['seconds'] },
    ],
    [{ input_seconds: 7.2 }, { seconds: 8, outputFollowsSource: true, ignored: [] }],
  ])('has the seconds of the request while they are fewer than those of the source: %j', (fields, expected) => {
    const request = asked(fields);
    const { seconds, outputFollowsSource } = orderFor(request.order, edit, cutting);
    expect({
      seconds,
      ...(outputFollowsSource && { outputFollowsSource }),
      ignored: ignoredBy(request, edit, cutting),
    }).toEqual(expected);
  });

  it('is charged for the source and for as much output, and not for the seconds that the source does not have', () => {
    const costOf = (fields: Body, of: VideoBinding) =>
      quoteVideo(orderFor(asked(fields).order, edit, of), of.price).total;
    const beyond = { input_seconds: 4, seconds: 12 };
    expect(costOf(beyond, cutting)).toBe(costOf({ input_seconds: 4, seconds: 4 }, binding!));
    expect(costOf(beyond, cutting)).toBeLessThan(costOf(beyond, binding!));
  });
});

describe('the order for a binding whose output follows the source', () => {
  const [binding] = edit.bindings;
  const following = { ...binding!, outputFollowsSource: true } as const;
  const asked = (fields: Body) => parse({ video_url: https('source.mp4'), ...fields }, edit);

  it('is as long as the source, at most the longest duration, whatever seconds says', () => {
    const secondsOf = (fields: Body) => {
      const { seconds, outputFollowsSource } = orderFor(asked(fields).order, edit, following);
      expect(outputFollowsSource).toBe(true);
      return seconds;
    };
    expect(secondsOf({ input_seconds: 12, seconds: 3 })).toBe(12);
    expect(secondsOf({ input_seconds: 7.2 })).toBe(8);
    expect(secondsOf({ input_seconds: 60 })).toBe(15);
    expect(orderFor(asked({ input_seconds: 12, seconds: 3 }).order, edit, binding!)).toMatchObject({ seconds: 3 });
  });

  it('ignores seconds, and the answer says so', () => {
    expect(ignoredBy(asked({ input_seconds: 12, seconds: 3 }), edit, following)).toEqual(['seconds']);
    expect(ignoredBy(asked({ input_seconds: 12 }), edit, following)).toEqual([]);
    expect(ignoredBy(asked({ input_seconds: 12, seconds: 3 }), edit, binding!)).toEqual([]);
  });
});
