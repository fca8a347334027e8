import { perSecond } from '../../../lib/catalog/price-table';
import type { Caller } from '../../../lib/domain/caller';
import type { Mode } from '../../../lib/domain/video';
import type { Submission, Submitted } from '../../../lib/videos/videos';
import type { VideoJson } from '../../../lib/contract/videos';
import { createChaos, type Chaos } from '../../support/chaos-provider';
import { makeGateway, type TestGateway, type TestGatewayOptions } from '../../support/gateway';
import { edit, fromPicture, fromReferences, fromTwoPictures, madeUp } from './request-models';

// The whole product with three providers that the test controls: `alpha`, the more expensive `beta`, and `stage`, which
// replaces both in test mode and has a model of its own, as the sandbox does.

export const acme = madeUp({
  bindings: [
    { providerId: 'alpha', modelName: 'acme-at-alpha' },
    {
      providerId: 'beta',
      modelName: 'acme-at-beta',
      price: perSecond('made up for tests', { '720p': '0.25', '1080p': '0.50' }),
    },
  ],
});
const onStage = madeUp({
  id: 'stage-t2v',
  bindings: [{ providerId: 'stage', modelName: 'stage' }],
  price: perSecond('made up for tests', { '720p': '0.01', '1080p': '0.01' }),
});

export interface Acme extends TestGateway {
  readonly alpha: Chaos;
  readonly beta: Chaos;
  readonly stage: Chaos;
  /** Of the first organisation. */
  readonly live: Caller;
  readonly test: Caller;
  submit(caller: Caller, body?: Record<string, unknown>, how?: Partial<Submission>): Promise<Submitted>;
  read(caller: Caller, id: string): Promise<VideoJson>;
  /** A caller of another organisation, with $25 live and $1,000 test. */
  stranger(name: string, mode?: Mode): Promise<Caller>;
  count(table: string): Promise<number>;
}

export async function makeAcme(options: TestGatewayOptions = {}): Promise<Acme> {
  const [alpha, beta, stage] = [createChaos('alpha'), createChaos('beta'), createChaos('stage')];
  const base = await makeGateway({
    providers: [alpha, beta, stage].map(({ definition }) => definition),
    testProvider: stage.definition,
    models: [acme, onStage, fromPicture, fromTwoPictures, fromReferences, edit],
    lookup: async () => ['93.184.216.34'],
    ...options,
  });
  const { gateway, db } = base;
  return {
    ...base,
    alpha,
    beta,
    stage,
    live: await base.caller('live'),
    test: await base.caller('test'),
    submit: (caller, body = {}, how = {}) =>
      gateway.videos.submit(caller, {
        body: { model: 'acme-t2v', prompt: 'a cat', ...body },
        textOnly: false,
        requestId: 'req_1',
        automaticRetry: false,
        ...how,
      }),
    read: async (caller, id) => (await gateway.videos.get(caller, id)).video,
    async stranger(name, mode = 'live') {
      const keys = await base.makeOrganization(name);
      return gateway.accounts.authenticate({ authorization: `Bearer ${keys[mode]}` }, '127.0.0.1');
    },
    async count(table) {
      const { rows } = await db.query(`select count(*)::int as n from ${table}`);
      return Number(rows[0]?.n);
    },
  };
}
