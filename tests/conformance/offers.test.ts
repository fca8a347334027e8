import { servedByInstallation } from '../../lib/routing/provider-directory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mapVideoBindings } from '../../lib/catalog/binding-facts';
import { allModels } from '../../lib/catalog/models';
import { fieldsOf, isObject } from '../../lib/domain/json';
import type { VideoModel } from '../../lib/domain/model';
import type { ProviderDefinition } from '../../lib/domain/provider';
import { KLING_ACCESS_KEY, KLING_SECRET_KEY, startFakeKling } from '../support/upstreams/fake-kling';
import type { FakeVideoVendor } from '../support/upstreams/fake-video-vendor';
import { createChaos } from '../support/chaos-provider';
import { grantCredits } from '../support/grant-credits';
import { proofStep } from '../support/proof-runs';
import { offeredRequests, servedBy, upstreamModels, type Fields, type OfferedRequest } from './offered-requests';
import { startServerInTestTime, type TestServer } from '../support/server';
import { vendorCases, type VendorCase } from './video-vendor-cases';

// Everything that the catalog offers for videos is ordered over HTTP from the vendor that serves it, and made: the strict
// fake of the vendor accepts each request, each choice of the caller changes what the vendor receives, and the price is
// the quoted one. The price of a binding need not be verified.

const CHECK_PAUSE_MS = 6_000;
/** More checks than any fake needs. */
const MAX_CHECKS = 12;

/** Each vendor once. */
const vendors = vendorCases.filter(
  ({ definition }, index) => vendorCases.findIndex((each) => each.definition === definition) === index,
);
const klingWithPair = vendors.filter(({ definition }) => definition.id === 'kling').map(withPairOfKeys);

/** A vendor's models are tried in parts, so that no test of one with many models takes minutes. */
const MODELS_OF_PART = 12;

/** What docs/videos.md says: only videos of 4 seconds have music there. */
const documented = ['t2v', 'i2v', 'start-end', 'pro-i2v', 'pro-start-end'].map(
  (kind) => `fal: vidu-q2-${kind} with bgm=false changes nothing at the vendor`,
);

interface Ordered {
  readonly model: VideoModel;
  readonly offered: OfferedRequest;
  /** As it was sent, with the pinned model and a prompt of its own. */
  readonly body: Fields;
  readonly prompt: string;
  readonly id: string;
  readonly cost: number;
}

describe.each([
  ['every model', vendors],
  ['every model with the other kind of credentials', klingWithPair],
] as const)('%s', (_title, cases) => {
  const fakes = new Map<VendorCase, FakeVideoVendor>();
  let served: TestServer;

  beforeAll(async () => {
    const second = createChaos('second');
    await Promise.all(cases.map(async (given) => fakes.set(given, await given.startVendor())));
    served = await startServerInTestTime({
      providers: [...cases.map(({ definition }) => withoutLimits(definition)), second.definition],
      testProvider: second.definition,
      // The names of the media are public; they are not read.
      lookup: async () => ['93.184.216.34'],
      checkSource: async () => undefined,
      env: {
        PUBLIC_BASE_URL: 'https://gateway.example',
        CONFIRMED_PRICES: allModels.map(({ id }) => id).join(','),
        ...Object.fromEntries(cases.flatMap((given) => Object.entries(given.env(fakeOf(given))))),
      },
    });
    await grantCredits(served.db, 'live', 1_000_000);
  });
  afterAll(async () => {
    await served.close();
    await Promise.all([...fakes.values()].map((fake) => fake.close()));
  });

  function fakeOf(given: VendorCase): FakeVideoVendor {
    const fake = fakes.get(given);
    if (!fake) throw new Error(`${given.definition.name} was not started.`);
    return fake;
  }

  it.each(cases.flatMap(partsOf))(
    'of $name, part $part, is made as ordered, at the quoted price, with each value that it offers',
    async ({ given, ids }) => {
      const vendor = fakeOf(given);
      const requestsBefore = vendor.requests.length;
      const models = modelsOf(given.definition, given.env(vendor)).filter(({ id }) => ids.includes(id));
      const step = proofStep(12);
      const tried = models.filter((_model, index) => index % step === 0);
      const before = await spent(served);
      const problems: string[] = [];
      const ordered: Ordered[] = [];
      const made = new Set<string>();
      for (const model of tried) for (const offered of offeredRequests(model)) await order(model, offered);
      await finish();
      for (const one of ordered) await checkMade(one);
      for (const model of tried)
        await checkSent(
          model,
          ordered.filter((one) => one.model === model),
        );
      expect(problems.filter((problem) => !documented.includes(`${given.definition.id}: ${problem}`))).toEqual([]);
      for (const model of tried)
        expect(ordered.filter((one) => one.model === model).length, model.id).toBeGreaterThanOrEqual(2);
      expect((await spent(served)) - before).toBeCloseTo(sumOf(ordered.map(({ cost }) => cost)), 6);

      async function order(model: VideoModel, offered: OfferedRequest): Promise<void> {
        const add = recorderFor(model, offered);
        const prompt = `${String(offered.body.prompt)}, number ${ordered.length + 1}.`;
        const body = { ...offered.body, model: `${given.definition.id}/${model.id}`, prompt };
        const quoted = Number(served.gateway.usage.quote(servedByInstallation('live'), body).total);
        const response = await served.submit(body);
        const answer = fieldsOf(await response.json());
        if (response.status !== 202) return add(`is refused: ${String(fieldsOf(answer.error).message)}`);
        if (answer.cost !== quoted) add(`costs ${String(answer.cost)} and was quoted at ${quoted}`);
        const ignored = response.headers.get('x-ignored-params');
        if (ignored !== null) add(`ignores ${ignored}`);
        ordered.push({ model, offered, body, prompt, id: String(answer.id), cost: quoted });
      }

      async function finish(): Promise<void> {
        await served.settle();
        for (let checks = 0; checks < MAX_CHECKS && (await countUnfinished()) > 0; checks += 1)
          await served.pass(CHECK_PAUSE_MS);
      }

      async function countUnfinished(): Promise<number> {
        const { rows } = await served.db.query(
          `select count(*)::int as count from videos where status in ('queued', 'in_progress')`,
        );
        return Number(rows[0]?.count);
      }

      async function checkMade({ model, offered, body, id, cost }: Ordered): Promise<void> {
        const add = recorderFor(model, offered);
        const video = fieldsOf(await (await served.call(`/v1/videos/${id}`)).json());
        if (video.status !== 'completed')
          return add(`is ${String(video.status)}: ${String(fieldsOf(video.error).message)}`);
        made.add(id);
        if (video.cost !== cost) add(`is charged ${String(video.cost)} and was quoted at ${cost}`);
        if (video.model !== model.id) add(`is a video of ${String(video.model)}`);
        for (const name of ['size', 'seconds'])
          if (body[name] !== undefined && String(body[name]) !== video[name])
            add(`reports ${name} ${String(video[name])}`);
      }

      async function checkSent(model: VideoModel, orders: readonly Ordered[]): Promise<void> {
        const { rows } = await served.db.query(
          `select distinct upstream_model from video_attempts where outcome = 'accepted' and video_id = any($1)`,
          [orders.map(({ id }) => id)],
        );
        const used = new Set(rows.map((row) => row.upstream_model));
        for (const name of upstreamModels(model))
          if (!used.has(name)) problems.push(`${model.id} never ordered ${name}`);

        const [plain, again, ...others] = orders
          .filter(({ id }) => made.has(id))
          .map((one) => ({ ...one, sent: sentFor(one) }));
        if (!plain || !again) return;
        // Our id of the video, ids of uploads and the like.
        const random = new Set(differencesOf(plain.sent, again.sent, new Set()));
        for (const { offered, sent } of others) {
          const differences = differencesOf(plain.sent, sent, random);
          const add = recorderFor(model, offered);
          if (offered.isSynonym && differences.length > 0) add(`changes ${differences.join(', ')} at the vendor`);
          if (!offered.isSynonym && differences.length === 0) add('changes nothing at the vendor');
        }
      }

      /** The path and every field of the one submit, as `name=value`, without the prompt. */
      function sentFor({ prompt, model, offered }: Ordered): ReadonlyMap<string, string> {
        const submits = vendor.requests
          .slice(requestsBefore)
          .filter((request) => given.isSubmit(request) && request.raw.includes(prompt));
        const [submit, ...more] = submits;
        if (!submit || more.length > 0)
          throw new Error(`${model.id} with ${offered.choice} was submitted ${submits.length} times.`);
        const body = submit.json ?? formFields(submit.raw.toString('utf8'));
        const leaves = [...leavesOf(submit.path, 'path'), ...leavesOf(body, 'body')];
        return new Map(leaves.map(([name, value]) => [name, value.replace(prompt, '')]));
      }

      function recorderFor(model: VideoModel, { choice }: OfferedRequest): (what: string) => void {
        return (what) => void problems.push(`${model.id} with ${choice} ${what}`);
      }
    },
  );
});

/** The models that the catalog has for a vendor, in parts that are numbered from 1. */
function partsOf(given: VendorCase) {
  const { id: vendorId, name } = given.definition;
  const all = allModels.filter(({ bindings }) => bindings.some(({ providerId }) => providerId === vendorId));
  return Array.from({ length: Math.ceil(all.length / MODELS_OF_PART) }, (_, index) => ({
    name,
    part: index + 1,
    given,
    ids: all.slice(index * MODELS_OF_PART, (index + 1) * MODELS_OF_PART).map(({ id }) => id),
  }));
}

/** The models that the provider serves with these settings, each with the provider's bindings alone. */
function modelsOf(definition: ProviderDefinition, settings: Readonly<Record<string, string>>): readonly VideoModel[] {
  const narrowed = mapVideoBindings(allModels, (binding, { video: { kind } }) =>
    binding.providerId === definition.id ? (definition.narrow?.(binding, kind, settings) ?? binding) : binding,
  );
  return narrowed.flatMap((model) =>
    model.capability === 'video' &&
    model.deactivatedAt === undefined &&
    model.bindings.some(
      (binding) =>
        binding.providerId === definition.id &&
        binding.resolutions?.length !== 0 &&
        (definition.knows?.(binding) ?? true),
    )
      ? [servedBy(model, definition.id)]
      : [],
  );
}

/** Without the limits of the account at the vendor, so that all orders are made at once. */
function withoutLimits(definition: ProviderDefinition): ProviderDefinition {
  return {
    ...definition,
    create(deps) {
      const provider = definition.create(deps);
      const { limits: _limits, ...video } = provider.video ?? {};
      // Safe: `limits` is optional.
      return { ...provider, video: video as NonNullable<typeof provider.video> };
    },
  };
}

function withPairOfKeys(given: VendorCase): VendorCase {
  return {
    ...given,
    // The time of the gateway is not that of the fake.
    startVendor: () => startFakeKling({ checksTime: false }),
    env: ({ baseUrl }) => ({ KLING_ACCESS_KEY, KLING_SECRET_KEY, KLING_BASE_URL: baseUrl }),
  };
}

async function spent({ gateway, caller }: TestServer): Promise<number> {
  return Number((await gateway.accounts.credits(await caller('live'))).spent);
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** The names of the fields that differ, except the random ones. */
function differencesOf(
  one: ReadonlyMap<string, string>,
  other: ReadonlyMap<string, string>,
  random: ReadonlySet<string>,
): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter(
    (name) => !random.has(name) && one.get(name) !== other.get(name),
  );
}

function leavesOf(value: unknown, name: string): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, `${name}[${index}]`));
  if (isObject(value)) return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, `${name}.${key}`));
  return [[name, JSON.stringify(value)]];
}

/** The fields of a form, as far as they are text. */
function formFields(raw: string): Fields {
  return Object.fromEntries(
    [...raw.matchAll(/ name="([^"]+)"[^\r]*\r\n(?:[^\r]+\r\n)*\r\n([^\r]*)/g)].map(([, name, value]) => [name, value]),
  );
}
