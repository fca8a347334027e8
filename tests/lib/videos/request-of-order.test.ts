import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allModels } from '../../../lib/catalog/models';
import type { VideoModel } from '../../../lib/domain/model';
import { requestOfOrder } from '../../../lib/videos/request-of-order';
import { parseVideoRequest } from '../../../lib/videos/video-request';
import { validBody } from './valid-bodies';

const models = allModels.filter((model): model is VideoModel => model.capability === 'video');

describe('requestOfOrder', () => {
  test.each(models.map((model) => [model.id, model] as const))(
    '%s › its body is read as the same order',
    (_id, model) => {
      fc.assert(
        fc.property(validBody(model), (body) => {
          const { order } = parseVideoRequest(body, false, model, model.bindings);
          const again = parseVideoRequest(requestOfOrder(order, model), false, model, model.bindings);
          expect(again.order).toEqual(order);
          expect(again.ignoredParams).toEqual([]);
        }),
        { numRuns: 40 },
      );
    },
  );

  test('keeps the webhook', () => {
    const [model] = models;
    const { order } = parseVideoRequest({ prompt: 'a cat' }, false, model!, model!.bindings);
    expect(requestOfOrder(order, model!, 'https://example.com/hook')).toMatchObject({
      webhook: 'https://example.com/hook',
      prompt: 'a cat',
      model: model!.id,
    });
  });
});
