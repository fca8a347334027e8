import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allModels } from '../../../lib/catalog/models';
import { createCatalogResponses, type CatalogPage } from '../../../lib/catalog/catalog-responses';
import { compatModelSchema, internalModelSchema, modelSchema } from '../../../lib/contract/models';
import { makeCatalog } from './make-catalog';

// Checks every entry of the catalog against the contract, which has the fields of the specification, our additions and
// no others.

const catalog = makeCatalog();
const pages = createCatalogResponses(() => catalog);
const query = (text = '') => new URLSearchParams(text);
const json = (page: CatalogPage): unknown => JSON.parse(page.body.toString());
const list = (page: CatalogPage) =>
  z.object({ data: z.array(z.looseObject({ id: z.string() })) }).parse(json(page)).data;

function expectAll(entries: readonly { readonly id: string }[], schema: z.ZodType): void {
  const errors = entries.flatMap(
    (each) =>
      schema.safeParse(each).error?.issues.map(({ path, message }) => `${each.id} ${path.join('.')}: ${message}`) ?? [],
  );
  expect(errors).toEqual([]);
}

describe('the types of the specification hold', () => {
  it('in every entry of GET /v1/models', () => {
    const entries = list(pages.models(query('include_deactivated=true')));
    expect(entries).toHaveLength(allModels.length);
    expectAll(entries, modelSchema);
  });

  it('in GET /v1/models/{model}, for every model and with every pin', () => {
    const names = allModels.flatMap(({ id, bindings }) => [
      id,
      ...bindings.map(({ providerId }) => `${providerId}/${id}`),
    ]);
    expectAll(
      names.map((name) =>
        z.looseObject({ id: z.string() }).parse(json(pages.model(name, query('include_deactivated=true')))),
      ),
      modelSchema,
    );
  });

  it('in every entry of GET /v1/models_compat', () => {
    expectAll(list(pages.compat(query('limit=1000'))), compatModelSchema);
  });

  it('in every entry of GET /internal/models', () => {
    const entries = list(pages.internal(query()));
    expect(entries).toHaveLength(list(pages.models(query())).length);
    expectAll(entries, internalModelSchema);
  });
});

describe('a price that depends on the request', () => {
  const models = list(pages.models(query()));
  const find = (id: string) => models.find((each) => each.id === id);

  it('of a video is in video_pricing, of the entry and of each mapping', () => {
    expect(find('sandbox-t2v')).toMatchObject({
      pricing: { prompt: '0', request: '0' },
      video_pricing: { per: 'output_second', rates: [{ usd: '0.01' }, {}, {}, {}, {}] },
    });
    for (const { id } of models.filter(({ architecture }) =>
      JSON.stringify(architecture).includes('"output_modalities":["video"]'),
    )) {
      const { providers, video_pricing } = modelSchema.parse(find(id));
      expect([id, providers.filter((each) => each.video_pricing === undefined)]).toEqual([id, []]);
      const first = providers[0]?.video_pricing;
      const tiers = new Set(providers.flatMap((each) => each.supported_resolutions ?? []));
      const others = [...tiers].filter((tier) => !providers[0]?.supported_resolutions?.includes(tier));
      const ofFirst = video_pricing?.rates.filter(({ resolution }) => !others.includes(String(resolution)));
      expect([id, video_pricing?.per, ofFirst]).toEqual([id, first?.per, first?.rates]);
      if (others.length === 0) expect([id, video_pricing]).toEqual([id, first]);
    }
  });

  it('of a resolution that only a further mapping has is that of this mapping, and its source is named', () => {
    const { providers, video_pricing } = modelSchema.parse(find('vidu-q3-pro-t2v'));
    const [atVidu, atFal] = providers;
    expect([atVidu, atFal].map((each) => each?.supported_resolutions?.includes('360p'))).toEqual([false, true]);
    const rateOf = (price: typeof video_pricing) => price?.rates.find(({ resolution }) => resolution === '360p');
    expect(rateOf(video_pricing)).toEqual({ resolution: '360p', usd: '0.07' });
    expect(rateOf(video_pricing)).toEqual(rateOf(atFal?.video_pricing));
    expect(video_pricing?.rates.map(({ resolution, usd }) => [resolution, usd])).toContainEqual(['720p', '0.1']);
    expect(video_pricing?.source).toBe(`${atVidu?.video_pricing?.source} ${atFal?.video_pricing?.source}`);
  });

  it('of long texts is in pricing_tiers, besides the prices of short ones', () => {
    const tiered = models.filter((each) => 'pricing_tiers' in each).map(({ id }) => id);
    expect(tiered).toEqual(
      allModels
        .filter((model) => model.capability === 'messages' && (model.bindings[0]?.price.tiers.length ?? 0) > 1)
        .map(({ id }) => id),
    );
    expect(tiered.length).toBeGreaterThan(0);
    for (const id of tiered)
      expect(modelSchema.parse(find(id)).pricing_tiers?.[0]).toMatchObject({
        from_input_tokens: expect.any(Number),
        prompt: expect.any(String),
        completion: expect.any(String),
      });
  });
});
