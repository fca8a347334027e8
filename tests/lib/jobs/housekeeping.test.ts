import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHousekeeping } from '../../../lib/jobs/housekeeping';
import type { Provider } from '../../../lib/domain/provider';
import type { Json } from '../../../lib/domain/json';
import { makeGateway, type TestGateway } from '../../support/gateway';
import { createChaos } from '../../support/chaos-provider';
import { perSecond } from '../../../lib/catalog/price-table';
import { firstEdition, videoModel, wholeSeconds } from '../../../lib/catalog/model-entry';

const chaos = createChaos('acme');
const removed: Json[] = [];
let broken = false;
// The chaos provider asks for nothing from outside.
const video = chaos.definition.create(undefined as never).video!;
const keeper: Provider = {
  id: 'acme',
  video: {
    ...video,
    async remove(note) {
      if (broken) throw new Error('the disk is away');
      removed.push(note);
    },
  },
};
const model = videoModel({
  id: 'acme-t2v',
  name: 'Acme',
  description: 'Serves tests.',
  family: 'acme',
  created: firstEdition,
  kind: 't2v',
  seconds: wholeSeconds(1, 10),
  defaultSeconds: 5,
  resolutions: ['720p'],
  defaultResolution: '720p',
  aspectRatios: ['16:9'],
  fps: { default: 24 },
  audio: 'none',
  parameters: [],
  price: perSecond('made up for tests', { '720p': '0.10' }),
  bindings: [{ providerId: 'acme', modelName: 'acme' }],
});

let test: TestGateway;
beforeAll(async () => {
  const definition = { ...chaos.definition, create: () => keeper };
  test = await makeGateway({ providers: [definition], standIn: definition, models: [model] });
});
afterAll(() => test.close());

async function finished(): Promise<string> {
  const { id } = await test.gateway.videos.submit(await test.caller('live'), { body: { model: 'acme-t2v', prompt: 'x' }, textOnly: false, requestId: 'req_1', automaticRetry: false });
  await test.settle();
  await test.pass(6_000);
  return id;
}
const clean = () => createHousekeeping({ db: test.db, clock: test.clock, log: test.log, providers: new Map([['acme', keeper]]) }).run();

describe('the hourly cleaning', () => {
  it('removes an expired file once, and no other', async () => {
    const old = await finished();
    await test.pass(29 * 24 * 3_600_000);
    const young = await finished();
    await clean();
    expect(removed).toEqual([]);
    await test.pass(24 * 3_600_000 + 1_000);
    await clean();
    await clean();
    expect(removed).toEqual([{ kept: 'here' }]);
    const { rows } = await test.db.query('select id, file is null as gone from videos order by created_at');
    expect(rows).toEqual([
      { id: old, gone: true },
      { id: young, gone: false },
    ]);
  });

  it('removes the file of a deleted video that could not be removed at once', async () => {
    const id = await finished();
    const caller = await test.caller('live');
    removed.length = 0;
    broken = true;
    await test.gateway.videos.remove(caller, id);
    await expect(test.gateway.videos.get(caller, id)).rejects.toMatchObject({ code: 'video_not_found' });
    broken = false;
    await clean();
    expect(removed).toEqual([{ kept: 'here' }]);
  });

  it('removes the traces of a failed video after thirty days', async () => {
    chaos.onCheck = async () => ({ status: 'failed', code: 'generation_failed', message: 'No.' });
    const id = await finished();
    removed.length = 0;
    await clean();
    expect(removed).toEqual([]);
    await test.pass(30 * 24 * 3_600_000 + 1_000);
    await clean();
    expect(removed).toContainEqual({ videoId: id });
  });
});
