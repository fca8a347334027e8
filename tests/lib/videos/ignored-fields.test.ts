import { expect, it } from 'vitest';
import { ignoredFields } from '../../../lib/videos/ignored-fields';
import { everything, plain } from './request-models';

it('each has the reason for which it had no effect', () => {
  const reasonsOf = (request: Readonly<Record<string, unknown>>, model = plain) =>
    ignoredFields(request, Object.keys(request), model, model.bindings[0]).map(({ reason }) => reason);
  expect(reasonsOf({ reference_voice: 'Ann', image_url: 'https://example.com/a.png', loop: true })).toEqual([
    'acme-t2v does not take it.',
    'acme-t2v does not use this kind of media.',
    'Not a parameter of this API.',
  ]);
  const taken = { reference_voice: 'Ann', seconds: 5, generate_audio: true, negative_prompt: 'rain' };
  expect(reasonsOf(taken, everything)).toEqual([
    'The video has no sound.',
    'The video is as long as its source.',
    `${everything.id} makes no sound at this size or with these media.`,
    `${everything.bindings[0]?.providerId} does not take it for ${everything.id}.`,
  ]);
});
