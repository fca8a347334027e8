import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertDeliveries } from '../../../../lib/db/webhooks';
import { newId } from '../../../../lib/domain/ids';
import type { Mode } from '../../../../lib/domain/video';
import { openConsoleApi, type ConsoleApi } from '../../../support/console-api';

// An id belongs to one mode, so a list that is filtered by one needs no `mode`.

type Named = Awaited<ReturnType<typeof cancelledVideo>>;

let api: ConsoleApi;
let named: Readonly<Record<Mode, Named>>;
beforeAll(async () => {
  api = await openConsoleApi();
  named = { live: await cancelledVideo('live'), test: await cancelledVideo('test') };
});
afterAll(() => api.testGateway.close());

/** A video that has ended, with a delivery of its webhook. */
async function cancelledVideo(mode: Mode) {
  const { gateway, db, caller, clock } = api.testGateway;
  const owner = await caller(mode);
  const requestId = newId('request');
  const { id: videoId } = await gateway.videos.submit(owner, {
    body: { model: 'sandbox-t2v', prompt: 'a kite', seconds: 1, size: '640x360' },
    textOnly: false,
    requestId,
    automaticRetry: false,
  });
  await gateway.videos.cancel(owner, videoId);
  const deliveryId = newId('delivery');
  const endpointId = newId('endpoint');
  await insertDeliveries(db, [
    {
      id: deliveryId,
      orgId: owner.orgId,
      mode,
      videoId,
      event: 'video.failed',
      endpointId,
      url: 'https://receiver.example/hook',
      state: 'failed',
      createdAt: clock.now(),
      finishedAt: clock.now(),
    },
  ]);
  return { videoId, requestId, deliveryId, endpointId };
}

const lists: readonly (readonly [route: string, param: string, name: keyof Named])[] = [
  ['webhook-deliveries', 'id', 'deliveryId'],
  ['webhook-deliveries', 'video_id', 'videoId'],
  ['webhook-deliveries', 'endpoint_id', 'endpointId'],
  ['webhook-deliveries', 'search', 'videoId'],
  ['requests', 'search', 'videoId'],
  ['requests', 'search', 'requestId'],
  ['videos', 'search', 'videoId'],
  ['videos', 'request_id', 'requestId'],
  ['ledger', 'subject', 'videoId'],
];

async function list(route: string, query: string): Promise<readonly { readonly mode?: Mode }[]> {
  const { status, json } = await api.ask(route, { query });
  expect(status).toBe(200);
  return json['data'] as { mode?: Mode }[];
}
const isFound = async (route: string, query: string) => (await list(route, query)).length > 0;

it.each(lists)(
  'GET %s › finds what %s names in either mode, and with mode in that one alone',
  async (route, param, name) => {
    for (const [mode, other] of [
      ['live', 'test'],
      ['test', 'live'],
    ] as const) {
      const query = `${param}=${named[mode][name]}`;
      expect(await isFound(route, query)).toBe(true);
      expect(await isFound(route, `${query}&mode=${mode}`)).toBe(true);
      expect(await isFound(route, `${query}&mode=${other}`)).toBe(false);
    }
  },
);

it('a list that names nothing is of live mode', async () => {
  for (const query of ['', 'search=']) expect(await list('requests', query)).toMatchObject([{ mode: 'live' }]);
  expect(await list('requests', `search=${newId('video')}`)).toEqual([]);
});

it('GET requests › a page of what was found without mode may begin after an entry of test mode', async () => {
  const { requestId, videoId } = named.test;
  expect(await list('requests', `search=${requestId}&after=${videoId}`)).toEqual([]);
});

it('GET ledger › has the entries of a test video as a table too', async () => {
  const { videoId } = named.test;
  expect((await api.ask('ledger', { query: `subject=${videoId}&format=csv` })).text).toContain(videoId);
});
