import { describe, expect, it } from 'vitest';
import { applyCatalogFile, CatalogFileError } from '../../../lib/catalog/apply-catalog-file';
import { canOrderWith } from '../../../lib/catalog/can-order';
import { entryOfModel } from '../../../lib/catalog/entry-of-model';
import { allModels } from '../../../lib/catalog/models';
import type { Capability, Model, ModelOf } from '../../../lib/domain/model';
import { parsePrice } from '../../../lib/domain/money';
import { providerDefinitions } from '../../../lib/providers/registry';
import { fileOf, lantern } from './file-models';

const apply = (text: string) => applyCatalogFile('catalog.json', text, allModels, canOrderWith(providerDefinitions));

function find<C extends Capability>(models: readonly Model[], capability: C, id: string): ModelOf<C> {
  const model = models.find((each) => each.id === id);
  if (model?.capability !== capability) throw new Error(`no ${id}`);
  // Safe: the capability was compared; the compiler cannot narrow by a type parameter.
  return model as ModelOf<C>;
}
const video = (text: string, id: string) => find(apply(text).models, 'video', id);

function errorsOf(text: string): readonly string[] {
  try {
    apply(text);
  } catch (error) {
    if (error instanceof CatalogFileError) return error.errors;
    throw error;
  }
  return [];
}

const falPrice = {
  per: 'output_second',
  rates: [{ resolution: '720p', usd: '0.5' }],
  source: 'https://fal.example.com',
  date: '2026-11-23',
  verified: true,
};
const STANDARD = 'fal-ai/kling-video/v3/standard/text-to-video';
const PRO = 'fal-ai/kling-video/v3/pro/text-to-video';
const IN_4K = 'fal-ai/kling-video/v3/4k/text-to-video';

describe('a whole model', () => {
  it('is added after the last model of its capability, with its price and the day in the source', () => {
    const { models, fromFile } = apply(fileOf(lantern));
    expect(models).toHaveLength(allModels.length + 1);
    expect([...fromFile]).toEqual(['lantern-t2v']);
    const added = find(models, 'video', 'lantern-t2v');
    expect(models.filter(({ capability }) => capability === 'video').at(-1)).toBe(added);
    expect(added).toMatchObject({ stability: 'stable', video: { seconds: [2, 4], deadlineSeconds: 900 } });
    expect(added.bindings).toMatchObject([
      {
        providerId: 'sandbox',
        price: {
          rates: [{ usd: parsePrice('0.1') }],
          source: 'https://prices.example.com/lantern, 2026-11-23',
        },
      },
    ]);
  });

  it('with the id of one of ours takes its place', () => {
    const { models } = apply(
      fileOf({ ...lantern, id: 'wan-2.2-fast-i2v', kind: 'i2v', media: { images: { min: 1, max: 1 } } }),
    );
    expect(models.map(({ id }) => id)).toEqual(allModels.map(({ id }) => id));
    expect(find(models, 'video', 'wan-2.2-fast-i2v').name).toBe('Lantern text to video');
  });

  it.each(['messages', 'stt', 'tts'] as const)('of the capability %s is added too', (capability) => {
    const ours = allModels.find((model) => model.capability === capability && model.family === 'sandbox')!;
    const { aliases: _none, bindings, ...entry } = entryOfModel(ours);
    const added = {
      ...entry,
      capability,
      id: `lantern-${capability}`,
      bindings: bindings.map((binding) => ({ ...binding, price: { ...binding.price, date: '2026-11-23' } })),
    };
    const model = apply(fileOf(added)).models.find(({ id }) => id === added.id);
    expect(model).toMatchObject({ capability, bindings: [{ providerId: 'sandbox' }] });
    expect(errorsOf(fileOf({ ...added, bindings }))).toEqual([`models[0].bindings[0].price.date is missing.`]);
  });
});

it('our own models are a valid file that changes nothing but the source of their prices', () => {
  const entries = allModels.map((model) => {
    const entry = entryOfModel(model);
    const dated = <Price extends object>(price: Price | undefined) => price && { ...price, date: '2026-11-23' };
    const bindings = entry.bindings.map((binding) => ({ ...binding, price: dated(binding.price) }));
    return { capability: model.capability, ...entry, ...('price' in entry && { price: dated(entry.price) }), bindings };
  });
  const { models, fromFile } = apply(fileOf(...entries));
  expect(fromFile.size).toBe(allModels.length);
  const sourceless = (model: Model) =>
    model.bindings.map(({ price: { source: _source, ...price }, ...binding }) => ({ ...binding, price }));
  for (const [index, model] of models.entries()) {
    const ours = allModels[index]!;
    expect({ ...model, bindings: sourceless(model) }).toEqual({ ...ours, bindings: sourceless(ours) });
  }
});

describe('a change', () => {
  it('overrides the fields that it names, and no other', () => {
    const ours = find(allModels, 'video', 'ray-3.2-t2v');
    const changed = video(
      fileOf({
        id: 'ray-3.2-t2v',
        name: 'House video',
        deprecatedAt: '2027-01-01T00:00:00Z',
        promptCharacters: 500,
      }),
      'ray-3.2-t2v',
    );
    expect(changed).toEqual({
      ...ours,
      name: 'House video',
      deprecatedAt: '2027-01-01T00:00:00Z',
      video: { ...ours.video, promptCharacters: 500 },
    });
  });

  it('of a price at one provider leaves those of the others', () => {
    const { bindings } = find(allModels, 'video', 'kling-3.0-t2v');
    const changed = video(
      fileOf({ id: 'kling-3.0-t2v', bindings: [{ providerId: 'fal', modelName: STANDARD, price: falPrice }] }),
      'kling-3.0-t2v',
    );
    expect(changed.bindings.map(({ price }) => price.rates[0]?.usd)).toEqual(
      bindings.map(({ modelName, price }) => (modelName === STANDARD ? parsePrice('0.5') : price.rates[0]?.usd)),
    );
    expect(changed.bindings[1]?.price.source).toBe('https://fal.example.com, 2026-11-23');
  });

  it('of the price of the model is that of every provider for which it states no other', () => {
    const price = { ...falPrice, rates: [{ usd: '0.9' }] };
    const changed = video(
      fileOf({
        id: 'kling-3.0-t2v',
        price,
        bindings: [{ providerId: 'fal', modelName: STANDARD, price: falPrice }],
      }),
      'kling-3.0-t2v',
    );
    expect(changed.bindings.map(({ price: { rates } }) => rates[0]?.usd)).toEqual(
      ['0.9', '0.5', ...Array<string>(6).fill('0.9')].map(parsePrice),
    );
  });

  it.each(['messages', 'stt', 'tts'] as const)(
    'of the price of a %s model is that of its bindings too',
    (capability) => {
      const ours = allModels.find((each) => each.capability === capability && each.family !== 'sandbox')!;
      const { providerId, modelName, price: before } = entryOfModel(ours).bindings[0]!;
      const price = { ...before, source: 'https://example.com', date: '2026-11-23' };
      const own = { ...price, source: 'https://other.example.com' };
      const added = { providerId: 'sandbox', modelName: 'lantern-1' };
      const sourcesOf = (bindings: readonly object[]) =>
        find(apply(fileOf({ id: ours.id, price, bindings })).models, capability, ours.id).bindings.map(
          (binding) => binding.price.source,
        );
      const everywhere = Array.from({ length: ours.bindings.length + 1 }, () => 'https://example.com, 2026-11-23');
      expect(sourcesOf([added])).toEqual(everywhere);
      expect(sourcesOf([{ providerId, modelName, price: own }, added])).toEqual([
        'https://other.example.com, 2026-11-23',
        ...everywhere.slice(1),
      ]);
    },
  );

  it('with a verified price makes an experimental model stable', () => {
    const [ours] = find(allModels, 'video', 'hailuo-2.3-i2v').bindings;
    const { rates } = ours!.price;
    const price = { ...falPrice, per: ours!.price.per, rates: rates.map((rate) => ({ ...rate, usd: '0.3' })) };
    expect(video(fileOf({ id: 'hailuo-2.3-i2v', price }), 'hailuo-2.3-i2v').stability).toBe('stable');
  });

  it('removes a field with null, a binding with removed, and adds a binding last', () => {
    const changed = video(
      fileOf({
        id: 'kling-3.0-t2v',
        aliases: null,
        bindings: [
          {
            providerId: 'replicate',
            modelName: 'kwaivgi/kling-v3-video',
            resolutions: null,
            price: { ...falPrice, rates: [{ usd: '0.2' }] },
          },
          { providerId: 'fal', modelName: STANDARD, removed: true },
          { providerId: 'fal', modelName: PRO, removed: true },
          { providerId: 'fal', modelName: IN_4K, removed: true },
          ...['std', 'pro', '4k'].map((tier) => ({
            providerId: 'wavespeed',
            modelName: `kwaivgi/kling-v3.0-${tier}/text-to-video`,
            removed: true,
          })),
          { providerId: 'sandbox', modelName: 'kling-3.0-t2v', price: { ...falPrice, rates: [{ usd: '0.01' }] } },
        ],
      }),
      'kling-3.0-t2v',
    );
    expect(changed.aliases).toEqual([]);
    expect(changed.bindings.map(({ providerId }) => providerId)).toEqual(['kling', 'replicate', 'sandbox']);
    expect(changed.bindings[1]).not.toHaveProperty('resolutions');
  });

  it('of facts of a text model leaves the other facts', () => {
    const ours = find(allModels, 'messages', 'sandbox-text');
    const { models } = apply(fileOf({ id: 'sandbox-text', facts: { maxOutputTokens: 100, imageMaxEdgePixels: null } }));
    const { imageMaxEdgePixels: _removed, ...facts } = ours.messages;
    expect(find(models, 'messages', 'sandbox-text').messages).toEqual({ ...facts, maxOutputTokens: 100 });
  });

  it('that retires a model takes it from the replacements of others', () => {
    const { models } = apply(fileOf({ id: 'veo-3.1-t2v', deactivatedAt: '2026-12-01T00:00:00Z' }));
    expect(find(models, 'video', 'sora-2-t2v').replacements).not.toContain('veo-3.1-t2v');
    expect(find(models, 'video', 'veo-3.1-t2v').deactivatedAt).toBe('2026-12-01T00:00:00Z');
  });
});

describe('the errors of a file', () => {
  it('are reported together, each with its path and reason', () => {
    const { price: _price, name: _name, ...nameless } = lantern;
    expect(
      errorsOf(
        fileOf(
          nameless,
          { ...lantern, id: 'ember-t2v', seconds: [4, 2], defaultResolution: '8k' },
          { id: 'kling-3.0-t2v', kind: 'i2v', parametres: [] },
          { id: 'kling-3.0-t3v' },
          { ...lantern, id: 'coal-t2v', capability: 'image' },
          7,
        ),
      ),
    ).toEqual([
      'models[0].name is missing.',
      'models[0].price is missing.',
      'models[2].kind is not a field here. Remove it.',
      'models[2].parametres is not a field here. Remove it.',
      expect.stringMatching(
        /^models\[3\]\.id names no model of the catalog: "kling-3\.0-t3v"\. Similar ones are kling-3\.0-t2v, .* "capability": video, messages, stt or tts\.$/,
      ),
      'models[4].capability must be video, messages, stt or tts; got "image".',
      'models[5] must be an object; got 7.',
      'models[1].seconds is not valid: seconds are not whole, positive and ascending.',
      'models[1].defaultResolution must be 360p or 720p, which its bindings serve; got "8k".',
    ]);
  });

  it('name prices that are no text, have no source or no day, or are implausible', () => {
    const priced = (price: object) => errorsOf(fileOf({ ...lantern, price: { ...lantern.price, ...price } }));
    expect(priced({ rates: [{ usd: 0.1 }] })).toEqual(['models[0].price.rates[0].usd must be text; got 0.1.']);
    expect(priced({ rates: [{ usd: '1e-3' }] })).toEqual([
      'models[0].price.rates[0].usd must be a plain decimal in quotes, such as "0.05"; got "1e-3".',
    ]);
    expect(priced({ rates: [] })).toEqual(['models[0].price.rates must not be empty.']);
    expect(priced({ source: '', date: 'today' })).toEqual([
      'models[0].price.source must not be empty.',
      'models[0].price.date must be a day such as "2026-11-23"; got "today".',
    ]);
    expect(priced({ rates: [{ usd: '84' }] })).toEqual([
      'models[0].price.rates[0].usd is not valid: sandbox: the price of a second or clip must be more than $0 and at most $20; got $84.',
    ]);
    expect(priced({ rates: [{ resolution: '360p', usd: '0.1' }] })).toEqual([
      'models[0].price.rates is not valid: sandbox: there is no rate for 720p.',
    ]);
  });

  it.each([
    [
      'messages',
      { output: '0' },
      'price.output is not valid: sandbox: the price of a million tokens must be more than $0 and at most $1000; got $0.',
    ],
    [
      'stt',
      { perMinuteDetecting: '1.5' },
      'price.perMinuteDetecting is not valid: sandbox: the price of a minute must be more than $0 and at most $1; got $1.5.',
    ],
    [
      'tts',
      { perMillionCharacters: '0' },
      'price.perMillionCharacters is not valid: sandbox: the price of a million characters must be more than $0 and at most $1000; got $0.',
    ],
  ])('name the price of a %s model that is out of its bounds, and the bounds', (capability, amounts, error) => {
    const ours = allModels.find((each) => each.capability === capability && each.family === 'sandbox')!;
    const [binding] = entryOfModel(ours).bindings;
    const { providerId, modelName } = binding!;
    const price = { ...binding!.price, ...amounts, date: '2026-11-23' };
    expect(errorsOf(fileOf({ id: ours.id, bindings: [{ providerId, modelName, price }] }))).toEqual([
      `models[0].bindings[0].${error}`,
    ]);
    expect(errorsOf(fileOf({ id: ours.id, price }))).toEqual([`models[0].${error}`]);
  });

  it('name empty lists once', () => {
    expect(errorsOf(fileOf({ ...lantern, seconds: [], resolutions: [] }))).toEqual([
      'models[0].seconds must not be empty.',
      'models[0].resolutions must not be empty.',
    ]);
  });

  it('name a model that is deprecated only after it is retired', () => {
    const deactivatedAt = '2026-12-01T00:00:00Z';
    expect(errorsOf(fileOf({ ...lantern, deprecatedAt: '2027-01-01T00:00:00Z', deactivatedAt }))).toEqual([
      'models[0].deprecatedAt must not be after deactivatedAt, which is "2026-12-01T00:00:00Z"; got "2027-01-01T00:00:00Z".',
    ]);
    expect(errorsOf(fileOf({ ...lantern, deprecatedAt: deactivatedAt, deactivatedAt }))).toEqual([]);
  });

  it('point to the binding of the file, also where the model has it at another place', () => {
    const changed = (binding: object) =>
      errorsOf(fileOf({ id: 'kling-3.0-t2v', bindings: [{ providerId: 'fal', modelName: PRO, ...binding }] }));
    expect(changed({ seconds: [60] })).toEqual([
      'models[0].bindings[0].seconds is not valid: fal: a duration is missing from the model.',
      'models[0].bindings[0].seconds is not valid: fal: the rules leave none of its durations at 1080p.',
    ]);
    expect(changed({ price: falPrice })).toEqual([
      'models[0].bindings[0].price.rates is not valid: fal: there is no rate for 1080p.',
    ]);
    expect(changed({ modelName: STANDARD, removed: true, price: falPrice })).toEqual([]);
    expect(changed({ modelName: 'fal-ai/other', removed: true })).toEqual([
      'models[0].bindings[0] removes a binding that kling-3.0-t2v does not have.',
    ]);
  });

  it('name a field that a change makes wrong elsewhere', () => {
    expect(errorsOf(fileOf({ id: 'kling-3.0-t2v', aliases: ['veo-3.1'] }))).toEqual([
      expect.stringMatching(/^models(\[0\]\.aliases\[0\])? is not valid: .*"veo-3\.1" is used twice/),
    ]);
    expect(errorsOf(fileOf({ id: 'kling-3.0-t2v', rules: [{ resolutions: ['720p'], seconds: [10] }] }))).toEqual([
      'models[0].rules is not valid: the defaults break a rule.',
    ]);
  });

  it('name an entry or a binding that is listed twice', () => {
    expect(errorsOf(fileOf(lantern, lantern))).toEqual(['models[1].id is listed twice: "lantern-t2v".']);
    const binding = { providerId: 'fal', modelName: STANDARD };
    expect(errorsOf(fileOf({ id: 'kling-3.0-t2v', bindings: [binding, binding] }))).toEqual([
      'models[0].bindings[1] is listed twice.',
    ]);
  });

  it('name a binding that is added without a price, because that of another provider is none of it', () => {
    for (const id of ['kling-3.0-t2v', 'sandbox-text'])
      expect(errorsOf(fileOf({ id, bindings: [{ providerId: 'sandbox', modelName: 'lantern-1' }] }))).toContainEqual(
        expect.stringMatching(/^models\[0\]\.bindings\[0\]\.price is missing/),
      );
  });

  it('name a provider that does not exist, and an upstream model that its adapter cannot order', () => {
    const boundTo = (providerId: string, modelName: string) =>
      errorsOf(fileOf({ ...lantern, bindings: [{ providerId, modelName }] }));
    expect(boundTo('klign', 'kling-3.0')).toEqual([
      expect.stringMatching(
        /^models\[0\]\.bindings\[0\]\.providerId names no provider of video models: "klign"\. They are .*kling.*\.$/,
      ),
    ]);
    expect(boundTo('kling', 'kling-5.0')).toEqual([
      'models[0].bindings[0].modelName is unknown to the adapter of kling: "kling-5.0". The models of this provider take different fields, so its adapter has a table of them. It knows kling-4.0, kling-3.0, kling-3.0-omni, kling-video-o1, kling-3.0-turbo, kling-2.6, kling-2.5-turbo, kling-2.1-master, kling-2.1, kling-2.0-master, kling-1.6, kling-1.5 and others. If the model takes the same requests as one of these, name that one in sameRequestAs; otherwise it needs a new version of Patchbay.',
    ]);
    expect(boundTo('sandbox', 'anything')).toEqual([]);
  });

  it('accept a new upstream model that takes the requests of one that the adapter knows, and name one that it does not', () => {
    const boundTo = (sameRequestAs: string) =>
      fileOf({ ...lantern, bindings: [{ providerId: 'kling', modelName: 'kling-5.0', sameRequestAs }] });
    expect(errorsOf(boundTo('kling-4.0'))).toEqual([]);
    expect(video(boundTo('kling-4.0'), 'lantern-t2v').bindings).toMatchObject([
      { modelName: 'kling-5.0', sameRequestAs: 'kling-4.0' },
    ]);
    expect(errorsOf(boundTo('kling-4.9'))).toEqual([
      'models[0].bindings[0].sameRequestAs is unknown to the adapter of kling: "kling-4.9". The models of this provider take different fields, so its adapter has a table of them. It knows kling-4.0, kling-3.0, kling-3.0-omni, kling-video-o1, kling-3.0-turbo, kling-2.6, kling-2.5-turbo, kling-2.1-master, kling-2.1, kling-2.0-master, kling-1.6, kling-1.5 and others.',
    ]);
  });

  it('accept the binding of a provider that has no adapter yet, as our own entries have them', () => {
    const unserved = allModels
      .filter(({ capability }) => capability === 'video')
      .flatMap(({ bindings }) => bindings.map(({ providerId }) => providerId))
      .find((id) => !providerDefinitions.some((definition) => definition.id === id));
    if (unserved === undefined) return;
    expect(errorsOf(fileOf({ ...lantern, bindings: [{ providerId: unserved, modelName: 'new' }] }))).toEqual([]);
  });

  it('say where the text is no JSON, and that it has no models', () => {
    expect(errorsOf('{"models": [}')).toEqual([expect.stringMatching(/^the file is not JSON: .+\.$/)]);
    expect(errorsOf('[]')).toEqual(['the file must be an object; got a list.']);
    expect(errorsOf('{"modles": []}')).toEqual(['models is missing.', 'modles is not a field here. Remove it.']);
    expect(errorsOf('{"$schema": "./catalog.schema.json", "models": []}')).toEqual([]);
  });
});
