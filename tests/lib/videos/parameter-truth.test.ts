import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { quoteVideo } from '../../../lib/billing/quote';
import { bindingsFor } from '../../../lib/catalog/binding-fit';
import { videoModels } from '../catalog/video-models';
import { upstreamFailed } from '../../../lib/domain/errors';
import { usdNumber } from '../../../lib/domain/money';
import type { VideoModel } from '../../../lib/domain/model';
import type { VideoOrder, VideoStart } from '../../../lib/domain/video';
import { factsFor } from '../../../lib/videos/video-parameters';
import { ignoredBy, orderFor, parseVideoRequest, needsOf } from '../../../lib/videos/video-request';
import { createChaos, type Chaos } from '../../support/chaos-provider';
import { makeGateway, type TestGateway } from '../../support/gateway';
import { grantCredits } from '../../support/grant-credits';
import { leftToGate, proofRuns, proofStep } from '../../support/proof-runs';
import { parameterBodies, validBody, type Body } from './valid-bodies';

// The request, the order, the provider and the bill agree: what is billed is what is stored, what the provider receives
// and what the answer shows. Random bodies for every model of the catalog, with every provider configured and every
// price confirmed.

const BODIES = proofRuns(4);
/** A short run tries one model in this many. */
const MODELS_STEP = proofStep(3);
const models = videoModels.filter((model) => model.deactivatedAt === undefined);
const providerIds = [...new Set(videoModels.flatMap((model) => model.bindings.map((binding) => binding.providerId)))];

let test: TestGateway;
let providers: Map<string, Chaos>;
beforeAll(async () => {
  providers = new Map(providerIds.map((id) => [id, createChaos(id)]));
  const definitions = [...providers.values()].map(({ definition }) => definition);
  test = await makeGateway({
    providers: definitions,
    testProvider: providers.get('sandbox')!.definition,
    lookup: async () => ['93.184.216.34'],
    // The sources are URLs that do not exist.
    checkSource: async () => undefined,
    env: {
      CONFIRMED_PRICES: models
        .flatMap(({ id, bindings }) => bindings.map(({ providerId }) => `${providerId}/${id}`))
        .join(','),
    },
  });
  // Enough for the dearest bodies of every model.
  for (const mode of ['live', 'test'] as const) await grantCredits(test.db, mode, 100_000);
});
afterAll(() => test.close());

/** Different bodies in each run; a failure prints the seed that reproduces them. */
const seed = Date.now() % 2 ** 31;
function bodiesOf(index: number): readonly Body[] {
  const model = models[index]!;
  const served = validBody(model).filter((body) => takersOf(body, model).bindings.length > 0);
  return fc.sample(served, { numRuns: BODIES, seed: seed + index });
}

/** None if each value is one of the model's, and no provider takes all of them together. */
function takersOf(body: Body, model: (typeof models)[number]) {
  const request = parseVideoRequest(body, false, model, model.bindings);
  const needs = needsOf(request, model, 'test', { publishes: true, reaches: () => true });
  return { request, bindings: bindingsFor(model.bindings, needs, { byPrice: true }) };
}

async function submitted(body: Body, mode: 'live' | 'test') {
  const caller = await test.caller(mode);
  const { id, video } = await test.gateway.videos.submit(caller, {
    body,
    textOnly: false,
    requestId: 'req_1',
    automaticRetry: false,
  });
  const { rows } = await test.db.query(
    'select "order", quote_nano_usd::text as quote, candidates from videos where id = $1',
    [id],
  );
  const [row] = rows as unknown as {
    order: VideoOrder;
    quote: string;
    candidates: { provider: string; upstreamModel: string }[];
  }[];
  return { id, video, order: row!.order, quote: BigInt(row!.quote), candidates: row!.candidates };
}

/** The binding of a candidate, as this installation sells it. */
function bindingOf(modelId: string, { provider, upstreamModel }: { provider: string; upstreamModel: string }) {
  const { bindings } = test.gateway.catalog().find(modelId) as VideoModel;
  return bindings.find((each) => each.providerId === provider && each.modelName === upstreamModel)!;
}

const startOf = (id: string): VideoStart | undefined =>
  [...providers.values()].flatMap(({ calls }) => calls.starts).find(({ videoId }) => videoId === id);

describe.each(models.map((model, index) => [model.id, model, index] as const))('%s', (_id, model, index) => {
  const options = leftToGate(index % MODELS_STEP !== 0);
  it.each(['live', 'test'] as const)('bills in %s mode what it stores, sends and shows', options, async (mode) => {
    onTestFailed(() => console.error(`The bodies came from seed ${seed}.`));
    const made: (Awaited<ReturnType<typeof submitted>> & { body: Body })[] = [];
    for (const body of bodiesOf(index)) made.push({ body, ...(await submitted(body, mode)) });
    await test.settle();
    for (const { id, body, video, order, quote, candidates } of made) {
      const [first] = candidates;
      const binding = bindingOf(model.id, first!);
      expect(binding.resolutions ?? model.video.resolutions).toContain(order.resolution);
      const given = orderFor(order, model, binding);
      expect(quoteVideo(given, binding.price).total).toBe(quote);
      expect(video).toMatchObject({
        model: model.id,
        cost: usdNumber(quote),
        seconds: String(given.seconds),
        size: `${given.width}x${given.height}`,
        usage: { duration_seconds: given.seconds },
        mode,
      });
      expect((await test.gateway.videos.get(await test.caller(mode), id)).video).toMatchObject({
        cost: usdNumber(quote),
        seconds: video.seconds,
        size: video.size,
      });

      const start = startOf(id);
      expect(start?.order).toEqual(given);
      expect(start?.binding).toEqual(binding);
      if (mode === 'live') expect(providers.get(binding.providerId)!.calls.starts).toContain(start);
      else expect(providers.get('sandbox')!.calls.starts).toContain(start);

      // All of it matches the request, as far as the provider takes it.
      expect(order.prompt).toBe(body.prompt);
      if (given.outputFollowsSource)
        expect(given.seconds).toBe(Math.min(Math.ceil(Number(body.input_seconds)), model.video.seconds.at(-1)!));
      else if (body.seconds !== undefined) expect(given.seconds).toBe(Number(body.seconds));
      if (body.size !== undefined) expect(video.size).toBe(body.size);
      const sent: Body = {
        ...given.parameters,
        fps: given.fps,
        ...(given.seed === undefined ? {} : { seed: given.seed }),
      };
      for (const name of Object.keys(given.parameters)) expect(binding.parameters).toContain(name);
      const parameters = effectiveParameters(model, given);
      for (const name of binding.parameters.filter((each) => parameters.includes(each)))
        if (name in body) expect([name, sent[name]]).toEqual([name, body[name]]);
      if (!binding.parameters.includes('seed')) expect(given).not.toHaveProperty('seed');
      if (!binding.parameters.includes('fps')) expect(given.fps).toBe(model.video.fps.default);
    }
  });

  it('gives a fallback what it takes of the order, at the price of the first', options, async () => {
    const [body] = bodiesOf(index);
    const { id, order, quote, candidates } = await submitted(body!, 'live');
    const [first, fallback] = candidates;
    if (!fallback) return;
    const refusing = providers.get(first!.provider)!;
    const { onStart } = refusing;
    refusing.onStart = async () => {
      throw upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'refused by the test');
    };
    await test.settle();
    refusing.onStart = onStart;
    const binding = bindingOf(model.id, fallback);
    const start = providers.get(fallback.provider)!.calls.starts.find(({ videoId }) => videoId === id);
    expect(start?.order).toEqual(orderFor(order, model, binding));
    expect((await test.gateway.videos.get(await test.caller('live'), id)).video).toMatchObject({
      cost: usdNumber(quote),
    });
  });

  // The same for every fallback and every parameter, without a database: a fallback gets `orderFor` of what is stored.
  it('sends each of its parameters to every provider that lists it, for what is billed and shown', () => {
    for (const body of [...parameterBodies(model), ...bodiesOf(index)]) {
      const { request, bindings: candidates } = takersOf(body, model);
      const { order } = request;
      const [first] = candidates;
      if (!first) throw new Error(`No provider takes ${JSON.stringify(body)}.`);
      const quoted = orderFor(order, model, first);
      for (const binding of candidates) {
        const of = `${binding.providerId}/${binding.modelName} of ${JSON.stringify(body)}`;
        const given = orderFor(order, model, binding);
        const offered = effectiveParameters(model, given);
        const sent: Body = { ...given.parameters, fps: given.fps, seed: given.seed };
        const parameters = Object.entries(body).filter(([name]) => offered.includes(name));
        const ignored = ignoredBy(request, model, binding);
        for (const [name, value] of parameters)
          if (binding.parameters.includes(name)) expect([of, name, sent[name]]).toEqual([of, name, value]);
          else expect([of, ignored]).toEqual([of, expect.arrayContaining([name])]);
        const taken = ignored.filter((name) => offered.includes(name) && binding.parameters.includes(name));
        expect([of, taken]).toEqual([of, []]);
        expect([of, billedFacts(given)]).toEqual([of, billedFacts(quoted)]);
      }
    }
  });
});

/** Those that have an effect on this order: a silent video has no voice. */
const effectiveParameters = (model: (typeof models)[number], order: VideoOrder) =>
  factsFor(model.video, order).parameters.filter((name) => order.audio || name !== 'reference_voice');

/** What the answer shows, and what the price depends on. */
const billedFacts = ({ seconds, resolution, width, height, inputMillis, audio }: VideoOrder) => ({
  seconds,
  resolution,
  width,
  height,
  inputMillis,
  audio,
});
