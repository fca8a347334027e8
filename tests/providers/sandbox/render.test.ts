import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import type { Canvas } from '@napi-rs/canvas';
import { afterEach, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../lib/domain/errors';
import { systemClock } from '../../../lib/domain/clock';
import type { MediaBytes } from '../../../lib/domain/provider';
import type { VideoStart } from '../../../lib/domain/video';
import { openVideoFile, probeVideo } from '../../../lib/io/video-file';
import { openSourceVideo } from '../../../lib/providers/sandbox/renderer/source-video';
import { makeCall, readBody, settle } from '../contract/video';
import { makePicture, makeSandbox, makeStart, paintFields } from './make-sandbox';
import type { TestSandbox } from './make-sandbox';

let sandbox: TestSandbox;
afterEach(() => sandbox?.close());

async function run(start: VideoStart, media: Readonly<Record<string, MediaBytes | Error>> = {}) {
  sandbox = await makeSandbox({ media });
  const { receipt } = await sandbox.video.start(start, makeCall(sandbox.log));
  return settle({ provider: sandbox.video, log: sandbox.log, pause: () => systemClock.sleep(20) }, receipt);
}

async function renderVideo(start: VideoStart, media: Readonly<Record<string, MediaBytes | Error>> = {}) {
  const end = await run(start, media);
  if (end.status !== 'completed') throw new Error(`The video failed: ${end.code} ${end.message}`);
  const content = await sandbox.video.open(end.video.file, undefined, makeCall(sandbox.log));
  return { video: end.video, bytes: new Uint8Array(await readBody(content)) };
}

/** The video's picture at that time. */
async function pictureAt(bytes: Uint8Array, seconds: number): Promise<Canvas> {
  const video = await openSourceVideo(bytes);
  const picture = await video?.pictureAt(seconds);
  if (!video || !picture) throw new Error(`The video could not be decoded: ${video?.undecodable}`);
  video.close();
  return picture;
}

/** The mean difference of two pictures, in 255ths, over a region given in shares of the width and height. */
function difference(
  one: Canvas,
  other: Canvas,
  [left, top, right, bottom]: readonly [number, number, number, number] = [0, 0, 1, 1],
): number {
  expect([one.width, one.height]).toEqual([other.width, other.height]);
  const x = Math.round(one.width * left);
  const y = Math.round(one.height * top);
  const width = Math.round(one.width * (right - left));
  const height = Math.round(one.height * (bottom - top));
  const a = one.getContext('2d').getImageData(x, y, width, height).data;
  const b = other.getContext('2d').getImageData(x, y, width, height).data;
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
}

function fields(colours: readonly [string, string, string, string], width = 320, height = 180): Canvas {
  const canvas = createCanvas(width, height);
  paintFields(width, height, colours)(canvas.getContext('2d'));
  return canvas;
}

const warm = ['#c03020', '#e0a030', '#f0e0c0', '#803050'] as const;
const cool = ['#203080', '#30a0b0', '#c0e0f0', '#305060'] as const;
const warmPicture = makePicture(640, 360, paintFields(640, 360, warm));
const coolPicture = makePicture(640, 360, paintFields(640, 360, cool));

describe('a rendered video', () => {
  it('has exactly the requested size, length and rate, and its index at the front', async () => {
    const { video, bytes } = await renderVideo(makeStart({ seconds: 2, fps: 12, width: 426, height: 240 }));
    expect(video).toMatchObject({ width: 426, height: 240, fps: 12, durationSeconds: 2 });
    expect(await probeVideo(bytes)).toMatchObject({
      width: 426,
      height: 240,
      fps: 12,
      durationSeconds: 2,
      hasAudio: false,
      profile: 'baseline',
    });
    const text = Buffer.from(bytes).toString('latin1');
    expect(text.indexOf('moov')).toBeGreaterThan(0);
    expect(text.indexOf('moov')).toBeLessThan(text.indexOf('mdat'));
  });

  it('has AAC sound of the same length when the order has sound', async () => {
    const { bytes } = await renderVideo(makeStart({ audio: true, seconds: 2 }));
    const input = await openVideoFile(bytes);
    const track = await input.getPrimaryAudioTrack();
    expect(await track?.getCodec()).toBe('aac');
    expect(await track?.computeDuration()).toBeCloseTo(2, 3);
    expect(await input.computeDuration()).toBeCloseTo(2, 3);
    input.dispose();
  });

  it('is the same for the same prompt and different for another seed', async () => {
    const first = await renderVideo(makeStart({ seed: 1 }));
    await sandbox.close();
    const again = await renderVideo(makeStart({ seed: 1 }));
    await sandbox.close();
    const other = await renderVideo(makeStart({ seed: 2 }));
    expect(difference(await pictureAt(first.bytes, 0), await pictureAt(again.bytes, 0))).toBe(0);
    expect(difference(await pictureAt(first.bytes, 0), await pictureAt(other.bytes, 0))).toBeGreaterThan(3);
  });

  it('moves', async () => {
    const { bytes } = await renderVideo(makeStart({ seconds: 2 }));
    expect(difference(await pictureAt(bytes, 0), await pictureAt(bytes, 1.9))).toBeGreaterThan(1);
  });

  it('becomes even for an odd size', async () => {
    const { video } = await renderVideo(makeStart({ width: 321, height: 181 }));
    expect(video).toMatchObject({ width: 320, height: 180 });
  });

  it('is rendered for a prompt whose letters no font has', async () => {
    expect((await run(makeStart({ prompt: '\u{10fffd}\u{10fffc}' }))).status).toBe('completed');
  });
});

describe('image to video', () => {
  it('begins with the image alone and then moves', async () => {
    const start = makeStart({
      kind: 'i2v',
      seconds: 2,
      media: [{ role: 'first_frame', url: 'https://media.test/warm.png' }],
    });
    const { bytes } = await renderVideo(start, { 'https://media.test/warm.png': warmPicture });
    const image = fields(warm);
    expect(difference(await pictureAt(bytes, 0), image)).toBeLessThan(4);
    expect(difference(await pictureAt(bytes, 1.9), image)).toBeGreaterThan(4);
  });

  it('crops an image of another shape evenly', async () => {
    const square = makePicture(400, 400, (brush) => {
      brush.fillStyle = '#000000';
      brush.fillRect(0, 0, 400, 400);
      brush.fillStyle = '#30a0b0';
      brush.fillRect(0, 100, 400, 200);
    });
    const start = makeStart({ kind: 'i2v', media: [{ role: 'first_frame', url: 'https://media.test/square.png' }] });
    const { bytes } = await renderVideo(start, { 'https://media.test/square.png': square });
    // 400 × 225 of it are shown: the band of 200 with 12.5 of black on either side, which are 10 lines of the video.
    const picture = await pictureAt(bytes, 0);
    const expected = createCanvas(320, 180);
    const brush = expected.getContext('2d');
    brush.fillStyle = '#000000';
    brush.fillRect(0, 0, 320, 180);
    brush.fillStyle = '#30a0b0';
    brush.fillRect(0, 10, 320, 160);
    expect(difference(picture, expected)).toBeLessThan(4);
  });

  it.each([
    ['has no image format', new TextEncoder().encode('not a picture'.repeat(20)), 'image/png', /could not be decoded/],
    ['is cut off', coolPicture.bytes.subarray(0, 60), 'image/png', /could not be decoded/],
    ['claims more pixels than may be decoded', hugePng(), 'image/png', /30000×30000 pixels/],
    [
      'is of a type that is not decoded',
      new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'image/svg+xml',
      /could not be decoded/,
    ],
  ] as const)('fails with media_invalid when the image %s', async (_, bytes, contentType, sentence) => {
    const start = makeStart({ kind: 'i2v', media: [{ role: 'first_frame', url: 'https://media.test/bad' }] });
    const end = await run(start, { 'https://media.test/bad': { bytes, contentType } });
    expect(end).toMatchObject({ status: 'failed', code: 'media_invalid', message: expect.stringMatching(sentence) });
    expect(end).toMatchObject({ message: expect.stringMatching(/You were not charged\.$/) });
  });

  it.each([
    ['url_not_allowed', 'media_unreachable'],
    ['media_unreachable', 'media_unreachable'],
    ['media_invalid', 'media_invalid'],
    ['media_too_large', 'media_too_large'],
  ] as const)('fails when reading the image is refused as %s', async (code, expected) => {
    const start = makeStart({ kind: 'i2v', media: [{ role: 'first_frame', url: 'https://media.test/refused' }] });
    const end = await run(start, { 'https://media.test/refused': new GatewayError(code, 'The image was refused.') });
    expect(end).toEqual({ status: 'failed', code: expected, message: 'The image was refused. You were not charged.' });
  });

  it('fails after a second attempt when reading fails without an error of the caller', async () => {
    const start = makeStart({ kind: 'i2v', media: [{ role: 'first_frame', url: 'https://media.test/broken' }] });
    const end = await run(start, { 'https://media.test/broken': new Error('an error of ours') });
    expect(end).toMatchObject({ status: 'failed', code: 'generation_failed' });
    expect(sandbox.log.lines.filter((line) => line.level === 'warn').map((line) => line.fields.attempt)).toEqual([
      1, 2,
    ]);
  });
});

describe('from a first to a last frame', () => {
  it('begins with the first image alone and ends with the last alone', async () => {
    const start = makeStart({
      kind: 'start-end',
      seconds: 2,
      fps: 10,
      media: [
        { role: 'first_frame', url: 'https://media.test/warm.png' },
        { role: 'last_frame', url: 'https://media.test/cool.png' },
      ],
    });
    const { bytes } = await renderVideo(start, {
      'https://media.test/warm.png': warmPicture,
      'https://media.test/cool.png': coolPicture,
    });
    expect(difference(await pictureAt(bytes, 0), fields(warm))).toBeLessThan(4);
    expect(difference(await pictureAt(bytes, 1.9), fields(cool))).toBeLessThan(4);
    const middle = await pictureAt(bytes, 1);
    expect(difference(middle, fields(warm))).toBeGreaterThan(15);
    expect(difference(middle, fields(cool))).toBeGreaterThan(15);
  });
});

describe('reference to video', () => {
  it('shows images and the first frames of videos', async () => {
    const clip = await renderVideo(makeStart({ seed: 3 }));
    await sandbox.close();
    const start = makeStart({
      kind: 'r2v',
      media: [
        { role: 'reference_image', url: 'https://media.test/warm.png' },
        { role: 'reference_video', url: 'https://media.test/clip.mp4' },
      ],
    });
    const { bytes } = await renderVideo(start, {
      'https://media.test/warm.png': warmPicture,
      'https://media.test/clip.mp4': { bytes: clip.bytes, contentType: 'video/mp4' },
    });
    const plain = await pictureAt(bytes, 0);
    expect(plain.width).toBe(320);
    await sandbox.close();
    const without = await renderVideo(makeStart());
    // The cards are in the upper half.
    expect(difference(plain, await pictureAt(without.bytes, 0), [0, 0, 1, 0.5])).toBeGreaterThan(8);
  });
});

describe('video edit', () => {
  const source = 'https://media.test/source.mp4';
  const edit = (change: Parameters<typeof makeStart>[0] = {}) =>
    makeStart({
      kind: 'video-edit',
      prompt: 'As an old video',
      seconds: 2,
      inputMillis: 2_000,
      media: [{ role: 'source_video', url: source }],
      ...change,
    });

  async function makeSource(change: Parameters<typeof makeStart>[0] = {}): Promise<MediaBytes> {
    const video = await renderVideo(makeStart({ seconds: 2, seed: 5, ...change }));
    await sandbox.close();
    return { bytes: video.bytes, contentType: 'video/mp4' };
  }

  it('shows the source in other colours and keeps its sound', async () => {
    const original = await makeSource({ audio: true });
    const { bytes } = await renderVideo(edit(), { [source]: original });
    const upper = [0, 0, 1, 0.4] as const;
    const before = await pictureAt(original.bytes, 1);
    const after = await pictureAt(bytes, 1);
    // Changed, but recognisably the source: closer to it than to its mirror image.
    expect(difference(after, before, upper)).toBeGreaterThan(3);
    const mirrored = createCanvas(320, 180);
    const brush = mirrored.getContext('2d');
    brush.scale(-1, 1);
    brush.drawImage(before, -320, 0);
    expect(difference(after, before, upper)).toBeLessThan(difference(after, mirrored, upper));
    expect(await soundBytes(bytes)).toEqual(await soundBytes(original.bytes));
  });

  it('omits the sound of the source on request', async () => {
    const original = await makeSource({ audio: true });
    const { bytes } = await renderVideo(edit({ parameters: { keep_original_sound: false } }), { [source]: original });
    expect(await probeVideo(bytes)).toMatchObject({ hasAudio: false });
  });

  it('renders a replacement of the right length, and copies the sound, when the source is not Baseline', async () => {
    const high = new Uint8Array(await readFile(path.join(import.meta.dirname, 'fixtures/high-profile-2s.mp4')));
    expect(await probeVideo(high)).toMatchObject({ profile: 'high' });
    const { video, bytes } = await renderVideo(edit(), { [source]: { bytes: high, contentType: 'video/mp4' } });
    expect(video).toMatchObject({ durationSeconds: 2, width: 320, height: 180 });
    expect(await soundBytes(bytes)).toEqual(await soundBytes(high));
    const opened = await openSourceVideo(high);
    expect(opened?.undecodable).toBe('H.264 high profile; only Baseline can be decoded');
    opened?.close();
  });

  it.each([
    ['is not a video', new TextEncoder().encode('no video at all'.repeat(50))],
    ['is cut off', undefined],
  ])('fails with media_invalid when the source %s', async (_, bytes) => {
    const bad = bytes ?? (await makeSource()).bytes.slice(0, 400);
    expect(await run(edit(), { [source]: { bytes: bad, contentType: 'video/mp4' } })).toMatchObject({
      status: 'failed',
      code: 'media_invalid',
    });
  });
});

async function soundBytes(file: Uint8Array): Promise<number[]> {
  const { EncodedPacketSink } = await import('mediabunny');
  const input = await openVideoFile(file);
  const track = await input.getPrimaryAudioTrack();
  if (!track) throw new Error('The video has no sound.');
  const sizes: number[] = [];
  for await (const packet of new EncodedPacketSink(track).packets()) {
    if (packet.timestamp < 2) sizes.push(packet.data.reduce((sum, byte) => sum + byte, 0));
  }
  input.dispose();
  return sizes;
}

/** The head of a PNG of 30,000 × 30,000 pixels. */
function hugePng(): Uint8Array {
  const bytes = Buffer.from('89504e470d0a1a0a0000000d49484452000075300000753008060000000000000000', 'hex');
  return new Uint8Array(bytes);
}
