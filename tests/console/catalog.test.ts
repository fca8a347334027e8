import { servedByInstallation } from '../../lib/routing/provider-directory';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  facetNames,
  parseCatalogQuery,
  printCatalogQuery,
  sorts,
  views,
  withoutFilters,
  type CatalogQuery,
} from '../../app/console/models/catalog-query';
import { listParts } from '../../app/console/models/catalog-list';
import { priceRangeLabel } from '../../app/console/components/price/price-labels';
import { limitWords } from '../../app/console/models/entry-words';
import { countFacet, facetValues, searchEntries, selectEntries } from '../../app/console/models/select-entries';
import { printForm, readForm } from '../../app/console/models/form-query';
import { priceOf } from '../../app/console/models/form-price';
import { sampleForm, withSampleMedia } from '../../app/console/models/sample-form';
import { firstResult } from '../../app/console/models/workbench-result';
import { withSeconds, withSize, type VideoForm } from '../../app/console/components/video-form/form';
import { requestOf } from '../../app/console/components/video-form/form-request';
import { providersOf } from '../../lib/domain/binding';
import { allowedSeconds } from '../../lib/domain/video-tiers';
import { presentCatalogEntry } from '../../lib/catalog/present-entry';
import type { CatalogEntry } from '../../lib/contract/models';
import { priceUnits } from '../../lib/catalog/price-span';
import { parsePrice } from '../../lib/domain/money';
import type { VideoModel } from '../../lib/domain/model';
import { audioSwitches } from '../../lib/videos/video-parameters';
import { makeGateway, type TestGateway } from '../support/gateway';
import { grantCredits } from '../support/grant-credits';

// What the page of the catalog shows, without a browser: the functions that it calls, on the real catalog, recounted
// independently.

let test: TestGateway;
let entries: readonly CatalogEntry[];
/** The public list: the second way to count. */
let published: readonly Published[];

interface Published {
  readonly id: string;
  readonly architecture: {
    readonly input_modalities: readonly string[];
    readonly output_modalities: readonly string[];
  };
  readonly providers: readonly { readonly providerId: string }[];
  readonly stability: string;
  readonly available: boolean;
  readonly deactivated_at?: string;
}

beforeAll(async () => {
  // Nothing is rendered: only the price of the submission matters here.
  test = await makeGateway({ lookup: async () => ['93.184.215.14'], config: { role: 'web' } });
  const { catalogResponses } = test.gateway;
  const catalog = test.gateway.catalog();
  entries = catalog.list({ includeDeactivated: true }).map((model) => presentCatalogEntry(catalog, model));
  published = (
    JSON.parse(catalogResponses.models(new URLSearchParams({ include_deactivated: 'true' })).body.toString()) as {
      data: Published[];
    }
  ).data;
});
afterAll(() => test.close());

const none = parseCatalogQuery(new URLSearchParams());
const ask = (text: string) => parseCatalogQuery(new URLSearchParams(text));
const idsOf = (shown: readonly CatalogEntry[]) => shown.map(({ id }) => id);

describe('the catalog', () => {
  it('shows what matches the typed text: by id, alias, name and family, in any case and order of words', () => {
    expect(idsOf(selectEntries(entries, ask('q=veo')))).toEqual([
      'veo-3.1-t2v',
      'veo-3.1-i2v',
      'veo-3.1-start-end',
      'veo-3.1-r2v',
      'veo-3.1-fast-t2v',
      'veo-3.1-fast-i2v',
      'veo-3.1-fast-start-end',
      'veo-3.1-fast-r2v',
      'veo-3.1-lite-t2v',
      'veo-3.1-lite-i2v',
      'veo-3.1-lite-start-end',
    ]);
    expect(idsOf(selectEntries(entries, ask('q=CLAUDE-haiku-latest')))).toEqual(['claude-haiku-5-5']);
    expect(idsOf(selectEntries(entries, ask('q=fast+veo')))).toEqual([
      'veo-3.1-fast-t2v',
      'veo-3.1-fast-i2v',
      'veo-3.1-fast-start-end',
      'veo-3.1-fast-r2v',
    ]);
    expect(selectEntries(entries, ask('q=anthropic')).every(({ family }) => family === 'anthropic')).toBe(true);
    expect(selectEntries(entries, ask('q=no+such+thing'))).toEqual([]);
  });

  it('any combination of facets shows as many models as a recount of the public list', () => {
    const valuesOf = (name: (typeof facetNames)[number]) => [
      ...new Set(entries.flatMap((entry) => facetValues[name](entry))),
    ];
    const some = (name: (typeof facetNames)[number]) =>
      fc.uniqueArray(fc.constantFrom(...valuesOf(name)), { maxLength: 3 });
    const nowMs = test.gateway.clock.nowMs();
    const isActive = ({ deactivated_at: end }: Published) => end === undefined || nowMs < Date.parse(end);
    const query = fc.record({
      output: some('output'),
      input: some('input'),
      provider: fc.oneof(fc.constant([]), some('provider')),
      stability: fc.oneof(fc.constant([]), some('stability')),
      live: fc.boolean(),
      retired: fc.boolean(),
    });
    fc.assert(
      fc.property(query, ({ live, retired, ...facets }) => {
        const asked: CatalogQuery = { ...none, live, retired, facets: { ...none.facets, ...facets } };
        const holds = (chosen: readonly string[], values: readonly string[]) =>
          chosen.length === 0 || values.some((value) => chosen.includes(value));
        const recount = published.filter(
          (model) =>
            (retired || isActive(model)) &&
            (!live || model.available) &&
            holds(facets.output, model.architecture.output_modalities) &&
            holds(facets.input, model.architecture.input_modalities) &&
            holds(
              facets.provider,
              model.providers.map(({ providerId }) => providerId),
            ) &&
            holds(facets.stability, [model.stability]),
        );
        expect(idsOf(selectEntries(entries, asked)).toSorted()).toEqual(recount.map(({ id }) => id).toSorted());
      }),
      { numRuns: 200 },
    );
  });

  it('the count beside a value is the number of models that this value alone shows in its facet', () => {
    for (const text of [
      '',
      'output=video',
      'operation=t2v&operation=i2v',
      'input=image&live=1',
      'q=kling&audio=toggle',
    ]) {
      const query = ask(text);
      for (const name of facetNames) {
        for (const [value, count] of countFacet(entries, searchEntries(entries, query.text), query, name)) {
          expect(
            selectEntries(entries, { ...query, facets: { ...query.facets, [name]: [value] } }),
            `${text} ${name}=${value}`,
          ).toHaveLength(count);
        }
      }
    }
  });

  it('sorted by price, models of one unit are grouped, the cheapest first', () => {
    const parts = listParts(selectEntries(entries, ask('sort=price')), 1, true);
    const units = parts.filter((part) => part.kind === 'heading').map(({ title }) => title);
    expect(new Set(units).size).toBe(units.length);
    expect(units.length).toBeGreaterThan(4);
    let unit: string | undefined;
    let last = 0n;
    for (const part of parts) {
      if (part.kind === 'heading') {
        unit = undefined;
        last = 0n;
        continue;
      }
      for (const { price } of part.entries) {
        expect(price?.unit).toBe((unit ??= price?.unit));
        const lowest = parsePrice(price?.lowest ?? '0');
        expect(lowest >= last).toBe(true);
        last = lowest;
      }
    }
    expect(parts.reduce((sum, part) => sum + (part.kind === 'entries' ? part.entries.length : 0), 0)).toBe(
      selectEntries(entries, none).length,
    );
  });

  it('a price filter compares prices of its own unit only', () => {
    const shown = selectEntries(entries, ask('unit=second&most=0.1'));
    expect(shown.length).toBeGreaterThan(3);
    for (const { price } of shown) {
      expect(price?.unit).toBe('second');
      expect(Number(price?.lowest)).toBeLessThanOrEqual(0.1);
    }
    for (const unit of priceUnits)
      expect(selectEntries(entries, { ...none, unit }).every(({ price }) => price?.unit === unit)).toBe(true);
  });

  it('prices are plain decimals with a dollar sign, never with an exponent', () => {
    for (const entry of entries) {
      const words = entry.price ? priceRangeLabel(entry.price) : '';
      expect(words, entry.id).toMatch(
        /^\$[\d,]+\.\d{2,}(?: – \$[\d,]+\.\d{2,})?(?: in · \$[\d,]+\.\d{2,}(?: – \$[\d,]+\.\d{2,})? out)?$/,
      );
      expect(limitWords(entry).length, entry.id).toBeGreaterThan(3);
    }
  });

  it('a retired model is hidden by default', () => {
    expect(idsOf(selectEntries(entries, ask('q=sora')))).toEqual([]);
    expect(idsOf(selectEntries(entries, ask('q=sora&retired=1')))).toEqual(['sora-2-t2v']);
  });

  it('every query survives the round trip through its query string', () => {
    const query = fc.record({
      text: fc.string({ maxLength: 12 }),
      facets: fc.record(
        Object.fromEntries(
          facetNames.map((name) => [name, fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { maxLength: 3 })]),
        ) as Record<(typeof facetNames)[number], fc.Arbitrary<string[]>>,
      ),
      live: fc.boolean(),
      retired: fc.boolean(),
      sort: fc.constantFrom(...sorts),
      view: fc.constantFrom(...views),
      compare: fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(query, (asked) => {
        expect(parseCatalogQuery(new URLSearchParams(printCatalogQuery(asked)))).toEqual(asked);
      }),
    );
    const full = ask('q=a&output=video&seconds=8&unit=second&most=0.5&live=1&sort=price&view=cards&compare=a');
    expect(printCatalogQuery(full)).toBe(
      '?q=a&output=video&seconds=8&unit=second&most=0.5&live=1&sort=price&view=cards&compare=a',
    );
    expect(printCatalogQuery(withoutFilters(full))).toBe('?sort=price&view=cards&compare=a');
  });
});

describe('the price on a model page', () => {
  const videoModels = () =>
    test.gateway
      .catalog()
      .list()
      .filter((model) => model.capability === 'video');
  const shownOf = (model: VideoModel) => ({ model, offered: [], implemented: true, publishesMedia: false });
  /** Switches generated audio off where the model has a switch for it. */
  const silent = (form: VideoForm, { video }: VideoModel): VideoForm => {
    const name = audioSwitches.find((each) => video.parameters.includes(each));
    return name === undefined ? form : { ...form, values: { [name]: false } };
  };

  it('comes from the server as data without functions, with the prices of all combinations and the code', () => {
    for (const model of videoModels()) {
      const subject = { shown: shownOf(model), mode: 'test', baseUrl: 'https://gateway.example' } as const;
      const first = firstResult(subject, new URLSearchParams(), undefined);
      expect(structuredClone(first), model.id).toEqual(first);
      const { price, combinations, samples } = first.result;
      const { seconds, defaultResolution } = model.video;
      const wanted = 'quote' in price ? price.quote.total : undefined;
      expect(Object.values(combinations[defaultResolution] ?? {}), model.id).toContain(wanted);
      expect(Object.keys(combinations[defaultResolution] ?? {}).map(Number), model.id).toEqual(
        seconds.filter((length) => allowedSeconds(model.video, defaultResolution).includes(length)),
      );
      for (const { code } of samples) expect(code, model.id).toContain('https://gateway.example');
    }
  });

  it('is the quote of the API and the price of a submitted test video, for every video model and each of its providers', async () => {
    const caller = await test.caller('test');
    await grantCredits(test.db, 'test', 1_000_000);
    let compared = 0;
    for (const model of videoModels()) {
      for (const provider of [undefined, ...providersOf(model.bindings)]) {
        const base = sampleForm(model, provider);
        const { video: facts } = model;
        const variants: VideoForm[] = [
          base,
          withSeconds(withSize(base, { resolution: facts.resolutions.at(-1)! }), facts, facts.seconds.at(-1)!),
          silent(withSeconds(base, facts, facts.seconds[0]!), model),
          withSampleMedia({ ...base, inputSeconds: '3' }, model, facts.media.videos !== undefined),
        ];
        for (const form of variants) {
          const estimate = priceOf(form, shownOf(model), 'test');
          const body = requestOf(form, model, { defaults: 'frame' });
          const quoted = (() => {
            try {
              return test.gateway.usage.quote(servedByInstallation('test'), body);
            } catch (error) {
              return error as Error;
            }
          })();
          const name = `${model.id} ${provider} ${JSON.stringify(body)}`;
          if (!estimate.quote || estimate.error) {
            expect(quoted, name).toBeInstanceOf(Error);
            continue;
          }
          expect(quoted, name).toMatchObject({
            total: estimate.quote.total,
            lines: estimate.quote.lines,
            provider: estimate.binding?.providerId,
          });
          // One of them is submitted.
          if (form === variants[1]) {
            const { video } = await test.gateway.videos.submit(caller, {
              body,
              textOnly: false,
              requestId: 'req_m05',
              automaticRetry: false,
            });
            expect(video['cost'], name).toBe(Number(estimate.quote.total));
          }
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(200);
  });

  it('is the same from the query string that the page writes', () => {
    for (const model of videoModels()) {
      const { video: facts } = model;
      const sized = withSize(sampleForm(model), { resolution: facts.resolutions.at(-1)! });
      const form = silent(
        withSeconds({ ...sized, inputSeconds: sized.inputSeconds && '7' }, facts, facts.seconds.at(-1)!),
        model,
      );
      const query = new URLSearchParams(printForm(model, form, new URLSearchParams('mode=test'), undefined));
      expect(query.get('mode')).toBe('test');
      expect(requestOf(readForm(model, query, undefined), model), model.id).toEqual(requestOf(form, model));
      expect(printForm(model, sampleForm(model), new URLSearchParams(), undefined), model.id).toBe('');
    }
  });

  it('ignores invalid values in a query string', () => {
    const model = videoModels().find(({ id }) => id === 'veo-3.1-t2v')!;
    const query = new URLSearchParams('seconds=99&size=13x7&generate_audio=loud&provider=nobody&fps=1');
    expect(readForm(model, query, undefined)).toEqual(sampleForm(model));
  });

  it('quotes the request of a message: its estimated input, and all of max_tokens', async () => {
    const by = servedByInstallation('test');
    const { usage } = test.gateway;
    const body = {
      model: 'sandbox-text',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'A paper boat. '.repeat(200) }],
    };
    const quote = usage.quote(by, body);
    const { inputTokens } = await test.gateway.messages.count(await test.caller('test'), {
      values: body,
      source: Buffer.from(JSON.stringify(body)),
      version: '2023-06-01',
      betas: [],
      requestId: 'req_quote',
      automaticRetry: false,
      scenario: undefined,
      signal: new AbortController().signal,
      abort: () => {},
    });
    expect(quote.lines.map(({ label }) => label)).toEqual([
      'input, estimated with a margin of 10 %',
      'output, the most that max_tokens allows',
    ]);
    expect(Number(quote.lines[0]!.quantity) / inputTokens).toBeGreaterThan(0.8);
    expect(Number(quote.lines[0]!.quantity) / inputTokens).toBeLessThan(1.5);
    expect(quote.lines[1]!).toMatchObject({ quantity: '100', amount: '0.00004' });
    expect(
      usage.quote(by, { model: body.model, input_tokens: Number(quote.lines[0]!.quantity), max_tokens: 100 }),
    ).toMatchObject({
      total: quote.total,
    });
    // A model whose answers are shorter than max_tokens.
    const longest = usage.quote(by, { ...body, max_tokens: 100_000_000 });
    expect(Number(longest.lines[1]!.quantity)).toBeLessThan(100_000_000);
  });

  it('quotes no message whose request would be refused', () => {
    const refused = (body: Readonly<Record<string, unknown>>) => () =>
      test.gateway.usage.quote(servedByInstallation('test'), body);
    const messages = [{ role: 'user', content: 'Hello' }];
    const missing = (param: string) =>
      expect.objectContaining({ code: 'missing_required_parameter', extra: { param } });
    for (const model of ['sandbox-text', 'claude-opus-5']) {
      expect(refused({ model })).toThrow(missing('max_tokens'));
      expect(refused({ model, messages })).toThrow(missing('max_tokens'));
      expect(refused({ model, max_tokens: 100 })).toThrow(missing('messages'));
    }
    expect(refused({ model: 'sandbox-text', max_tokens: 100, messages, input_tokens: 5 })).toThrow(
      expect.objectContaining({ code: 'conflicting_parameters', extra: { param: 'input_tokens' } }),
    );
  });

  it('quotes text and speech by usage', () => {
    const { usage } = test.gateway;
    expect(
      usage.quote(servedByInstallation('test'), { model: 'sandbox-text', input_tokens: 2_000, output_tokens: 500 }),
    ).toMatchObject({
      provider: 'sandbox',
      total: '0.0004',
      currency: 'USD',
    });
    expect(usage.quote(servedByInstallation('test'), { model: 'sandbox-tts', input: 'x'.repeat(1000) })).toMatchObject({
      total: '0.01',
    });
    expect(usage.quote(servedByInstallation('test'), { model: 'sandbox-stt', audio_seconds: 90 })).toMatchObject({
      total: '0.009',
      lines: [{ quantity: '1.5', amount: '0.009' }],
    });
    for (const body of [{}, { input: ' ' }])
      expect(() => usage.quote(servedByInstallation('test'), { model: 'sandbox-tts', ...body })).toThrow(
        expect.objectContaining({ code: 'missing_required_parameter', extra: { param: 'input' } }),
      );
    expect(() => usage.quote(servedByInstallation('test'), { model: 'sandbox-t2v', seconds: 99 })).toThrow(
      /between 1 and 15/,
    );
    expect(() => usage.quote(servedByInstallation('live'), { model: 'veo-3.1-t2v' })).toThrow(
      /none of its providers is set up/,
    );
    expect(() => usage.quote(servedByInstallation('test'), { model: 'sora-2' })).toThrow(/retired on 2026-09-24/);
  });
});
