import { describe, expect, it } from 'vitest';
import { priceSpan } from '../../../lib/catalog/price-span';
import { allModels } from '../../../lib/catalog/models';
import type { VideoModel } from '../../../lib/domain/model';

const spanOf = (id: string) => priceSpan(allModels.find((model) => model.id === id)!);

describe('the price range of a video model', () => {
  it('covers all of its providers', () => {
    expect(spanOf('kling-3.0-t2v')).toEqual({ unit: 'second', lowest: '0.084', highest: '0.42' });
  });

  it('leaves out prices of another unit, such as those that count the seconds of reference videos too', () => {
    expect(spanOf('kling-4.0-r2v')).toEqual({ unit: 'second', lowest: '0.157', highest: '0.235' });
  });

  it('is in the unit of an edit, of which the seconds of the source count', () => {
    expect(spanOf('kling-4.0-video-edit')).toEqual({
      unit: 'input_and_output_second',
      lowest: '0.094',
      highest: '0.141',
    });
  });

  it('is in the unit of its rates if all of them have another than their price', () => {
    const clip = allModels.find((entry): entry is VideoModel => entry.id === 'kling-3.0-t2v')!;
    const bindings = clip.bindings.map((binding) => ({
      ...binding,
      price: { ...binding.price, rates: binding.price.rates.map((rate) => ({ ...rate, per: 'clip' as const })) },
    }));
    expect(priceSpan({ ...clip, bindings })).toEqual({ unit: 'clip', lowest: '0.084', highest: '0.42' });
  });
});
