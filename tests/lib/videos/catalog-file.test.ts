import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { upstreamFailed } from '../../../lib/domain/errors';
import { createChaos } from '../../support/chaos-provider';
import { makeGateway, type TestGateway } from '../../support/gateway';
import { fileOf, lantern } from '../catalog/file-models';
import { madeUp } from './request-models';

// A model of CATALOG_FILE that changes while its videos wait for their provider.

let folder: string;
let file: string;
let test: TestGateway | undefined;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-catalog-'));
  file = path.join(folder, 'catalog.json');
});
afterEach(async () => {
  await test?.close();
  test = undefined;
  await rm(folder, { recursive: true });
});

const onAlpha = { ...lantern, bindings: [{ providerId: 'alpha', modelName: 'lantern-1' }] };
const priced = (usd: string) => ({ ...onAlpha, price: { ...lantern.price, rates: [{ usd }] } });

it.each([
  ['is removed from the file', fileOf()],
  [
    'gets another price and another upstream name',
    fileOf({ ...priced('0.9'), bindings: [{ providerId: 'alpha', modelName: 'lantern-2' }] }),
  ],
])(
  'a waiting video whose model %s is made as it was ordered, at the held price',
  async (_change, changed) => {
    await writeFile(file, fileOf(priced('0.25')));
    const alpha = createChaos('alpha');
    let isUp = false;
    alpha.onStart = async () => {
      if (!isUp) throw upstreamFailed({ started: 'no', retry: 'later' }, 'alpha is down');
      return { providerJobId: 'job' };
    };
    test = await makeGateway({
      providers: [alpha.definition],
      testProvider: alpha.definition,
      models: [madeUp({ bindings: [{ providerId: 'alpha', modelName: 'acme' }] })],
      env: { CATALOG_FILE: file },
    });
    const { gateway, pass } = test;
    const caller = await test.caller('live');
    const submit = (model: string) =>
      gateway.videos.submit(caller, {
        body: { model, prompt: 'a lantern', seconds: 4 },
        textOnly: false,
        requestId: 'req_1',
        automaticRetry: false,
      });
    const { video } = await submit('lantern-t2v');
    expect(await gateway.accounts.credits(caller)).toMatchObject({ held: '1' });
    await vi.waitFor(() => expect(alpha.calls.starts).not.toHaveLength(0));

    const before = gateway.catalog();
    await writeFile(file, changed);
    await vi.waitFor(
      async () => {
        await pass(1_000);
        expect(gateway.catalog()).not.toBe(before);
      },
      { timeout: 20_000 },
    );
    isUp = true;
    await pass(60_000);
    await pass(10_000);

    const made = (await gateway.videos.get(caller, video.id)).video;
    expect(made).toMatchObject({ status: 'completed', model: 'lantern-t2v', cost: 1 });
    expect(alpha.calls.starts.at(-1)).toMatchObject({ binding: { modelName: 'lantern-1' }, order: { seconds: 4 } });
    expect(await gateway.accounts.credits(caller)).toMatchObject({ held: '0', spent: '1' });
    // The console can still show the request, and what the model ignored of it.
    expect(await gateway.videos.request(caller, video.id)).toMatchObject({ model: 'lantern-t2v', seconds: 4 });
    expect(await gateway.videos.details(caller, video.id)).toMatchObject({ ignored: [] });
  },
  60_000,
);
