import { describe, expect, it } from 'vitest';
import { emptyForm, type ShownModel } from '../../app/console/components/video-form/form';
import { priceOf } from '../../app/console/models/form-price';
import { priceNotes } from '../../app/console/models/price-notes';
import { bindingKey } from '../../lib/domain/binding';
import type { VideoModel } from '../../lib/domain/model';
import { videoModels } from '../lib/catalog/video-models';

const model = (id: string): VideoModel => videoModels.find((each) => each.id === id)!;

function shown(id: string, isOffered: (modelName: string) => boolean): ShownModel {
  const offered = model(id).bindings.filter(({ modelName }) => isOffered(modelName));
  return { model: model(id), offered: offered.map(bindingKey), implemented: true, publishesMedia: true };
}

describe('the price of a model in live mode', () => {
  const id = 'kling-3.0-t2v';
  const atPro = shown(id, (modelName) => modelName.includes('/pro/'));

  it('is none for settings that no provider which is set up serves', () => {
    const { quote, error } = priceOf(emptyForm(id), atPro, 'live');
    expect(quote).toBeUndefined();
    expect(error?.message).toContain('fal: size must be 1080p.');
    expect(priceOf({ ...emptyForm(id), resolution: '1080p' }, atPro, 'live').binding?.providerId).toBe('fal');
  });

  it('is that of test mode where no provider is set up, or not the chosen one', () => {
    expect(
      priceOf(
        emptyForm(id),
        shown(id, () => false),
        'live',
      ).binding?.providerId,
    ).toBe('kling');
    expect(priceOf({ ...emptyForm(id), provider: 'replicate' }, atPro, 'live').binding?.providerId).toBe('replicate');
  });
});

describe('the notes about prices', () => {
  it('name the provider, and the resolution where it has a price for each', () => {
    const { bindings } = model('kling-3.0-t2v');
    const notes = priceNotes(
      model('kling-3.0-t2v'),
      bindings.map(({ price }) => price.verified),
    );
    expect(notes.map(({ of, isUnconfirmed }) => [of, isUnconfirmed])).toEqual([
      ['kling', true],
      ['fal at 720p', false],
      ['fal at 1080p', false],
      ['fal at 4k', false],
      ['replicate', false],
      ['wavespeed at 720p', true],
      ['wavespeed at 1080p', true],
      ['wavespeed at 4k', true],
    ]);
    expect(notes[0]?.source).toMatch(/^kling\.ai/);
  });

  it('do not call a price unconfirmed that the operator has confirmed', () => {
    const { bindings } = model('kling-3.0-t2v');
    const notes = priceNotes(
      model('kling-3.0-t2v'),
      bindings.map(() => true),
    );
    expect(notes.filter(({ isUnconfirmed }) => isUnconfirmed)).toEqual([]);
  });
});
