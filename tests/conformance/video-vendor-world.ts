import { withBindings } from '../../lib/catalog/binding-facts';
import { allModels } from '../../lib/catalog/models';
import { videoPriceOf } from '../../lib/catalog/model-entry';
import { perSecond } from '../../lib/catalog/price-table';
import type { VideoModel } from '../../lib/domain/model';
import { expect } from 'vitest';
import { createChaos, type Chaos } from '../support/chaos-provider';
import { startSentinel, type Sentinel } from '../support/sentinel';
import { startServerInTestTime, type TestServer } from '../support/server';
import type { FakeVideoVendor } from '../support/upstreams/fake-video-vendor';
import type { VendorCase } from './video-vendor-cases';

// A gateway in front of the fake of a vendor, and of a second provider that would take over if it may.

export interface World extends TestServer {
  readonly vendor: FakeVideoVendor;
  readonly second: Chaos;
  readonly receiver: Sentinel;
  /**
   * Submits a video and lets time pass until it has ended. The marker chooses the scenario of the fake; `whenStarted` runs
   * before the first check.
   */
  makeVideo(
    scenario?: string,
    change?: Readonly<Record<string, unknown>>,
    whenStarted?: () => Promise<void>,
  ): Promise<MadeVideo>;
  read(id: string): Promise<{ readonly text: string; readonly video: Video }>;
  readCredits(): Promise<Credits>;
}

export interface Video {
  readonly id: string;
  readonly status: string;
  readonly cost: number;
  /** As ordered. */
  readonly seconds: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly video_url?: string;
}

export interface MadeVideo {
  readonly video: Video;
  /** The body of GET. */
  readonly text: string;
  /** Provider and outcome of each. */
  readonly attempts: readonly string[];
  /** How many requests for a video the vendor and the second provider have received. */
  readonly requests: readonly [number, number];
}

interface Credits {
  readonly held: number;
  readonly spent: number;
}

const MINUTE_MS = 60_000;

/** The model of the catalog as the vendor serves it, and as the second provider serves it too. */
function modelOf({ model: id, definition }: VendorCase): VideoModel {
  const model = allModels.find((candidate) => candidate.id === id);
  if (model?.capability !== 'video') throw new Error(`There is no video model ${id}.`);
  const binding = model.bindings.find(({ providerId }) => providerId === definition.id);
  if (!binding) throw new Error(`${definition.id} does not serve ${id}.`);
  const narrowed = withBindings(model, [binding]);
  const price = videoPriceOf(
    perSecond(
      'made up for tests',
      Object.fromEntries(narrowed.video.resolutions.map((resolution) => [resolution, '0.10'])),
    ),
  );
  return {
    ...narrowed,
    bindings: [
      { ...binding, price },
      { ...binding, price, providerId: 'second', modelName: 'at-second' },
    ],
  };
}

/** The gateway checks the books when it closes. */
export async function startWorld(given: VendorCase, env: Readonly<Record<string, string>> = {}): Promise<World> {
  const [vendor, receiver] = await Promise.all([given.startVendor(), startSentinel()]);
  const second = createChaos('second');
  const served = await startServerInTestTime({
    providers: [given.definition, second.definition],
    testProvider: second.definition,
    models: [modelOf(given)],
    env: { ...given.env(vendor), ...env },
  });

  async function read(id: string) {
    const text = await (await served.call(`/v1/videos/${id}`)).text();
    // Safe: the response was checked against the contract.
    return { text, video: JSON.parse(text) as Video };
  }

  async function readCredits(): Promise<Credits> {
    const { held, spent } = await served.gateway.accounts.credits(await served.caller('live'));
    return { held: Number(held), spent: Number(spent) };
  }

  const counts = () => ({
    submits: vendor.requests.filter(given.isSubmit).length,
    others: second.calls.starts.length,
    webhooks: receiver.requests.length,
  });

  return {
    ...served,
    vendor,
    second,
    receiver,
    read,
    readCredits,

    async makeVideo(scenario = '', change = {}, whenStarted) {
      const [before, creditsBefore] = [counts(), await readCredits()];

      const prompt = `A lighthouse in the fog${scenario === '' ? '' : ` [[${scenario}]]`}`;
      const webhook = `http://127.0.0.1:${receiver.port}/hook`;
      const response = await served.submit({ model: given.model, prompt, webhook, ...given.fields, ...change });
      expect(response.status).toBe(202);
      // Safe: the response was checked against the contract.
      const { id } = (await response.json()) as Video;
      await served.settle();
      await whenStarted?.();
      let { text, video } = await read(id);
      // Longer than any deadline of a model. Every minute has its own work, which takes longer than a check.
      for (let passed = 0; video.status !== 'completed' && video.status !== 'failed' && passed < 20; passed += 1) {
        await served.pass(passed < 12 ? 6_000 : 5 * MINUTE_MS);
        ({ text, video } = await read(id));
      }

      const after = counts();
      const credits = await readCredits();
      const { rows: attempts } = await served.db.query(
        'select provider, outcome from video_attempts where video_id = $1 order by attempt',
        [id],
      );
      // Whatever happened: one webhook with the body of GET, nothing on hold, and a charge if there is a video.
      expect(receiver.requests.slice(before.webhooks).map((request) => request.body)).toEqual([text]);
      expect(credits.held).toBe(0);
      expect(credits.spent - creditsBefore.spent).toBeCloseTo(video.cost, 9);
      expect(video.cost > 0).toBe(video.status === 'completed');
      return {
        video,
        text,
        attempts: attempts.map(({ provider, outcome }) => `${String(provider)} ${String(outcome)}`),
        requests: [after.submits - before.submits, after.others - before.others],
      };
    },

    async close() {
      await served.close();
      await Promise.all([vendor.close(), receiver.close()]);
    },
  };
}
