import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cartesia } from '../../../lib/providers/cartesia/index';
import { deepseek } from '../../../lib/providers/deepseek/index';
import { fal } from '../../../lib/providers/fal/index';
import { kling } from '../../../lib/providers/kling/index';
import { sandbox } from '../../../lib/providers/sandbox/index';
import { soniox } from '../../../lib/providers/soniox/index';
import { systemClock } from '../../../lib/domain/clock';
import { makeGateway, type TestGateway } from '../../support/gateway';
import { createCartesia } from '../../support/upstreams/cartesia';
import { startFakeCompatibleVendor } from '../../support/upstreams/fake-compatible-vendor';
import { FAL_KEY, startFakeFal } from '../../support/upstreams/fake-fal';
import { createSoniox } from '../../support/upstreams/soniox';
import { goodKey } from '../../support/upstreams/upstream';

// One provider of each capability in front of its fake, with right and with wrong credentials.

const providers = [sandbox, deepseek, soniox, cartesia, fal, kling];

const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});
// After each test, so that the next gateway gets the same database.
let gateway: TestGateway | undefined;
afterEach(() => gateway?.close());

async function startVendors() {
  const vendors = {
    deepseek: await startFakeCompatibleVendor({ replay: true, path: '/anthropic/v1/messages' }),
    soniox: await createSoniox(),
    cartesia: await createCartesia(),
    fal: await startFakeFal(),
  };
  for (const vendor of Object.values(vendors)) closing.push(() => vendor.close());
  return vendors;
}

type Vendors = Awaited<ReturnType<typeof startVendors>>;
let vendors: Vendors;
beforeAll(async () => {
  vendors = await startVendors();
});

async function open(env: Readonly<Record<string, string>>): Promise<TestGateway> {
  gateway = await makeGateway({ clock: systemClock, providers, env });
  return gateway;
}

const baseUrls = ({ deepseek: text, soniox: stt, cartesia: tts, fal: video }: Vendors) => ({
  DEEPSEEK_BASE_URL: text.baseUrl,
  SONIOX_BASE_URL: stt.baseUrl,
  CARTESIA_BASE_URL: tts.baseUrl,
  FAL_BASE_URL: video.baseUrl,
});

describe('the providers of an installation', () => {
  it('are listed with what is missing, and with the number of models that they serve live', async () => {
    const { gateway } = await open({ FAL_KEY, KLING_ACCESS_KEY: 'half a pair' });
    const { data } = gateway.operator.providers.list();
    expect(data.map(({ id }) => id)).toEqual(providers.map(({ id }) => id));
    expect(data.find(({ id }) => id === 'fal')).toMatchObject({ offered: true, reason: null, capabilities: ['video'] });
    expect(data.find(({ id }) => id === 'fal')!.models).toBeGreaterThan(3);
    expect(data.find(({ id }) => id === 'kling')).toEqual({
      id: 'kling',
      object: 'provider',
      name: 'Kling',
      capabilities: ['video'],
      offered: false,
      reason: 'Set KLING_API_KEY, or KLING_ACCESS_KEY and KLING_SECRET_KEY: KLING_SECRET_KEY is missing.',
      models: 0,
      unconfirmed_models: [],
    });
    expect(data.find(({ id }) => id === 'soniox')).toMatchObject({ offered: false, reason: 'Set SONIOX_API_KEY.' });
  });

  it('name the models whose price has to be confirmed, until it is', async () => {
    const falOf = ({ gateway }: TestGateway) => gateway.operator.providers.list().data.find(({ id }) => id === 'fal')!;
    const before = falOf(await open({ FAL_KEY }));
    expect(before.unconfirmed_models).toContain('veo-3.1-fast-t2v');
    await gateway?.close();
    const confirming = await open({ FAL_KEY, CONFIRMED_PRICES: 'fal/veo-3.1-fast-t2v,fal/veo-3.1-t2w' });
    // A misspelt name is reported at the start.
    expect(confirming.log.lines.filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        message: 'a name in CONFIRMED_PRICES confirms no price',
        fields: { name: 'fal/veo-3.1-t2w', reason: 'No model of the catalog has the id veo-3.1-t2w.' },
      },
    ]);
    const after = falOf(confirming);
    expect(after.unconfirmed_models).toEqual(before.unconfirmed_models.filter((id) => id !== 'veo-3.1-fast-t2v'));
    expect(after.models).toBe(before.models + 1);
  });

  it('accept right credentials, for each capability with one cheap request', async () => {
    const { gateway } = await open({
      ...baseUrls(vendors),
      DEEPSEEK_API_KEY: vendors.deepseek.apiKey,
      SONIOX_API_KEY: goodKey,
      CARTESIA_API_KEY: goodKey,
      FAL_API_KEY: FAL_KEY,
    });
    const { data } = await gateway.operator.providers.verify();
    expect(data.filter(({ provider }) => provider !== 'sandbox')).toEqual(
      [
        ['deepseek', 'messages'],
        ['soniox', 'stt'],
        ['cartesia', 'tts'],
        ['fal', 'video'],
      ].map(([provider, capability]) => ({
        provider,
        capability,
        outcome: 'accepted',
        message: 'The provider accepted the credentials.',
      })),
    );
    expect(vendors.deepseek.requests.map(({ raw }) => JSON.parse(raw.toString()) as unknown)).toEqual([
      expect.objectContaining({ max_tokens: 1 }),
    ]);
    expect(vendors.fal.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it('refuse wrong credentials, and one of them can be asked alone', async () => {
    const { gateway } = await open({
      ...baseUrls(vendors),
      DEEPSEEK_API_KEY: 'wrong',
      SONIOX_API_KEY: 'wrong',
      CARTESIA_API_KEY: 'wrong',
      FAL_API_KEY: 'wrong:key',
    });
    for (const provider of ['deepseek', 'soniox', 'cartesia', 'fal']) {
      const { data } = await gateway.operator.providers.verify(provider);
      expect(data).toMatchObject([{ provider, outcome: 'refused', message: 'The provider refused the credentials.' }]);
    }
  });

  it('that do not answer are unknown, and the log says why', async () => {
    const { gateway, log } = await open({ FAL_BASE_URL: 'http://127.0.0.1:9', FAL_API_KEY: FAL_KEY });
    expect((await gateway.operator.providers.verify('fal')).data).toMatchObject([
      { provider: 'fal', outcome: 'unknown' },
    ]);
    expect(
      log.lines.filter(({ message }) => message === 'the credentials of a provider could not be verified'),
    ).toHaveLength(1);
  });

  it('that need no credentials are unknown', async () => {
    const { gateway } = await open({});
    const { data } = await gateway.operator.providers.verify('sandbox');
    expect(data.find(({ capability }) => capability === 'video')).toMatchObject({ outcome: 'unknown' });
  });

  it('that are not offered or do not exist cannot be verified', async () => {
    const { gateway } = await open({});
    await expect(gateway.operator.providers.verify('kling')).rejects.toMatchObject({
      code: 'unsupported_value',
      message: 'Kling is not offered. Set KLING_API_KEY, or KLING_ACCESS_KEY and KLING_SECRET_KEY.',
    });
    await expect(gateway.operator.providers.verify('acme')).rejects.toMatchObject({
      message: 'There is no provider with this id. There are sandbox, deepseek, soniox, cartesia, fal, kling.',
    });
  });
});
