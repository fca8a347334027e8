import { describe, expect, it } from 'vitest';
import type { Catalog } from '../../../lib/catalog/catalog';
import { allModels } from '../../../lib/catalog/models';
import { perSecond, unverified, unverifiedAt } from '../../../lib/catalog/price-table';
import type { Mode } from '../../../lib/domain/video';
import { parseVideoRequest, needsOf } from '../../../lib/videos/video-request';
import { presentCatalogEntry } from '../../../lib/catalog/present-entry';
import { madeUp } from '../videos/request-models';
import { makeCatalog, standingClock } from './make-catalog';

const get = (catalog: Catalog, id: string) => {
  const model = catalog.find(id);
  if (model?.capability !== 'video') throw new Error(`no video model ${id}`);
  return model;
};

describe('createCatalog', () => {
  it('lists retired models only on request', () => {
    const catalog = makeCatalog();
    expect(catalog.list().map((model) => model.id)).not.toContain('sora-2-t2v');
    expect(catalog.list({ includeDeactivated: true }).map((model) => model.id)).toContain('sora-2-t2v');
    expect(catalog.list({ includeDeactivated: true })).toHaveLength(allModels.length);
  });

  it('omits models marked deprecated on request', () => {
    const models = allModels.map((model) =>
      model.id === 'ray-3.2-t2v' ? { ...model, deprecatedAt: '2026-12-01T00:00:00Z' } : model,
    );
    const catalog = makeCatalog({ models });
    expect(catalog.list().some((model) => model.id === 'ray-3.2-t2v')).toBe(true);
    expect(catalog.list({ excludeDeprecated: true }).some((model) => model.id === 'ray-3.2-t2v')).toBe(false);
  });

  it('retires a model by the clock alone', () => {
    const clock = standingClock('2026-09-01T00:00:00Z');
    const catalog = makeCatalog({ clock });
    const before = catalog.revision();
    const active = catalog.list().map(({ id }) => id);
    clock.moveTo('2026-10-01T00:00:00Z');
    expect(catalog.list().map(({ id }) => id)).toEqual(active.filter((id) => id !== 'sora-2-t2v'));
    expect(catalog.revision()).not.toBe(before);
  });

  it('offers the providers with credentials, and nothing else', () => {
    const catalog = makeCatalog({ offeredProviders: new Set(['fal']) });
    const kling = get(catalog, 'kling-3.0-t2v');
    expect(kling.bindings.map((binding) => catalog.available(kling, binding))).toEqual([
      false,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect([catalog.available(kling), catalog.available(get(catalog, 'sandbox-t2v'))]).toEqual([true, false]);
  });

  it('has the bindings as the credentials can order them, by id and in the list', () => {
    const catalog = makeCatalog({
      narrow: (binding) => (binding.modelName === 'ray-2' ? { ...binding, resolutions: ['720p', '1080p'] } : binding),
    });
    const ray = get(catalog, 'ray-2-t2v');
    // Another provider makes 540p too.
    expect(ray.video.resolutions).toEqual(['540p', '720p', '1080p']);
    expect(catalog.list()).toContain(ray);
    expect(catalog.bindings(ray, 'luma-dream-machine')).toMatchObject([{ resolutions: ['720p', '1080p'] }]);
  });

  it('does not offer an unverified price until the operator confirms it', () => {
    const offeredProviders = new Set(['minimax', 'xai', 'openai']);
    const unconfirmed = makeCatalog({ offeredProviders });
    expect(unconfirmed.available(get(unconfirmed, 'hailuo-2.3-i2v'))).toBe(false);
    expect(unconfirmed.available(get(unconfirmed, 'grok-imagine-t2v'))).toBe(true);
    const confirmed = makeCatalog({ offeredProviders, confirmedPrices: new Set(['hailuo-2.3-i2v']) });
    expect(confirmed.available(get(confirmed, 'hailuo-2.3-i2v'))).toBe(true);
    expect(confirmed.available(get(confirmed, 'sora-2-t2v'))).toBe(false);
  });

  it('confirms the prices of all providers by the id of a model, and that of one with its provider', () => {
    const bindings = ['alpha', 'beta', 'gamma'].map((providerId) => ({ providerId, modelName: 'acme' }));
    const price = unverified(perSecond('a guess', { '720p': '0.10', '1080p': '0.20' }));
    const model = madeUp({ price, bindings });
    const available = (...confirmed: string[]) => {
      const catalog = makeCatalog({
        models: [model],
        offeredProviders: new Set(['alpha', 'beta', 'gamma']),
        confirmedPrices: new Set(confirmed),
      });
      return model.bindings.filter((binding) => catalog.available(model, binding)).map(({ providerId }) => providerId);
    };
    expect(available()).toEqual([]);
    expect(available('acme-t2v')).toEqual(['alpha', 'beta', 'gamma']);
    expect(available('beta/acme-t2v')).toEqual(['beta']);
    expect(available('alpha/acme-t2v', 'gamma/acme-t2v')).toEqual(['alpha', 'gamma']);
    expect(available('beta/another-t2v', 'another-t2v')).toEqual([]);
  });

  it('sells a tier whose rate is unverified only after the operator confirms it', () => {
    const verified = perSecond('a tariff', { '720p': '0.10', '1080p': '0.20' });
    const price = unverifiedAt(['1080p'], 'a guess.', verified);
    expect(price.source).toBe('a tariff UNVERIFIED at 1080p: a guess.');
    const model = madeUp({ price });
    const [binding] = model.bindings;
    const seen = (...confirmed: string[]) => {
      const catalog = makeCatalog({
        models: [model],
        offeredProviders: new Set([binding!.providerId]),
        confirmedPrices: new Set(confirmed),
      });
      const known = get(catalog, model.id);
      const [own] = known.bindings;
      const waits = (size: string, mode: Mode) => {
        const request = parseVideoRequest({ prompt: 'a cat', size }, false, known, known.bindings);
        return needsOf(request, known, mode, { publishes: true, reaches: () => true }).awaitsConfirmation(own!);
      };
      return {
        isAvailable: catalog.available(known, own),
        awaitsConfirmation: catalog.awaitsConfirmation(known, own!),
        live: ['1280x720', '1920x1080'].filter((size) => !waits(size, 'live')),
        test: ['1280x720', '1920x1080'].filter((size) => !waits(size, 'test')),
      };
    };
    const both = ['1280x720', '1920x1080'];
    expect(seen()).toEqual({ isAvailable: true, awaitsConfirmation: true, live: ['1280x720'], test: both });
    expect(seen(model.id)).toEqual({ isAvailable: true, awaitsConfirmation: false, live: both, test: both });
  });

  it('gives the bindings of a pin, or none', () => {
    const catalog = makeCatalog();
    const kling = get(catalog, 'kling-3.0-t2v');
    expect(catalog.bindings(kling, 'fal')).toHaveLength(3);
    expect(catalog.bindings(kling, 'xai')).toEqual([]);
    expect(catalog.bindings(kling)).toHaveLength(8);
  });

  it('suggests by alias too, but never a retired model', () => {
    const catalog = makeCatalog();
    expect(catalog.suggestions('veo-3.2')[0]).toBe('veo-3.1-t2v');
    expect(catalog.suggestions('sora-2-t2w')).not.toContain('sora-2-t2v');
    expect(catalog.suggestions('')).toHaveLength(3);
    expect(
      catalog.suggestions('nope', (model) => model.capability === 'tts').map((id) => catalog.find(id)?.capability),
    ).toEqual(['tts', 'tts', 'tts']);
  });
});

describe('a provider whose adapter has another capability', () => {
  it('does not make its models available', () => {
    const catalog = makeCatalog({
      offeredProviders: new Set(['xai']),
      isCapable: (_binding, capability) => capability === 'messages',
    });
    const video = catalog.find('grok-imagine-t2v');
    expect(video && catalog.available(video)).toBe(false);
    expect(makeCatalog({ offeredProviders: new Set(['xai']) }).available(video!)).toBe(true);
  });

  it('is distinct from a provider that only lacks its credentials', () => {
    const catalog = makeCatalog({
      offeredProviders: new Set(),
      hasAdapter: ({ providerId }, capability) => providerId === 'minimax' && capability === 'messages',
    });
    const text = catalog
      .list()
      .find(
        (model) => model.bindings.some(({ providerId }) => providerId === 'minimax') && model.capability === 'messages',
      );
    const video = catalog.find('minimax-h3-t2v');
    expect(text && presentCatalogEntry(catalog, text)).toMatchObject({ available: false, implemented: true });
    expect(video && presentCatalogEntry(catalog, video)).toMatchObject({ available: false, implemented: false });
  });
});
