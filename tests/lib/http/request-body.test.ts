import { describe, expect, it } from 'vitest';
import { isGatewayError } from '../../../lib/domain/errors';
import type { GatewayRequest } from '../../../lib/http/handler';
import { bodyTooLarge, readRequestBody } from '../../../lib/http/request-body';

function requestOf(contentType: string | undefined, body: Buffer | string): GatewayRequest {
  const bytes = Buffer.from(body as string);
  return {
    method: 'POST',
    path: '/v1/videos',
    query: new URLSearchParams(),
    headers: contentType === undefined ? {} : { 'content-type': contentType },
    remoteAddress: '127.0.0.1',
    signal: new AbortController().signal,
    abort: () => {},
    countBody: () => {},
    readBody: async (maxBytes) => {
      if (bytes.length > maxBytes) throw bodyTooLarge(maxBytes);
      return bytes;
    },
  };
}

const MIB = 1024 * 1024;

async function codeOf(contentType: string | undefined, body: Buffer | string): Promise<string> {
  try {
    await readRequestBody(requestOf(contentType, body));
    return 'accepted';
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return error.extra.param === undefined ? error.code : `${error.code} ${error.extra.param}`;
  }
}

const valuesOf = async (body: string) => (await readRequestBody(requestOf('application/json', body))).values;
const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
const manyKeys = (keys: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_unused, at) => [`k${at}`, 1])));

describe('JSON', () => {
  it.each([
    ['{"model":"m"}', 'accepted'],
    ['\ufeff{"model":"m"}', 'accepted'],
    [' \n{} ', 'accepted'],
    ['', 'invalid_json'],
    ['{', 'invalid_json'],
    ['{"a":1,}', 'invalid_json'],
    ["{'a':1}", 'invalid_json'],
    ['{"a":"\\"', 'invalid_json'],
    ['{"a":NaN}', 'invalid_json'],
    ['{} {}', 'invalid_json'],
    [']', 'invalid_json'],
    ['[]', 'invalid_body'],
    ['null', 'invalid_body'],
    ['"text"', 'invalid_body'],
    ['7', 'invalid_body'],
    ['{"seconds":1e400}', 'invalid_type seconds'],
    ['{"a":{"b":[-1e999]}}', 'invalid_type a'],
    ['{"a":"[[[[{{{{::::\\"[[\\\\"}', 'accepted'],
  ])('%j is %s', async (body, code) => expect(await codeOf('application/json', body)).toBe(code));

  it.each([
    ['64 levels', nested(64), 'accepted'],
    ['65 levels', nested(65), 'invalid_body'],
    ['200,000 levels, never closed', '['.repeat(200_000), 'invalid_body'],
    ['10,000 keys', manyKeys(10_000), 'accepted'],
    ['10,001 keys', manyKeys(10_001), 'invalid_body'],
    ['10,001 elements', JSON.stringify({ a: Array.from({ length: 10_001 }, () => 1) }), 'accepted'],
    ['10,002 elements', JSON.stringify({ a: Array.from({ length: 10_002 }, () => 1) }), 'invalid_body'],
    ['a million elements next to a data URL', `{"j":"data:","junk":[${'[],'.repeat(1_000_000)}1]}`, 'invalid_body'],
    ['more than 1 MiB of blanks next to a data URL', `{"j":"data:",${' '.repeat(MIB)}"a":1}`, 'request_too_large'],
    ['more than 1 MiB of text next to a data URL', `{"j":"data:","prompt":"${'x'.repeat(MIB)}"}`, 'request_too_large'],
    ['a data URL that is all escaped quotes', `{"j":"data:${'\\"'.repeat(MIB)}"}`, 'request_too_large'],
    ['a data URL whose slashes are escaped', `{"j":"data:image\\/png;base64,${'abcd\\/'.repeat(MIB)}"}`, 'accepted'],
  ])('with %s is measured before it is parsed', async (_what, body, code) =>
    expect(await codeOf('application/json', body)).toBe(code),
  );

  it('that is not UTF-8 is invalid_json', async () => {
    expect(await codeOf('application/json', Buffer.from('{"a":"é"}', 'latin1'))).toBe('invalid_json');
    expect(await codeOf('application/json', Buffer.from('{"a":"é"}', 'utf16le'))).toBe('invalid_json');
    expect(await codeOf('application/json; charset=latin1', '{}')).toBe('invalid_json');
    expect(await codeOf('application/json; charset="UTF-8"', '{}')).toBe('accepted');
  });

  it('cannot reach a prototype', async () => {
    const values = await valuesOf(
      '{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":2},"b":1},"c":[{"__proto__":3}]}',
    );
    expect(Object.keys(values)).toEqual(['a', 'c']);
    expect(JSON.stringify(values)).toBe('{"a":{"b":1},"c":[{}]}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('may be larger than 1 MiB only for a data URL', async () => {
    const text = 'x'.repeat(MIB);
    expect(await codeOf('application/json', JSON.stringify({ prompt: text.slice(0, -20) }))).toBe('accepted');
    expect(await codeOf('application/json', JSON.stringify({ prompt: text }))).toBe('request_too_large');
    expect(await codeOf('application/json', JSON.stringify({ image_url: `data:image/png;base64,${text}` }))).toBe(
      'accepted',
    );
    expect(
      await codeOf('application/json', JSON.stringify({ image_url: `data:image/png;base64,${'x'.repeat(36 * MIB)}` })),
    ).toBe('request_too_large');
  });

  it('takes a video of 25 MB as a data URL', async () => {
    const video = Buffer.alloc(25_000_000).toString('base64');
    expect(await codeOf('application/json', `{"video_url":"data:video/mp4;base64,${video}"}`)).toBe('accepted');
  });
});

describe('Content-Type', () => {
  it.each([
    ['application/json', 'accepted'],
    ['Application/JSON ; charset=utf-8', 'accepted'],
    [undefined, 'unsupported_media_type'],
    ['', 'unsupported_media_type'],
    ['text/plain', 'unsupported_media_type'],
    ['application/x-www-form-urlencoded', 'unsupported_media_type'],
    ['application/jsonx', 'unsupported_media_type'],
    ['multipart/mixed; boundary=x', 'unsupported_media_type'],
  ])('%j is %s', async (contentType, code) => expect(await codeOf(contentType, '{}')).toBe(code));
});

describe('a form', () => {
  const part = (name: string, value: string | Buffer, more = '') =>
    Buffer.concat([
      Buffer.from(`--edge\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`),
      Buffer.from(value as string),
      Buffer.from('\r\n'),
    ]);
  const form = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from('--edge--\r\n')]);
  const type = 'multipart/form-data; boundary=edge';
  const read = async (...parts: Buffer[]) => (await readRequestBody(requestOf(type, form(...parts)))).values;

  it('keeps texts as texts and says so', async () => {
    const body = await readRequestBody(
      requestOf(type, form(part('seconds', '8'), part('sound', 'true'), part('prompt', ''))),
    );
    expect(body).toEqual({ values: { seconds: '8', sound: 'true', prompt: '' }, textOnly: true });
  });

  it.each([
    [[part('input_reference[image_url]', 'u')], { input_reference: { image_url: 'u' } }],
    [[part('image_list[]', 'a')], { image_list: ['a'] }],
    [[part('image_list[]', 'a'), part('image_list[]', 'b')], { image_list: ['a', 'b'] }],
    [[part('image_list', 'a'), part('image_list', 'b')], { image_list: ['a', 'b'] }],
    [[part('image_list', 'a'), part('image_list[]', 'b')], { image_list: ['a', 'b'] }],
    [[part('image_list[0]', 'a'), part('image_list[1]', 'b')], { image_list: ['a', 'b'] }],
    [[part('image_list[1][url]', 'b'), part('image_list[0][url]', 'a')], { image_list: [{ url: 'a' }, { url: 'b' }] }],
    [[part('0', 'a')], { 0: 'a' }],
    [[part('a%22b', '1')], { 'a"b': '1' }],
    [[part('a', 'line\r\n--edg and more\r\n')], { a: 'line\r\n--edg and more\r\n' }],
    [[part('a[b][c]', '1'), part('a[b][d][]', '2')], { a: { b: { c: '1', d: ['2'] } } }],
    [
      [part('a[', '1'), part(']', '2'), part('[]', '3'), part('a]b', '4')],
      { 'a[': '1', ']': '2', '[]': '3', 'a]b': '4' },
    ],
  ])('%# unfolds its names', async (parts, values) => expect(await read(...parts)).toEqual(values));

  it('cannot reach a prototype', async () => {
    await read(
      part('__proto__[polluted]', '1'),
      part('constructor[prototype][polluted]', '1'),
      part('a[__proto__][polluted]', '1'),
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]);
  it.each([
    [
      'an uploaded file',
      form(part('model', 'm'), part('input_reference', png, '; filename="a.png"')),
      'unsupported_parameter input_reference',
    ],
    [
      'an uploaded file in video_url',
      form(part('video_url', png, '; filename="a.mp4"')),
      'unsupported_parameter video_url',
    ],
    ['a file under a strange name', form(part('né', png, '; filename="a.png"')), 'unsupported_parameter'],
    ['a field with both a value and nested values', form(part('a', '1'), part('a[b]', '2')), 'invalid_body a'],
    ['the same the other way round', form(part('a[b]', '2'), part('a', '1')), 'invalid_body a'],
    ['deep nesting', form(part(`a${'[b]'.repeat(64)}`, '1')), 'invalid_body'],
    ['text that is not UTF-8', form(part('prompt', Buffer.from([0xff, 0xfe]))), 'invalid_body'],
    ['a truncated end', form(part('a', '1')).subarray(0, 30), 'invalid_body'],
    ['no body', Buffer.alloc(0), 'invalid_body'],
    ['a thousand parts', form(...Array.from({ length: 1_000 }, (_unused, at) => part(`k${at}`, '1'))), 'accepted'],
    [
      'more than a thousand parts',
      form(...Array.from({ length: 1_001 }, (_unused, at) => part(`k${at}`, '1'))),
      'invalid_body',
    ],
    [
      'a part without a name',
      Buffer.from('--edge\r\nContent-Disposition: form-data\r\n\r\n1\r\n--edge--\r\n'),
      'invalid_body',
    ],
    ['a name of ten thousand levels', form(part(`a${'[b]'.repeat(10_000)}`, '1')), 'invalid_body'],
    [
      'more than 1 MiB of text next to a data URL',
      form(part('image_url', 'data:,'), part('prompt', 'x'.repeat(MIB))),
      'request_too_large',
    ],
    ['more than 1 MiB without media', form(part('prompt', 'x'.repeat(MIB))), 'request_too_large'],
    ['more than 1 MiB of media', form(part('image_url', `data:image/png;base64,${'x'.repeat(MIB)}`)), 'accepted'],
  ])('with %s is checked', async (_what, body, code) => expect(await codeOf(type, body)).toBe(code));

  it('without a boundary is invalid_body', async () =>
    expect(await codeOf('multipart/form-data', form(part('a', '1')))).toBe('invalid_body'));

  it('of hundreds of thousands of parts is refused before all are read', async () => {
    const body = form(Buffer.concat(Array.from({ length: 200_000 }, (_unused, at) => part(`k${at}`, '1'))));
    const startedAt = performance.now();
    expect(await codeOf(type, body)).toBe('invalid_body');
    // Some milliseconds instead of a second.
    expect(performance.now() - startedAt).toBeLessThan(500);
  });

  it('that uploads a file names its field in the error', async () => {
    await expect(read(part('video_url', png, '; filename="a.mp4"'))).rejects.toThrow(
      'Give video_url as an https URL or a data URL.',
    );
    await expect(read(part('input_reference', png, '; filename="a.png"'))).rejects.toThrow(
      'Give input_reference[image_url] as an https URL or a data URL.',
    );
  });
});
