import { expect, it } from 'vitest';
import { ContentRecorder, keepable, MAX_KEPT_BYTES } from '../../../lib/contents/content-recorder';

it('keeps what is not too long', () => {
  const recorder = new ContentRecorder();
  expect(recorder.text()).toBe(null);
  recorder.add(Buffer.alloc(MAX_KEPT_BYTES, 'a'));
  expect(recorder.text()).toBe('a'.repeat(MAX_KEPT_BYTES));
  recorder.add(Buffer.from('x'));
  expect(recorder.text()).toBe(null);
  expect(keepable(Buffer.alloc(MAX_KEPT_BYTES, 'a'))).toBe('a'.repeat(MAX_KEPT_BYTES));
  expect(keepable(Buffer.alloc(MAX_KEPT_BYTES + 1))).toBe(null);
});

it('keeps a part of a buffer, and characters of several bytes', () => {
  expect(keepable(Buffer.from('xübung').subarray(1))).toBe('übung');
});

it('forgets what a provider began before another one answered', () => {
  const recorder = new ContentRecorder();
  recorder.add(Buffer.from('first'));
  recorder.begin();
  expect(recorder.text()).toBe(null);
  recorder.add(Buffer.from('second'));
  expect(recorder.text()).toBe('second');
});
